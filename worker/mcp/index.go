package mcp

import (
	"context"
	"strconv"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/staticindex"
)

// Queries are the answers that are computed from the search index rather than
// read from the published file of the same name.
type Queries interface {
	SearchCatalog(ctx context.Context, q string, limit int64, cursor string) (*exports.SearchList, error)
	// Inventory returns the pages of a publisher, all if q is "".
	Inventory(ctx context.Context, siteID, q string, limit, offset int64) (*exports.InventoryList, error)
}

// Index asks the static index for the tools that search.
type Index struct{ Catalog *catalog.Reader }

// SearchCatalog returns the REST answer to the same question.
func (x Index) SearchCatalog(ctx context.Context, q string, limit int64, cursor string) (*exports.SearchList, error) {
	return x.Catalog.SearchCatalog(ctx, staticindex.Ask{Q: q, Limit: strconv.FormatInt(limit, 10), Cursor: cursor, Path: exports.PathSearch, Params: [][2]string{{"q", q}}})
}

// Inventory returns the REST answer to the same question.
func (x Index) Inventory(ctx context.Context, siteID, q string, limit, offset int64) (*exports.InventoryList, error) {
	a := staticindex.Ask{Q: q, Limit: strconv.FormatInt(limit, 10), Offset: strconv.FormatInt(offset, 10), Path: exports.InventoryPath(siteID)}
	if q != "" {
		a.Params = [][2]string{{"q", q}}
	}
	return x.Catalog.Inventory(ctx, siteID, a)
}
