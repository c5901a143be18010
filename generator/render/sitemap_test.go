package render

import (
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator/render/sitemaptest"
	"colophon/internal/blob"
)

// awkward lists texts that are easy to escape wrongly in XML.
var awkward = []string{
	`</title><script src=//x.example>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `<!--`, `-->`, `<![CDATA[`, `]]>`, `]]&gt;`, `<?xml version="1.0"?>`,
	`<!DOCTYPE x [<!ENTITY y "z">]>&y;`, `&lt;script&gt;`, `&amp;amp;`, "\r\n=1", "a\x00b", "a\x1b[31mb", "\u202egnp.exe", "e" + strings.Repeat("\u0301", 300), "\u2028\u2029", "\ufffe\uffff",
	"\U000E0041", "\u200b", "عنوان", "标题", strings.Repeat("W", 3000),
}

func TestSitemapsAreSpelledAsXML(t *testing.T) {
	pages := []sitemapPage{{"https://registry.example/", "2026-01-01T00:00:00Z"}, {"https://registry.example/check/", ""}, {"https://ex.example/?a=1&b='2'\"<3>", "a\tb\nc\rd"}, {"", ""}}
	for _, s := range awkward {
		pages = append(pages, sitemapPage{s, s})
	}
	pages = append(pages, sitemapPage{"\x7f~ \xff\u00e9", ""})
	for c := range 256 {
		pages = append(pages, sitemapPage{"x" + string([]byte{byte(c)}), string(rune(c))})
	}
	for _, kind := range []sitemapKind{urlSet, sitemapIndex} {
		doc := sitemaptest.Document{XMLName: xml.Name{Space: "http://www.sitemaps.org/schemas/sitemap/0.9", Local: kind.root}}
		list := &doc.URLs
		if kind == sitemapIndex {
			list = &doc.Sitemaps
		}
		for _, p := range pages {
			*list = append(*list, sitemaptest.Entry{Loc: p.loc, LastMod: p.lastMod})
		}
		want, err := xml.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(kind.spell(pages)); got != xml.Header+string(want)+"\n" {
			t.Errorf("%s: got\n%s\nwant\n%s", kind.root, got, want)
		}
	}
}

// cutIDs returns the ids in each sitemap.
func cutIDs(ids []string) (parts [][]string) {
	var cut SitemapCut
	for _, id := range ids {
		if cut.Take(id) {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], id)
	}
	return parts
}

// manyIDs returns n sorted ids of entries.
func manyIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("ent_%.24x", sha256.Sum256(fmt.Append(nil, i)))
	}
	slices.Sort(ids)
	return ids
}

// TestSitemapCut checks the sizes of sitemaps, and how many of them change with
// one entry.
func TestSitemapCut(t *testing.T) {
	ids := manyIDs(100_000)
	parts := cutIDs(ids)
	if !slices.Equal(slices.Concat(parts...), ids) || len(parts) < 10 || len(parts) > 20 {
		t.Fatalf("%d sitemaps", len(parts))
	}
	for i, part := range parts[:len(parts)-1] {
		if len(part) < 5_000 || len(part) > 9_000 {
			t.Errorf("sitemap %d has %d entries", i+1, len(part))
		}
	}
	differing := 0
	for n := range 20 {
		at := n*4_987 + 77
		after := cutIDs(slices.Delete(slices.Clone(ids), at, at+1))
		for i := range max(len(parts), len(after)) {
			if i >= len(parts) || i >= len(after) || !slices.Equal(parts[i], after[i]) {
				differing++
			}
		}
	}
	if differing > 40 {
		t.Errorf("20 entries less change %d sitemaps", differing)
	}
	for n, want := range map[int]int{1: 1, 4_999: 1, 5_000: 1} {
		if got := len(cutIDs(ids[:n])); got != want {
			t.Errorf("%d entries are cut into %d", n, got)
		}
	}
	for suffix, size := range map[string]int{"00": 5_000, "01": 20_000} { // whatever the ids are
		var chosen []string
		for i := range 45_000 {
			chosen = append(chosen, fmt.Sprintf("ent_%022d%s", i, suffix))
		}
		for _, part := range cutIDs(chosen)[:2] {
			if len(part) != size {
				t.Errorf("%q: a sitemap has %d entries", suffix, len(part))
			}
		}
	}
}

// TestLargestSitemapFitsABlob writes a sitemap with as many addresses as
// allowed, on a host with the longest possible name.
func TestLargestSitemapFitsABlob(t *testing.T) {
	base := "https://" + strings.Repeat("h", 253) + ":65535"
	pages := make([]sitemapPage, MostCitations)
	for i, id := range manyIDs(MostCitations) {
		pages[i] = sitemapPage{base + exports.CitationPage(id), "2026-01-01T00:00:00Z"}
	}
	if text := urlSet.spell(pages); len(text) > blob.MaxBlob-1024 {
		t.Errorf("%d bytes", len(text))
	}
}
