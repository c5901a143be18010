package style

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/internal/assert"
)

var must = assert.NoError

// houseWords are turns of phrase that sound like this project and not like English,
// with what to write instead.
var houseWords = map[string]string{
	"is not to be":         "must not be",
	"are not to be":        "must not be",
	"anew":                 "again, or a verb such as rewrite",
	"told again of":        "reported again of",
	"what is told of":      "the description of",
	"be said of":           "be stated about",
	"foretell":             "predict",
	"foretells":            "predicts",
	"heed":                 "observe",
	"heeds":                "observes",
	"can be had":           "is offered, can be fetched",
	"cannot be had":        "is out of reach, cannot be fetched",
	"could not be had":     "could not be fetched",
	"like wording":         "similar wording",
	"the receiver of a":    "the publisher's receiver",
	"puts in force":        "applies",
	"thereof":              "of it",
	"therein":              "in it",
	"thereby":              "by this",
	"hereby":               "by this",
	"whereof":              "of which",
	"wherein":              "in which",
	"ruling":               "verdict",
	"rulings":              "verdicts",
	"the posture":          "the access rules",
	"declared posture":     "declared access rules",
	"the standing of":      "the rights of, the state of",
	"at the desk":          "of the service, of the operator",
	"one candidate stands": "what is answered about a candidate",
	"finds no owner":       "does not establish ownership",
	"no opinion and no":    "neither an opinion nor",

	"answered no more":     "no longer answered",
	"at every door":        "wherever it is entered",
	"gone on with":         "continued",
	"in the place of":      "in place of, instead of",
	"is mended":            "is corrected, is repaired",
	"known of it":          "known about it",
	"lists it no more":     "no longer lists it",
	"looks at it first":    "reviews it first",
	"of before":            "earlier",
	"only tell what":       "only report what",
	"there no more":        "gone",
	"told as":              "reported as",
	"what is known of":     "what is known about",
	"whoever has it reads": "anyone with it can read",
}

// findHouseWords returns the places below root that have one of houseWords, as
// "file:line: words: what to write instead". It reads what people write:
// sources, templates, scripts and documents, but no generated files, testdata
// or separate modules.
func findHouseWords(root string) (places []string, err error) {
	kinds := []string{".go", ".templ", ".md", ".js", ".mjs", ".mk", ".sh"}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && skipFolder(path, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if d.Name() != "Makefile" && !slices.Contains(kinds, filepath.Ext(path)) || strings.HasSuffix(filepath.ToSlash(filepath.Dir(path)), "tools/style") {
			return nil // this package must contain them
		}
		text, err := os.ReadFile(path)
		if err != nil || generatedMark.Match(text) {
			return err
		}
		text = bytes.ToLower(text)
		for words, instead := range houseWords {
			if at := indexWords(text, words); at >= 0 {
				line := 1 + bytes.Count(text[:at], []byte("\n"))
				places = append(places, path+":"+strconv.Itoa(line)+": "+words+": "+instead)
			}
		}
		return nil
	})
	slices.Sort(places)
	return places, err
}

// indexWords returns the index of the first place where a text has these words
// and not as part of longer ones; -1 if there is none.
func indexWords(text []byte, words string) int {
	isLetter := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= 'a' && text[i] <= 'z' }
	for from := 0; ; {
		at := bytes.Index(text[from:], []byte(words))
		if at < 0 {
			return -1
		}
		at += from
		if !isLetter(at-1) && !isLetter(at+len(words)) {
			return at
		}
		from = at + 1
	}
}

var generatedMark = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// skipFolder reports whether a folder is hidden, or holds test data, build
// results, installed packages or a separate module.
func skipFolder(path, name string) bool {
	if strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || name == "build" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

// TestFindHouseWords checks that the words are found, with their line, in
// everything that people write, and not in generated files or test data.
func TestFindHouseWords(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"Makefile":            "build: ## make all\n\techo anew\n",
		"docs/guide.md":       "# A guide\n\nNothing Thereof.\n",
		"a/a.go":              "package a\n\n// The address could not be had.\n",
		"a/page.templ":        "package a\n\n// The folder is not to be changed.\n",
		"a/page_templ.go":     "// Code generated by templ - DO NOT EDIT.\n\npackage a\n\n// anew\n",
		"a/other.go":          "// Code generated by hand. DO NOT EDIT.\npackage a\n\n// anew\n",
		"a/testdata/old.md":   "anew\n",
		"a/binary.txt":        "anew\n",
		"tools/style/list.go": "package main\n\nvar words = \"anew\"\n",
	} {
		path := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	places, err := findHouseWords(root)
	must(t, err)
	found := map[string]bool{}
	for _, place := range places {
		rest, ok := strings.CutPrefix(place, root+string(filepath.Separator))
		if !ok {
			t.Errorf("%q is not below %q", place, root)
		}
		name, rest, _ := strings.Cut(rest, ":")
		line, _, _ := strings.Cut(rest, ":")
		found[filepath.ToSlash(name)+":"+line] = true
	}
	for _, want := range []string{"Makefile:2", "docs/guide.md:3", "a/a.go:3", "a/page.templ:3"} {
		if !found[want] {
			t.Errorf("nothing was found in %s: %q", want, places)
		}
		delete(found, want)
	}
	if len(found) > 0 {
		t.Errorf("found too: %v", found)
	}
}

func TestNoHouseWords(t *testing.T) {
	places, err := findHouseWords("../..")
	must(t, err)
	for _, place := range places {
		t.Error(place)
	}
}

func TestIndexWords(t *testing.T) {
	for _, tc := range []struct {
		text, words string
		want        int
	}{
		{"the folder is not to be changed", "is not to be", 11},
		{"this not to be", "is not to be", -1},
		{"heeded, heed", "heed", 8},
		{"take heed", "heed", 5},
		{"theory", "thereof", -1},
		{"", "heed", -1},
	} {
		if got := indexWords([]byte(tc.text), tc.words); got != tc.want {
			t.Errorf("%q has %q at %d, want %d", tc.text, tc.words, got, tc.want)
		}
	}
}
