package observed

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestReadLocal checks which files of a folder are read and at which addresses,
// and that a page speaks of itself while robots.txt speaks of its site.
func TestReadLocal(t *testing.T) {
	dir := t.TempDir()
	const robots, page = "User-agent: *\nDisallow: /\n", `<!doctype html><meta name="tdm-reservation" content="1">`
	for name, text := range map[string]string{
		"robots.txt": robots, "index.html": page, ".well-known/tdmrep.json": `[{"location":"/","tdm-reservation":1}]`,
		"deeper/robots.txt": robots, "notes.txt": "nothing of rights",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	for path, want := range map[string]string{
		".":           "about https://a.example/: https://a.example/ https://a.example/.well-known/tdmrep.json https://a.example/robots.txt",
		"robots.txt":  "about https://a.example/: https://a.example/robots.txt",
		"index.html":  "about https://a.example/: https://a.example/",
		"notes.txt":   "about https://a.example/:",
		"deeper":      "about https://a.example/: https://a.example/robots.txt",
		"missing.txt": "none",
	} {
		seen, resource, err := ReadLocal(filepath.Join(dir, path), "https://a.example", "2026-11-20T09:00:00Z")
		got := "none"
		if err == nil {
			var urls []string
			for _, o := range seen {
				urls = append(urls, o.URL)
			}
			slices.Sort(urls)
			got = strings.TrimSpace("about " + resource + ": " + strings.Join(urls, " "))
		}
		if got != want {
			t.Errorf("%s: %s, want %s (%v)", path, got, want, err)
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, "page.html"), []byte(page), 0o644))
	if _, resource, err := ReadLocal(filepath.Join(dir, "page.html"), "https://a.example", "2026-11-20T09:00:00Z"); err != nil || resource != "https://a.example/page.html" {
		t.Errorf("a page is about %q, %v", resource, err)
	}
}
