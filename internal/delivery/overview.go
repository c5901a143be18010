package delivery

import (
	"context"

	"colophon/exports"
	"colophon/internal/rights"
)

// Overview returns what is in force. The number of items is exact if the
// comparison with live rights has finished.
func (s *Session) Overview(ctx context.Context) (*exports.LicensedOverview, error) {
	compared, err := s.Compare(ctx)
	if err != nil {
		return nil, err
	}
	o := &exports.LicensedOverview{BuyerID: s.Buyer.BuyerID, Name: s.Buyer.Name, Complete: compared, At: exports.Instant(s.at), Publishers: s.Sites(nil)}
	if o.Items, err = s.Store.CountHeld(ctx, s.Buyer.BuyerID); err != nil {
		return nil, err
	}
	for _, g := range s.activeGrants(nil) {
		if g.Kind == "enterprise" {
			o.Enterprise = append(o.Enterprise, rights.SourceOf(g))
		} else {
			o.Direct = append(o.Direct, rights.SourceOf(g))
		}
	}
	return o, nil
}

// Sites returns the sites of the grants in force, limited to the given sources
// if there are any.
func (s *Session) Sites(sources []string) []string { return sitesOf(s.activeGrants(sources)) }

// Sources returns the grants in force, ordered by id; kind is direct,
// enterprise or "" for both. The cursor is the id of the last grant.
func (s *Session) Sources(kind string, limit int, cursor string) *exports.LicensedSources {
	out := &exports.LicensedSources{Data: []exports.LicensedSource{}, Limit: int64(limit)}
	for _, g := range s.activeGrants(nil) {
		if kind != "" && g.Kind != kind {
			continue
		}
		out.Total++
		switch {
		case g.GrantID <= cursor: // which "" and "*" precede
		case len(out.Data) < limit:
			out.Data = append(out.Data, rights.SourceOf(g))
		case limit > 0 && out.Next == "":
			out.Next = out.Data[limit-1].GrantID
		}
	}
	return out
}

// Permitted returns, in their order, those of the entries that the buyer may
// have for a use at this moment, as metadata with the address of each.
func (s *Session) Permitted(ctx context.Context, entryIDs []string, use exports.Use, sources []string) ([]exports.Item, error) {
	if err := s.renewRights(ctx); err != nil {
		return nil, err
	}
	items, err := s.itemsByID(ctx, entryIDs)
	if err != nil {
		return nil, err
	}
	l := &listing{Session: s, q: &Query{Sources: sources, Use: use}}
	out := []exports.Item{}
	for _, id := range entryIDs {
		item := items[id]
		if item == nil || !l.matchesQuery(item) {
			continue
		}
		if p, denial := s.decideItem(item, use); denial == "" {
			x := p.Item()
			x.URI = exports.LicensedURI(x.SiteID, x.EntryID)
			out = append(out, x)
		}
	}
	return out, nil
}

// Read returns one item, for any use that a grant covers. It returns ErrInactive
// if no right covers it, or if it does not exist.
func (s *Session) Read(ctx context.Context, siteID, entryID, form string) (*exports.Item, error) {
	if err := s.renewRights(ctx); err != nil {
		return nil, err
	}
	items, err := s.itemsByID(ctx, []string{entryID})
	if err != nil {
		return nil, err
	}
	item := items[entryID]
	if item == nil || item.SiteID != siteID {
		return nil, ErrInactive
	}
	c := s.chooseItem(scope{uses: 1<<len(exports.Uses) - 1}, item)
	if c.reason != "" {
		return nil, ErrInactive
	}
	out, denial, err := s.readBody(ctx, c.permit, form)
	if denial != "" {
		return nil, ErrInactive
	}
	if out != nil {
		out.URI = exports.LicensedURI(siteID, entryID)
	}
	return out, err
}
