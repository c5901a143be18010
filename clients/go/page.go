package colophon

import (
	"context"
	"iter"
	"net/http"

	"colophon/clients/go/api"
)

// fromStart is the cursor that begins a walk.
const fromStart = "*"

// page has the members that all lists share.
type page[T any] struct {
	Data []T `json:"data"`
	Page struct {
		NextCursor *string `json:"next_cursor"`
	} `json:"page"`
}

// All walks a list to its end. ask requests the page at a cursor. The walk stops
// after an error. The methods of Client, such as Feed, walk the lists that the
// service has.
func All[T any](ask func(cursor string) (*http.Response, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for cursor := fromStart; ; {
			got, err := Read[page[T]](ask(cursor))
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, one := range got.Data {
				if !yield(one, nil) {
					return
				}
			}
			if got.Page.NextCursor == nil {
				return
			}
			cursor = *got.Page.NextCursor
		}
	}
}

// Feed walks the registered pages of all publishers, newest first. Like all
// walks of lists, it ignores the Cursor and the Offset of params.
func (c *Client) Feed(ctx context.Context, params api.LicensingFeedParams) iter.Seq2[api.FeedRecord, error] {
	params.Offset = nil
	return All[api.FeedRecord](func(cursor string) (*http.Response, error) {
		params.Cursor = &cursor
		return c.API.LicensingFeed(ctx, &params)
	})
}

// Search walks the registered pages that are about a topic.
func (c *Client) Search(ctx context.Context, params api.SearchContentCatalogParams) iter.Seq2[api.SearchHit, error] {
	params.Offset = nil
	return All[api.SearchHit](func(cursor string) (*http.Response, error) {
		params.Cursor = &cursor
		return c.API.SearchContentCatalog(ctx, &params)
	})
}

// Inventory walks the registered pages of one publisher.
func (c *Client) Inventory(ctx context.Context, siteID string, params api.GetPublisherInventoryParams) iter.Seq2[api.InventoryItem, error] {
	params.Offset = nil
	return All[api.InventoryItem](func(cursor string) (*http.Response, error) {
		params.Cursor = &cursor
		return c.API.GetPublisherInventory(ctx, siteID, &params)
	})
}

// SiteRecords walks the provenance records of one publisher's pages. These
// records cannot be verified, because they have been parsed: VerifyRecord needs
// the bytes that GetRecord returns.
func (c *Client) SiteRecords(ctx context.Context, siteID string, params api.SiteRecordsParams) iter.Seq2[api.Record, error] {
	return All[api.Record](func(cursor string) (*http.Response, error) {
		params.Cursor = &cursor
		return c.API.SiteRecords(ctx, siteID, &params)
	})
}

// Demand walks what buyers look for.
func (c *Client) Demand(ctx context.Context, params api.BuyerDemandParams) iter.Seq2[api.Demand, error] {
	params.Offset = nil
	return All[api.Demand](func(cursor string) (*http.Response, error) {
		params.Cursor = &cursor
		return c.API.BuyerDemand(ctx, &params)
	})
}

// Offers walks the licence catalog.
func (c *Client) Offers(ctx context.Context, params api.LicenseCatalogParams) iter.Seq2[api.Offer, error] {
	params.Offset = nil
	return All[api.Offer](func(cursor string) (*http.Response, error) {
		params.Cursor = &cursor
		return c.API.LicenseCatalog(ctx, &params)
	})
}

// RightsMap walks the rights map.
func (c *Client) RightsMap(ctx context.Context, params api.AiRightsMapParams) iter.Seq2[api.MapRecord, error] {
	params.Offset = nil
	return All[api.MapRecord](func(cursor string) (*http.Response, error) {
		params.Cursor = &cursor
		return c.API.AiRightsMap(ctx, &params)
	})
}

// Ledger walks the entries of the ledger.
func (c *Client) Ledger(ctx context.Context, params api.LedgerSearchParams) iter.Seq2[api.LedgerRow, error] {
	params.Offset = nil
	return All[api.LedgerRow](func(cursor string) (*http.Response, error) {
		params.Cursor = &cursor
		return c.API.LedgerSearch(ctx, &params)
	})
}

// PartnerSearch walks the publishers that fit some filters. It needs a partner
// key.
func (c *Client) PartnerSearch(ctx context.Context, params api.PartnerCatalogSearchParams) iter.Seq2[api.PublisherHit, error] {
	params.Offset = nil
	return All[api.PublisherHit](func(cursor string) (*http.Response, error) {
		params.Cursor = &cursor
		return c.API.PartnerCatalogSearch(ctx, &params)
	})
}

// PartnerRequests walks the requests of the caller's organization. It needs a
// partner key.
func (c *Client) PartnerRequests(ctx context.Context, params api.PartnerListRequestsParams) iter.Seq2[api.PartnerView, error] {
	return All[api.PartnerView](func(cursor string) (*http.Response, error) {
		params.Cursor = &cursor
		return c.API.PartnerListRequests(ctx, &params)
	})
}
