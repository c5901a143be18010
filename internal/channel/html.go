package channel

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/channel/said"
	"colophon/internal/wire"
)

// ParseHTML reads what a page says of itself: link rel=license, an inline
// application/rsl+xml script, meta tdm-reservation, tdm-policy and robots, and
// the licence properties of schema.org in JSON-LD. Statements are about the
// page (Pattern is empty). Schema.org properties are links, never statements:
// they say where terms are, not what they allow.
func ParseHTML(in Input) Result {
	r := newResult(in, HTMLMeta)
	r.Embedded = true
	p := pageReader{r: &r, in: in}
	z := html.NewTokenizer(bytes.NewReader(in.Body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			p.tdm.say(&r, in.URL, LayerPage, "meta[@name='tdm-reservation']")
			r.sortAgents()
			return r
		case html.StartTagToken, html.SelfClosingTagToken:
			p.tag(z.Token())
		case html.TextToken:
			p.script(z.Text())
		case html.EndTagToken:
			p.inside = ""
		}
	}
}

type pageReader struct {
	r      *Result
	in     Input
	tdm    tdmPair
	inside string // media type of the script at hand
}

func (p *pageReader) tag(t html.Token) {
	a := attributes(t.Attr)
	p.inside = ""
	switch t.DataAtom {
	case atom.Link:
		p.link(a)
	case atom.Meta:
		p.meta(a)
	case atom.Script:
		switch kind := strings.ToLower(strings.TrimSpace(a["type"])); kind {
		case rslMediaType, "application/ld+json":
			p.inside = kind
		}
	}
}

// attributes keeps the first of each name, as browsers do.
func attributes(in []html.Attribute) map[string]string {
	out := make(map[string]string, len(in))
	for _, a := range in {
		if _, dup := out[a.Key]; !dup {
			out[a.Key] = a.Val
		}
	}
	return out
}

func (p *pageReader) link(a map[string]string) {
	l := linkValue{target: a["href"], params: a}
	if !l.hasRel("license") || l.target == "" {
		return
	}
	kind := strings.ToLower(a["type"])
	rel := "license"
	if kind != rslMediaType {
		rel = "terms" // a licence for people or of another kind
	}
	p.r.link(p.in.URL, Link{Rel: rel, URL: l.target, Type: kind, Locator: "link[@rel='license']"})
}

func (p *pageReader) meta(a map[string]string) {
	name, content := strings.ToLower(strings.TrimSpace(a["name"])), strings.TrimSpace(a["content"])
	if name == "" {
		name = strings.ToLower(strings.TrimSpace(a["property"]))
	}
	switch name {
	case "plus:datamining", "xmp-plus:datamining", "plus-datamining":
		p.plus(content)
	case "content-usage":
		for _, s := range usageStatements(p.r, AIPrefHeader, content, "meta[@name='content-usage']", "") {
			p.r.say(s)
		}
	case "content-signal":
		for _, s := range signalStatements(p.r, content, "meta[@name='content-signal']") {
			p.r.say(s)
		}
	case "tdm-reservation", "tdm:reservation":
		p.tdm.set(content)
	case "tdm-policy", "tdm:policy":
		p.tdm.policy = content
	case "robots":
		for _, s := range metaRobots(p.r, content, "meta[@name='robots']") {
			p.r.say(s)
		}
	default:
		p.agentMeta(name, content)
	}
}

// plus reads the data mining value that IPTC recommends for pictures, where a
// page states it of itself. One that is not known restricts.
func (p *pageReader) plus(value string) {
	one := ParsePLUS(Input{URL: p.in.URL, Body: []byte(value)})
	for _, s := range one.Statements {
		s.Locator = "meta[@property='plus:DataMining']"
		p.r.say(s)
	}
	for _, g := range one.Gaps {
		p.r.gapIn(said.Gap{Code: g.Code, Locator: "meta[@property='plus:DataMining']", Channel: PLUS}, value)
	}
}

// agentMeta reads <meta name="examplebot" content="noai">.
func (p *pageReader) agentMeta(name, content string) {
	if name == "" || productToken(name) != name {
		return
	}
	before := len(p.r.Warnings)
	for _, s := range metaRobots(p.r, content, "meta[@name='"+clip(name)+"']") {
		s.Agent = name
		p.r.say(s)
		p.r.addAgent(name)
	}
	p.r.Warnings = p.r.Warnings[:before]
}

func (p *pageReader) script(text []byte) {
	kind := p.inside
	p.inside = ""
	if kind == "" || len(bytes.TrimSpace(text)) == 0 {
		return
	}
	body := bytes.Clone(text)
	if kind == rslMediaType {
		p.rsl(body)
		return
	}
	v, ok := parseJSON(p.r, body, "script[@type='application/ld+json']")
	if ok {
		p.schema(&v)
	}
}

func (p *pageReader) rsl(body []byte) {
	root, err := parseXML(body)
	if err != nil {
		p.r.gapIn(said.Gap{Code: "rsl_not_xml", Locator: "script[@type='application/rsl+xml']", Channel: RSL}, err.Error())
		return
	}
	state := p.r.State
	readRSL(p.r, p.in, root, rslScope{page: true})
	p.r.State = state // a bad script does not spoil the page's other channels
}

// schema walks JSON-LD (bounded by the parser's depth) for licence properties.
func (p *pageReader) schema(v *wire.Value) {
	for i := range v.Items {
		p.schema(&v.Items[i])
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
			p.schema(&m.Value)
			continue
		}
		for _, item := range list(&m.Value) {
			if u := text(&item); u != "" {
				p.r.link(p.in.URL, Link{Rel: rel, URL: u, Type: "schema.org/" + localName(m.Name), Locator: "script[@type='application/ld+json']"})
			}
		}
	}
}
