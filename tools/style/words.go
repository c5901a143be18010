package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

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
