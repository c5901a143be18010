package textform

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/extract"
)

// HTML renders a page's main content as inert HTML: only listed elements
// and attributes, and only absolute http, https and mailto addresses. Elements
// that are not listed are replaced by their content.
func HTML(n *html.Node, base *url.URL) string {
	w := cleanWriter{base: base}
	w.writeNode(n, 0)
	return strings.TrimSpace(w.b.String())
}

type cleanWriter struct {
	b    strings.Builder
	base *url.URL
}

func (w *cleanWriter) writeNode(n *html.Node, depth int) {
	switch {
	case depth > extract.MaxDepth:
		return
	case n.Type == html.TextNode:
		w.b.WriteString(html.EscapeString(n.Data))
		return
	case n.Type == html.ElementNode && extract.Invisible(n):
		return
	}
	tag := keptTag(n)
	if tag != "" {
		w.b.WriteString("<" + tag)
		w.writeAttributes(n)
		w.b.WriteByte('>')
	}
	if n.DataAtom == atom.Br || n.DataAtom == atom.Hr || n.DataAtom == atom.Img {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.writeNode(c, depth+1)
	}
	if tag != "" {
		w.b.WriteString("</" + tag + ">")
	}
}

// keptTag returns the name of a listed element, "" for others.
func keptTag(n *html.Node) string {
	if n.Type != html.ElementNode {
		return ""
	}
	switch n.DataAtom {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd, atom.Pre, atom.Code,
		atom.Blockquote, atom.Table, atom.Caption, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Th, atom.Td, atom.Hr, atom.Br, atom.A, atom.Em,
		atom.Strong, atom.B, atom.I, atom.S, atom.Del, atom.Ins, atom.Sub, atom.Sup, atom.Q, atom.Cite, atom.Abbr, atom.Kbd, atom.Samp, atom.Var,
		atom.Figure, atom.Figcaption, atom.Time, atom.Ruby, atom.Rt, atom.Rp, atom.Bdi, atom.Bdo, atom.Small, atom.Mark, atom.Dfn:
		return n.DataAtom.String()
	case atom.Img:
		if extract.Attr(n, "src") != "" {
			return "img"
		}
	}
	return ""
}

func (w *cleanWriter) writeAttributes(n *html.Node) {
	put := func(name, value string) {
		if value != "" {
			w.b.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
		}
	}
	switch n.DataAtom {
	case atom.A:
		put("href", resolveTarget(n, "href", w.base))
	case atom.Img:
		put("src", resolveTarget(n, "src", w.base))
		put("alt", extract.OneLine(extract.Attr(n, "alt")))
	case atom.Td, atom.Th:
		put("colspan", validSpan(extract.Attr(n, "colspan")))
		put("rowspan", validSpan(extract.Attr(n, "rowspan")))
	case atom.Time:
		put("datetime", extract.Instant(extract.Attr(n, "datetime")))
	case atom.Ol:
		put("start", validSpan(extract.Attr(n, "start")))
	}
	put("lang", extract.LanguageTag(extract.Attr(n, "lang")))
	if d := strings.ToLower(extract.Attr(n, "dir")); d == "rtl" || d == "ltr" || d == "auto" {
		put("dir", d)
	}
}

// validSpan accepts a small number.
func validSpan(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 3 || !extract.IsDigits(s) {
		return ""
	}
	return s
}

// resolveTarget resolves the address in an attribute; it returns "" for what
// readers must not follow: scripts, data, other schemes.
func resolveTarget(n *html.Node, name string, base *url.URL) string {
	raw := strings.TrimSpace(extract.Attr(n, name))
	if raw == "" || len(raw) > 2048 {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	switch u.Scheme {
	case "http", "https":
		if u.Host != "" && u.User == nil {
			return u.String()
		}
	case "mailto":
		return u.String()
	}
	return ""
}
