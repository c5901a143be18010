package mcptest

import (
	"context"

	"colophon/worker/mcp"
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
		return mcp.Buyer{}, &mcp.Failure{Code: "credential_expired"}
	}
	return mcp.Buyer{}, &mcp.Failure{Code: "credential_invalid"}
}

const list = `{"data":[],"page":{"limit":20,"next_cursor":null,"next_offset":null,"offset":0,"total":0,"total_is":"exact"}}`

// RightsOverview shows the grant.
func (Gateway) RightsOverview(context.Context, mcp.Buyer) ([]byte, error) {
	return []byte(`{"direct_grants":["grt_1"]}`), nil
}

// ListSources is empty.
func (Gateway) ListSources(context.Context, mcp.Buyer, string, int64, string) ([]byte, error) {
	return []byte(list), nil
}

// Search finds nothing.
func (Gateway) Search(context.Context, mcp.Buyer, mcp.LicensedQuery) ([]byte, error) {
	return []byte(list), nil
}

// Read returns the item.
func (g Gateway) Read(ctx context.Context, b mcp.Buyer, uri, _ string) ([]byte, error) {
	if _, _, err := g.ReadResource(ctx, b, uri); err != nil {
		return nil, err
	}
	return []byte(`{"content":{"text":"# Tide tables"},"rights":{"grant_id":"grt_1"}}`), nil
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
		return "", "", &mcp.Failure{Code: "grant_inactive"}
	}
	return "", "", &mcp.Failure{Code: "entry_not_found"}
}
