package mcp

import "context"

// Catalog gives the answers of the public REST endpoints as canonical JSON:
// the bytes that GET sends for the same question. An error that is, or is
// explained as, site_not_found, category_not_found, cursor_expired and so on
// tells the caller; see Config.Explain.
type Catalog interface {
	SearchCatalog(ctx context.Context, q string, limit int64, cursor string) ([]byte, error)
	Categories(ctx context.Context) ([]byte, error)
	Category(ctx context.Context, slug string) ([]byte, error)
	// Publishers lists all publishers, or those of a category.
	Publishers(ctx context.Context, category string, limit, offset int64) ([]byte, error)
	Publisher(ctx context.Context, siteID string) ([]byte, error)
	// Inventory lists the pages of a publisher, all when q is "".
	Inventory(ctx context.Context, siteID, q string, limit, offset int64) ([]byte, error)
	Stats(ctx context.Context) ([]byte, error)
}

// Queries are the two answers of a Catalog that are computed from the search
// index, and not from the published file of the same name.
type Queries interface {
	SearchCatalog(ctx context.Context, q string, limit int64, cursor string) ([]byte, error)
	Inventory(ctx context.Context, siteID, q string, limit, offset int64) ([]byte, error)
}
