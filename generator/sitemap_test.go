package generator

import (
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/generator/render/sitemaptest"
	"colophon/internal/assert"
	"colophon/internal/blob/document"
	"colophon/internal/openapi"
	"colophon/internal/origin"
	"colophon/templates/frame"
)

// readSitemap returns a published sitemap or index of sitemaps.
func readSitemap(t *testing.T, dir, name string) (doc sitemaptest.Document) {
	t.Helper()
	data, err := document.Files{Source: newFolderSource(dir)}.Read(t.Context(), name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	must(t, xml.Unmarshal(data, &doc))
	assert.Equal(t, doc.XMLName.Space, "http://www.sitemaps.org/schemas/sitemap/0.9", "%s is of the namespace", name)
	return doc
}

// namesOf returns the names of the published files that the entries of a sitemap
// or an index point to.
func namesOf(t *testing.T, list []sitemaptest.Entry) (names []string) {
	t.Helper()
	for _, e := range list {
		path, ok := strings.CutPrefix(e.Loc, testBase)
		if !ok {
			t.Errorf("%q is elsewhere", e.Loc)
		}
		names = append(names, string(exports.KeyOf(path)))
	}
	return names
}

// limitSitemaps changes the limits of render for the duration of a test: all
// limits every sitemap and index, least and most the sitemaps of a publisher's
// entries.
func limitSitemaps(t *testing.T, all, least, most int) {
	t.Helper()
	a, l, m := render.MaxSitemap, render.LeastCitations, render.MostCitations
	t.Cleanup(func() { render.MaxSitemap, render.LeastCitations, render.MostCitations = a, l, m })
	render.MaxSitemap, render.LeastCitations, render.MostCitations = all, least, most
}

// TestManySitemaps checks a registry whose sitemaps do not fit into one index:
// robots.txt names each index, the indexes name every sitemap once, and no index
// names another index.
func TestManySitemaps(t *testing.T) {
	limitSitemaps(t, 4, 5_000, 20_000)
	store, dir := newRegistry(t)
	const publishers = 9
	for n := range publishers {
		id := fmt.Sprintf("site-%d", n)
		addSite(t, store, id)
		addPage(t, store, id, n)
	}
	build1(t, store, dir, 2)
	tree := readTree(t, dir)

	var indexes []string
	for line := range strings.Lines(string(tree["robots.txt"])) {
		if address, ok := strings.CutPrefix(strings.TrimSpace(line), "Sitemap: "); ok {
			indexes = append(indexes, namesOf(t, []sitemaptest.Entry{{Loc: address}})...)
		}
	}
	mapIndex := string(exports.KeyOf(exports.PathMapSitemap))
	own := slices.DeleteFunc(slices.Clone(indexes), func(name string) bool { return name == mapIndex })
	if len(indexes) != len(own)+1 || len(own) < 3 || own[0] != "sitemap.xml" || own[1] != "sitemap-2.xml" || own[2] != "sitemap-3.xml" {
		t.Errorf("robots.txt names %q", indexes)
	}
	named := map[string]int{}
	for _, index := range own {
		doc := readSitemap(t, dir, index)
		if doc.XMLName.Local != "sitemapindex" || len(doc.Sitemaps) == 0 || len(doc.Sitemaps) > 4 {
			t.Errorf("%s is a %s of %d sitemaps", index, doc.XMLName.Local, len(doc.Sitemaps))
		}
		for _, name := range namesOf(t, doc.Sitemaps) {
			named[name]++
		}
	}
	locations := map[string]int{}
	for name, times := range named {
		doc := readSitemap(t, dir, name)
		if doc.XMLName.Local != "urlset" || times != 1 || len(doc.URLs) == 0 || len(doc.URLs) > 4 {
			t.Errorf("%s is a %s of %d pages, named %d times", name, doc.XMLName.Local, len(doc.URLs), times)
		}
		for _, page := range namesOf(t, doc.URLs) {
			locations[page]++
		}
	}
	ofMap := namesOf(t, readSitemap(t, dir, mapIndex).Sitemaps)
	for _, name := range ofMap {
		assert.Equal(t, named[name], 1, "%s is of the map alone", name)
	}
	if len(ofMap) < 3 {
		t.Errorf("the map has the sitemaps %q", ofMap)
	}
	for n := range publishers {
		id := fmt.Sprintf("site-%d", n)
		for path, want := range map[string]int{exports.PublisherPage(id): 2, exports.MapPage(id): 0} { // one of the two is a sitemap of the rights map
			if locations[string(exports.KeyOf(path))] != want {
				t.Errorf("%s is in %d sitemaps, want %d", path, locations[string(exports.KeyOf(path))], want)
			}
		}
	}
	for name := range tree {
		if strings.Contains(name, "sitemap") && !strings.HasPrefix(name, exports.SandboxPrefix) && !strings.HasSuffix(name, ".gz") && named[name] == 0 && !slices.Contains(indexes, name) {
			t.Errorf("%s is named by nothing", name)
		}
	}
	wantSound(t, dir)
}

// TestOneIndexOfSitemaps checks that a small registry has one index, and one
// sitemap each for its pages, the rights map and the entries of each publisher.
func TestOneIndexOfSitemaps(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 2)
	r := build1(t, store, dir, 2)
	want := []string{"sitemap-pages.xml", "ai-rights-map-sitemap.xml", "sitemap-citations-alpha.xml", "sitemap-citations-beta.xml", "sitemap-citations-gamma.xml"}
	index := readSitemap(t, dir, "sitemap.xml").Sitemaps
	assert.EqualSlices(t, namesOf(t, index), want, "the index names")
	for i, e := range index {
		if i < 2 && e.LastMod != r.Release.GeneratedAt {
			t.Errorf("%s is of %s", e.Loc, e.LastMod)
		}
	}
	assert.Equal(t, strings.Count(string(readTree(t, dir)["robots.txt"]), "Sitemap: "), 2, "robots.txt names")
}

// citations returns, by the name of each publisher's sitemap, the entries in it,
// each with the instant of its last change.
func citations(t *testing.T, dir string) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{}
	for _, name := range namesOf(t, readSitemap(t, dir, "sitemap.xml").Sitemaps) {
		if _, ok := exports.SiteOfSitemap(exports.Key(name)); !ok {
			continue
		}
		out[name] = map[string]string{}
		for _, e := range readSitemap(t, dir, name).URLs {
			id, ok := exports.EntryOfKey(exports.KeyOf(strings.TrimPrefix(e.Loc, testBase)))
			if !ok {
				t.Errorf("%s names %s", name, e.Loc)
			}
			out[name][id] = e.LastMod
		}
	}
	return out
}

// TestSitemapsOfPublishers checks, in each form, that the sitemaps of publishers
// name every active entry once, and that they follow a withdrawal, an edit and
// the suspension of a publisher.
func TestSitemapsOfPublishers(t *testing.T) {
	limitSitemaps(t, 50_000, 2, 4)
	for _, form := range []Form{FormFiles, FormPacks} {
		t.Run(string(form), func(t *testing.T) { sitemapsOfPublishers(t, form) })
	}
}

func sitemapsOfPublishers(t *testing.T, form Form) {
	store, dir := newRegistry(t)
	for _, id := range []string{"alpha", "alpha-2", "beta", "gamma"} {
		addSite(t, store, id)
	}
	want := map[string]string{} // the publisher of each entry
	for n := range 9 {
		want[addPage(t, store, "alpha", n).EntryID] = "alpha"
	}
	for n := range 2 {
		want[addPage(t, store, "beta", n).EntryID] = "beta"
	}
	want[addPage(t, store, "alpha-2", 1).EntryID] = "alpha-2"
	gone := addPage(t, store, "beta", 2)
	want[gone.EntryID] = "beta"
	build := func() map[string]map[string]string {
		t.Helper()
		buildForm(t, store, dir, form, SmallPacks)
		got := citations(t, dir)
		listed := map[string]string{}
		for name, entries := range got {
			siteID, _ := exports.SiteOfSitemap(exports.Key(name))
			if len(entries) == 0 || len(entries) > 4 {
				t.Errorf("%s names %d entries", name, len(entries))
			}
			for id := range entries {
				assert.Equal(t, listed[id], "", "%s is named twice", id)
				listed[id] = siteID
			}
		}
		if !maps.Equal(listed, want) {
			t.Errorf("the sitemaps name %v, want %v", listed, want)
		}
		verified(t, dir)
		return got
	}
	first := build()
	if names := slices.Sorted(maps.Keys(first)); len(names) < 5 || names[0] != "sitemap-citations-alpha-2.xml" || names[1] != "sitemap-citations-alpha.2.xml" {
		t.Errorf("the sitemaps are %q", names)
	}
	for _, name := range slices.Sorted(maps.Keys(first)) {
		if _, packed := readTree(t, dir)[name]; packed != (form == FormFiles) {
			t.Errorf("%s is a file: %v", name, packed)
		}
	}

	const withdrawn = "2026-09-01T00:00:00Z" // as withdrawPage has it
	withdrawPage(t, store, gone)
	delete(want, gone.EntryID)
	edited := addPage(t, store, "alpha", 3)
	change(t, store, edited, "Edited", "2026-09-02T00:00:00Z")
	build()
	for _, e := range readSitemap(t, dir, "sitemap.xml").Sitemaps {
		switch name := strings.TrimPrefix(e.Loc, testBase+"/sitemap-citations-"); {
		case name == "beta.xml" && e.LastMod != withdrawn, strings.HasPrefix(name, "alpha.") && e.LastMod != "2026-09-02T00:00:00Z":
			t.Errorf("%s is of %s", e.Loc, e.LastMod)
		case name == "alpha-2.xml" && e.LastMod >= withdrawn:
			t.Errorf("%s is of %s, though nothing of it changed", e.Loc, e.LastMod)
		}
	}
	found := ""
	for _, entries := range citations(t, dir) {
		found += entries[edited.EntryID]
	}
	assert.Equal(t, found, "2026-09-02T00:00:00Z", "the edited entry is of")

	suspendSite(t, store, "alpha", origin.Suspended)
	maps.DeleteFunc(want, func(_, site string) bool { return site == "alpha" })
	atStep(t, "withdrawn", func() { wantWithout(t, dir, first, "alpha") }) // before the build writes new sitemaps
	build()
	wantWithout(t, dir, first, "alpha")
}

// wantWithout checks that all sitemaps are answered except those of the publisher
// gone.
func wantWithout(t *testing.T, dir string, sitemaps map[string]map[string]string, gone string) {
	t.Helper()
	for name := range sitemaps {
		site, _ := exports.SiteOfSitemap(exports.Key(name))
		if _, err := answered(dir).Read(t.Context(), name); (err == nil) != (site != gone) {
			t.Errorf("without %s, %s is answered with %v", gone, name, err)
		}
	}
}

// TestReferenceIsPublished checks that the API reference has every operation and
// schema both on its index and on the pages beneath it, and that the sitemap names
// all its pages.
func TestReferenceIsPublished(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	build1(t, store, dir, 1)
	read := func(path string) string {
		b, err := builtFiles(dir).Read(t.Context(), string(exports.KeyOf(path)))
		must(t, err)
		return string(b)
	}
	named, index := read("/sitemap-pages.xml"), read(frame.PathReference)
	for _, e := range exports.Surface {
		path := "/developers/reference/" + e.Group + "/"
		if !strings.Contains(named, path+"</loc>") {
			t.Errorf("the sitemap lacks %s", path)
		}
		if !strings.Contains(index, ` id="`+e.ID+`"`) || !strings.Contains(read(path), ` id="`+e.ID+`"`) {
			t.Errorf("the index or %s lacks %s", path, e.ID)
		}
	}
	shapes := read("/developers/reference/shapes/")
	for _, s := range openapi.Schemas() {
		if !strings.Contains(index, ` id="shape-`+s.Name+`"`) || !strings.Contains(shapes, ` id="shape-`+s.Name+`"`) {
			t.Errorf("the index or the page of shapes lacks %s", s.Name)
		}
	}
	for _, path := range []string{frame.PathReference, "/developers/reference/shapes/"} {
		if !strings.Contains(named, path+"</loc>") {
			t.Errorf("the sitemap lacks %s", path)
		}
	}
}
