package intake

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"colophon/internal/extract"
)

// epubPackage is what the package document of a book says of it.
type epubPackage struct {
	Title    []string `xml:"metadata>title"`
	Language []string `xml:"metadata>language"`
	Date     []string `xml:"metadata>date"`
	Creators []struct {
		ID   string `xml:"id,attr"`
		Role string `xml:"role,attr"`
		Name string `xml:",chardata"`
	} `xml:"metadata>creator"`
	Refines []struct {
		Of       string `xml:"refines,attr"`
		Property string `xml:"property,attr"`
		Value    string `xml:",chardata"`
	} `xml:"metadata>meta"`
	Items []struct {
		ID         string `xml:"id,attr"`
		Href       string `xml:"href,attr"`
		Media      string `xml:"media-type,attr"`
		Properties string `xml:"properties,attr"`
	} `xml:"manifest>item"`
	Spine []struct {
		ID     string `xml:"idref,attr"`
		Linear string `xml:"linear,attr"`
	} `xml:"spine>itemref"`
}

// authors returns those whom the package names as such.
func (p *epubPackage) authors() []string {
	var names []string
	for _, c := range p.Creators {
		role := c.Role
		for _, m := range p.Refines {
			if c.ID != "" && m.Of == "#"+c.ID && m.Property == "role" {
				role = strings.TrimSpace(m.Value)
			}
		}
		if role == "" || role == "aut" {
			names = append(names, oneLine(c.Name))
		}
	}
	return names
}

// book is an open EPUB.
type book struct {
	files     map[string]*zip.File
	limit     int64
	encrypted []byte // what names its encrypted files
}

// isArchive reports a ZIP archive, as books are. Many do not begin with their
// type, as they should.
func isArchive(f *os.File) bool {
	var head [4]byte
	n, _ := f.ReadAt(head[:], 0)
	return string(head[:n]) == "PK\x03\x04"
}

// epub yields the documents of a book in the order in which they are read.
// Each lies below --base, under its name in the book.
func (l *lister) epub(f *os.File, where string) error {
	base, err := l.readBase("a book")
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return sourceError("%s: %v", where, err)
	}
	archive, err := zip.NewReader(f, info.Size())
	if err != nil {
		return sourceError("%s: the book cannot be read: %v", where, err)
	}
	b := &book{files: map[string]*zip.File{}, limit: l.opt.MaxBytes}
	for _, file := range archive.File {
		b.files[file.Name] = file
	}
	b.encrypted, _ = b.read("META-INF/encryption.xml")
	p, root, err := b.readPackage()
	if err != nil {
		return sourceError("%s: the book cannot be read: %v", where, err)
	}
	facts := draft{byline: p.authors(), section: cmp.Or(p.Title...), language: languageTag(cmp.Or(p.Language...)), published: instant(cmp.Or(p.Date...))}
	for _, part := range p.Spine {
		for _, item := range p.Items {
			if item.ID != part.ID || part.Linear == "no" || hasProperty(item.Properties, "nav") || !isHTMLMedia(item.Media) {
				continue
			}
			if err := l.yield(b.ref(root, item.Href, base, facts)); err != nil {
				return err
			}
		}
	}
	return nil
}

func hasProperty(list, name string) bool { return slices.Contains(strings.Fields(list), name) }

// read returns a file of the book, up to the limit of a page.
func (b *book) read(name string) ([]byte, error) {
	file, ok := b.files[name]
	if !ok {
		return nil, fmt.Errorf("it has no %s", name)
	}
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	body, err := io.ReadAll(io.LimitReader(r, b.limit+1))
	if err == nil && int64(len(body)) > b.limit {
		err = fmt.Errorf("%s has more than %d bytes", name, b.limit)
	}
	return body, err
}

// readPackage reads the package document, and returns the folder that it is in.
func (b *book) readPackage() (p *epubPackage, root string, err error) {
	var container struct {
		Files []struct {
			Path string `xml:"full-path,attr"`
		} `xml:"rootfiles>rootfile"`
	}
	if err := b.readXML("META-INF/container.xml", &container); err != nil {
		return nil, "", err
	}
	if len(container.Files) == 0 {
		return nil, "", fmt.Errorf("its container names no package")
	}
	p = &epubPackage{}
	name := container.Files[0].Path
	if err := b.readXML(name, p); err != nil {
		return nil, "", err
	}
	if len(p.Spine) == 0 {
		return nil, "", fmt.Errorf("%s lists no parts to read", name)
	}
	return p, path.Dir(name), nil
}

func (b *book) readXML(name string, into any) error {
	body, err := b.read(name)
	if err != nil {
		return err
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	d.CharsetReader = charset.NewReaderLabel
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// ref reads one document of the book.
func (b *book) ref(root, href string, base *url.URL, facts draft) ref {
	r := ref{where: href}
	to, err := url.Parse(href)
	if err != nil || to.IsAbs() {
		r.problem = failedProblem("bad_url", "the book lists %q", clipText(href, 200))
		return r
	}
	name := path.Join(root, to.Path)
	if bytes.Contains(b.encrypted, []byte(`"`+name+`"`)) {
		r.problem = skippedProblem("protected", "it is encrypted")
		return r
	}
	raw, err := b.read(name)
	if err != nil {
		r.problem = failedProblem("unreadable", "%v", err)
		return r
	}
	decoded, err := extract.Decode(raw, "application/xhtml+xml; charset=utf-8")
	if err != nil {
		r.problem = failedProblem("bad_charset", "%v", err)
		return r
	}
	facts.encoding = decoded.Encoding
	body, title := bodyOfXHTML(decoded.Text)
	facts.title = title
	u := base.ResolveReference(&url.URL{Path: base.Path + strings.TrimPrefix(path.Clean("/"+to.Path), "/")})
	r.supplied = &suppliedPage{url: u, facts: facts, body: body, format: "html"}
	return r
}

// emptyElement is an element that XHTML closes in its own tag.
var emptyElement = regexp.MustCompile(`<([a-zA-Z][a-zA-Z0-9]*)((?:\s+[^<>"']+(?:=\s*(?:"[^"]*"|'[^']*'))?)*)\s*/>`)

// voidElements are those that HTML has no end tags for.
var voidElements = strings.Fields("area base br col embed hr img input link meta param source track wbr")

// bodyOfXHTML returns the body of an XHTML document and its title: its first
// heading, of any rank, or else its title element.
func bodyOfXHTML(text string) (body, title string) {
	text = emptyElement.ReplaceAllStringFunc(text, func(tag string) string {
		part := emptyElement.FindStringSubmatch(tag)
		if slices.Contains(voidElements, strings.ToLower(part[1])) {
			return tag
		}
		return "<" + part[1] + part[2] + "></" + part[1] + ">"
	})
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return "", ""
	}
	var b strings.Builder
	heading := ""
	for n := range doc.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "title" && n.Namespace == "" && title == "":
			title = oneLine(textOf(n))
		case len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' && heading == "":
			heading = oneLine(textOf(n))
		case n.Data == "body":
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				html.Render(&b, c) //nolint:errcheck // writing to a strings.Builder does not fail
			}
		}
	}
	return b.String(), cmp.Or(heading, title)
}
