package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"colophon/internal/assert"
	"colophon/internal/cli/contract"
	"colophon/internal/originsql"
	"colophon/internal/originsql/d1test"
	"colophon/internal/originsql/local"
	"colophon/internal/registrydir"
)

// inD1 is a registry whose origin is in D1.
type inD1 struct {
	operator
	server *d1test.Server
	db     *sql.DB // the server's database
	flag   string
}

// moveToD1 copies the origin of a registry into a database behind D1's API.
func moveToD1(o operator) inD1 {
	o.Helper()
	from, err := sql.Open("sqlite", local.Address(filepath.Join(o.dir, registrydir.OriginFile)))
	if err != nil {
		o.Fatal(err)
	}
	defer from.Close()
	path := filepath.Join(o.TempDir(), "d1.db")
	if _, err := from.Exec("VACUUM INTO ?", path); err != nil {
		o.Fatal(err)
	}

	db, err := sql.Open("sqlite", local.Address(path))
	if err != nil {
		o.Fatal(err)
	}
	o.Cleanup(func() { db.Close() })
	noteMigrations(o.T, db)
	server := d1test.NewServer(db)
	o.Cleanup(server.Close)
	return inD1{o, server, db, "--origin=d1:" + server.URL + d1test.Path}
}

// noteMigrations fills the table in which wrangler records applied migrations.
func noteMigrations(t *testing.T, db *sql.DB) {
	t.Helper()
	must(t, assert.Err(db.Exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)")))
	files, err := originsql.Migrations.ReadDir("migrations")
	must(t, err)
	for _, f := range files {
		must(t, assert.Err(db.Exec("INSERT INTO d1_migrations (name) VALUES (?)", f.Name())))
	}
}

// run runs a command on the origin in D1.
func (d inD1) run(args ...string) (code int, stderr string) {
	var errs strings.Builder
	getenv := environment(map[string]string{"CLOUDFLARE_API_TOKEN": d1test.Token})
	code = runProgram(context.Background(), append(args, "--dir", d.dir, d.flag), strings.NewReader(""), &strings.Builder{}, &errs, getenv)
	return code, errs.String()
}

// newD1Registry returns a registry in D1, and a twin of it that is not.
func newD1Registry(t *testing.T, pages string) (twin operator, there inD1) {
	o := operator{t, filepath.Join(t.TempDir(), "reg")}
	o.ok("init", "--base-url", "https://registry.example")
	o.ok("corpus", "--publishers", "40", "--pages", pages)
	twin = operator{t, filepath.Join(t.TempDir(), "twin")}
	copyTree(t, o.dir, twin.dir)
	there = moveToD1(o)
	must(t, os.Remove(filepath.Join(o.dir, registrydir.OriginFile)))
	return twin, there
}

// requestLimit is how many requests a build of 1,000 pages may make: the API
// allows an account 1,200 in five minutes.
const requestLimit = 60

func TestBuildInD1Requests(t *testing.T) {
	t.Parallel()
	_, there := newD1Registry(t, "1000")
	if code, errs := there.run("build"); code != exitOK {
		t.Fatal(errs)
	}
	requests, statements := there.server.Counts()
	t.Logf("%d requests with %d statements", requests, statements)
	if requests > requestLimit {
		t.Errorf("%d requests with %d statements", requests, statements)
	}
	var records, leaves int
	err := there.db.QueryRow("SELECT (SELECT count(*) FROM records), (SELECT count(*) FROM ledger_events)").Scan(&records, &leaves)
	if err != nil || records != 1000 || leaves < records {
		t.Errorf("%d records in the origin, %d leaves of the ledger, %v; want 1,000 and as many leaves or more", records, leaves, err)
	}
}

func TestBuildInD1(t *testing.T) {
	t.Parallel()
	twin, there := newD1Registry(t, "100")

	// A build that is interrupted in the middle of its writes can be continued.
	there.server.BreakAfter(4)
	if code, errs := there.run("build"); code != exitFailed || !strings.Contains(errs, "503") {
		t.Fatalf("a build whose origin goes away: %d %s", code, errs)
	}
	there.server.BreakAfter(0)
	there.server.Refuse(1, 1)
	if code, errs := there.run("build"); code != exitOK {
		t.Fatalf("the build after it: %s", errs)
	}
	twin.ok("build")
	compareTrees(t, filepath.Join(twin.dir, "dist"), filepath.Join(there.dir, "dist"))

	there.server.Counts()
	if code, errs := there.run("build"); code != exitOK {
		t.Fatalf("the same build again: %s", errs)
	}
	requests, statements := there.server.Counts()
	t.Logf("%d requests with %d statements when nothing is new", requests, statements)
	if requests > 8 {
		t.Errorf("%d requests when nothing is new", requests)
	}
}

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
