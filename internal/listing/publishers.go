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
	scope, err := f.Scope()
	if err != nil {
		return nil, err
	}
	see := func(p *exports.PublisherHit, m *exports.Match) {
		var group []string
		if p.Group != nil {
			group = []string{p.Group.Name}
		}
		m.Fields = query.FieldsOf(m.Terms,
			query.Field{Name: "name", Texts: []string{p.Name}},
			query.Field{Name: "group", Texts: group},
			query.Field{Name: "categories", Texts: p.Categories},
			query.Field{Name: "summary", Texts: []string{p.Summary}},
			query.Field{Name: "site", Texts: []string{p.SiteID, p.SiteURL}},
		)
		p.Match = m
	}
	return answerList(ctx, c, &a, lister[exports.PublisherHit]{Scope: scope, def: 25, most: 100, place: PlaceOfPublisher, see: see})
}

// Scope returns what the filters leave of the partner catalog.
func (f *PublisherFilter) Scope() (query.Scope, error) {
	s := query.Scope{Index: searchindex.Publishers, Facets: []string{"category", "use", "verified"}}
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
		if err := s.Filters.Add(p.param, p.facet, p.values, p.allowed); err != nil {
			return s, err
		}
	}
	err := f.addFurther(&s)
	return s, err
}

// addFurther adds the filters that are not plain lists of words.
func (f *PublisherFilter) addFurther(s *query.Scope) error {
	if f.MinRegisteredPages != "" {
		n, err := staticindex.ParseNumber("min_registered_pages", f.MinRegisteredPages, 1<<31-1)
		if err != nil {
			return err
		}
		s.Floor = uint32(n)
		s.Filters.Parts = append(s.Filters.Parts, "pages", f.MinRegisteredPages)
	}
	switch f.Verified {
	case "":
	case "1", "true":
		s.Filters.List = append(s.Filters.List, query.Filter{Any: []string{searchindex.FacetWord("verified", "1")}})
	case "0", "false":
		s.Filters.List = append(s.Filters.List, query.Filter{Any: []string{searchindex.FacetWord("verified", "0")}})
	default:
		return staticindex.InvalidParam("verified", "must be 1, 0, true or false")
	}
	s.Filters.Parts = append(s.Filters.Parts, "verified", f.Verified)
	if f.RAGSuitability == "" {
		return nil
	}
	return s.Filters.Add("rag_suitability", "rag", []string{strings.Join(atLeast(f.RAGSuitability), ",")}, exports.RAGSuitabilities)
}

// atLeast returns a level of suitability and those above it.
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
	f := MapFilter{category, readiness}
	scope, err := f.Scope()
	if err != nil {
		return nil, err
	}
	out, err := answerList(ctx, c, &a, lister[exports.MapRecord]{Scope: scope, def: 50, most: 200, place: PlaceOfMap})
	if err != nil {
		return nil, err
	}
	out.Extra = func(m *wire.Members) {
		note := exports.ReadinessNote
		m.String("readiness_note", &note)
	}
	return out, nil
}

// MapFilter narrows the rights map, see RightsMap.
type MapFilter struct{ Category, Readiness []string }

// Scope returns what the filters leave of the rights map.
func (f *MapFilter) Scope() (query.Scope, error) {
	s := query.Scope{Index: searchindex.RightsMap, Facets: []string{"category", "readiness"}}
	if err := s.Filters.Add("category", "category", f.Category, nil); err != nil {
		return s, err
	}
	var levels []string
	for _, v := range f.Readiness {
		if word, ok := strings.CutPrefix(v, "min:"); ok {
			v = strings.Join(levelsFrom(word), ",")
		}
		levels = append(levels, v)
	}
	err := s.Filters.Add("readiness", "readiness", levels, exports.ReadinessLevels)
	return s, err
}

// levelsFrom returns the levels of readiness from word on.
func levelsFrom(word string) []string {
	for i, level := range exports.ReadinessLevels {
		if level == word {
			return exports.ReadinessLevels[i:]
		}
	}
	return []string{word}
}
