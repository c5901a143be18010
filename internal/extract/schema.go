package extract

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/wire"
)

// foreignJSON bounds the JSON of other people.
var foreignJSON = wire.Limits{Bytes: 512 << 10, Depth: 24, Members: 1024, Floats: true}

var (
	articleTypes = []string{
		"Article", "NewsArticle", "BlogPosting", "TechArticle", "ScholarlyArticle", "Report", "OpinionNewsArticle", "AnalysisNewsArticle",
		"ReviewNewsArticle", "BackgroundNewsArticle", "ReportageNewsArticle", "LiveBlogPosting", "SocialMediaPosting", "Recipe", "HowTo",
	}
	pageTypes = []string{"WebPage", "ItemPage", "AboutPage", "FAQPage", "CreativeWork"}
)

// SchemaObjects lists the objects of a page's JSON-LD: those at the top, in
// lists and in @graph. Text that is not JSON is skipped.
func SchemaObjects(doc *html.Node) []*wire.Value {
	list, _ := ReadSchema(doc)
	return list
}

// ReadSchema is SchemaObjects with the texts of the scripts that are not JSON or
// too large.
func ReadSchema(doc *html.Node) (list []*wire.Value, unread []string) {
	for d := range doc.Descendants() {
		if d.DataAtom != atom.Script || !IsScriptOf(d, "application/ld+json") {
			continue
		}
		text := RawText(d)
		v, err := wire.Parse([]byte(text), foreignJSON)
		if err != nil {
			unread = append(unread, text)
			continue
		}
		list = appendObjects(list, &v)
	}
	return list, unread
}

// IsScriptOf reports scripts of a media type, whatever its parameters.
func IsScriptOf(n *html.Node, media string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(Attr(n, "type")), ";")
	return strings.TrimSpace(kind) == media
}

func appendObjects(list []*wire.Value, v *wire.Value) []*wire.Value {
	switch v.Kind {
	case wire.KindArray:
		for i := range v.Items {
			list = appendObjects(list, &v.Items[i])
		}
	case wire.KindObject:
		list = append(list, v)
		if graph := v.Get("@graph"); graph != nil {
			list = appendObjects(list, graph)
		}
	}
	return list
}

// ownObject returns the object about the page itself, preferring an article to
// a page, or nil: one that states the address of the page, or the only one that
// states no address. Objects with other addresses are about other pages.
func (s *statements) ownObject(objects []*wire.Value) *wire.Value {
	nested := nestedObjects(objects)
	for _, types := range [][]string{articleTypes, pageTypes} {
		var unplaced []*wire.Value
		for _, o := range nested {
			if !hasType(o, types) || schemaText(o, "headline", "name") == "" {
				continue
			}
			addresses := objectAddresses(o)
			if slices.ContainsFunc(addresses, s.isOwnAddress) {
				return o
			}
			if len(addresses) == 0 {
				unplaced = append(unplaced, o)
			}
		}
		if haveOneHeadline(unplaced) {
			return unplaced[0]
		}
	}
	return nil
}

// haveOneHeadline reports objects about one thing: some sites state an article
// twice, once by each of two programs.
func haveOneHeadline(objects []*wire.Value) bool {
	for _, o := range objects {
		if schemaText(o, "headline", "name") != schemaText(objects[0], "headline", "name") {
			return false
		}
	}
	return len(objects) > 0
}

// partMembers are the members of an object that hold further objects about pages.
var partMembers = []string{"mainEntity", "mainEntityOfPage", "blogPost", "blogPosts", "hasPart", "itemListElement", "item"}

// maxNested bounds how many objects of a page are examined.
const maxNested = 512

// nestedObjects are objects and those within them that may be about the page.
func nestedObjects(objects []*wire.Value) []*wire.Value {
	list := slices.Clone(objects)
	for i := 0; i < len(list) && len(list) < maxNested; i++ {
		for _, name := range partMembers {
			if part := list[i].Get(name); part != nil {
				list = appendObjects(list, part)
			}
		}
	}
	return list
}

// objectAddresses returns the addresses of the page that an object is about.
// Its @id is one unless it only names a part of a page or of the site.
func objectAddresses(o *wire.Value) []string {
	list := append(addressTexts(o.Get("url")), addressTexts(o.Get("mainEntityOfPage"))...)
	for _, id := range addressTexts(o.Get("@id")) {
		if u, err := url.Parse(id); err == nil && strings.Trim(u.Path, "/") != "" && (u.Scheme == "http" || u.Scheme == "https") {
			list = append(list, id)
		}
	}
	return list
}

// addressTexts returns a value as addresses; an object is represented by its
// @id or url. A switch such as mainEntityOfPage: true is not an address.
func addressTexts(v *wire.Value) []string {
	switch {
	case v == nil:
	case v.Kind == wire.KindString:
		if s := strings.TrimSpace(html.UnescapeString(v.Text)); s != "" && s != "true" {
			return []string{s}
		}
	case v.Kind == wire.KindArray:
		var list []string
		for i := range v.Items {
			list = append(list, addressTexts(&v.Items[i])...)
		}
		return list
	case v.Kind == wire.KindObject:
		return append(addressTexts(v.Get("@id")), addressTexts(v.Get("url"))...)
	}
	return nil
}

// articleBodyOf returns the articleBody of a page's JSON-LD, "" for none and for
// several: their texts do not say which of them is the page's.
func articleBodyOf(doc *html.Node) string {
	found := ""
	for _, o := range nestedObjects(SchemaObjects(doc)) {
		body := schemaText(o, "articleBody")
		if body != "" && found != "" && body != found {
			return ""
		}
		if body != "" {
			found = body
		}
	}
	return found
}

// referenced returns the object of a page that a value refers to by its @id
// alone; other values are returned as they are.
func referenced(objects []*wire.Value, v *wire.Value) *wire.Value {
	if v == nil || v.Kind != wire.KindObject || v.Get("name") != nil {
		return v
	}
	id := schemaText(v, "@id")
	for _, o := range objects {
		if id != "" && o.Get("name") != nil && schemaText(o, "@id") == id {
			return o
		}
	}
	return v
}

func hasType(o *wire.Value, types []string) bool {
	return slices.ContainsFunc(SchemaTexts(o.Get("@type")), func(t string) bool { return slices.Contains(types, t) })
}

// schemaText returns the first text under one of the names.
func schemaText(o *wire.Value, names ...string) string {
	for _, name := range names {
		if texts := SchemaTexts(o.Get(name)); len(texts) > 0 {
			return texts[0]
		}
	}
	return ""
}

// maxSchemaTexts bounds the list of one member.
const maxSchemaTexts = 64

// SchemaTexts returns a JSON-LD value as a list of texts; an object is
// represented by its name. Many sites write character references there as in
// HTML, which are resolved.
func SchemaTexts(v *wire.Value) []string {
	var list []string
	switch {
	case v == nil:
	case v.Kind == wire.KindString:
		if s := OneLine(html.UnescapeString(v.Text)); s != "" {
			list = append(list, s)
		}
	case v.Kind == wire.KindArray:
		for i := range v.Items {
			if len(list) < maxSchemaTexts {
				list = append(list, SchemaTexts(&v.Items[i])...)
			}
		}
	case v.Kind == wire.KindObject:
		for _, name := range []string{"name", "@value", "@id"} {
			if m := v.Get(name); m != nil {
				return SchemaTexts(m)
			}
		}
	}
	return list
}
