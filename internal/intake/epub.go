package intake

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"colophon/internal/extract"
	"colophon/internal/sitefolder"
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
	Items []epubItem `xml:"manifest>item"`
	Spine []struct {
		ID     string `xml:"idref,attr"`
		Linear string `xml:"linear,attr"`
	} `xml:"spine>itemref"`
}

type epubItem struct {
	ID         string `xml:"id,attr"`
	Href       string `xml:"href,attr"`
	Media      string `xml:"media-type,attr"`
	Properties string `xml:"properties,attr"`
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
			names = append(names, extract.OneLine(c.Name))
		}
	}
	return names
}

// book is an open EPUB.
type book struct {
	files     *zip.Reader
	limit     int64
	encrypted map[string]bool // names of files
}

// isArchive reports a ZIP archive, as books are. Many do not begin with their
// type, as they should.
func isArchive(f *os.File) bool {
	var head [4]byte
	n, _ := f.ReadAt(head[:], 0)
	return string(head[:n]) == "PK\x03\x04"
}

// listBook yields the documents of an EPUB in the order in which they are read.
// Each lies below --base, under its name in the book.
func (l *lister) listBook(_ context.Context, d *document, yield yieldFunc) error {
	info, err := d.file.Stat()
	if err != nil {
		return sourceError("%s: %v", d.where, err)
	}
	archive, err := zip.NewReader(d.file, info.Size())
	if err != nil {
		return sourceError("%s: the book cannot be read: %v", d.where, err)
	}
	b := &book{files: archive, limit: l.opt.MaxBytes, encrypted: map[string]bool{}}
	p, root, err := b.readPackage()
	if err == nil {
		err = b.readEncryption()
	}
	if err != nil {
		return sourceError("%s: the book cannot be read: %v", d.where, err)
	}
	facts := draft{byline: p.authors(), section: cmp.Or(p.Title...), language: extract.LanguageTag(cmp.Or(p.Language...)), published: extract.Instant(cmp.Or(p.Date...))}
	items := map[string]*epubItem{}
	for i := range p.Items {
		items[p.Items[i].ID] = &p.Items[i]
	}
	for _, part := range p.Spine {
		item := items[part.ID]
		one := ref{where: part.ID, problem: failedProblem("bad_item", "the book lists %q to be read, and does not have it", clipText(part.ID, 200))}
		switch {
		case part.Linear == "no" || item != nil && (hasProperty(item.Properties, "nav") || !isHTMLMedia(item.Media)):
			continue
		case item != nil:
			one = b.ref(root, item.Href, d.base, facts)
		}
		if err := yield(one); err != nil {
			return err
		}
	}
	return nil
}

func hasProperty(list, name string) bool { return slices.Contains(strings.Fields(list), name) }

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

// readEncryption reads which files are encrypted (EPUB 3.3, section 4.2.6.3.2).
func (b *book) readEncryption() error {
	const name = "META-INF/encryption.xml"
	if _, err := fs.Stat(b.files, name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var list struct {
		Files []struct {
			URI string `xml:",attr"`
		} `xml:"EncryptedData>CipherData>CipherReference"`
	}
	if err := b.readXML(name, &list); err != nil {
		return err
	}
	for _, file := range list.Files {
		path, err := url.PathUnescape(file.URI)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		b.encrypted[path] = true
	}
	return nil
}

func (b *book) readXML(name string, into any) error {
	body, p := sitefolder.ReadFile(b.files, name, b.limit)
	if p != nil {
		return errors.New(p.Detail)
	}
	if err := newDecoder(bytes.NewReader(body)).Decode(into); err != nil {
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
	if !fs.ValidPath(name) {
		r.problem = failedProblem("bad_url", "the book lists %q, which is not in it", clipText(href, 200))
		return r
	}
	if b.encrypted[name] {
		r.problem = skippedProblem("protected", "it is encrypted")
		return r
	}
	raw, p := sitefolder.ReadFile(b.files, name, b.limit)
	if p != nil {
		r.problem = failedProblem(p.Code, "%s", p.Detail)
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
			title = extract.OneLine(extract.RawText(n))
		case len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' && heading == "":
			heading = extract.OneLine(extract.RawText(n))
		case n.Data == "body":
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				html.Render(&b, c) //nolint:errcheck // writing to a strings.Builder does not fail
			}
		}
	}
	return b.String(), cmp.Or(heading, title)
}
