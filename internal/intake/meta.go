package intake

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/channel"
	"colophon/internal/extract"
	"colophon/internal/wire"
)

// meta is what a page states about rights.
type meta struct {
	base      string   // <base href>, as written
	licences  []string // addresses of RSL documents, as written
	statement []string // elements about rights, written again
}

// rightsMembers are the members of JSON-LD objects that speak of rights.
var rightsMembers = []string{"license", "acquireLicensePage", "usageInfo", "copyrightHolder", "copyrightNotice", "creditText", "conditionsOfAccess", "isAccessibleForFree"}

// readMeta reads a document before its content is taken out of it.
func readMeta(doc *extract.Document) *meta {
	m := &meta{}
	for n := range doc.Root.Descendants() {
		if n.Type == html.ElementNode {
			m.addElement(n)
		}
	}
	for _, o := range doc.Schema {
		if kept := rightsOf(o); kept != nil {
			m.addJSONLD(string(kept.Append(nil)))
		}
	}
	for _, text := range doc.UnreadSchema {
		if strings.Contains(strings.ToLower(text), "datamining") {
			m.addJSONLD("DataMining: not read") // no more valid JSON than the original
		}
	}
	return m
}

func (m *meta) addJSONLD(text string) {
	m.statement = append(m.statement, `<script type="application/ld+json">`+scriptText(text)+`</script>`)
}

// placeMembers are the members that say what an object of JSON-LD is about.
var placeMembers = []string{"@context", "@type", "@id", "url", "mainEntityOfPage"}

// rightsOf keeps the members of an object that speak of rights, and no others:
// JSON-LD may hold the whole article. It returns nil when there are none.
func rightsOf(o *wire.Value) *wire.Value {
	kept := miningOf(o)
	speaks := kept != nil
	if kept == nil {
		kept = placeOf(o)
	}
	for _, name := range rightsMembers {
		if m := o.Get(name); m != nil && kept.Get(name) == nil {
			kept.Members = append(kept.Members, wire.M(name, *m))
			speaks = true
		}
	}
	if !speaks {
		return nil
	}
	return kept
}

// placeOf returns the members that say what an object is about.
func placeOf(o *wire.Value) *wire.Value {
	kept := wire.Object()
	for _, name := range placeMembers {
		if m := o.Get(name); m != nil {
			kept.Members = append(kept.Members, wire.M(name, *m))
		}
	}
	return &kept
}

// miningOf returns what an object and the objects in it say about data mining,
// each with what it is about; nil if nothing. Objects in @graph are kept
// separately.
func miningOf(o *wire.Value) *wire.Value {
	kept, speaks := placeOf(o), false
	for i := range o.Members {
		member := &o.Members[i]
		var value *wire.Value
		switch {
		case channel.IsDataMining(member.Name) || strings.EqualFold(member.Name, "DataMining"):
			value = &member.Value
		case member.Name != "@graph" && !slices.Contains(placeMembers, member.Name):
			value = miningIn(&member.Value)
		}
		if value != nil {
			speaks = true
			kept.Members = append(kept.Members, wire.M(member.Name, *value))
		}
	}
	if !speaks {
		return nil
	}
	return kept
}

// miningIn is miningOf for an object or the objects of a list.
func miningIn(v *wire.Value) *wire.Value {
	switch v.Kind {
	case wire.KindObject:
		return miningOf(v)
	case wire.KindArray:
		kept := wire.Array()
		for i := range v.Items {
			if item := miningIn(&v.Items[i]); item != nil {
				kept.Items = append(kept.Items, *item)
			}
		}
		if len(kept.Items) > 0 {
			return &kept
		}
	}
	return nil
}

func (m *meta) addElement(n *html.Node) {
	m.addDataMining(n)
	switch n.DataAtom {
	case atom.Base:
		m.base = cmp.Or(m.base, strings.TrimSpace(extract.Attr(n, "href")))
	case atom.Meta:
		m.addMeta(n)
	case atom.Link:
		m.addLink(n)
	case atom.Script:
		if extract.IsScriptOf(n, rslMedia) {
			m.statement = append(m.statement, `<script type="`+rslMedia+`">`+extract.RawText(n)+`</script>`)
		}
	}
}

// addDataMining adds the data mining value that an element states, and what it
// is about.
func (m *meta) addDataMining(n *html.Node) {
	attribute, value := channel.DataMiningOf(n.DataAtom, func(name string) string { return extract.Attr(n, name) })
	if attribute == "" {
		return
	}
	element := "a"
	if n.DataAtom == atom.Meta || n.DataAtom == atom.Link {
		element = n.Data
	}
	about := ""
	if subject := extract.Attr(n, "about"); subject != "" {
		about = ` about="` + html.EscapeString(extract.OneLine(subject)) + `"`
	}
	m.statement = append(m.statement, `<`+element+` `+attribute+`="plus:DataMining" content="`+html.EscapeString(extract.OneLine(value))+`"`+about+`>`)
}

func (m *meta) addMeta(n *html.Node) {
	content, names := extract.OneLine(extract.Attr(n, "content")), strings.Fields(strings.ToLower(extract.Attr(n, "name")))
	if len(names) == 0 {
		names = strings.Fields(strings.ToLower(extract.Attr(n, "property")))
	}
	for _, name := range names {
		if speaksOfRights(name, content) {
			m.statement = append(m.statement, `<meta name="`+html.EscapeString(name)+`" content="`+html.EscapeString(content)+`">`)
		}
	}
}

// speaksOfRights reports whether a name is that of metadata of RSL, TDMRep or
// crawlers, or any agent's name with one of their words as content.
func speaksOfRights(name, content string) bool {
	switch name {
	case "robots", "tdm-reservation", "tdm:reservation", "tdm-policy", "tdm:policy", "ai-license", "content-usage", "content-signal":
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
	if !slices.Contains(strings.Fields(strings.ToLower(extract.Attr(n, "rel"))), "license") {
		return
	}
	href := strings.TrimSpace(extract.Attr(n, "href"))
	if href == "" {
		return
	}
	kind := strings.ToLower(strings.TrimSpace(extract.Attr(n, "type")))
	m.statement = append(m.statement, `<link rel="license" type="`+html.EscapeString(kind)+`" href="`+html.EscapeString(href)+`">`)
	if kind == rslMedia {
		m.licences = append(m.licences, href)
	}
}

// scriptText escapes JSON so that it cannot end the script element around it.
func scriptText(s string) string { return strings.ReplaceAll(s, "</", `<\/`) }
