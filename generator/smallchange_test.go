package generator

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
)

// changedFiles returns the names of the files that are new or have changed, except
// those of the index, the notes of builds and compressed siblings.
func changedFiles(before, after map[string][]byte) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(after)) {
		skip := strings.HasPrefix(name, "_ix/") || strings.HasPrefix(name, "_build/") || strings.HasSuffix(name, ".gz")
		if !skip && !bytes.Equal(before[name], after[name]) {
			names = append(names, name)
		}
	}
	return names
}

// TestSmallChangesStaySmall checks that an edit of one page changes no file of
// another publisher, and of the pages of its own publisher's inventory only the
// one that shows it.
func TestSmallChangesStaySmall(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	addSite(t, store, "alpha")
	addSite(t, store, "beta")
	for n := range 60 {
		addPage(t, store, "alpha", n)
		addPage(t, store, "beta", n)
	}
	build1(t, store, dir, 1)
	before := readTree(t, dir)

	const at = "2026-10-01T00:00:00Z"
	edited := addPage(t, store, "alpha", 5, func(p *origin.Page) {
		p.Title = "Edited"
		p.ChangedAt = at
	})
	build1(t, store, dir, 1)
	after := readTree(t, dir)
	var pages []string
	for _, name := range changedFiles(before, after) {
		if strings.Contains(name, "beta") {
			t.Errorf("%s is of another publisher", name)
		}
		if strings.HasPrefix(name, "publishers/alpha/pages/") {
			pages = append(pages, name)
			if !bytes.Contains(after[name], []byte("Edited")) {
				t.Errorf("%s does not show the page", name)
			}
		}
		if name == "publishers/alpha/policy/index.html" || name == "publishers/alpha/request/index.html" || name == "check/index.html" {
			t.Errorf("%s shows nothing of the page", name)
		}
	}
	assert.Equal(t, len(pages), 1, "the page is shown on %v", pages)

	for _, path := range []string{exports.InventoryPath("alpha"), exports.SiteRecordsPath("alpha")} {
		name := string(exports.KeyOf(path))
		var list struct {
			Catalog struct {
				At string `json:"generated_at"`
			} `json:"catalog"`
		}
		must(t, json.Unmarshal(after[name], &list))
		if list.Catalog.At != at {
			t.Errorf("%s is of %s, %s was edited at %s", name, list.Catalog.At, edited.EntryID, at)
		}
	}
	for _, name := range []string{"beta", "alpha"} {
		first := string(exports.KeyOf(exports.InventoryPath(name)))
		assert.Equal(t, !bytes.Equal(before[first], after[first]), (name == "alpha"), "the first page of %s differs", name)
	}
}
