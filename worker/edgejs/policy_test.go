package edgejs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/worker"
	"colophon/worker/edgehttp"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// limits finds "name limit period" by a pattern with these three groups.
func limits(t *testing.T, text, pattern string) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		out = append(out, strings.ToLower(m[1])+" "+m[2]+" "+m[3])
	}
	slices.Sort(out)
	return out
}

// Every quota of one minute has a binding in the deployment, and no other has.
func TestRatePolicies(t *testing.T) {
	bound := limits(t, read(t, "wrangler.toml"), `name = "RL_(\w+)"\nnamespace_id = "\d+"\nsimple = \{ limit = (\d+), period = (\d+) \}`)
	var want []string
	for _, p := range exports.DefaultLimits() {
		for _, q := range p.Quotas {
			if q.Window <= worker.ShortWindow {
				want = append(want, fmt.Sprint(p.Name, " ", q.Calls, " ", q.Window))
			}
		}
	}
	slices.Sort(want)
	if len(want) == 0 || !slices.Equal(bound, want) {
		t.Errorf("wrangler.toml has %q\nwant %q", bound, want)
	}
}

// The script spares itself the look for a file exactly where an endpoint never
// has one, and finds one where an endpoint is published.
func TestComputedPaths(t *testing.T) {
	computed := regexp.MustCompile(`(?s)const computed = \[(.*?)\];`).FindStringSubmatch(read(t, "worker/edgejs/js/policy.mjs"))
	if computed == nil {
		t.Fatal("no list of computed paths")
	}
	used := map[string]bool{}
	var prefixes []string
	for _, m := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(computed[1], -1) {
		prefixes = append(prefixes, m[1])
	}
	for _, e := range exports.Surface {
		if e.Method != "GET" {
			continue
		}
		hasFile := e.Made == exports.Static || e.Made == exports.Listed
		spared := slices.ContainsFunc(prefixes, func(p string) bool {
			hit := strings.HasPrefix(e.Path, p)
			used[p] = used[p] || hit
			return hit
		})
		if hasFile && spared {
			t.Errorf("%s has a file, which the script does not look for", e.Path)
		}
		if !hasFile && !spared {
			t.Errorf("%s never has a file, and the script looks for one", e.Path)
		}
	}
	for _, p := range prefixes {
		if !used[p] {
			t.Errorf("%q is the beginning of no endpoint", p)
		}
	}
}

// The script names the next page exactly of the lists whose first page is
// published as JSON.
func TestListPaths(t *testing.T) {
	m := regexp.MustCompile(`const lists = /(.+)/;`).FindStringSubmatch(read(t, "worker/edgejs/js/policy.mjs"))
	if m == nil {
		t.Fatal("no pattern of lists")
	}
	pattern := regexp.MustCompile(strings.ReplaceAll(m[1], `\/`, "/"))
	lists := 0
	for _, e := range exports.Surface {
		path := strings.NewReplacer("{site_id}", "harbor-ledger", "{entry_id}", "ent_1", "{category_slug}", "ports").Replace(e.Path)
		want := e.Made == exports.Listed && e.Media == exports.MediaJSON
		if want {
			lists++
		}
		if pattern.MatchString(path) != want {
			t.Errorf("%s is a list with a next page: the script says %v", e.Path, !want)
		}
	}
	if lists < 6 {
		t.Errorf("only %d lists", lists)
	}
}

// The script shares its own answers with scripts of other origins where Go
// shares its own, under the same headers.
func TestSharedPaths(t *testing.T) {
	text := read(t, "worker/edgejs/js/policy.mjs")
	inQuotes := regexp.MustCompile(`"([^"]+)"`)
	list := regexp.MustCompile(`(?s)const unshared = \[(.*?)\];`).FindStringSubmatch(text)
	headers := regexp.MustCompile(`(?s)const shared = \{(.*?)\};`).FindStringSubmatch(text)
	if list == nil || headers == nil {
		t.Fatal("no list of paths that are not shared, or no headers")
	}
	var unshared []string
	for _, m := range inQuotes.FindAllStringSubmatch(list[1], -1) {
		unshared = append(unshared, m[1])
		if exports.IsShared(m[1]) {
			t.Errorf("%s is shared", m[1])
		}
	}
	paths := []string{"/", "/catalog/", "/missing", exports.PathInbox + "x", exports.PathConversationPage}
	for _, e := range exports.Surface {
		paths = append(paths, e.Path)
	}
	for _, path := range paths {
		hit := slices.ContainsFunc(unshared, func(p string) bool { return strings.HasPrefix(path, p) })
		if hit == exports.IsShared(path) {
			t.Errorf("%s: the script shares it: %v", path, !hit)
		}
	}

	var got [][2]string
	words := inQuotes.FindAllStringSubmatch(headers[1], -1)
	for i := 0; i+1 < len(words); i += 2 {
		got = append(got, [2]string{words[i][1], words[i+1][1]})
	}
	if !slices.Equal(got, exports.PublicHeaders()) {
		t.Errorf("the script sends %q", got)
	}
}

// The script leaves to Go the pages that are asked a question.
func TestQuestionPages(t *testing.T) {
	for name, want := range map[string][]string{"forms": exports.QuestionPages, "live": exports.LivePages} {
		list := regexp.MustCompile("const " + name + ` = \[(.*?)\];`).FindStringSubmatch(read(t, "worker/edgejs/js/policy.mjs"))
		if list == nil {
			t.Fatal("no list of " + name)
		}
		var got []string
		for _, m := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(list[1], -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the script leaves %q to Go, Go answers %q", name, got, want)
		}
	}
}

// The script and the native server read bodies up to the same size.
func TestBodyLimit(t *testing.T) {
	m := regexp.MustCompile(`bodyLimit: (\d+) << 10,`).FindStringSubmatch(read(t, "worker/edgejs/js/settings.mjs"))
	if m == nil || m[1] != fmt.Sprint(edgehttp.DefaultBodyLimit>>10) {
		t.Errorf("settings.mjs has %q KiB, edgehttp has %d", m, edgehttp.DefaultBodyLimit>>10)
	}
}

// A stream lives as long at both hosts, and no setting makes it live longer.
func TestStreamLife(t *testing.T) {
	text := read(t, "worker/edgejs/js/settings.mjs")
	m := regexp.MustCompile(`streamLife: ([0-9_]+),`).FindStringSubmatch(text)
	if m == nil || strings.ReplaceAll(m[1], "_", "") != fmt.Sprint(edgehttp.DefaultStreamLife.Milliseconds()) {
		t.Errorf("settings.mjs has %q ms, edgehttp %v", m, edgehttp.DefaultStreamLife)
	}
	if !strings.Contains(text, `["streamLife", (ms) => Math.min(Number(ms), settings.streamLife)]`) {
		t.Error("a setting can make streams live longer")
	}
}

// Every script of the worker is embedded where the worker runs without
// wrangler, and no other.
func TestModulesOfPlainWorkerd(t *testing.T) {
	paths, err := filepath.Glob("js/*.mjs")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	service := []string{"worker.mjs", "policy.mjs", "published.mjs", "static.mjs", "body.mjs"}
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
		if !slices.Equal(got, want) {
			t.Errorf("%s embeds %q, want %q", c.config, got, want)
		}
	}
}

// Compatibility dates agree wherever the worker runs.
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
