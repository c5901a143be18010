package extract

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/wire"
)

// Reasons for review, as the origin keeps them.
const (
	ReviewBare      = "bare"               // the template left next to nothing
	ReviewForeign   = "foreign_template"   // it has another template than its site
	ReviewUnfound   = "selector_unfound"   // the operator's selectors match nothing
	ReviewMojibake  = "suspected_mojibake" // it may be decoded wrongly
	ReviewDuplicate = "duplicate_text"     // another address has the same text
)

// A Reason says why a page goes to review before it is signed.
type Reason struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Document is a parsed page with what it states, before its content is
// extracted.
type Document struct {
	Root         *html.Node
	Schema       []*wire.Value // objects of its JSON-LD
	UnreadSchema []string      // scripts of it that could not be read
	stated       *statements
}

// Parse reads the text of an HTML page.
func Parse(text string, hint *Hint) (*Document, error) {
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	if hint == nil {
		hint = &Hint{}
	}
	d := &Document{Root: doc}
	d.Schema, d.UnreadSchema = ReadSchema(doc)
	d.stated = readStatements(doc, contentRoot(doc), d.Schema, hint)
	return d, nil
}

// Canonical returns the address of <link rel=canonical> in the head, as
// written. It returns "" if the head has none, or several that differ (RFC
// 6596, section 3).
func (d *Document) Canonical() string { return d.stated.canonicalAddress() }

// Base returns what relative addresses of a document at an address are relative
// to: what its first <base href> says, else the address itself.
func (d *Document) Base(at *url.URL) *url.URL {
	base, err := at.Parse(strings.TrimSpace(d.stated.base))
	if d.stated.base == "" || err != nil || base.Scheme != "http" && base.Scheme != "https" {
		return at
	}
	return base
}

// Extracted is the result of extracting a page.
type Extracted struct {
	Result
	Text  string // of its content
	Facts Facts
}

// Extract returns the content and the facts of a document at an address. The
// document must not be used afterwards. t may be nil.
func (d *Document) Extract(at *url.URL, t *Template) Extracted {
	d.stated.at, d.stated.baseAddress = at, d.Base(at)
	d.stated.addSchema(d.Schema)
	x := Extracted{Result: Content(d.Root, d.stated.baseAddress, t)}
	if x.Content != nil {
		x.Text = PlainText(x.Content)
	}
	d.stated.addContent(x.Content)
	x.Facts = d.stated.resolveFacts(t, proseOf(x.Content))
	return x
}

// proseOf returns the text of content without its code, from which its language
// is detected.
func proseOf(content *html.Node) string {
	if content == nil {
		return ""
	}
	var b strings.Builder
	walkNodes(content, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Pre, atom.Code, atom.Kbd, atom.Samp, atom.Tt, atom.Var:
			return false
		}
		if n.Type == html.ElementNode && Invisible(n) {
			return false
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if isLeafEdge(n) {
			b.WriteByte(' ')
		}
		return true
	})
	if countLetters(b.String()) < minDetectLetters {
		return PlainText(content)
	}
	return b.String()
}

// Review returns the doubts about signing the text as it is.
func (x *Extracted) Review() []Reason {
	var list []Reason
	if x.Bare {
		list = append(list, Reason{ReviewBare, "the template of the site leaves next to nothing of it"})
	}
	if x.Foreign {
		list = append(list, Reason{ReviewForeign, "places that nearly every page of the site has are missing"})
	}
	if x.Unfound {
		list = append(list, Reason{ReviewUnfound, "the selectors that are set for the site match nothing on it"})
	}
	if why := SuspectText(x.Text); why != "" {
		list = append(list, Reason{ReviewMojibake, why})
	}
	return list
}
