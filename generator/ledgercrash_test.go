package generator

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"colophon/generator/ledger"
	"colophon/internal/ledgerlog"
)

// buildUntilKilled runs one build of the origin beside dir in small batches,
// and kills itself at the step that COLOPHON_TEST_STEP names: tiles:3 is the
// third time that the build reaches the step "tiles".
func buildUntilKilled(dir string) {
	tb := &fatal{}
	ledgerBatch = 16
	n := map[string]int{}
	reached = func(step string) {
		n[step]++
		if fmt.Sprintf("%s:%d", step, n[step]) == os.Getenv("COLOPHON_TEST_STEP") {
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				self.Kill() //nolint:errcheck // a process that is not killed waits until the test times out
			}
			select {}
		}
	}
	store := openStore(tb, filepath.Join(filepath.Dir(dir), "origin.db"))
	if _, err := Build(context.Background(), store, dir, crashOptions(tb, Form(os.Getenv(testForm)))); err != nil {
		tb.Fatal(err)
	}
	os.Exit(0)
}

// TestLedgerSurvivesKills kills a build with SIGKILL at every step of
// appending and publishing in turn. After each kill the published log must be
// sound, and the next build must continue: no event may be lost or logged
// twice, and every checkpoint ever published must be a prefix of the published
// log. COLOPHON_KILLS sets the number of kills at each step, at most 5 (make
// test-kills).
func TestLedgerSurvivesKills(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "dist")
	store := openStore(t, filepath.Join(root, "origin.db"))
	addSite(t, store, "alpha")
	pages := 0
	grow := func() {
		for range 20 {
			addPage(t, store, "alpha", pages)
			pages++
		}
	}
	grow()
	build1(t, store, dir, 2)
	var seen []ledgerlog.Checkpoint
	look := func() {
		t.Helper()
		r := auditLedger(t, dir)
		seen = append(seen, r.Checkpoint)
		must(t, ledger.Agree(ledger.Folder(filepath.Join(dir, "ledger")), r.Note, r.Key, seen...))
	}
	most := min(killsAsked(t, 2), 5)
	for _, step := range []string{"append", "tiles", "witnessed", "signed", "tables", "rendered", "sealed", "published"} {
		kills := 0
		for ; kills < most; kills++ {
			grow()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "COLOPHON_TEST_KILL="+dir, fmt.Sprintf("COLOPHON_TEST_STEP=%s:%d", step, kills+1))
			out, err := cmd.CombinedOutput()
			if err != nil && cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("the build failed by itself: %v %s", err, out)
			}
			look()
			if err == nil {
				break
			}
			build1(t, store, dir, 2)
			look()
			oneLeafEach(t, root, pages)
		}
		t.Logf("%d kills at %q", kills, step)
		if kills == 0 {
			t.Errorf("no kill at %q", step)
		}
	}
	wantSound(t, dir)
}

// oneLeafEach checks that the log has exactly one leaf for each of the
// records.
func oneLeafEach(t *testing.T, root string, pages int) {
	t.Helper()
	store := openStore(t, filepath.Join(root, "origin.db"))
	defer store.DB().Close()
	size, err := store.LedgerSize(context.Background())
	must(t, err)
	events, err := store.LedgerEvents(context.Background(), 0, int(size))
	must(t, err)
	leaves := map[string]int{}
	for i, e := range events {
		if e.Position != int64(i) {
			t.Fatalf("leaf %d is at %d", i, e.Position)
		}
		var leaf map[string]any
		must(t, json.Unmarshal([]byte(e.Leaf), &leaf))
		if sum, ok := leaf["record_sha256"].(string); ok {
			leaves[sum]++
		}
	}
	for sum, n := range leaves {
		if n != 1 {
			t.Errorf("record %s has %d leaves", sum, n)
		}
	}
	if len(leaves) != pages {
		t.Errorf("%d records are logged, want %d", len(leaves), pages)
	}
}
