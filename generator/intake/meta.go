package intake

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/generator/extract"
	"colophon/internal/wire"
)

// meta is what a page states about rights.
type meta struct {
	base      string   // <base href>, as written
	licences  []string // addresses of RSL documents, as written
	statement []string // elements about rights, written anew
}

// rightsMembers are the members of JSON-LD objects that speak of rights.
var rightsMembers = []string{"license", "acquireLicensePage", "usageInfo", "copyrightHolder", "copyrightNotice", "creditText", "conditionsOfAccess", "isAccessibleForFree"}

// readMeta reads a document before its content is taken out of it. schema are
// the objects of its JSON-LD.
func readMeta(doc *html.Node, schema []*wire.Value) *meta {
	m := &meta{}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			m.addElement(n)
		}
	}
	for _, o := range schema {
		if kept := rightsOf(o); kept != nil {
			m.statement = append(m.statement, `<script type="application/ld+json">`+scriptText(string(kept.Append(nil)))+`</script>`)
		}
	}
	return m
}

// rightsOf keeps the members of an object that speak of rights, and no others:
// JSON-LD may hold the whole article. It returns nil when there are none.
func rightsOf(o *wire.Value) *wire.Value {
	kept := wire.Object()
	speaks := false
	for _, name := range append([]string{"@context", "@type", "@id", "url"}, rightsMembers...) {
		if m := o.Get(name); m != nil {
			kept.Members = append(kept.Members, wire.M(name, *m))
			speaks = speaks || slices.Contains(rightsMembers, name)
		}
	}
	if !speaks {
		return nil
	}
	return &kept
}

func (m *meta) addElement(n *html.Node) {
	switch n.DataAtom {
	case atom.Base:
		m.base = first(m.base, attr(n, "href"))
	case atom.Meta:
		m.addMeta(n)
	case atom.Link:
		m.addLink(n)
	case atom.Script:
		if extract.IsScriptOf(n, rslMedia) {
			m.statement = append(m.statement, `<script type="`+rslMedia+`">`+textOf(n)+`</script>`)
		}
	}
}

func (m *meta) addMeta(n *html.Node) {
	content := oneLine(attr(n, "content"))
	for _, key := range []string{"name", "property"} {
		for _, name := range strings.Fields(strings.ToLower(attr(n, key))) {
			if (key == "name" || strings.Contains(name, "datamining")) && speaksOfRights(name, content) {
				m.statement = append(m.statement, `<meta name="`+html.EscapeString(name)+`" content="`+html.EscapeString(content)+`">`)
			}
		}
	}
}

// speaksOfRights tells the names of RSL's, TDMRep's and the crawlers' own
// metadata, and any agent's name with a word of theirs.
func speaksOfRights(name, content string) bool {
	switch name {
	case "robots", "tdm-reservation", "tdm-policy", "ai-license", "content-usage", "content-signal",
		"plus:datamining", "xmp-plus:datamining", "plus-datamining":
		return content != ""
	case "viewport", "description", "keywords", "author":
		return false
	}
	content = strings.ToLower(content)
	for _, word := range []string{"noai", "noimageai", "noindex", "nosnippet", "max-snippet", "unavailable_after"} {
		if strings.Contains(content, word) {
			return true
		}
	}
	return false
}

func (m *meta) addLink(n *html.Node) {
	if !slices.Contains(strings.Fields(strings.ToLower(attr(n, "rel"))), "license") {
		return
	}
	href := strings.TrimSpace(attr(n, "href"))
	if href == "" {
		return
	}
	kind := strings.ToLower(strings.TrimSpace(attr(n, "type")))
	m.statement = append(m.statement, `<link rel="license" type="`+html.EscapeString(kind)+`" href="`+html.EscapeString(href)+`">`)
	if kind == rslMedia {
		m.licences = append(m.licences, href)
	}
}

// scriptText keeps JSON from ending the script it stands in.
func scriptText(s string) string { return strings.ReplaceAll(s, "</", `<\/`) }

// at resolves the addresses of the page: its own base, or else where it is.
func (m *meta) at(page *url.URL) *url.URL {
	if u, err := address(m.base, page); m.base != "" && err == nil {
		return u
	}
	return page
}
