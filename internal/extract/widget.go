package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Widgets are parts that a site's software adds beside or into the text:
// buttons to share it, teasers of other pages, readers' comments, subscription
// forms. They are recognized by the class names of common software. A template
// learned from the site finds the rest.

// widgetWords are the words of such classes: "related" is one of
// "related-posts".
var widgetWords = []string{
	"share", "shares", "sharing", "sharedaddy", "shariff", "addtoany", "addthis", "social", "socials", "sociable",
	"related", "relatedposts", "yarpp", "recommended", "recommendations", "outbrain", "taboola",
	"comment", "comments", "commentlist", "respond", "disqus",
	"newsletter", "subscribe", "subscription", "advert", "advertisement", "advertising", "promo", "buybox",
	"breadcrumb", "breadcrumbs", "pagination", "pager", "cookie", "cookies",
	"sidebar", "backlink", "popular", "trending", "teasers", "taglist", "relatedarticles",
}

// widgetClasses are classes that say it as a whole.
var widgetClasses = []string{
	"widget", "jp-post-flair", "post-navigation", "nav-links", "nav-previous", "nav-next", "entry-meta", "entry-footer", "entry-utility", "post-meta", "post-footer", "postmeta",
	"post-tags", "tags-links", "cat-links", "tagcloud", "author-box", "author-info", "about-author", "screen-reader-text", "skip-link", "comment-reply-title",
}

// widgetIDs are ids of the same meaning. Headings get ids made from their words,
// so that an id counts only if it is not a plausible heading.
var widgetIDs = []string{
	"sidebar", "side-bar", "sidebar-left", "sidebar-right", "left-sidebar", "right-sidebar", "footer", "site-footer", "page-footer", "breadcrumbs",
	"respond", "disqus_thread", "jp-post-flair", "jp-relatedposts",
}

// maxWidgetShare is the largest part of the content's letters that a widget may
// have. An element with more is content, whatever its class.
const maxWidgetShare = .4

// widgetMark is the attribute that markWidgets sets for isSetAside.
const widgetMark = "data-colophon-widget"

// markWidgets marks the widgets below the content of a page. It skips those
// already marked, because a page's content is looked for twice, for its facts
// and for its text.
func markWidgets(root *html.Node) {
	if root == nil {
		return
	}
	letters := -1
	for n := range root.Descendants() {
		if isMarkedWidget(n) || !isWidgetByName(n) {
			continue
		}
		if letters < 0 {
			letters = countLetters(visibleText(root))
		}
		if float64(countLetters(visibleText(n))) <= maxWidgetShare*float64(letters) {
			n.Attr = append(n.Attr, html.Attribute{Key: widgetMark})
		}
	}
}

func isMarkedWidget(n *html.Node) bool {
	_, marked := LookupAttr(n, widgetMark)
	return marked
}

// isWidgetByName reports whether an element is a widget by its class or id. A
// widget contains no heading of the first rank, and is not within code or a
// paragraph.
func isWidgetByName(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.Section, atom.Aside, atom.Ul, atom.Ol, atom.Form, atom.Footer, atom.Header, atom.P, atom.H2, atom.H3, atom.H4:
	default:
		return false
	}
	named := hasWidgetClass(n) || slices.Contains(widgetIDs, strings.ToLower(Attr(n, "id")))
	return named && !isDocumentSidebar(n) && !hasDescendant(n, atom.H1)
}

func hasWidgetClass(n *html.Node) bool {
	for _, class := range strings.Fields(strings.ToLower(Attr(n, "class"))) {
		if slices.Contains(widgetClasses, class) {
			return true
		}
		words := strings.FieldsFunc(class, func(r rune) bool { return r == '-' || r == '_' })
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(widgetWords, w) }) {
			return true
		}
	}
	return false
}

// isDocumentSidebar reports a sidebar in the sense of docutils and DocBook: a
// titled box that belongs to the text.
func isDocumentSidebar(n *html.Node) bool {
	class := Attr(n, "class")
	if hasToken(class, "sidebar-title") {
		return true
	}
	if !hasToken(class, "sidebar") {
		return false
	}
	for d := range n.Descendants() {
		class := Attr(d, "class")
		if hasToken(class, "sidebar-title") || hasToken(class, "titlepage") || hasToken(class, "title") {
			return true
		}
	}
	return false
}
