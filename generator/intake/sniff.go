package intake

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"mime"
	"path"
	"strings"
)

// expectsList tells addresses that promise a sitemap or a feed.
func expectsList(p string) bool {
	base := strings.ToLower(path.Base(p))
	switch path.Ext(base) {
	case ".xml", ".gz", ".rss", ".atom", ".rdf":
		return true
	}
	return strings.Contains(base, "sitemap")
}

// sniffKind tells what a document is by its first bytes, inside gzip too. For
// one that it does not know, root says what it looks like.
func sniffKind(src io.Reader, contentType string) (r *bufio.Reader, k kind, root string, err error) {
	r = bufio.NewReaderSize(src, 64<<10)
	if magic, _ := r.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, kindUnknown, "", fmt.Errorf("it is not good gzip: %w", err)
		}
		r = bufio.NewReaderSize(z, 64<<10)
	}
	head, err := r.Peek(4096)
	if err != nil && err != io.EOF {
		return nil, kindUnknown, "", err
	}
	k, root = kindOf(head, contentType)
	return r, k, root, nil
}

func kindOf(head []byte, contentType string) (kind, string) {
	text := strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \t\r\n")
	media, _, _ := mime.ParseMediaType(contentType)
	switch {
	case text == "":
		return kindUnknown, ": it is empty"
	case media == "text/plain" && strings.HasPrefix(text, "http") || media == "" && strings.HasPrefix(text, "http"):
		return kindText, ""
	case strings.HasPrefix(text, "{") && strings.Contains(text, "jsonfeed.org/version"):
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
	return kindUnknown, fmt.Sprintf(": it begins with %q", cutText(text, 40))
}
