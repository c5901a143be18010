package mcp

import (
	"context"
	"errors"
	"io/fs"

	"colophon/exports"
)

// Files is a Catalog over the published files.
type Files struct {
	// Read returns a published file; a missing one is fs.ErrNotExist.
	Read func(ctx context.Context, key string) ([]byte, error)
	// Queries answers what no single file holds; nil: not on this server.
	Queries Queries
}

// inventoryPage is the size of the published first page of an inventory.
const inventoryPage = 20

// file reads what answers a path, or fails with the code missing.
func (f *Files) file(ctx context.Context, path, missing string) ([]byte, error) {
	key := exports.KeyOf(path)
	if key == "" {
		return nil, fail(missing, "")
	}
	body, err := f.Read(ctx, string(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fail(missing, "")
	}
	return body, err
}

// SearchCatalog searches the registered pages.
func (f *Files) SearchCatalog(ctx context.Context, q string, limit int64, cursor string) ([]byte, error) {
	if f.Queries == nil {
		return nil, fail("not_implemented", "Searching is not available on this server.")
	}
	return f.Queries.SearchCatalog(ctx, q, limit, cursor)
}

// Categories lists the categories.
func (f *Files) Categories(ctx context.Context) ([]byte, error) {
	return f.file(ctx, exports.PathCategories, "not_found")
}

// Category is one category with its publishers.
func (f *Files) Category(ctx context.Context, slug string) ([]byte, error) {
	if !exports.ValidSlug(slug) {
		return nil, fail("category_not_found", "")
	}
	return f.file(ctx, exports.CategoryPath(slug), "category_not_found")
}

// Publishers lists publishers that are open to inquiries, in the order of the
// published list.
func (f *Files) Publishers(ctx context.Context, category string, limit, offset int64) ([]byte, error) {
	if category == "" {
		all, err := f.file(ctx, exports.PathPublishers, "not_found")
		if err != nil {
			return nil, err
		}
		return slicePage(all, exports.PathPublishers, limit, offset, nil)
	}
	all, err := f.Category(ctx, category)
	if err != nil {
		return nil, err
	}
	return slicePage(all, exports.CategoryPath(category), limit, offset, acceptsInquiries)
}

// Publisher is the record of one publisher.
func (f *Files) Publisher(ctx context.Context, siteID string) ([]byte, error) {
	if !exports.ValidSiteID(siteID) {
		return nil, fail("site_not_found", "")
	}
	return f.file(ctx, exports.PublisherPath(siteID), "site_not_found")
}

// Inventory lists the pages of a publisher. The first page is a file.
func (f *Files) Inventory(ctx context.Context, siteID, q string, limit, offset int64) ([]byte, error) {
	if !exports.ValidSiteID(siteID) {
		return nil, fail("site_not_found", "")
	}
	if q == "" && limit == inventoryPage && offset == 0 {
		return f.file(ctx, exports.InventoryPath(siteID), "site_not_found")
	}
	if f.Queries == nil {
		return nil, fail("not_implemented", "Only the first 20 pages of an inventory are available on this server.")
	}
	return f.Queries.Inventory(ctx, siteID, q, limit, offset)
}

// Stats are the totals of the network.
func (f *Files) Stats(ctx context.Context) ([]byte, error) {
	return f.file(ctx, exports.PathStats, "not_found")
}
