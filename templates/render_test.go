package templates

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/a-h/templ"

	"colophon/site"
)

func render(t *testing.T, c templ.Component) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
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
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range sampleNames {
		for _, p := range samplePages(sampleSite, n) {
			put(p.File, render(t, p.Page))
		}
	}
	assets, err := site.Assets()
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	nav := make([]DocLink, len(docs))
	for i, d := range docs {
		nav[i] = DocLink{d.Slug, d.Title}
	}
	for _, d := range docs {
		html := d.HTML(sampleSite.Base)
		put(DocPath(d.Slug)[1:]+"index.html", render(t, Doc(DocPage{sampleSite, d.Slug, d.Title, d.Description, html, nav})))
	}
}
