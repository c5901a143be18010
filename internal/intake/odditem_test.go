package intake_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOddItemCostsItself checks that an error in one item of an export, a feed
// or a sitemap neither hides the others nor goes uncounted.
func TestOddItemCostsItself(t *testing.T) {
	wordPress := func(text string) string {
		item := func(path, text string) string {
			return "<item><title>T</title><link>" + home + path + "</link><content:encoded><![CDATA[" + prose(path) + text + "]]></content:encoded><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>"
		}
		return `<?xml version="1.0" encoding="UTF-8"?><!-- generator="WordPress" wordpress.org/export/ --><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>` +
			item("/a", "") + item("/b", text) + item("/c", "") + "</channel></rss>"
	}
	rss := func(title string) string {
		item := func(path, title string) string {
			return "<item><title>" + title + "</title><link>{url}" + path + "</link></item>"
		}
		return `<?xml version="1.0"?><rss version="2.0"><channel><title>F</title>` + item("/a", "A") + item("/b", title) + item("/c", "C") + `</channel></rss>`
	}
	atom := func(entry string) string {
		item := func(path, more string) string {
			return `<entry><title>T</title><id>urn:x:` + path + `</id>` + more + `<link href="{url}` + path + `"/></entry>`
		}
		return `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title>` + item("/a", "") + item("/b", entry) + item("/c", "") + `</feed>`
	}
	jsonFeed := func(members string) string {
		return `{"version":"https://jsonfeed.org/version/1.1","title":"F","items":[{"id":"1","url":"{url}/a"},{"id":"2","url":"{url}/b"` + members + `},{"id":"3","url":"{url}/c"}]}`
	}
	for _, c := range []struct {
		name, file string
		failed     int // of three items
	}{
		{"WordPress, control character", wordPress("\x0b and \x08"), 0},
		{"WordPress, octet that is no UTF-8", wordPress("caf\xe9"), 0},
		{"WordPress, character beyond XML", wordPress("\uffff"), 0},
		{"WordPress, end of an item in CDATA", wordPress("</item>"), 0},
		{"WordPress, item that is not well-formed", strings.Replace(wordPress(""), home+"/b</link>", home+"/b</link><wp:meta <</wp:meta>", 1), 1},
		{"WordPress, windows-1252", strings.Replace(wordPress("caf\xe9 \x93quoted\x94"), "UTF-8", "windows-1252", 1), 0},
		{"RSS, control character", rss("A \x0b tide"), 0},
		{"RSS, octet that is no UTF-8", rss("caf\xe9"), 0},
		{"RSS, ampersand", rss("Ebb & flow"), 0},
		{"RSS, element that is not closed", rss("<b>A tide"), 0},
		{"RSS, tag that is none", rss("1 << 2"), 1},
		{"RSS, unknown entity", rss("a&nbsp;b&foo;c"), 0},
		{"Atom, control character", atom("<summary>\x1b</summary>"), 0},
		{"Atom, element that is not closed", atom("<summary><b>x</summary>"), 0},
		{"Atom, PDF before the page", atom(`<link rel="alternate" type="application/pdf" href="{url}/b.pdf"/>`), 0},
		{"Atom, JSON before the page", atom(`<link rel="alternate" type="application/json" href="{url}/b.json"/>`), 0},
		{"Atom, page with a type", atom(`<link rel="alternate" type="text/html; charset=utf-8" href="{url}/b"/>`), 0},
		{"JSON Feed, authors as an object", jsonFeed(`,"authors":{"name":"Ada Tern"}`), 0},
		{"JSON Feed, author as a text", jsonFeed(`,"author":"Ada Tern"`), 0},
		{"JSON Feed, tags as a text", jsonFeed(`,"tags":"tides"`), 0},
		{"JSON Feed, numbers as texts", jsonFeed(`,"title":7`), 0},
		{"JSON Feed, attachments as a text", jsonFeed(`,"attachments":"x"`), 0},
		{"JSON Feed, byte order mark", "\ufeff" + jsonFeed(""), 0},
		{"JSON Feed, item that is no object", strings.Replace(jsonFeed(""), `{"id":"2","url":"{url}/b"}`, `"{url}/b"`, 1), 1},
		{"JSON Feed, octet that is no UTF-8", jsonFeed(",\"title\":\"caf\xe9\""), 0},
		{"RSS, a long comment before the root", `<?xml version="1.0"?><!--` + strings.Repeat("x", 6000) + "-->" + strings.TrimPrefix(rss("B"), `<?xml version="1.0"?>`), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			for _, path := range []string{"/a", "/b", "/c"} {
				w.page(path, "Page "+path)
			}
			file := filepath.Join(t.TempDir(), "source")
			must(t, os.WriteFile(file, []byte(strings.ReplaceAll(c.file, "{url}", w.url)), 0o600))
			tally(t, w.must(file), 3-c.failed, 0, 0, 0, c.failed)
		})
	}
}

// TestGUIDs checks that an item's identifier is fetched only if it is an
// address.
func TestGUIDs(t *testing.T) {
	for _, c := range []struct {
		guid string
		page bool
	}{
		{`<guid>{url}/a</guid>`, true},
		{`<guid isPermaLink="true">{url}/a</guid>`, true},
		{`<guid isPermaLink="false">{url}/a</guid>`, false},
		{`<guid isPermaLink=" FALSE ">{url}/a</guid>`, false},
		{`<guid>tag:harbor.example,2026:a</guid>`, false},
	} {
		w := newWorld(t)
		w.page("/a", "A")
		w.serve("/feed", "application/rss+xml", strings.ReplaceAll(`<rss version="2.0"><channel><title>F</title><item><title>A</title>`+c.guid+`</item></channel></rss>`, "{url}", w.url))
		sum := w.must("/feed")
		if got := sum.New == 1; got != c.page || !c.page && sum.Failed.Of("no_link").Count != 1 || w.count("/a") > 0 != c.page {
			t.Errorf("%s: %+v", c.guid, sum)
		}
	}
}

// TestBaseOfFeed checks that addresses in feeds are relative to xml:base, also
// in nested elements.
func TestBaseOfFeed(t *testing.T) {
	for name, feed := range map[string]string{
		"Atom":           `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/deep/"><title>F</title><entry xml:base="er/"><title>A</title><link href="a"/></entry></feed>`,
		"RSS":            `<rss version="2.0" xml:base="/deep/"><channel><title>F</title><item xml:base="er/"><title>A</title><link>a</link></item></channel></rss>`,
		"Atom, repaired": `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/deep/"><title>F</title><entry xml:base="er/"><title>A</title><link href="a"/></entry><entry><title><b></title></entry></feed>`,
	} {
		w := newWorld(t)
		w.page("/deep/er/a", "A")
		w.serve("/feed.xml", "application/xml", feed)
		if sum, _ := w.run("/feed.xml"); sum.New != 1 {
			t.Errorf("%s: %+v", name, sum)
		}
	}
}

// TestSitemapFiles checks that a sitemap is recognised by its bytes, whatever
// type its server states.
func TestSitemapFiles(t *testing.T) {
	zip := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		fmt.Fprint(z, text)
		z.Close() //nolint:errcheck // it writes to memory
		return b.String()
	}
	text := "{url}/a\n{url}/b\n"
	for _, c := range []struct{ name, media, body string }{
		{"text", "text/plain", text},
		{"text without a type of use", "application/octet-stream", text},
		{"text in gzip", "application/gzip", zip(text)},
		{"text in gzip under another name", "application/x-gzip", zip(text)},
		{"text in gzip as octets", "application/octet-stream", zip(text)},
		{"text in gzip as text", "text/plain", zip(text)},
		{"gzip with bytes after its end", "application/gzip", zip(text) + "\n<!-- cached -->"},
		{"gzip with zeros after its end", "application/gzip", zip(text) + "\x00\x00\x00\x00"},
		{"two members of gzip", "application/gzip", zip("{url}/a\n") + zip("{url}/b\n")},
		{"root after a long comment", "application/xml", "<?xml version='1.0'?><!--" + strings.Repeat("licence ", 800) + "-->" + urlset("{url}", "/a", "/b")},
		{"XML in gzip with bytes after its end", "application/gzip", zip(urlset("{url}", "/a", "/b")) + "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.page("/a", "A")
			w.page("/b", "B")
			// Compression would hide the placeholder, so the server's address
			// is put in beneath it.
			body := strings.ReplaceAll(c.body, "{url}", w.url)
			if strings.HasPrefix(body, "\x1f\x8b") {
				body = rezip(t, c.body, w.url)
			}
			w.serve("/sitemap.gz", c.media, body)
			tally(t, w.must("/sitemap.gz"), 2, 0, 0, 0, 0)
		})
	}
}

// rezip puts a server's address into the members of a gzip file, and keeps what
// follows them.
func rezip(t *testing.T, body, address string) string {
	var out bytes.Buffer
	rest := bytes.NewReader([]byte(body))
	for rest.Len() > 0 {
		before := body[len(body)-rest.Len():]
		z, err := gzip.NewReader(rest)
		if err != nil {
			out.WriteString(before)
			break
		}
		z.Multistream(false)
		var text bytes.Buffer
		if _, err := text.ReadFrom(z); err != nil {
			t.Fatal(err)
		}
		w := gzip.NewWriter(&out)
		fmt.Fprint(w, strings.ReplaceAll(text.String(), "{url}", address))
		w.Close() //nolint:errcheck // it writes to memory
	}
	return out.String()
}
