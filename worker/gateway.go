package worker

import (
	"context"
	"errors"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/staticindex"
	"colophon/worker/delivery"
	"colophon/worker/mcp"
	"colophon/worker/problem"
)

// gateway answers the tools of /mcp/gateway from the same functions as the
// delivery endpoints.
type gateway struct{ d *Deps }

var _ mcp.Gateway = gateway{}

// readAccess is what a credential opens, as it was read at an instant.
type readAccess struct {
	*origin.Access
	at time.Time
}

// Authenticate names the buyer of a credential.
func (g gateway) Authenticate(ctx context.Context, bearer string) (mcp.Buyer, error) {
	at := g.d.Now()
	access, err := g.d.auth.Access(ctx, bearer)
	if err != nil {
		return mcp.Buyer{}, err
	}
	return mcp.Buyer{ID: access.Credential.BuyerID, Found: &readAccess{access, at}}, nil
}

// openSession begins a session, or refuses with the routes to a licence.
func (g gateway) openSession(ctx context.Context, b mcp.Buyer) (*delivery.Session, error) {
	found, ok := b.Found.(*readAccess)
	if !ok {
		return nil, problem.New("credential_invalid", "")
	}
	s, err := g.d.licensed.Begin(ctx, found.Access, found.at)
	return s, g.explainError(err, "")
}

// explainError gives the errors of the delivery their codes.
func (g gateway) explainError(err error, use string) error {
	switch {
	case errors.Is(err, delivery.ErrInactive):
		return newDenial(g.d, use, "")
	case errors.Is(err, delivery.ErrNoEntry):
		return problem.New("entry_not_found", "")
	case err == nil:
		return nil
	}
	return (&call{deps: g.d}).deliveryError(err)
}

// RightsOverview tells what is in force at this moment.
func (g gateway) RightsOverview(ctx context.Context, b mcp.Buyer) (*exports.LicensedOverview, error) {
	s, err := g.openSession(ctx, b)
	if err != nil {
		return nil, err
	}
	o, err := s.Overview(ctx)
	return o, g.explainError(err, "")
}

// ListSources lists the grants in force.
func (g gateway) ListSources(ctx context.Context, b mcp.Buyer, kind string, limit int64, cursor string) (*exports.LicensedSources, error) {
	s, err := g.openSession(ctx, b)
	if err != nil {
		return nil, err
	}
	list, err := s.Sources(kind, int(limit), cursor)
	return list, g.explainError(err, "")
}

// Search finds licensed items about a topic.
func (g gateway) Search(ctx context.Context, b mcp.Buyer, q mcp.LicensedQuery) (*exports.ItemList, error) {
	s, err := g.openSession(ctx, b)
	if err != nil {
		return nil, err
	}
	use := exports.Use(q.Use)
	ask := staticindex.Ask{Q: q.Q, Limit: strconv.FormatInt(q.Limit, 10), Cursor: q.Cursor}
	sites := s.Sites(q.SourceIDs)
	if len(sites) == 0 {
		return nil, newDenial(g.d, q.Use, "")
	}
	hits, next, err := g.d.catalog.SearchSites(ctx, ask, sites)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(hits))
	for i := range hits {
		ids[i] = hits[i].EntryID
	}
	items, err := s.Permitted(ctx, ids, use, q.SourceIDs)
	if err != nil {
		return nil, g.explainError(err, q.Use)
	}
	return &exports.ItemList{Data: items, ItemsRest: exports.ItemsRest{Limit: q.Limit, Next: next}}, nil
}

// Read returns one item.
func (g gateway) Read(ctx context.Context, b mcp.Buyer, uri, format string) (*exports.Item, error) {
	return g.readItem(ctx, b, uri, format)
}

// ReadResource returns the text of one item.
func (g gateway) ReadResource(ctx context.Context, b mcp.Buyer, uri string) (string, string, error) {
	item, err := g.readItem(ctx, b, uri, "markdown")
	if err != nil {
		return "", "", err
	}
	return exports.MediaOfForm(item.Content.Format), item.Content.Text, nil
}

// readItem reads one item. One that is not licensed is refused with the routes to
// a licence if anybody may know that it exists; otherwise there is none.
func (g gateway) readItem(ctx context.Context, b mcp.Buyer, uri, format string) (*exports.Item, error) {
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
	return item, g.explainError(err, "")
}

// refusalOf tells of an item without a right what is public of it.
func (g gateway) refusalOf(ctx context.Context, siteID, entryID string) error {
	items, err := g.d.Delivery.ItemsByID(ctx, []string{entryID})
	if err != nil {
		return err
	}
	site, err := g.d.Sites.Site(ctx, siteID)
	if err != nil && !errors.Is(err, origin.ErrNotFound) {
		return err
	}
	if len(items) == 0 || items[0].SiteID != siteID || items[0].State != "active" || !rights.Public(site) {
		return problem.New("entry_not_found", "")
	}
	return newDenial(g.d, "", items[0].CanonicalURL)
}

// Resources lists what can be read, in part.
func (g gateway) Resources(ctx context.Context, b mcp.Buyer) ([]mcp.Resource, error) {
	s, err := g.openSession(ctx, b)
	if err != nil {
		return nil, err
	}
	list, err := s.List(ctx, &delivery.Query{Use: exports.UseRAG, Meta: true, Limit: 100})
	if errors.Is(err, delivery.ErrInactive) {
		return nil, nil
	}
	if err != nil {
		return nil, g.explainError(err, "")
	}
	var out []mcp.Resource
	_, err = list(func(e delivery.Event) error {
		if e.Item != nil {
			out = append(out, mcp.Resource{URI: exports.LicensedURI(e.Item.SiteID, e.Item.EntryID), Name: e.Item.Title, MediaType: "text/markdown"})
		}
		return nil
	})
	return out, g.explainError(err, "")
}
