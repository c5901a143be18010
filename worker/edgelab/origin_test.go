//go:build edge

package edgelab_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"colophon/worker/edgelab/labhost"
)

// TestOriginOnD1 runs the tests of the origin store on D1: on wrangler dev's
// database, and on plain workerd's, which is ours over SQLite. Statements pass
// through the lab and its driver, or through D1's HTTP API, which wrangler dev
// provides beside the product as Cloudflare does and "colophon --origin d1:…" uses.
func TestOriginOnD1(t *testing.T) {
	for _, c := range []struct {
		name  string
		start func(t *testing.T) host
		path  string
	}{
		{"wrangler dev", func(t *testing.T) host { return wranglerDev(t, "EDGE_BODY_LIMIT:4000000") }, ""},
		{"the API of D1", productDev, labhost.D1},
		{"plain workerd", func(t *testing.T) host { return start(t, labhost.Lab{Env: []string{"EDGE_BODY_LIMIT=4000000"}}) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // they mostly wait for each other's answers
			h := c.start(t)
			run(t, []string{"COLOPHON_ORIGIN_SQL=" + h.url + c.path}, "go", "test", "-count=1", "-v", "./internal/originsql")
			if c.path != "" {
				return // only the lab reports its pool
			}
			if p := h.settled(t); p.Died != 0 || p.Lost != 0 || p.Refused != 0 {
				t.Errorf("pool: %+v", p)
			}
		})
	}
}

// run runs a command at the top of the repository and fails with its output. It
// logs skipped tests.
func run(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = os.Getenv("ROOT"), append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%.6000s", strings.Join(cmd.Args, " "), err, out)
	}
	passed := strings.Count(string(out), "\n--- PASS")
	if strings.Contains(strings.Join(args, " "), "-v") && passed == 0 {
		t.Errorf("nothing passed:\n%.2000s", out)
	}
	t.Logf("%d passed, %d skipped", passed, strings.Count(string(out), "\n--- SKIP"))
}
