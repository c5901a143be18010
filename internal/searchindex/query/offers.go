package query

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
)

// Offers is a part of the license catalog.
type Offers = exports.List[exports.Offer, *exports.Offer]

// OfferFilter narrows the license catalog. Of a list, occurrences are AND and
// commas inside one OR; "" and nil ask nothing, except that Status is
// "offered" unless given.
type OfferFilter struct {
	SiteID, Category, Territory    string
	Use, Payment, UserType, Status []string
}

// LicenseCatalog lists offers, the newest first, or those that match q. At
// most 200, 50 unless asked otherwise.
func (c *Catalog) LicenseCatalog(ctx context.Context, a Ask, f OfferFilter) (*Offers, error) {
	l, err := f.lister()
	if err != nil {
		return nil, err
	}
	return answerList[exports.Offer](ctx, c, &a, l, nil)
}

// OfferFacets counts the offers that match by category, use, payment and kind of
// user.
func (c *Catalog) OfferFacets(ctx context.Context, a Ask, f OfferFilter) ([]Facet, error) {
	l, err := f.lister()
	if err != nil {
		return nil, err
	}
	return c.facets(ctx, &a, l, "category", "use", "payment", "user")
}

func (f OfferFilter) lister() (lister, error) {
	l := lister{index: searchindex.Offers, def: 50, most: 200}
	status := f.Status
	if len(status) == 0 {
		status = []string{"offered"}
	}
	for _, p := range []struct {
		param, facet string
		values       []string
		allowed      []string
	}{
		{"site_id", "site", oneOrNone(f.SiteID), nil},
		{"category", "category", oneOrNone(f.Category), nil},
		{"use", "use", resolveUses(f.Use), exports.UseWords()},
		{"payment", "payment", f.Payment, exports.PaymentModels},
		{"user_type", "user", f.UserType, exports.UserTypes},
		{"status", "status", status, exports.OfferStatuses},
	} {
		if err := l.addFilter(p.param, p.facet, p.values, p.allowed); err != nil {
			return l, err
		}
	}
	if f.Territory != "" {
		if err := l.addTerritory(f.Territory); err != nil {
			return l, err
		}
	}
	return l, nil
}

func oneOrNone(v string) []string {
	if v == "" {
		return nil
	}
	return []string{v}
}

// euMembers are the members of the European Union.
const euMembers = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"

// addTerritory adds the condition that an offer is valid in a territory: it is
// offered there or everywhere, and not excluded there.
func (l *lister) addTerritory(territory string) error {
	t := strings.ToUpper(territory)
	if len(t) != 2 || t[0] < 'A' || t[0] > 'Z' || t[1] < 'A' || t[1] > 'Z' {
		return invalidParam("territory", "must be an ISO 3166-1 alpha-2 code or EU")
	}
	f := filter{any: []string{searchindex.FacetWord("in", "*"), searchindex.FacetWord("in", t)}, not: []string{searchindex.FacetWord("not-in", t)}}
	if strings.Contains(euMembers, t) {
		f.any = append(f.any, searchindex.FacetWord("in", "EU"))
		f.not = append(f.not, searchindex.FacetWord("not-in", "EU"))
	}
	l.filters = append(l.filters, f)
	l.parts = append(l.parts, "territory", t)
	return nil
}
