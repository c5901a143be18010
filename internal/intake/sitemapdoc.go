package intake

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readSitemap reads one document as a stream. With an error it still returns
// what came before.
func readSitemap(r io.Reader, k kind) (sitemapDoc, error) {
	limited := &io.LimitedReader{R: r, N: maxSitemapBytes}
	doc := sitemapDoc{}
	read := readSitemapXML
	if k == kindText {
		read = readSitemapText
	}
	err := read(limited, &doc)
	switch {
	case errors.Is(err, errTooMuch):
	case limited.N <= 0:
		err = fmt.Errorf("%w: it has more than %d bytes", errTooMuch, maxSitemapBytes)
	case err == nil && len(doc.pages)+len(doc.maps) == 0:
		err = errors.New("it lists nothing")
	}
	return doc, err
}

// maxToken bounds one tag, text or comment, which the decoder holds whole.
const maxToken = 1 << 20

// tokenReader stops a decoder that reads on and on for one token.
type tokenReader struct {
	r    io.Reader
	left int
}

func (t *tokenReader) Read(p []byte) (int, error) {
	if t.left <= 0 {
		return 0, fmt.Errorf("%w: a part of it has more than %d bytes", errTooMuch, maxToken)
	}
	n, err := t.r.Read(p)
	t.left -= n
	return n, err
}

func readSitemapXML(r io.Reader, doc *sitemapDoc) error {
	limit := &tokenReader{r: r}
	d := newDecoder(limit)
	var path []string
	var text bytes.Buffer
	for {
		limit.left = maxToken
		t, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it breaks off or is not well-formed: %w", err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			path = append(path, t.Name.Local)
			text.Reset()
			if len(path) > 64 {
				return errors.New("its elements are nested too deeply")
			}
		case xml.CharData:
			if len(path) == 3 && path[2] == "loc" && text.Len() < 4096 {
				text.Write(t)
			}
		case xml.EndElement:
			if err := doc.endElement(path, text.String()); err != nil {
				return err
			}
			path = path[:len(path)-1]
		}
	}
}

func (doc *sitemapDoc) endElement(path []string, text string) error {
	if len(path) != 3 || path[2] != "loc" {
		return nil
	}
	switch path[0] + "/" + path[1] {
	case "urlset/url":
		doc.pages = append(doc.pages, text)
	case "sitemapindex/sitemap":
		doc.maps = append(doc.maps, text)
	}
	if len(doc.pages)+len(doc.maps) > maxSitemapURLs {
		return fmt.Errorf("%w: it lists more than %d addresses", errTooMuch, maxSitemapURLs)
	}
	return nil
}

// readSitemapText reads the plain form: one address a line.
func readSitemapText(r io.Reader, doc *sitemapDoc) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" {
			continue
		}
		if doc.pages = append(doc.pages, line); len(doc.pages) > maxSitemapURLs {
			return fmt.Errorf("%w: it lists more than %d addresses", errTooMuch, maxSitemapURLs)
		}
	}
	return lines.Err()
}
