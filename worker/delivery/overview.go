package delivery

import (
	"context"
	"sort"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Overview is what a buyer may do at one moment.
type Overview struct {
	BuyerID    string
	Name       string
	Direct     []Source
	Enterprise []Source
	Publishers []string
	Items      int64
	Complete   bool // Items is exact
	At         string
}

// Members describes the JSON form.
func (o *Overview) Members(m *wire.Members) {
	m.Time("checked_at", &o.At)
	m.Int("deliverable_items", &o.Items)
	m.Bool("deliverable_items_exact", &o.Complete)
	wire.List(m, "direct_grants", &o.Direct)
	wire.List(m, "enterprise_licenses", &o.Enterprise)
	m.Strings("participating_publishers", &o.Publishers)
	m.Object("buyer", &overviewBuyer{o})
}

type overviewBuyer struct{ o *Overview }

func (b *overviewBuyer) Members(m *wire.Members) {
	m.String("buyer_id", &b.o.BuyerID)
	m.String("name", &b.o.Name)
}

// Source is a grant as its buyer sees it.
type Source struct{ g *origin.Grant }

// Members describes the JSON form; it is only ever written.
func (s *Source) Members(m *wire.Members) {
	g := s.g
	if g == nil {
		g = &origin.Grant{}
	}
	m.String("grant_id", &g.GrantID)
	m.OptString("license_id", &g.LicenseID)
	m.Object("obligations", &sourceObligations{g})
	m.Object("scope", &sourceScope{g})
	m.Strings("site_ids", &g.Sites)
	m.OptString("title", &g.Title)
	m.Enum("type", &g.Kind, exports.GrantKinds...)
	m.Words("uses", &g.Uses, exports.UseWords()...)
	m.Time("valid_from", &g.ValidFrom)
	m.NullTime("valid_until", &g.ValidUntil)
}

type sourceScope struct{ g *origin.Grant }

func (s *sourceScope) Members(m *wire.Members) {
	m.Strings("content_formats", &s.g.ContentFormats)
	m.Strings("excludes", &s.g.Excludes)
	m.Strings("paths", &s.g.Paths)
	m.OptTime("published_after", &s.g.PublishedAfter)
	m.OptTime("published_before", &s.g.PublishedBefore)
}

type sourceObligations struct{ g *origin.Grant }

func (o *sourceObligations) Members(m *wire.Members) {
	m.OptString("attribution", &o.g.Attribution)
	m.Int("delete_on_revocation_hours", &o.g.DeleteHours)
	m.OptInt("display_limit_chars", &o.g.DisplayLimit)
	m.OptString("reporting_endpoint", &o.g.Reporting)
}

// Overview tells what is in force. The number of items is exact once the
// comparison with live rights has come to its end.
func (s *Session) Overview(ctx context.Context) (*Overview, error) {
	compared, err := s.Compare(ctx)
	if err != nil {
		return nil, err
	}
	o := &Overview{BuyerID: s.Buyer.BuyerID, Name: s.Buyer.Name, Complete: compared, At: exports.Instant(s.at), Publishers: s.Sites(nil)}
	if o.Items, err = s.Store.CountHeld(ctx, s.Buyer.BuyerID); err != nil {
		return nil, err
	}
	for _, g := range s.inForce(nil) {
		if g.Kind == "enterprise" {
			o.Enterprise = append(o.Enterprise, Source{g})
		} else {
			o.Direct = append(o.Direct, Source{g})
		}
	}
	return o, nil
}

// Sites lists the sites of the grants in force, of some sources when they are
// given.
func (s *Session) Sites(sources []string) []string { return sitesOf(s.inForce(sources)) }

// SourceList lists grants.
type SourceList struct {
	Data  []Source
	Limit int64
	Total int64
	Next  string
}

// Members describes the JSON form.
func (l *SourceList) Members(m *wire.Members) {
	wire.List(m, "data", &l.Data)
	p := exports.Page{Limit: l.Limit, Total: l.Total, NextOffset: -1, NextCursor: l.Next}
	m.Object("page", &p)
}

// Sources lists the grants in force by id; kind is direct, enterprise or "".
// The cursor is the id of the last one.
func (s *Session) Sources(kind string, limit int, cursor string) (*SourceList, error) {
	list := s.inForce(nil)
	sort.Slice(list, func(i, j int) bool { return list[i].GrantID < list[j].GrantID })
	out := &SourceList{Data: []Source{}, Limit: int64(limit)}
	for _, g := range list {
		if kind != "" && g.Kind != kind {
			continue
		}
		out.Total++
		switch {
		case cursor != "" && cursor != "*" && g.GrantID <= cursor:
		case len(out.Data) < limit:
			out.Data = append(out.Data, Source{g})
		case limit > 0 && out.Next == "":
			out.Next = out.Data[limit-1].g.GrantID
		}
	}
	return out, nil
}

// ItemList lists items.
type ItemList struct {
	Data  []exports.Item
	Limit int64
	Total int64
	Next  string
}

// Members describes the JSON form.
func (l *ItemList) Members(m *wire.Members) {
	wire.List(m, "data", &l.Data)
	p := exports.Page{Limit: l.Limit, Total: l.Total, NextOffset: -1, NextCursor: l.Next}
	m.Object("page", &p)
}

// Pick gives those of the entries that the buyer may have for a use at this
// moment, in their order, as metadata with the address of each.
func (s *Session) Pick(ctx context.Context, entryIDs []string, use exports.Use, sources []string) ([]exports.Item, error) {
	items, err := s.items(ctx, entryIDs)
	if err != nil {
		return nil, err
	}
	w := &walker{Session: s, q: &Question{Sources: sources, Use: use}}
	out := []exports.Item{}
	for _, id := range entryIDs {
		item := items[id]
		if item == nil || !w.wanted(item) {
			continue
		}
		if p, denial := s.check(item, use); denial == nil {
			x := p.Item()
			x.URI = exports.LicensedURI(x.SiteID, x.EntryID)
			out = append(out, x)
		}
	}
	return out, nil
}

// Read delivers one item for any use that a grant covers. ErrNoEntry when
// there is none, ErrInactive when there is no right.
func (s *Session) Read(ctx context.Context, siteID, entryID, form string) (*exports.Item, error) {
	items, err := s.items(ctx, []string{entryID})
	if err != nil {
		return nil, err
	}
	item := items[entryID]
	if item == nil || item.SiteID != siteID {
		return nil, ErrInactive
	}
	use, reason := s.scoped(scope{uses: 1<<len(exports.Uses) - 1}, item)
	if reason != "" {
		return nil, ErrInactive
	}
	p, denial := s.check(item, use)
	if denial != nil {
		return nil, ErrInactive
	}
	out, denial, err := s.open(ctx, p, form)
	if denial != nil {
		return nil, ErrInactive
	}
	if out != nil {
		out.URI = exports.LicensedURI(siteID, entryID)
	}
	return out, err
}
