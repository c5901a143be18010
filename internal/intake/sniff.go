package intake

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"mime"
	"path"
	"regexp"
	"strings"

	"colophon/internal/extract"
)

// expectsList reports whether an address looks like that of a sitemap or a
// feed.
func expectsList(p string) bool {
	base := strings.ToLower(path.Base(p))
	switch path.Ext(base) {
	case ".xml", ".gz", ".rss", ".atom", ".rdf":
		return true
	}
	return strings.Contains(base, "sitemap")
}

// headSize is how many bytes of a document are examined to tell what it is,
// because comments and declarations may precede its root.
const headSize = 64 << 10

// sniffKind begins to read a document, inside gzip too, and determines its kind
// from its first bytes.
func (d *document) sniffKind(src io.Reader, contentType string) error {
	d.Reader = bufio.NewReaderSize(src, headSize)
	if magic, _ := d.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := newGunzip(d.Reader)
		if err != nil {
			return fmt.Errorf("it is not good gzip: %w", err)
		}
		d.Reader = bufio.NewReaderSize(z, headSize)
		contentType = "" // it is that of the file
	}
	head, err := d.Peek(headSize)
	if err != nil && err != io.EOF {
		return err
	}
	d.kind, d.looks = kindOf(head, contentType)
	switch {
	case d.kind == kindNDJSON && isGhost(head):
		d.kind = kindGhost
	case d.kind == kindFeed && d.stream == nil && bytes.Contains(head, []byte(wordPressMark)):
		d.kind = kindWordPress
	}
	return nil
}

// gunzip reads the members of a gzip file (RFC 1952, section 2.2), and ignores
// anything after them.
type gunzip struct {
	z   *gzip.Reader
	src *bufio.Reader
}

func newGunzip(src *bufio.Reader) (*gunzip, error) {
	z, err := gzip.NewReader(src)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gunzip{z, src}, nil
}

func (g *gunzip) Read(p []byte) (int, error) {
	for {
		n, err := g.z.Read(p)
		if n > 0 || err != io.EOF {
			return n, err
		}
		if magic, _ := g.src.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) || g.z.Reset(g.src) != nil {
			return 0, io.EOF
		}
		g.z.Multistream(false)
	}
}

// jsonFeedVersion is the member that every JSON Feed has.
var jsonFeedVersion = regexp.MustCompile(`"version"\s*:\s*"https?:\\?/\\?/jsonfeed\.org\\?/version`)

func kindOf(head []byte, contentType string) (kind, string) {
	text := strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \t\r\n")
	media, _, _ := mime.ParseMediaType(contentType)
	if media == "application/octet-stream" || media == "binary/octet-stream" {
		media = "" // it says nothing
	}
	switch {
	case text == "":
		return kindUnknown, ": it is empty"
	case media == "text/plain" && strings.HasPrefix(text, "http") || media == "" && strings.HasPrefix(text, "http"):
		return kindText, ""
	case strings.HasPrefix(text, "{") && jsonFeedVersion.MatchString(text):
		return kindFeed, ""
	case strings.HasPrefix(text, "{") && media != "text/html":
		return kindNDJSON, ""
	case looksLikeHTML(head):
		return kindPage, ""
	}
	name := rootElement(text)
	switch {
	case name == "urlset" || name == "sitemapindex":
		return kindSitemap, ""
	case name == "rss" || name == "feed" || name == "RDF":
		return kindFeed, ""
	case name == "html" || media == "text/html" || media == "application/xhtml+xml" || media == "text/plain" || media == "text/markdown":
		return kindPage, ""
	case name != "":
		return kindUnknown, fmt.Sprintf(": its XML begins with <%s>", name)
	}
	return kindUnknown, fmt.Sprintf(": it begins with %q", extract.CutText(text, 40))
}
