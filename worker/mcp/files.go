package mcp

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/files"
	"colophon/worker/problem"
)

// Files returns the answers of the public REST endpoints, as the records that
// GET sends for the same question. problem.Of finds site_not_found,
// category_not_found, cursor_expired and the like in its errors.
type Files struct {
	*files.Service
	Queries // what no single file holds
}

// inventoryPage is the size of the published first page of an inventory.
const inventoryPage = 20

// read decodes the file that answers a path. It returns an error with the code
// missing if there is none.
func (f *Files) read(ctx context.Context, path, missing string, into wire.Record) error {
	err := f.ReadRecord(ctx, path, into)
	if errors.Is(err, fs.ErrNotExist) {
		return problem.New(missing, "")
	}
	return err
}

// Categories lists the categories.
func (f *Files) Categories(ctx context.Context) (*exports.CategoryList, error) {
	list := new(exports.CategoryList)
	return list, f.read(ctx, exports.PathCategories, "not_found", list)
}

// Category returns one category with its publishers.
func (f *Files) Category(ctx context.Context, slug string) (*exports.PublisherList, error) {
	if !exports.ValidSlug(slug) {
		return nil, problem.New("category_not_found", "")
	}
	list := exports.CategoryListing(new(exports.Category))
	return list, f.read(ctx, exports.CategoryPath(slug), "category_not_found", list)
}

// Publishers lists publishers that are open to inquiries, in the order of the
// published list.
func (f *Files) Publishers(ctx context.Context, category string, limit, offset int64) (*exports.PublisherList, error) {
	if category != "" {
		all, err := f.Category(ctx, category)
		if err != nil {
			return nil, err
		}
		open := slices.DeleteFunc(all.Data, func(p exports.PublisherSummary) bool { return !p.AcceptsInquiries })
		return pageOf(open, all.Catalog, exports.CategoryPath(category), limit, offset), nil
	}
	all := new(exports.PublisherList)
	if err := f.read(ctx, exports.PathPublishers, "not_found", all); err != nil {
		return nil, err
	}
	return pageOf(all.Data, all.Catalog, exports.PathPublishers, limit, offset), nil
}

// Publisher returns the record of one publisher.
func (f *Files) Publisher(ctx context.Context, siteID string) (*exports.Publisher, error) {
	if !exports.ValidSiteID(siteID) {
		return nil, problem.New("site_not_found", "")
	}
	p := new(exports.Publisher)
	return p, f.read(ctx, exports.PublisherPath(siteID), "site_not_found", p)
}

// Inventory lists the pages of a publisher. The first page is a file.
func (f *Files) Inventory(ctx context.Context, siteID, q string, limit, offset int64) (*exports.InventoryList, error) {
	if !exports.ValidSiteID(siteID) {
		return nil, problem.New("site_not_found", "")
	}
	if q == "" && limit == inventoryPage && offset == 0 {
		list := exports.InventoryListing(new(exports.InventoryFacts))
		return list, f.read(ctx, exports.InventoryPath(siteID), "site_not_found", list)
	}
	return f.Queries.Inventory(ctx, siteID, q, limit, offset)
}

// Stats returns the totals of the network.
func (f *Files) Stats(ctx context.Context) (*exports.Stats, error) {
	stats := new(exports.Stats)
	return stats, f.read(ctx, exports.PathStats, "not_found", stats)
}
