package colophon_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	documentLink = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
	documentPath = regexp.MustCompile("`((?:[a-z0-9-]+/)*[a-z0-9-]+/?(?:\\.(?:go|md|sql|mk|templ|toml|js))?)`")
)

// TestDocumentsLead holds that the links of documents lead to files, and that the
// paths which the architecture names are there.
func TestDocumentsLead(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, name := range append(documents, "README.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range documentLink.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], ":") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			}
		}
	}
	if links < 40 {
		t.Errorf("%d links were found", links)
	}
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	paths := 0
	for _, m := range documentPath.FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(m[1], "/") {
			continue
		}
		paths++
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("docs/architecture.md names %s, which is not there", m[1])
		}
	}
	if paths < 40 {
		t.Errorf("%d paths were found", paths)
	}
}
