package buyer

import (
	"context"
	"errors"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/internal/delivery"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/worker/mcp"
	"colophon/worker/problem"
)

// Gateway answers the tools of /mcp/gateway with the functions behind the
// endpoints.
type Gateway struct {
	*Service
	Index Index
	Sites origin.SiteReader
}

// Index finds published pages of some sites.
type Index interface {
	// SearchSites returns the hits, and the cursor of the next ones.
	SearchSites(ctx context.Context, ask staticindex.Ask, sites []string) (hits []query.SiteHit, next string, err error)
}

var _ mcp.Gateway = Gateway{}

// readAccess is what a credential opens, as read at an instant.
type readAccess struct {
	*origin.Access
	at time.Time
}

// Authenticate names the buyer of a credential.
func (g Gateway) Authenticate(ctx context.Context, bearer string) (mcp.Buyer, error) {
	at := g.Now()
	access, err := g.Keys.Access(ctx, bearer)
	if err != nil {
		return mcp.Buyer{}, err
	}
	return mcp.Buyer{ID: access.Credential.BuyerID, Found: &readAccess{access, at}}, nil
}

// openSession begins a session, or refuses with the routes to a licence.
func (g Gateway) openSession(ctx context.Context, b mcp.Buyer) (*delivery.Session, error) {
	found, ok := b.Found.(*readAccess)
	if !ok {
		return nil, problem.New("credential_invalid", "")
	}
	s, err := g.Delivery.Begin(ctx, found.Access, found.at)
	return s, g.explain(err, "")
}

// RightsOverview says what is in force at this moment.
func (g Gateway) RightsOverview(ctx context.Context, b mcp.Buyer) (*exports.LicensedOverview, error) {
	s, err := g.openSession(ctx, b)
	if err != nil {
		return nil, err
	}
	o, err := s.Overview(ctx)
	return o, g.explain(err, "")
}

// ListSources lists the grants in force.
func (g Gateway) ListSources(ctx context.Context, b mcp.Buyer, kind string, limit int64, cursor string) (*exports.LicensedSources, error) {
	s, err := g.openSession(ctx, b)
	if err != nil {
		return nil, err
	}
	return s.Sources(kind, int(limit), cursor), nil
}

// Search finds licensed items about a topic.
func (g Gateway) Search(ctx context.Context, b mcp.Buyer, q mcp.LicensedQuery) (*exports.ItemList, error) {
	s, err := g.openSession(ctx, b)
	if err != nil {
		return nil, err
	}
	use := exports.Use(q.Use)
	ask := staticindex.Ask{Q: q.Q, Limit: strconv.FormatInt(q.Limit, 10), Cursor: q.Cursor}
	sites := s.Sites(q.SourceIDs)
	if len(sites) == 0 {
		return nil, g.deny(q.Use, "")
	}
	hits, next, err := g.Index.SearchSites(ctx, ask, sites)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(hits))
	for i := range hits {
		ids[i] = hits[i].EntryID
	}
	items, err := s.Permitted(ctx, ids, use, q.SourceIDs)
	if err != nil {
		return nil, g.explain(err, q.Use)
	}
	return &exports.ItemList{Data: items, ItemsRest: exports.ItemsRest{Limit: q.Limit, Next: next}}, nil
}

// Read returns one item.
func (g Gateway) Read(ctx context.Context, b mcp.Buyer, uri, format string) (*exports.Item, error) {
	return g.readItem(ctx, b, uri, format)
}

// ReadResource returns the text of one item.
func (g Gateway) ReadResource(ctx context.Context, b mcp.Buyer, uri string) (string, string, error) {
	item, err := g.readItem(ctx, b, uri, "markdown")
	if err != nil {
		return "", "", err
	}
	return exports.MediaOfForm(item.Content.Format), item.Content.Text, nil
}

// readItem reads one item. If an item that is not licensed is public, the
// refusal lists the routes to a licence; otherwise the item is reported as
// missing.
func (g Gateway) readItem(ctx context.Context, b mcp.Buyer, uri, format string) (*exports.Item, error) {
	siteID, entryID, ok := exports.ParseLicensedURI(uri)
	if !ok {
		return nil, problem.New("entry_not_found", "")
	}
	s, err := g.openSession(ctx, b)
	if err != nil {
		return nil, err
	}
	item, err := s.Read(ctx, siteID, entryID, format)
	if errors.Is(err, delivery.ErrInactive) {
		return nil, g.refusalOf(ctx, siteID, entryID)
	}
	return item, g.explain(err, "")
}

// refusalOf returns the refusal of an item without a right, with what is public
// about it.
func (g Gateway) refusalOf(ctx context.Context, siteID, entryID string) error {
	items, err := g.Delivery.Store.ItemsByID(ctx, []string{entryID})
	if err != nil {
		return err
	}
	site, err := g.Sites.Site(ctx, siteID)
	if err != nil && !errors.Is(err, origin.ErrNotFound) {
		return err
	}
	if len(items) == 0 || items[0].SiteID != siteID || items[0].State != "active" || !rights.Public(site) {
		return problem.New("entry_not_found", "")
	}
	return g.deny("", items[0].CanonicalURL)
}

// Resources lists what can be read, in part.
func (g Gateway) Resources(ctx context.Context, b mcp.Buyer) ([]mcp.Resource, error) {
	s, err := g.openSession(ctx, b)
	if err != nil {
		return nil, err
	}
	list, err := s.List(ctx, &delivery.Query{Use: exports.UseRAG, Meta: true, Limit: 100})
	if errors.Is(err, delivery.ErrInactive) {
		return nil, nil
	}
	if err != nil {
		return nil, g.explain(err, "")
	}
	var out []mcp.Resource
	_, err = list(func(e delivery.Event) error {
		if e.Item != nil {
			out = append(out, mcp.Resource{URI: exports.LicensedURI(e.Item.SiteID, e.Item.EntryID), Name: e.Item.Title, MediaType: "text/markdown"})
		}
		return nil
	})
	return out, g.explain(err, "")
}
