package intake

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// meta is what a page states about itself outside its main text.
type meta struct {
	named     map[string][]string // <meta> contents by lower-case name, property or itemprop
	schema    schemaFacts
	language  string
	title     string // <title>
	heading   string // first <h1>
	canonical string // <link rel=canonical>, as written
	base      string // <base href>, as written
	pubTime   string // first <time> that claims to be the date of publication
	anyTime   string // first <time>
	licences  []string
	statement []string // elements about rights, written anew
}

func readMeta(doc *html.Node) *meta {
	m := &meta{named: map[string][]string{}}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			m.element(n)
		}
	}
	for _, v := range m.schema.rights {
		m.statement = append(m.statement, `<script type="application/ld+json">`+scriptText(string(v.Append(nil)))+`</script>`)
	}
	return m
}

func (m *meta) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		m.language = first(m.language, attr(n, "lang"), attr(n, "xml:lang"))
	case atom.Title:
		if m.title == "" && n.Namespace == "" {
			m.title = oneLine(textOf(n))
		}
	case atom.H1:
		if m.heading == "" {
			m.heading = oneLine(textOf(n))
		}
	case atom.Base:
		m.base = first(m.base, attr(n, "href"))
	case atom.Meta:
		m.meta(n)
	case atom.Link:
		m.link(n)
	case atom.Script:
		m.script(n)
	case atom.Time:
		m.time(n)
	}
}

func (m *meta) meta(n *html.Node) {
	content := oneLine(attr(n, "content"))
	for _, key := range []string{"name", "property", "itemprop", "http-equiv"} {
		for _, name := range strings.Fields(strings.ToLower(attr(n, key))) {
			if content != "" && len(m.named[name]) < 64 {
				m.named[name] = append(m.named[name], content)
			}
			if key == "name" && speaksOfRights(name, content) {
				m.statement = append(m.statement, `<meta name="`+html.EscapeString(name)+`" content="`+html.EscapeString(content)+`">`)
			}
		}
	}
}

// speaksOfRights tells the names of RSL's, TDMRep's and the crawlers' own
// metadata, and any agent's name with a word of theirs.
func speaksOfRights(name, content string) bool {
	switch name {
	case "robots", "tdm-reservation", "tdm-policy", "ai-license", "content-usage", "content-signal":
		return content != ""
	}
	content = strings.ToLower(content)
	return strings.Contains(content, "noai") || strings.Contains(content, "noimageai")
}

func (m *meta) link(n *html.Node) {
	for _, rel := range strings.Fields(strings.ToLower(attr(n, "rel"))) {
		href := strings.TrimSpace(attr(n, "href"))
		switch {
		case rel == "canonical":
			m.canonical = first(m.canonical, href)
		case rel == "license" && href != "":
			kind := strings.ToLower(strings.TrimSpace(attr(n, "type")))
			m.statement = append(m.statement, `<link rel="license" type="`+html.EscapeString(kind)+`" href="`+html.EscapeString(href)+`">`)
			if kind == rslMedia {
				m.licences = append(m.licences, href)
			}
		}
	}
}

func (m *meta) script(n *html.Node) {
	kind, _, _ := strings.Cut(strings.ToLower(attr(n, "type")), ";")
	switch strings.TrimSpace(kind) {
	case "application/ld+json":
		m.schema.read(textOf(n))
	case rslMedia:
		m.statement = append(m.statement, `<script type="`+rslMedia+`">`+textOf(n)+`</script>`)
	}
}

// scriptText keeps JSON from ending the script it stands in.
func scriptText(s string) string { return strings.ReplaceAll(s, "</", `<\/`) }

func (m *meta) time(n *html.Node) {
	value := first(attr(n, "datetime"), oneLine(textOf(n)))
	if instant(value) == "" {
		return
	}
	m.anyTime = first(m.anyTime, value)
	marks := strings.ToLower(attr(n, "itemprop") + " " + attr(n, "class"))
	if _, ok := find(n, "pubdate"); ok || strings.Contains(marks, "publish") {
		m.pubTime = first(m.pubTime, value)
	}
}

// get returns the first stated value under one of the names.
func (m *meta) get(names ...string) string {
	for _, n := range names {
		if v := m.named[n]; len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

func (m *meta) published() string {
	for _, s := range []string{
		m.schema.published, m.get("article:published_time"), m.get("datepublished"), m.get("citation_publication_date", "citation_date"),
		m.get("dcterms.created", "dcterms.issued", "dcterms.date", "dc.date.issued", "dc.date", "dc.date.created"),
		m.get("date", "pubdate", "publishdate", "publish-date", "parsely-pub-date", "sailthru.date"), m.pubTime, m.anyTime,
	} {
		if t := instant(s); t != "" {
			return t
		}
	}
	return ""
}

func (m *meta) modified() string {
	for _, s := range []string{
		m.schema.modified, m.get("article:modified_time", "og:updated_time"), m.get("datemodified"),
		m.get("dcterms.modified", "dc.date.modified"), m.get("last-modified", "revised"),
	} {
		if t := instant(s); t != "" {
			return t
		}
	}
	return ""
}

// at resolves the addresses of the page: its own base, or else where it is.
func (m *meta) at(page *url.URL) *url.URL {
	if u, err := address(m.base, page); m.base != "" && err == nil {
		return u
	}
	return page
}

func first(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
