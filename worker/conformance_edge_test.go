//go:build edge

package worker_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"colophon/internal/originsql/origintest"
	"colophon/worker/edgelab/labhost"
)

// The tests of the origin store hold on the D1 that wrangler dev gives the
// deployed worker. "make test-edge" runs them through other ways to D1 too.
func TestOriginConformsOnD1(t *testing.T) {
	dir, err := os.MkdirTemp("/dev/shm", "colophon-door") // the local D1 waits for the disk after every statement
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	w, err := labhost.StartDoor(t.Context(), dir)
	must(t, err)
	t.Cleanup(func() { w.Stop() })
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "colophon/internal/originsql")
	cmd.Env = append(os.Environ(), origintest.Variable+"="+w.URL+"/door")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.6000s", err, out)
	}
	passed := strings.Count(string(out), "\n--- PASS")
	t.Logf("%d passed, %d skipped", passed, strings.Count(string(out), "\n--- SKIP"))
	if passed < 40 {
		t.Errorf("only %d tests passed", passed)
	}
}
