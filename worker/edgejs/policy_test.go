package edgejs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/worker/edgehttp"
	"colophon/worker/limit"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// limits returns "name limit period" for each match of a pattern with these
// three groups.
func limits(t *testing.T, text, pattern string) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		out = append(out, strings.ToLower(m[1])+" "+m[2]+" "+m[3])
	}
	slices.Sort(out)
	return out
}

// TestRatePolicies checks that each quota of one minute, and no other, has a
// binding in the deployment.
func TestRatePolicies(t *testing.T) {
	bound := limits(t, read(t, "wrangler.toml"), `name = "RL_(\w+)"\nnamespace_id = "\d+"\nsimple = \{ limit = (\d+), period = (\d+) \}`)
	var want []string
	for _, p := range limit.DefaultPolicies() {
		for _, q := range p.Quotas {
			if q.Window <= limit.ShortWindow {
				want = append(want, fmt.Sprint(p.Name, " ", q.Calls, " ", q.Window))
			}
		}
	}
	slices.Sort(want)
	if len(want) == 0 || !slices.Equal(bound, want) {
		t.Errorf("wrangler.toml has %q\nwant %q", bound, want)
	}
}

// TestBodyLimit checks that the script and the native server read bodies up to
// the same size.
func TestBodyLimit(t *testing.T) {
	m := regexp.MustCompile(`bodyLimit: (\d+) << 10,`).FindStringSubmatch(read(t, "worker/edgejs/js/settings.mjs"))
	if m == nil || m[1] != fmt.Sprint(edgehttp.DefaultBodyLimit>>10) {
		t.Errorf("settings.mjs has %q KiB, edgehttp has %d", m, edgehttp.DefaultBodyLimit>>10)
	}
}

// TestStreamLife checks that a stream may last equally long on both hosts, and
// that no setting makes it last longer.
func TestStreamLife(t *testing.T) {
	text := read(t, "worker/edgejs/js/settings.mjs")
	m := regexp.MustCompile(`streamLife: ([0-9_]+),`).FindStringSubmatch(text)
	if m == nil || strings.ReplaceAll(m[1], "_", "") != fmt.Sprint(edgehttp.DefaultStreamLife.Milliseconds()) {
		t.Errorf("settings.mjs has %q ms, edgehttp %v", m, edgehttp.DefaultStreamLife)
	}
	assert.Contains(t, "a setting can make streams live longer", text, `["streamLife", (ms) => Math.min(Number(ms), settings.streamLife)]`)
}

// TestModulesOfPlainWorkerd checks that exactly the worker's scripts are
// embedded where the worker runs without wrangler.
func TestModulesOfPlainWorkerd(t *testing.T) {
	paths, err := filepath.Glob("js/*.mjs")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	service := []string{"worker.mjs", "policy.mjs", "tables.mjs", "published.mjs", "static.mjs", "body.mjs"}
	for _, c := range []struct {
		config  string
		entries []string
		without []string
	}{
		{"worker/edgelab/product.capnp", []string{"entry.mjs"}, nil},
		{"tools/selfhost/guard.capnp", []string{"guard.mjs", "agents.mjs", "nonce.mjs"}, service},
		{"worker/edgelab/workerd.capnp", []string{"lab.mjs"}, nil},
	} {
		want := slices.Clone(c.entries)
		for _, p := range paths {
			if name := filepath.Base(p); name != "entry.mjs" && !slices.Contains(c.without, name) {
				want = append(want, name)
			}
		}
		var got []string
		for _, m := range regexp.MustCompile(`embed "[^"]*build/\w+/([a-z]+\.mjs)"`).FindAllStringSubmatch(read(t, c.config), -1) {
			got = append(got, m[1])
		}
		slices.Sort(want)
		slices.Sort(got)
		assert.EqualSlices(t, got, want, "%s embeds", c.config)
	}
}

// TestCompatibilityDate checks that compatibility dates agree wherever the
// worker runs.
func TestCompatibilityDate(t *testing.T) {
	var dates []string
	for _, path := range []string{"wrangler.toml", "worker/edgelab/product.capnp", "tools/selfhost/guard.capnp", "tools/edge/guard.toml", "worker/edgelab/wrangler.toml", "worker/edgelab/workerd.capnp"} {
		for _, m := range regexp.MustCompile(`(?m)^\s*(?:compatibility_?[dD]ate|const date :Text) = "([0-9-]+)"`).FindAllStringSubmatch(read(t, path), -1) {
			dates = append(dates, m[1])
		}
	}
	if dates = slices.Compact(dates); len(dates) != 1 {
		t.Errorf("compatibility dates: %q", dates)
	}
}
