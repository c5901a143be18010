package listing

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
)

// Offers is a part of the licence catalog.
type Offers = exports.List[exports.Offer, *exports.Offer]

// OfferFilter narrows the licence catalog. Of a list, occurrences are AND and
// commas inside one OR; "" and nil ask nothing, except that Status is
// "offered" unless given.
type OfferFilter struct {
	SiteID, Category, Territory    string
	Use, Payment, UserType, Status []string
}

// LicenseCatalog lists offers, the newest first, or those that match q. It
// returns at most 200, 50 by default.
func (c *Lists) LicenseCatalog(ctx context.Context, a staticindex.Ask, f OfferFilter) (*Offers, error) {
	scope, err := f.Scope()
	if err != nil {
		return nil, err
	}
	return answerList(ctx, c, &a, lister[exports.Offer]{Scope: scope, def: 50, most: 200, place: PlaceOfOffer})
}

// Scope returns the offers of the licence catalog that pass the filters.
func (f *OfferFilter) Scope() (query.Scope, error) {
	s := query.Scope{Index: searchindex.Offers, Facets: []string{"category", "use", "payment", "user"}}
	status := f.Status
	if len(status) == 0 {
		status = []string{"offered"}
	}
	for _, p := range []struct {
		param, facet string
		values       []string
		allowed      []string
	}{
		{"site_id", "site", query.OneOrNone(f.SiteID), nil},
		{"category", "category", query.OneOrNone(f.Category), nil},
		{"use", "use", resolveUses(f.Use), exports.UseWords()},
		{"payment", "payment", f.Payment, exports.PaymentModels},
		{"user_type", "user", f.UserType, exports.UserTypes},
		{"status", "status", status, exports.OfferStatuses},
	} {
		if err := s.Filters.Add(p.param, p.facet, p.values, p.allowed); err != nil {
			return s, err
		}
	}
	if f.Territory != "" {
		if err := addTerritory(&s.Filters, f.Territory); err != nil {
			return s, err
		}
	}
	return s, nil
}

// euMembers are the members of the European Union.
const euMembers = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"

// addTerritory adds the condition that an offer is valid in a territory: it is
// offered there or everywhere, and not excluded there.
func addTerritory(l *query.Filters, territory string) error {
	t := strings.ToUpper(territory)
	if len(t) != 2 || t[0] < 'A' || t[0] > 'Z' || t[1] < 'A' || t[1] > 'Z' {
		return staticindex.InvalidParam("territory", "must be an ISO 3166-1 alpha-2 code or EU")
	}
	f := query.Filter{Any: []string{searchindex.FacetWord("in", "*"), searchindex.FacetWord("in", t)}, Not: []string{searchindex.FacetWord("not-in", t)}}
	if strings.Contains(euMembers, t) {
		f.Any = append(f.Any, searchindex.FacetWord("in", "EU"))
		f.Not = append(f.Not, searchindex.FacetWord("not-in", "EU"))
	}
	l.List = append(l.List, f)
	l.Parts = append(l.Parts, "territory", t)
	return nil
}
