package mcp

import (
	"context"

	"colophon/exports"
)

// Catalog gives the answers of the public REST endpoints, as the records that
// GET sends for the same question. An error in which problem.Of finds
// site_not_found, category_not_found, cursor_expired and so on tells the caller.
type Catalog interface {
	Queries
	Categories(ctx context.Context) (*exports.CategoryList, error)
	Category(ctx context.Context, slug string) (*exports.PublisherList, error)
	// Publishers lists all publishers, or those of a category.
	Publishers(ctx context.Context, category string, limit, offset int64) (*exports.PublisherList, error)
	Publisher(ctx context.Context, siteID string) (*exports.Publisher, error)
	Stats(ctx context.Context) (*exports.Stats, error)
}

// Queries are the two answers of a Catalog that are computed from the search
// index, and not from the published file of the same name.
type Queries interface {
	SearchCatalog(ctx context.Context, q string, limit int64, cursor string) (*exports.SearchList, error)
	// Inventory lists the pages of a publisher, all when q is "".
	Inventory(ctx context.Context, siteID, q string, limit, offset int64) (*exports.InventoryList, error)
}
