package listing

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

type (
	// Publishers is the answer of the partner catalog.
	Publishers = exports.List[exports.PublisherHit, *exports.PublisherHit]
	// Map is a part of the rights map.
	Map = exports.List[exports.MapRecord, *exports.MapRecord]
)

// PublisherFilter narrows the partner catalog. Of a list parameter, each
// element is one occurrence: occurrences are AND, commas inside one OR. ""
// and nil ask nothing.
type PublisherFilter struct {
	Category, PreferredUse, ContentFormat, Audience, TechnicalDepth []string
	MinRegisteredPages                                              string // digits
	Verified                                                        string // 1, true: verified only; 0, false: the others only
	RAGSuitability                                                  string // this level and above; unassessed: itself
}

// PartnerCatalog searches publishers, by registered pages or by how well they
// match q. At most 100, 25 unless asked otherwise.
func (c *Lists) PartnerCatalog(ctx context.Context, a staticindex.Ask, f PublisherFilter) (*Publishers, error) {
	l, err := f.lister()
	if err != nil {
		return nil, err
	}
	return answerList(ctx, c, &a, l, func(p *exports.PublisherHit, m *exports.Match) {
		var group []string
		if p.Group != nil {
			group = []string{p.Group.Name}
		}
		m.Fields = query.FieldsOf(m.Terms, query.Field{"name", []string{p.Name}}, query.Field{"group", group}, query.Field{"categories", p.Categories}, query.Field{"summary", []string{p.Summary}}, query.Field{"site", []string{p.SiteID, p.SiteURL}})
		p.Match = m
	})
}

// PublisherFacets counts the publishers that match by category, use, and whether
// they are verified.
func (c *Lists) PublisherFacets(ctx context.Context, a staticindex.Ask, f PublisherFilter) ([]query.Facet, error) {
	l, err := f.lister()
	if err != nil {
		return nil, err
	}
	return c.search.Facets(ctx, &a, l.index, l.filters.List, l.floor, "category", "use", "verified")
}

func (f *PublisherFilter) lister() (lister, error) {
	l := lister{index: searchindex.Publishers, def: 25, most: 100}
	for _, p := range []struct {
		param, facet string
		values       []string
		allowed      []string
	}{
		{"category", "category", f.Category, nil},
		{"preferred_use", "use", resolveUses(f.PreferredUse), exports.UseWords()},
		{"content_format", "format", f.ContentFormat, exports.ContentFormats},
		{"audience", "audience", f.Audience, exports.Audiences},
		{"technical_depth", "depth", f.TechnicalDepth, exports.TechnicalDepths},
	} {
		if err := l.filters.Add(p.param, p.facet, p.values, p.allowed); err != nil {
			return l, err
		}
	}
	if err := l.addFilters(f); err != nil {
		return l, err
	}
	return l, nil
}

// addFilters adds the filters that are not plain lists of words.
func (l *lister) addFilters(f *PublisherFilter) error {
	if f.MinRegisteredPages != "" {
		n, err := staticindex.ParseNumber("min_registered_pages", f.MinRegisteredPages, 1<<31-1)
		if err != nil {
			return err
		}
		l.floor = uint32(n)
		l.filters.Parts = append(l.filters.Parts, "pages", f.MinRegisteredPages)
	}
	switch f.Verified {
	case "":
	case "1", "true":
		l.filters.List = append(l.filters.List, query.Filter{Any: []string{searchindex.FacetWord("verified", "1")}})
	case "0", "false":
		l.filters.List = append(l.filters.List, query.Filter{Any: []string{searchindex.FacetWord("verified", "0")}})
	default:
		return staticindex.InvalidParam("verified", "must be 1, 0, true or false")
	}
	l.filters.Parts = append(l.filters.Parts, "verified", f.Verified)
	if f.RAGSuitability == "" {
		return nil
	}
	return l.filters.Add("rag_suitability", "rag", []string{strings.Join(atLeast(f.RAGSuitability), ",")}, exports.RAGSuitabilities)
}

// atLeast is a level of suitability and those above it.
func atLeast(level string) []string {
	switch level {
	case "low":
		return []string{"low", "medium", "high"}
	case "medium":
		return []string{"medium", "high"}
	}
	return []string{level}
}

// resolveUses replaces the aliases of uses by their words.
func resolveUses(values []string) []string {
	var out []string
	for _, v := range values {
		words := strings.Split(v, ",")
		for i, w := range words {
			if u, _, ok := exports.ParseUse(w); ok {
				words[i] = string(u)
			}
		}
		out = append(out, strings.Join(words, ","))
	}
	return out
}

// RightsMap lists the rights map by site id, or what matches q, narrowed by
// category and by readiness: levels as a comma list, or min:<level>. At most
// 200, 50 unless asked otherwise.
func (c *Lists) RightsMap(ctx context.Context, a staticindex.Ask, category, readiness []string) (*Map, error) {
	l, err := mapLister(category, readiness)
	if err != nil {
		return nil, err
	}
	out, err := answerList[exports.MapRecord](ctx, c, &a, l, nil)
	if err != nil {
		return nil, err
	}
	out.Extra = func(m *wire.Members) {
		note := exports.ReadinessNote
		m.String("readiness_note", &note)
	}
	return out, nil
}

// MapFacets counts the publishers on the map that match by category and by
// level of readiness.
func (c *Lists) MapFacets(ctx context.Context, a staticindex.Ask, category, readiness []string) ([]query.Facet, error) {
	l, err := mapLister(category, readiness)
	if err != nil {
		return nil, err
	}
	return c.search.Facets(ctx, &a, l.index, l.filters.List, l.floor, "category", "readiness")
}

func mapLister(category, readiness []string) (lister, error) {
	l := lister{index: searchindex.RightsMap, def: 50, most: 200}
	if err := l.filters.Add("category", "category", category, nil); err != nil {
		return l, err
	}
	var levels []string
	for _, v := range readiness {
		if word, ok := strings.CutPrefix(v, "min:"); ok {
			v = strings.Join(levelsFrom(word), ",")
		}
		levels = append(levels, v)
	}
	err := l.filters.Add("readiness", "readiness", levels, exports.ReadinessLevels)
	return l, err
}

// levelsFrom are the levels of readiness from word on.
func levelsFrom(word string) []string {
	for i, level := range exports.ReadinessLevels {
		if level == word {
			return exports.ReadinessLevels[i:]
		}
	}
	return []string{word}
}
