package mcp

import (
	"context"

	"colophon/exports"
)

// Catalog returns the answers of the public REST endpoints, as the records that
// GET sends for the same question. problem.Of finds site_not_found,
// category_not_found, cursor_expired and the like in its errors.
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
// index rather than read from the published file of the same name.
type Queries interface {
	SearchCatalog(ctx context.Context, q string, limit int64, cursor string) (*exports.SearchList, error)
	// Inventory returns the pages of a publisher, all if q is "".
	Inventory(ctx context.Context, siteID, q string, limit, offset int64) (*exports.InventoryList, error)
}
