package enrol

import (
	"context"
	"strings"

	"colophon/internal/channel/publisherfile"
	"colophon/internal/intake"
	"colophon/internal/origin"
)

// applyWithdrawn withdraws the pages that a file lists, as far as they are on
// hosts of which the publisher has shown control, and restores those that an
// earlier file listed and this one does not.
func applyWithdrawn(ctx context.Context, store Store, siteID string, f *publisherfile.File, at string, r *Report) error {
	controlled := map[string]bool{}
	for _, h := range r.Hosts {
		controlled[h.Host] = Proven(h.Method)
	}
	listed := func(address string) bool { return controlled[intake.HostOf(address)] && f.Withdraws(address) }
	restored, err := intake.RestoreForFile(ctx, store, siteID, listed, at)
	if r.PagesRestored = restored; err != nil || len(f.Withdrawn) == 0 {
		return err
	}
	for page, err := range intake.Pages(ctx, store, siteID) {
		if err != nil {
			return err
		}
		if page.State != "active" || !listed(page.CanonicalURL) {
			continue
		}
		if _, err := intake.WithdrawForFile(ctx, store, page, at); err != nil {
			return err
		}
		r.PagesWithdrawn = append(r.PagesWithdrawn, page.CanonicalURL)
	}
	return nil
}

// closedByFile begins the reason of a listing that its publisher closed.
const closedByFile = "closed by the publisher's own file"

// ClosedByFile reports whether a publisher closed its listing by its own file.
func ClosedByFile(site *origin.Site) bool {
	return site.State == origin.Closed && strings.HasPrefix(site.StateReason, closedByFile)
}

// applyListing closes the listing of a site whose file says so. If a file no
// longer closes it, the operator is told, who must open it again.
func applyListing(ctx context.Context, store Store, siteID, listing, at string, r *Report) error {
	site, err := store.Site(ctx, siteID)
	switch {
	case err != nil:
		return err
	case listing == "closed" && site.State == origin.Closed:
		return nil
	case listing == "closed":
		site.State, site.StateReason, site.ChangedAt = origin.Closed, closedByFile+" "+r.Address, at
		r.Notes = append(r.Notes, "the publisher's own file closes its listing")
		return store.PutSite(ctx, site)
	case ClosedByFile(&site):
		r.Notes = append(r.Notes, "the file no longer closes the listing; open it again with: colophon publisher reopen "+siteID)
	}
	return nil
}
