package intake_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
)

// writeBook writes an EPUB of the files without the mimetype first, as many
// programs do.
func writeBook(t *testing.T, files map[string]string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "book.epub")
	f, err := os.Create(name)
	must(t, err)
	defer f.Close()
	z := zip.NewWriter(f)
	add := func(h *zip.FileHeader, text string) {
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		must(t, err)
	}
	add(&zip.FileHeader{Name: "OEBPS/"}, "")
	for name, text := range files {
		add(&zip.FileHeader{Name: name, Method: zip.Deflate}, text)
	}
	must(t, z.Close())
	return name
}

// container, packageOf and chapter return the parts of a book.
const container = `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

func packageOf(spine string) string {
	return `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf"><metadata>
<dc:title>The Book of Tides</dc:title><dc:language>en-GB</dc:language><dc:date>2026-03-04</dc:date><dc:creator id="a">Ada Tern</dc:creator><dc:creator opf:role="ill">Bo Gull</dc:creator><dc:creator id="c">Cy Ebb</dc:creator>
<meta refines="#a" property="role">aut</meta><meta refines="#c" property="role">edt</meta></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="two" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/><item id="locked" href="text/locked.xhtml" media-type="application/xhtml+xml"/><item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/><item id="aside" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="pic" href="a.png" media-type="image/png"/></manifest>
<spine>` + spine + `</spine></package>`
}

func chapter(heading, text string) string {
	return `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/></head><body><a id="p1"/><h2>` + heading + `</h2><p>` + text + `<br/></p></body></html>`
}

func TestBook(t *testing.T) {
	w := newWorld(t)
	name := writeBook(t, map[string]string{
		"META-INF/container.xml":  container,
		"META-INF/encryption.xml": `<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/text/locked.xhtml"/></CipherData></EncryptedData></encryption>`,
		"OEBPS/book.opf":          packageOf(`<itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/><itemref idref="locked"/><itemref idref="gone"/><itemref idref="pic"/><itemref idref="aside" linear="no"/><itemref idref="missing"/>`),
		"OEBPS/nav.xhtml":         chapter("Contents", prose("nav")), "OEBPS/text/one.xhtml": chapter("Ebb", prose("one")), "OEBPS/text/two b.xhtml": chapter("Flood", prose("two")),
		"OEBPS/text/locked.xhtml": "\x00\x01",
	})
	sum := w.must(name, withBase)
	tally(t, sum, 2, 0, 0, 1, 2)
	reason(t, sum.Skipped, "protected", "text/locked.xhtml")
	reason(t, sum.Failed, "unreadable", "gone.xhtml")
	reason(t, sum.Failed, "bad_item", "missing")
	assert.Equal(t, w.body("/text/one.xhtml").Text, "Ebb\n\n"+prose("one"), "text")
	p := w.find("/text/two%20b.xhtml")
	if p.Title != "Flood" || p.Section != "The Book of Tides" || strings.Join(p.Byline, "|") != "Ada Tern" || p.Language != "en-GB" || p.PublishedAt != "2026-03-04T00:00:00Z" || p.Portable == "" {
		t.Errorf("%+v", p)
	}
	tally(t, w.must(name, withBase), 0, 0, 2, 1, 2)
}

func TestBrokenBooks(t *testing.T) {
	w := newWorld(t)
	for why, files := range map[string]map[string]string{
		"it has no META-INF/container.xml": {}, "names no package": {"META-INF/container.xml": "<container/>"}, "it has no OEBPS/book.opf": {"META-INF/container.xml": container},
		"lists no parts":  {"META-INF/container.xml": container, "OEBPS/book.opf": packageOf("")},
		"encryption.xml:": {"META-INF/container.xml": container, "META-INF/encryption.xml": "<encryption>", "OEBPS/book.opf": packageOf(`<itemref idref="one"/>`)},
	} {
		if _, err := w.run(writeBook(t, files), withBase); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: error %v", why, err)
		}
	}
	assert.ErrorContains(t, assert.Err(w.run(writeBook(t, nil))), "error", "--base")
}
