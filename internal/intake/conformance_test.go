package intake_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"colophon/internal/intake"
	"colophon/internal/origin"
)

// conformText returns the text of the page with a title, long enough for a
// fingerprint.
func conformText(title string) string {
	return strings.Repeat("On page "+title+" the clerk of the port writes down what every ship brings, and reads it out to the pilots when the tide has turned. ", 4)
}

// writeTree writes files into a folder, which it returns.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func writeNamed(t *testing.T, name, text string) string {
	return filepath.Join(writeTree(t, map[string]string{name: text}), name)
}

// conformSources returns each kind of source with the same two pages, and an
// item between them that cannot be a page.
func conformSources(t *testing.T, w *world) map[string]string {
	html := func(title string) string {
		return "<!doctype html><html lang=en><head><title>" + title + "</title></head><body><main><h1>" + title + "</h1><p>" + conformText(title) + "</p></main></body></html>"
	}
	w.serve("/one", "text/html; charset=utf-8", html("One"))
	w.serve("/two", "text/html; charset=utf-8", html("Two"))
	items := func(format string) string {
		return fmt.Sprintf(format, w.url+"/one") + fmt.Sprintf(format, w.url+"/gone") + fmt.Sprintf(format, w.url+"/two")
	}
	w.serve("/sitemap.xml", "application/xml", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+items("<url><loc>%s</loc></url>")+`</urlset>`)
	w.serve("/list.txt", "text/plain", items("%s\n"))
	w.serve("/rss.xml", "application/rss+xml", `<rss version="2.0"><channel><title>News</title><link>`+w.url+`/</link>`+items("<item><title>An item</title><link>%s</link></item>")+`</channel></rss>`)
	w.serve("/atom.xml", "application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>`+items(`<entry><title>An entry</title><link href="%s"/></entry>`)+`</feed>`)
	w.serve("/feed.json", "application/feed+json", `{"version":"https://jsonfeed.org/version/1.1","title":"News","items":[`+strings.TrimSuffix(items(`{"id":"%[1]s","url":"%[1]s"},`), ",")+`]}`)

	line := func(name, title string) string {
		text, err := json.Marshal(map[string]string{"url": home + "/" + name, "title": title, "text": conformText(title)})
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	wxr := func(link, title string) string {
		return "<item><title>" + title + "</title><link>" + link + "</link><content:encoded><![CDATA[<p>" + conformText(title) + "</p>]]></content:encoded><wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item>"
	}
	ghost := func(slug, title, html string) map[string]any {
		return map[string]any{"id": slug, "slug": slug, "title": title, "html": html, "status": "published", "type": "post", "visibility": "public"}
	}
	posts, err := json.Marshal(map[string]any{"db": []any{map[string]any{"data": map[string]any{"posts": []any{
		ghost("one", "One", "<p>"+conformText("One")+"</p>"), ghost("gone", "Gone", ""), ghost("two", "Two", "<p>"+conformText("Two")+"</p>"),
	}}}}})
	if err != nil {
		t.Fatal(err)
	}
	page := func(title string) string { return "---\ntitle: " + title + "\n---\n\n" + conformText(title) + "\n" }
	const broken = "---\ntitle: [\n---\n\nNo page.\n"
	spine := `<itemref idref="one"/><itemref idref="gone"/><itemref idref="two"/>`
	return map[string]string{
		"sitemap": "/sitemap.xml", "list of addresses": "/list.txt", "RSS": "/rss.xml", "Atom": "/atom.xml", "JSON Feed": "/feed.json",
		"NDJSON": writeNamed(t, "pages.ndjson", line("one", "One")+"{\"url\":\n"+line("two", "Two")),
		"WordPress": writeNamed(t, "export.xml", `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version>`+
			wxr(home+"/one", "One")+wxr("http://[broken/", "Broken")+wxr(home+"/two", "Two")+`</channel></rss>`),
		"Ghost":      writeNamed(t, "ghost.json", string(posts)),
		"Hugo":       writeTree(t, map[string]string{"hugo.toml": "", "content/one.md": page("One"), "content/broken.md": broken, "content/two.md": page("Two")}),
		"Jekyll":     writeTree(t, map[string]string{"_config.yml": "", "one.md": page("One"), "broken.md": broken, "two.md": page("Two")}),
		"MkDocs":     writeTree(t, map[string]string{"mkdocs.yml": "", "docs/one.md": page("One"), "docs/broken.md": broken, "docs/two.md": page("Two")}),
		"Docusaurus": writeTree(t, map[string]string{"docusaurus.config.js": "", "docs/one.md": page("One"), "docs/broken.md": broken, "docs/two.md": page("Two")}),
		"EPUB": writeBook(t, map[string]string{
			"META-INF/container.xml": container, "OEBPS/book.opf": packageOf(spine), "OEBPS/text/one.xhtml": chapter("One", conformText("One")), "OEBPS/text/two b.xhtml": chapter("Two", conformText("Two")),
		}),
	}
}

// TestSourcesConform checks that every kind of source gives the same pages,
// that an item which cannot be a page harms no other, and that a second import
// changes nothing.
func TestSourcesConform(t *testing.T) {
	names := []string{"sitemap", "list of addresses", "RSS", "Atom", "JSON Feed", "NDJSON", "WordPress", "Ghost", "Hugo", "Jekyll", "MkDocs", "Docusaurus", "EPUB"}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			source := conformSources(t, w)[name]
			based := func(o *intake.Options) {
				if !strings.Contains(o.Source, "://") && name != "NDJSON" && name != "WordPress" {
					o.Base = home + "/"
				}
			}
			first := w.must(source, based)
			if first.New != 2 || first.Changed+first.Unchanged != 0 || first.Skipped.Count()+first.Failed.Count() != 1 {
				t.Fatalf("first: %+v", first)
			}
			pages := w.all()
			titles := []string{}
			for i := range pages {
				titles = append(titles, pages[i].Title)
				conforms(t, w, &pages[i])
			}
			if slices.Sort(titles); !slices.Equal(titles, []string{"One", "Two"}) {
				t.Errorf("titles: %q", titles)
			}
			again := w.must(source, based)
			if again.New+again.Changed != 0 || again.Unchanged != 2 {
				t.Errorf("again: new %d, changed %d, unchanged %d", again.New, again.Changed, again.Unchanged)
			}

			w = newWorld(t)
			if cut := w.must(conformSources(t, w)[name], based, func(o *intake.Options) { o.MaxPages = 1 }); cut.New > 1 || !cut.Full {
				t.Errorf("one page at most: new %d, full %t", cut.New, cut.Full)
			}
		})
	}
}

func conforms(t *testing.T, w *world, p *origin.Page) {
	t.Helper()
	if p.State != "active" || p.Portable == "" || p.WordCount < 80 {
		t.Errorf("%s: state %q, fingerprint %q, %d words", p.CanonicalURL, p.State, p.Portable, p.WordCount)
	}
	body, err := w.store.RawBody(t.Context(), p.EntryID)
	if err != nil {
		t.Fatal(err)
	}
	for form, text := range map[string]string{"text": body.Text, "Markdown": body.Markdown, "HTML": body.HTML} {
		if !strings.Contains(text, "when the tide has turned.") {
			t.Errorf("%s: its %s is %q", p.CanonicalURL, form, text)
		}
	}
}
