package intake

import (
	"slices"

	"colophon/internal/wire"
)

// schemaFacts is what a page states of itself in JSON-LD with schema.org
// terms.
type schemaFacts struct {
	headline, published, modified, section, language string
	authors, keywords                                []string
	rights                                           []wire.Value // objects with members about rights only
}

// foreignJSON bounds the JSON of other people.
var foreignJSON = wire.Limits{Bytes: 512 << 10, Depth: 24, Members: 1024, Floats: true}

var (
	articleTypes = []string{
		"Article", "NewsArticle", "BlogPosting", "TechArticle", "ScholarlyArticle", "Report", "OpinionNewsArticle", "AnalysisNewsArticle",
		"ReviewNewsArticle", "BackgroundNewsArticle", "ReportageNewsArticle", "LiveBlogPosting", "SocialMediaPosting", "Recipe", "HowTo",
	}
	pageTypes     = []string{"WebPage", "ItemPage", "AboutPage", "FAQPage", "CreativeWork"}
	rightsMembers = []string{"license", "acquireLicensePage", "usageInfo", "copyrightHolder", "copyrightNotice", "creditText", "conditionsOfAccess", "isAccessibleForFree"}
)

// read takes in one JSON-LD script; what is not JSON is passed over.
func (f *schemaFacts) read(script string) {
	v, err := wire.Parse([]byte(script), foreignJSON)
	if err != nil {
		return
	}
	objects := schemaObjects(nil, &v)
	for _, types := range [][]string{articleTypes, pageTypes} {
		for _, o := range objects {
			if f.headline == "" && hasType(o, types) {
				f.facts(o)
			}
		}
	}
	for _, o := range objects {
		f.license(o)
	}
}

// schemaObjects lists the objects at the top, in lists and in @graph.
func schemaObjects(list []*wire.Value, v *wire.Value) []*wire.Value {
	switch v.Kind {
	case wire.KindArray:
		for i := range v.Items {
			list = schemaObjects(list, &v.Items[i])
		}
	case wire.KindObject:
		list = append(list, v)
		if graph := v.Get("@graph"); graph != nil {
			list = schemaObjects(list, graph)
		}
	}
	return list
}

func hasType(o *wire.Value, types []string) bool {
	for _, t := range texts(o.Get("@type")) {
		if slices.Contains(types, t) {
			return true
		}
	}
	return false
}

func (f *schemaFacts) facts(o *wire.Value) {
	first := func(names ...string) string {
		for _, n := range names {
			if t := texts(o.Get(n)); len(t) > 0 {
				return t[0]
			}
		}
		return ""
	}
	f.headline = first("headline", "name")
	f.published, f.modified = first("datePublished", "dateCreated"), first("dateModified")
	f.section, f.language = first("articleSection"), first("inLanguage")
	f.authors = texts(o.Get("author"))
	f.keywords = texts(o.Get("keywords"))
}

// license keeps the members of an object that speak of rights, and no others:
// JSON-LD may hold the whole article.
func (f *schemaFacts) license(o *wire.Value) {
	kept := wire.Object()
	for _, name := range append([]string{"@context", "@type", "@id", "url"}, rightsMembers...) {
		if m := o.Get(name); m != nil {
			kept.Members = append(kept.Members, wire.M(name, *m))
		}
	}
	for _, name := range rightsMembers {
		if kept.Get(name) != nil {
			f.rights = append(f.rights, kept)
			return
		}
	}
}

// texts views a value as a list of strings; an object stands by its name.
func texts(v *wire.Value) []string {
	var list []string
	switch {
	case v == nil:
	case v.Kind == wire.KindString:
		if s := oneLine(v.Text); s != "" {
			list = append(list, s)
		}
	case v.Kind == wire.KindArray:
		for i := range v.Items {
			if len(list) < 64 {
				list = append(list, texts(&v.Items[i])...)
			}
		}
	case v.Kind == wire.KindObject:
		for _, name := range []string{"name", "@value", "@id"} {
			if m := v.Get(name); m != nil {
				return texts(m)
			}
		}
	}
	return list
}
