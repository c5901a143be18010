package intake

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth bounds recursion into a page; the parser itself stops at 512.
const maxDepth = 600

// dropped tells elements whose content is no text of the page.
func dropped(n *html.Node) bool {
	if n.Namespace != "" {
		return true
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Title, atom.Iframe, atom.Object, atom.Embed, atom.Svg, atom.Math,
		atom.Form, atom.Input, atom.Button, atom.Select, atom.Textarea, atom.Canvas, atom.Audio, atom.Video, atom.Map, atom.Dialog:
		return true
	}
	_, hidden := find(n, "hidden")
	return hidden
}

// block tells elements that stand on lines of their own.
func block(n *html.Node) bool {
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Header, atom.Footer, atom.Aside, atom.Nav, atom.Figure, atom.Figcaption,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd, atom.Pre, atom.Blockquote,
		atom.Table, atom.Caption, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Hr, atom.Address, atom.Details, atom.Summary, atom.Fieldset,
		atom.Body, atom.Html, atom.Center, atom.Hgroup:
		return true
	}
	return false
}

// target resolves the address in an attribute; it gives "" for what no reader
// should follow: scripts, data, other schemes.
func target(n *html.Node, name string, base *url.URL) string {
	raw := strings.TrimSpace(attr(n, name))
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
