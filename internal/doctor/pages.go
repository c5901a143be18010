package doctor

import (
	"context"
	"fmt"
	"strings"

	"colophon/internal/intake"
	"colophon/internal/originsql"
)

// checkPages looks for pages that an earlier version registered and no import
// has read since by the present rules.
func (x *examination) checkPages(ctx context.Context) {
	err := x.WithStore(ctx, func(store *originsql.Store) error {
		sites, err := store.Sites(ctx)
		if err != nil {
			return err
		}
		stale := false
		for _, site := range sites {
			found, err := intake.FindStale(ctx, store, site.SiteID)
			if err != nil {
				return err
			}
			stale = x.tellStale(site.SiteID, &found) || stale
		}
		if !stale {
			x.addPassed("pages", "all were read by this version, or came with their texts")
		}
		return nil
	})
	if err != nil {
		x.addFailure("pages", "look at the store", "%v", err)
	}
}

// tellStale prints what was found about a publisher, and reports whether there
// was anything.
func (x *examination) tellStale(siteID string, found *intake.Stale) bool {
	again := fmt.Sprintf("colophon import --site %s --dir %s", siteID, x.Path)
	for _, source := range found.Sources {
		if source != "-" {
			again = fmt.Sprintf("colophon import %s --site %s --dir %s", source, siteID, x.Path)
		}
	}
	if n := len(found.Fetched); n > 0 {
		x.addWarning("pages", again+"; what it does not list then is gone or was never listed: colophon entry withdraw",
			"%s: %d of %d pages were not read since an earlier version, among them %s", siteID, n, found.Pages, strings.Join(found.Fetched[:min(n, 3)], ", "))
	}
	if found.Brought > 0 {
		x.addWarning("pages", again, "%s: %d of %d pages came with their texts, and no import of a folder or an export has seen them since an earlier version, which registered drafts too", siteID, found.Brought, found.Pages)
	}
	return len(found.Fetched)+found.Brought > 0
}
