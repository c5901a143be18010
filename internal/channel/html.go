package channel

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// ParseHTML reads what a page says about itself: link rel=license, an inline
// application/rsl+xml script, meta tdm-reservation, tdm-policy and robots, and
// the licence properties of schema.org in JSON-LD. Statements are about the
// page (Pattern is empty). Schema.org properties are links, never statements:
// they say where terms are, not what they allow.
func ParseHTML(in Input) Result {
	r := newResult(in, statements.HTMLMeta)
	r.Embedded = true
	p := pageReader{r: &r, in: in, base: in.URL}
	z := html.NewTokenizer(bytes.NewReader(in.Body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			p.tdm.addTo(&r, p.base, statements.LayerPage, "meta[@name='tdm-reservation']")
			r.sortAgents()
			return r
		case html.StartTagToken, html.SelfClosingTagToken:
			p.readTag(z.Token())
		case html.TextToken:
			p.readScript(z.Text())
		case html.EndTagToken:
			p.inside = ""
		}
	}
}

// jsonLD is the locator of statements in a page's JSON-LD.
const jsonLD = "script[@type='application/ld+json']"

type pageReader struct {
	r      *Result
	in     Input
	base   string // what relative addresses are relative to
	based  bool   // a <base href> was read: further ones do not count
	tdm    tdmPair
	inside string // media type of the script being read
}

func (p *pageReader) readTag(t html.Token) {
	a := firstAttributes(t.Attr)
	p.inside = ""
	p.dataMining(t.DataAtom, a)
	switch t.DataAtom {
	case atom.Base:
		p.readBase(a["href"])
	case atom.Link:
		p.readLink(a)
	case atom.Meta:
		p.readMeta(a)
	case atom.Script:
		switch kind := mediaType(a["type"]); kind {
		case RSLMediaType, "application/ld+json":
			p.inside = kind
		}
	}
}

// readBase sets the base of the page's relative addresses (HTML, section
// 4.2.3).
func (p *pageReader) readBase(href string) {
	if p.based || strings.TrimSpace(href) == "" {
		return
	}
	p.based = true
	if base, ok := ResolveAbsolute(p.in.URL, href); ok {
		p.base = base
	}
}

// firstAttributes keeps the first of each name, as browsers do.
func firstAttributes(in []html.Attribute) map[string]string {
	out := make(map[string]string, len(in))
	for _, a := range in {
		if _, dup := out[a.Key]; !dup {
			out[a.Key] = a.Val
		}
	}
	return out
}

func (p *pageReader) readLink(a map[string]string) {
	l := linkValue{target: a["href"], params: a}
	if !l.hasRel("license") || l.target == "" {
		return
	}
	kind := mediaType(a["type"])
	rel := "license"
	if kind != RSLMediaType {
		rel = "terms" // a licence for people or of another kind
	}
	p.r.addLink(p.base, statements.Link{Rel: rel, URL: l.target, Type: kind, Locator: "link[@rel='license']"})
}

func (p *pageReader) readMeta(a map[string]string) {
	name, content := strings.ToLower(strings.TrimSpace(a["name"])), strings.TrimSpace(a["content"])
	if name == "" {
		name = strings.ToLower(strings.TrimSpace(a["property"]))
	}
	switch name {
	case "content-usage":
		p.r.addStatements(usageStatements(p.r, statements.AIPrefHeader, content, "meta[@name='content-usage']", ""))
	case "content-signal":
		p.r.addStatements(signalStatements(p.r, content, "meta[@name='content-signal']"))
	case "tdm-reservation", "tdm:reservation":
		p.tdm.setValue(content)
	case "tdm-policy", "tdm:policy":
		p.tdm.policy = content
	case "robots":
		p.r.addStatements(metaRobots(p.r, content, "meta[@name='robots']", ""))
	default:
		if isReservationName(name) {
			p.r.gapIn(statements.Gap{Code: "tdm_reservation_misspelt", Locator: "meta[@name='" + clipText(name) + "']", Channel: statements.TDMRep}, content)
			return
		}
		p.agentMeta(name, content)
	}
}

// dataMining reads the data mining value of PLUS that an element states.
func (p *pageReader) dataMining(element atom.Atom, a map[string]string) {
	attribute, value := DataMiningOf(element, func(name string) string { return a[name] })
	if attribute == "" {
		return
	}
	whole := (element == atom.Meta || element == atom.Link) && attribute != "itemprop" && a["about"] == ""
	p.readPLUS(value, element.String()+"[@"+attribute+"='plus:DataMining']", whole)
}

// DataMiningOf finds the data mining value of PLUS that an element states: by
// its name, as RDFa or as microdata. It returns the attribute that names it, ""
// for none, and the value. A value that may be about a part of the page, such
// as a picture, permits nothing.
func DataMiningOf(element atom.Atom, attr func(name string) string) (attribute, value string) {
	for _, attribute := range []string{"name", "property", "rel", "itemprop"} {
		names := strings.Fields(attr(attribute))
		if attribute == "name" && element != atom.Meta || !slices.ContainsFunc(names, IsDataMining) {
			continue
		}
		for _, from := range []string{"content", "resource", "href"} {
			if value == "" {
				value = strings.TrimSpace(attr(from))
			}
		}
		return attribute, value
	}
	return "", ""
}

// IsDataMining reports whether a name is that of the property, by any prefix.
func IsDataMining(name string) bool {
	if strings.EqualFold(name, "plus-DataMining") {
		return true
	}
	return strings.ContainsAny(name, ":/#") && strings.EqualFold(localName(name), "DataMining")
}

// readPLUS reads a data mining value. An unknown value restricts. whole means
// that the value is about the page; otherwise its permissions are ignored.
func (p *pageReader) readPLUS(value, locator string, whole bool) {
	one := ParsePLUS(Input{URL: p.in.URL, Body: []byte(value)})
	for _, s := range one.Statements {
		if s.Effect != statements.Disallow && !whole {
			continue
		}
		s.Locator = locator
		p.r.addStatement(s)
	}
	for _, g := range one.Gaps {
		p.r.gapIn(statements.Gap{Code: g.Code, Locator: locator, Channel: statements.PLUS}, value)
	}
}

// agentMeta reads <meta name="examplebot" content="noai">.
func (p *pageReader) agentMeta(name, content string) {
	if name == "" || ProductToken(name) != name {
		return
	}
	before := len(p.r.Warnings)
	p.r.addStatements(metaRobots(p.r, content, "meta[@name='"+clipText(name)+"']", name))
	p.r.Warnings = p.r.Warnings[:before]
}

func (p *pageReader) readScript(text []byte) {
	kind := p.inside
	p.inside = ""
	if kind == "" || len(bytes.TrimSpace(text)) == 0 {
		return
	}
	body := bytes.Clone(text)
	if kind == RSLMediaType {
		p.readRSL(body)
		return
	}
	v, ok := parseJSON(p.r, body, jsonLD)
	if !ok {
		p.unreadJSONLD(body)
		return
	}
	p.readSchema(&v)
	p.mainNodes(&v)
}

func (p *pageReader) readRSL(body []byte) {
	root, err := parseXML(body)
	if err != nil {
		p.r.gapIn(statements.Gap{Code: "rsl_not_xml", Locator: "script[@type='application/rsl+xml']", Channel: statements.RSL}, err.Error())
		return
	}
	state := p.r.State
	readRSL(p.r, p.in, root, rslScope{page: true})
	p.r.State = state // a bad script does not spoil the page's other channels
}

// readSchema walks JSON-LD (bounded by the parser's depth) for licence properties.
func (p *pageReader) readSchema(v *wire.Value) {
	for i := range v.Items {
		p.readSchema(&v.Items[i])
	}
	for i := range v.Members {
		m := &v.Members[i]
		rel := ""
		switch localName(m.Name) {
		case "license":
			rel = "terms"
		case "acquireLicensePage":
			rel = "acquire-license"
		case "usageInfo":
			rel = "usage-info"
		}
		if rel == "" {
			p.readSchema(&m.Value)
			continue
		}
		for _, item := range jsonList(&m.Value) {
			if u := jsonText(&item); u != "" {
				p.r.addLink(p.base, statements.Link{Rel: rel, URL: u, Type: "schema.org/" + localName(m.Name), Locator: jsonLD})
			}
		}
	}
}

// unreadJSONLD records that a script that cannot be read mentions data mining.
func (p *pageReader) unreadJSONLD(body []byte) {
	if bytes.Contains(bytes.ToLower(body), []byte("datamining")) {
		p.r.gapIn(statements.Gap{Code: "json_invalid", Locator: jsonLD, Channel: statements.PLUS}, "DataMining")
	}
}

// mainNodes reads the data mining values of JSON-LD. A node at its root, or in
// the graph there, may be about the page.
func (p *pageReader) mainNodes(v *wire.Value) {
	for _, node := range jsonList(v) {
		p.dataMiningOf(&node, p.isAboutPage(&node))
		for _, inGraph := range jsonList(node.Get("@graph")) {
			p.dataMiningOf(&inGraph, p.isAboutPage(&inGraph))
		}
	}
}

// dataMiningOf reads a node and its parts. whole means that the node is about
// the page. In nodes within it only prohibitions count, and nothing that is
// about pictures and recordings.
func (p *pageReader) dataMiningOf(node *wire.Value, whole bool) {
	for i := range node.Items {
		p.dataMiningOf(&node.Items[i], false)
	}
	media := isMedia(node)
	for i := range node.Members {
		m := &node.Members[i]
		switch stated := isDataMiningMember(m.Name); {
		case stated && media:
			p.r.addWarning("statement_about_images_only", jsonLD, m.Name)
		case stated:
			for _, value := range jsonList(&m.Value) {
				p.readPLUS(jsonText(&value), jsonLD, whole)
			}
		case !media && m.Name != "@graph":
			p.dataMiningOf(&m.Value, false)
		}
	}
}

// isDataMiningMember is IsDataMining for a member of JSON-LD, which a context
// may have given a name without prefix.
func isDataMiningMember(name string) bool {
	return IsDataMining(name) || strings.EqualFold(name, "DataMining")
}

// mediaTypes are the types of schema.org that describe a file beside the page.
var mediaTypes = []string{
	"ImageObject", "Photograph", "VideoObject", "AudioObject", "MediaObject", "3DModel", "DataDownload", "MusicVideoObject", "Painting", "Drawing",
	"VisualArtwork", "Barcode", "ImageObjectSnapshot", "VideoObjectSnapshot", "AudioObjectSnapshot",
}

func isMedia(node *wire.Value) bool {
	return slices.ContainsFunc(jsonList(node.Get("@type")), func(kind wire.Value) bool { return slices.Contains(mediaTypes, localName(jsonText(&kind))) })
}

// isAboutPage reports whether a node may be about the page: it names no other
// address.
func (p *pageReader) isAboutPage(node *wire.Value) bool {
	host, path := statements.Split(p.in.URL)
	for _, name := range []string{"@id", "url", "mainEntityOfPage"} {
		for _, value := range jsonList(node.Get(name)) {
			address, ok := ResolveAbsolute(p.base, jsonText(&value))
			if h, at := statements.Split(address); ok && (h != host || at != path) {
				return false
			}
		}
	}
	return true
}
