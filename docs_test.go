package colophon_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"colophon/internal/assert"
)

var must = assert.NoError

var (
	decisionTest  = regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]*)`")
	decisionNamed = regexp.MustCompile(`decisions/([a-z0-9-]+\.md)`)
	documentLink  = regexp.MustCompile(`\]\(([^()#\s]*)(?:#([^)\s]*))?\)`)
	headingLine   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fencedBlock   = regexp.MustCompile("(?ms)^```.*?^```$")
	idOfElement   = regexp.MustCompile(`<a id="([^"]+)">`)
	testFunction  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z]\w*)\(`)
	documentPath  = regexp.MustCompile("`((?:[a-z0-9-]+/)*[a-z0-9-]+/?(?:\\.(?:go|md|sql|mk|templ|toml|js))?)`")
)

// TestDocumentsLead checks that the links of documents lead to files, and to
// headings or rows in them, that docs/README.md links to every guide, and that
// the paths which the architecture names exist.
func TestDocumentsLead(t *testing.T) {
	documents := slices.Concat(glob(t, "docs/*.md"), glob(t, "docs/*/*.md"), glob(t, "site/docs/*.md"), glob(t, "clients/*/README.md"))
	links, places := 0, 0
	for _, name := range append(documents, "README.md", "ROADMAP.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md") {
		for _, m := range documentLink.FindAllStringSubmatch(readText(t, name), -1) {
			if strings.Contains(m[1], ":") || m[1]+m[2] == "" {
				continue
			}
			links++
			file := name
			if m[1] != "" {
				file = filepath.Join(filepath.Dir(name), m[1])
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			} else if m[2] != "" && filepath.Ext(file) == ".md" {
				places++
				if !slices.Contains(anchorsOf(readText(t, file)), m[2]) {
					t.Errorf("%s links to %s, in which nothing is called #%s", name, file, m[2])
				}
			}
		}
	}
	index := readText(t, "docs/README.md")
	for _, name := range slices.Concat(glob(t, "docs/*.md"), glob(t, "site/docs/*.md")) {
		link, err := filepath.Rel("docs", name)
		must(t, err)
		if link != "README.md" && !strings.Contains(index, "]("+link+")") {
			t.Errorf("docs/README.md does not link to %s", link)
		}
	}
	if links < 40 || places < 15 {
		t.Errorf("%d links were found, %d of them to a place in a document", links, places)
	}
	text, err := os.ReadFile("docs/architecture.md")
	must(t, err)
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

// anchorsOf returns the anchors in a Markdown text: those that GitHub makes of
// its headings, and those of its rows.
func anchorsOf(text string) (names []string) {
	for _, m := range headingLine.FindAllStringSubmatch(fencedBlock.ReplaceAllString(text, ""), -1) {
		names = append(names, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	for _, m := range idOfElement.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// TestAnchorsOf compares anchors with those that GitHub makes.
func TestAnchorsOf(t *testing.T) {
	text := "# colophon.toml\n\n### [server]\n```sh\n# no heading\n```\n## Which `form`, and why?\n| <a id=\"server.acme\"></a>`acme` | false |\n"
	if got, want := anchorsOf(text), []string{"colophontoml", "server", "which-form-and-why", "server.acme"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestProgramIsBuiltWhole checks that no document and no image builds the
// program without the module of the page /editor/, which "make build" and the
// script build.
func TestProgramIsBuiltWhole(t *testing.T) {
	plain := regexp.MustCompile(`go (?:build|install)\b.* \./cmd/colophon\b`)
	files := slices.Concat([]string{"README.md", "CONTRIBUTING.md", "deploy/Containerfile"}, glob(t, "docs/*.md"), glob(t, "docs/*/*.md"), glob(t, "site/docs/*.md"))
	built := 0
	for _, name := range files {
		text := readText(t, name)
		at := plain.FindStringIndex(text)
		built += strings.Count(text, "make build")
		if at != nil && !strings.Contains(text[:at[0]], "tools/editor/build.sh") {
			t.Errorf("%s builds the program without the editor: %s", name, text[at[0]:at[1]])
		}
	}
	if built < 3 {
		t.Errorf("%d documents say how the program is built", built)
	}
}

// TestDecisions checks that the index of decisions lists each page, that the
// tests which a page names exist, and that every decision page which a file of
// the tree names exists.
func TestDecisions(t *testing.T) {
	index := readText(t, "docs/decisions/README.md")
	tests := testNames(t)
	named := map[string]string{}
	walkSources(t, func(name, text string) {
		for _, m := range decisionNamed.FindAllStringSubmatch(text, -1) {
			named[m[1]] = name
		}
	})
	for page, name := range named {
		if _, err := os.Stat("docs/decisions/" + page); err != nil {
			t.Errorf("%s names the decision %s, which is not there", name, page)
		}
	}
	pages := glob(t, "docs/decisions/*.md")
	for _, name := range pages {
		page := filepath.Base(name)
		if page != "README.md" && !strings.Contains(index, "]("+page+")") {
			t.Errorf("the index of decisions lacks %s", page)
		}
		for _, m := range decisionTest.FindAllStringSubmatch(readText(t, name), -1) {
			if !slices.Contains(tests, m[1]) {
				t.Errorf("%s names %s, which is not a test", name, m[1])
			}
		}
	}
	if len(pages) < 40 || len(named) < 3 || len(tests) < 1000 {
		t.Errorf("%d pages, %d of them named, and %d tests were found", len(pages), len(named), len(tests))
	}
}

// TestTargetsRunTests checks that each test that a target names is there, since
// "go test -run" says nothing of a name that no test has.
func TestTargetsRunTests(t *testing.T) {
	tests := testNames(t)
	named := 0
	for _, name := range append(glob(t, "tools/*.mk"), "Makefile") {
		for _, test := range regexp.MustCompile(`\bTest[A-Z]\w*`).FindAllString(readText(t, name), -1) {
			named++
			if !slices.ContainsFunc(tests, func(s string) bool { return strings.HasPrefix(s, test) }) {
				t.Errorf("%s runs %s, which is not a test", name, test)
			}
		}
	}
	if named < 30 {
		t.Errorf("targets name %d tests", named)
	}
}

// testNames returns the names of all tests, fuzz targets and benchmarks.
func testNames(t *testing.T) (names []string) {
	t.Helper()
	walkSources(t, func(name, text string) {
		if strings.HasSuffix(name, "_test.go") {
			for _, m := range testFunction.FindAllStringSubmatch(text, -1) {
				names = append(names, m[1])
			}
		}
	})
	return names
}

// walkSources calls do with each file that people write: sources, scripts and
// documents.
func walkSources(t *testing.T, do func(name, text string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "bin" || strings.HasPrefix(d.Name(), ".") && name != "."):
			return fs.SkipDir
		case !d.Type().IsRegular() || !slices.Contains([]string{".go", ".md", ".mk", ".sh", ".mjs", ".js", ".templ"}, filepath.Ext(name)):
			return nil
		}
		do(name, readText(t, name))
		return nil
	})
	must(t, err)
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	must(t, err)
	return string(text)
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	must(t, err)
	return names
}

// TestChangelog checks the form of the changelog: versions, groups with known
// names, and no line twice, as a merge of two branches may leave it.
func TestChangelog(t *testing.T) {
	groups := []string{"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
	seen := map[string]bool{}
	version := ""
	for _, line := range strings.Split(readText(t, "CHANGELOG.md"), "\n") {
		if strings.HasPrefix(line, "## ") {
			version = line
		}
		group, isGroup := strings.CutPrefix(line, "### ")
		if isGroup && !slices.Contains(groups, group) {
			t.Errorf("%s has a group %q", version, group)
		}
		if key := version + line; strings.HasPrefix(line, "- ") || isGroup {
			if seen[key] {
				t.Errorf("%s has twice: %s", version, line)
			}
			seen[key] = true
		}
	}
	if len(seen) < 20 {
		t.Errorf("%d lines were found", len(seen))
	}
}
