package mcptest

import (
	"context"

	"colophon/exports"
	"colophon/worker/mcp"
	"colophon/worker/problem"
)

// Credentials of the gateway.
const (
	Token   = "byr_test_valid"
	Expired = "byr_test_expired"
)

// URI is the one item that the buyer may read; Denied is one that the buyer's
// grant does not cover.
const (
	URI    = "licensed://harbor-ledger/ent_harbor-ledger-1"
	Denied = "licensed://harbor-ledger/ent_harbor-ledger-2"
)

// Gateway has one buyer with one grant.
type Gateway struct{}

// Authenticate knows Token.
func (Gateway) Authenticate(_ context.Context, bearer string) (mcp.Buyer, error) {
	switch bearer {
	case Token:
		return mcp.Buyer{ID: "byr_1"}, nil
	case Expired:
		return mcp.Buyer{}, &problem.Failure{Code: "credential_expired"}
	}
	return mcp.Buyer{}, &problem.Failure{Code: "credential_invalid"}
}

const at = "2026-11-20T09:00:00Z"

var source = exports.LicensedSource{
	GrantID: "grt_1", Kind: "direct", Title: "Tide tables", Sites: []string{"harbor-ledger"}, Uses: []string{"rag", "summarization"},
	Paths: []string{"/shipping/*"}, ValidFrom: at, DeleteHours: 72, Attribution: "link",
}

func item() *exports.Item {
	return &exports.Item{
		ItemID: "itm_harbor-ledger-1", EntryID: "ent_harbor-ledger-1", SiteID: "harbor-ledger", Version: 1, URI: URI,
		Title: "Tide tables", CanonicalURL: "https://harbor-ledger.example/shipping/tide-tables", WordCount: 2, Attribution: "Harbor Ledger",
		Rights: exports.ItemRights{GrantID: "grt_1", GrantKind: "direct", Uses: source.Uses, CheckedAt: at, DecisionID: "dec_1", ValidUntil: at, DeleteHours: 72},
	}
}

// RightsOverview shows the grant.
func (Gateway) RightsOverview(context.Context, mcp.Buyer) (*exports.LicensedOverview, error) {
	return &exports.LicensedOverview{BuyerID: "byr_1", Name: "Buyer", Direct: []exports.LicensedSource{source}, Publishers: source.Sites, Items: 1, Complete: true, At: at}, nil
}

// ListSources lists the grant.
func (Gateway) ListSources(_ context.Context, _ mcp.Buyer, _ string, limit int64, _ string) (*exports.LicensedSources, error) {
	return &exports.LicensedSources{Data: []exports.LicensedSource{source}, Limit: limit, Total: 1}, nil
}

// Search finds the item.
func (Gateway) Search(_ context.Context, _ mcp.Buyer, q mcp.LicensedQuery) (*exports.ItemList, error) {
	return &exports.ItemList{Data: []exports.Item{*item()}, ItemsRest: exports.ItemsRest{Limit: q.Limit, Next: "c.1"}}, nil
}

// Read returns the item.
func (g Gateway) Read(ctx context.Context, b mcp.Buyer, uri, _ string) (*exports.Item, error) {
	_, text, err := g.ReadResource(ctx, b, uri)
	if err != nil {
		return nil, err
	}
	x := item()
	x.Content = &exports.ItemContent{Format: "markdown", Text: text, SHA256: "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"}
	return x, nil
}

// Resources lists the item.
func (Gateway) Resources(context.Context, mcp.Buyer) ([]mcp.Resource, error) {
	return []mcp.Resource{{URI: URI, Name: "Tide tables", MediaType: "text/markdown"}}, nil
}

// ReadResource returns the item's text.
func (Gateway) ReadResource(_ context.Context, _ mcp.Buyer, uri string) (string, string, error) {
	switch uri {
	case URI:
		return "text/markdown", "# Tide tables", nil
	case Denied:
		return "", "", &problem.Failure{Code: "grant_inactive"}
	}
	return "", "", &problem.Failure{Code: "entry_not_found"}
}
