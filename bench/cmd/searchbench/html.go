package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/demo/corpus"
	"colophon/internal/searchindex"
)

// writeHTML writes the corpus as pages for another search engine: the words
// that our own index holds (title, terms, section, publisher), filters by
// category and use, and as metadata what else a hit shows. Beside the folder
// "site" it writes queries.json: an array of {"q","kind"}.
func writeHTML(c *corpus.Generator, dir string, queries int) error {
	pubs := map[string]exports.Publisher{}
	for i := range c.Publishers {
		p := c.Publisher(i)
		pubs[p.SiteID] = p
	}
	var b bytes.Buffer
	for i := range c.Pages {
		folder := filepath.Join(dir, "site", strconv.Itoa(i/1000))
		if i%1000 == 0 {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
		}
		e := c.Page(i)
		p := pubs[e.SiteID]
		b.Reset()
		page(&b, &e.Doc, &p)
		if err := os.WriteFile(filepath.Join(folder, strconv.Itoa(i)+".html"), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	type query struct {
		Q    string `json:"q"`
		Kind string `json:"kind"`
	}
	list := make([]query, queries)
	for k := range list {
		one := c.Query(k)
		list[k] = query{one.Q, one.Kind}
	}
	f, err := os.Create(filepath.Join(dir, "queries.json"))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	if err := json.NewEncoder(w).Encode(list); err != nil {
		return err
	}
	return w.Flush()
}

func page(b *bytes.Buffer, d *searchindex.Doc, p *exports.Publisher) {
	e := html.EscapeString
	fmt.Fprintf(b, "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title></head><body data-pagefind-body>", e(d.Title))
	fmt.Fprintf(b, "<h1 data-pagefind-meta=\"title\" data-pagefind-weight=\"4\">%s</h1>\n", e(d.Title))
	fmt.Fprintf(b, "<p data-pagefind-weight=\"3\" data-pagefind-meta=\"terms\">%s</p>\n", e(strings.Join(d.Terms, ", ")))
	fmt.Fprintf(b, "<p data-pagefind-weight=\"2\" data-pagefind-meta=\"section\">%s</p>\n", e(d.Section))
	fmt.Fprintf(b, "<p data-pagefind-meta=\"publisher\">%s</p>\n", e(d.Publisher))
	for _, m := range [][2]string{
		{"href", d.URL}, {"site_id", d.SiteID}, {"language", d.Language}, {"content_format", d.ContentFormat}, {"word_count", strconv.FormatInt(d.WordCount, 10)},
		{"published_at", d.PublishedAt}, {"modified_at", d.ModifiedAt}, {"registered_at", d.RegisteredAt}, {"rights_vector", d.RightsVector}, {"digest", d.Digest},
		{"license_ids", strings.Join(d.LicenseIDs, " ")},
	} {
		fmt.Fprintf(b, "<i data-pagefind-ignore=\"all\" data-pagefind-meta=\"%s:%s\"></i>", m[0], e(m[1]))
	}
	for _, c := range p.Categories {
		fmt.Fprintf(b, "<i data-pagefind-filter=\"category:%s\"></i>", e(c))
	}
	for _, s := range p.Preferences {
		if s.Inquiry == "welcome" || s.Inquiry == "conditional" {
			fmt.Fprintf(b, "<i data-pagefind-filter=\"use:%s\"></i>", e(s.Use))
		}
	}
	b.WriteString("</body></html>\n")
}
