package templates

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/a-h/templ"

	"colophon/internal/assert"
	"colophon/site"
)

var must = assert.NoError

func render(t *testing.T, c templ.Component) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, c.Render(context.Background(), &b))
	return b.Bytes()
}

// TestWriteSamples writes the sample pages with their assets into the folder
// that PAGES_DIR names, for people to look at and for the browser checks of
// tools/pages.
func TestWriteSamples(t *testing.T) {
	dir := os.Getenv("PAGES_DIR")
	if dir == "" {
		t.Skip("PAGES_DIR is not set")
	}
	put := func(name string, data []byte) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.WriteFile(name, data, 0o644))
	}
	for _, n := range sampleNames {
		for _, p := range samplePages(sampleSite, n) {
			put(p.File, render(t, p.Page))
		}
	}
	assets, err := site.Assets()
	must(t, err)
	for _, a := range assets {
		put("assets/"+a.Name, a.Data)
		if a.Name == "favicon.svg" {
			put(a.Name, a.Data)
		}
	}
	writeDocs(t, put)
}

func writeDocs(t *testing.T, put func(string, []byte)) {
	t.Helper()
	docs, err := site.Docs()
	must(t, err)
	nav := make([]DocLink, len(docs))
	for i, d := range docs {
		nav[i] = DocLink{d.Slug, d.Title}
	}
	for _, d := range docs {
		html := d.HTML(sampleSite.Base)
		put(DocPath(d.Slug)[1:]+"index.html", render(t, Doc(DocPage{sampleSite, d.Slug, d.Title, d.Description, html, nav})))
	}
}
