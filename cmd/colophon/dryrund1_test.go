package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"colophon/internal/cli/contract"
	"colophon/internal/originsql/d1test"
	"colophon/internal/registrydir"
)

// callInD1 runs a command on the origin in D1 and returns its output.
func (d inD1) callInD1(args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	getenv := environment(map[string]string{"CLOUDFLARE_API_TOKEN": d1test.Token})
	code = runProgram(context.Background(), append([]string{d.flag}, args...), strings.NewReader(""), &out, &errs, getenv)
	return code, out.String(), errs.String()
}

// rowsInD1 returns the tables of the database with their digests.
func (d inD1) rowsInD1() (c copied) {
	d.Helper()
	code, out, errs := d.callInD1("origin", "copy", "--json", "--dir", d.dir, "--to", "sqlite:"+filepath.Join(d.TempDir(), "copy.db"))
	var doc struct{ Data *copied }
	doc.Data = &c
	if err := json.Unmarshal([]byte(out), &doc); code != 0 || err != nil {
		d.Fatalf("%d %v %s", code, err, errs)
	}
	return c
}

// TestDryRunInD1 runs every command that writes the registry with --dry-run and
// --origin=d1:…: it must work on a copy and leave the database unchanged.
func TestDryRunInD1(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	there := moveToD1(w.operator)
	must(t, os.Remove(filepath.Join(w.dir, registrydir.OriginFile)))
	before := there.rowsInD1()
	if before.Rows < 30 {
		t.Fatalf("only %d rows", before.Rows)
	}
	empty, named, ran, every := t.TempDir(), 0, 0, 1
	if testing.Short() {
		every = 12
	}
	contract.WalkCommands(newRoot(), func(cmd *cobra.Command) {
		name := contract.CommandPath(cmd)
		arguments, ok := dryRunOf[name]
		if contract.EffectOf(effects, cmd) != contract.WritesRegistry || !ok {
			return
		}
		if named++; named%every != 0 {
			return
		}
		ran++
		args := append(strings.Fields(name), "--dry-run", "--json", "--dir", w.dir)
		args = append(args, w.fill(arguments, w.dir, empty, w.backups)...)
		code, stdout, stderr := there.callInD1(args...)
		if code != exitOK || !strings.Contains(stdout, `"dry_run":true`) {
			t.Errorf("%q: exit code %d: %s%s", args, code, stdout, stderr)
		}
	})
	if named < 30 || ran != named/every {
		t.Errorf("%d of %d commands were run", ran, named)
	}
	if after := there.rowsInD1(); !reflect.DeepEqual(after, before) {
		t.Errorf("the database was changed:\n%+v\n%+v", before, after)
	}
	if code, stderr := there.run("publisher", "suspend", "harbor-ledger"); code != exitOK {
		t.Errorf("without --dry-run: %d %s", code, stderr)
	}
	if reflect.DeepEqual(there.rowsInD1(), before) {
		t.Error("a command without --dry-run is not seen by this test")
	}
}
