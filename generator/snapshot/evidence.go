package snapshot

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/observed"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// RefreshEvidence parses the observations of sites and updates their evidence.
// If a site's policy changes with it, it adds a version of the policy. It
// writes only differences, so it may be called at any time.
func RefreshEvidence(ctx context.Context, store origin.Catalog, siteIDs ...string) error {
	if len(siteIDs) == 0 {
		return nil
	}
	_, latest, err := store.Changes(ctx)
	if err != nil {
		return err
	}
	var sites []origin.Site
	for _, id := range slices.Compact(slices.Sorted(slices.Values(siteIDs))) {
		s, err := store.Site(ctx, id)
		if err != nil {
			return err
		}
		sites = append(sites, s)
	}
	return refreshSites(ctx, store, sites, latest, func(rights.SiteSnapshot) {})
}

// PolicyChanges returns how each version of a site's policy differs from the
// one before, oldest first. It returns nothing for a site that is not public.
func PolicyChanges(ctx context.Context, store origin.Catalog, siteID string) ([]exports.PolicyChange, error) {
	s, err := store.Site(ctx, siteID)
	if err != nil || !rights.Public(s) {
		return nil, err
	}
	f, err := ReadSite(ctx, store, s)
	return f.PolicyChanges(), err
}

// refreshSites is RefreshEvidence for sites that were read. It passes their
// facts, precomputed, to keep, in the order of the sites.
func refreshSites(ctx context.Context, store origin.Catalog, sites []origin.Site, latest string, keep func(rights.SiteSnapshot)) error {
	return eachSite(ctx, store, sites, func(f rights.SiteSnapshot, seen []origin.Observation) error {
		if err := refreshEvidence(ctx, store, &f, seen, latest); err != nil {
			return err
		}
		keep(f)
		return nil
	})
}

// refreshEvidence updates the evidence of a site from its observations, in the
// store and in f.
func refreshEvidence(ctx context.Context, store origin.Catalog, f *rights.SiteSnapshot, seen []origin.Observation, latest string) error {
	left := observed.SiteBudget
	for _, o := range seen {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := observed.EvidenceOf(&o, &left)
		for _, e := range renewEvidence(&next, currentEvidence(f.Evidence, &o)) {
			if err := store.PutEvidence(ctx, e); err != nil {
				return err
			}
			f.Evidence = replaceEvidence(f.Evidence, e)
		}
	}
	if err := f.Precompute(latest); err != nil {
		return err
	}
	return notePolicy(ctx, store, f, latest)
}

// notePolicy adds a version to the history of a site's policy if the policy
// changed. It adds the new version before it ends the old one: a reader in
// between sees two open versions, of which the later counts.
func notePolicy(ctx context.Context, store origin.Policies, f *rights.SiteSnapshot, latest string) error {
	v, due := rights.NextPolicy(f, latest)
	if due {
		if err := store.AddPolicy(ctx, v); err != nil {
			return err
		}
		f.Policies = append(f.Policies, v)
	}
	for i := range f.Policies {
		p := &f.Policies[i]
		if i+1 == len(f.Policies) || p.EffectiveUntil != "" {
			continue
		}
		p.EffectiveUntil = f.Policies[i+1].EffectiveFrom
		if err := store.EndPolicy(ctx, p.SiteID, p.Version, p.EffectiveUntil); err != nil {
			return err
		}
	}
	return nil
}

// replaceEvidence returns the rows with one added, or replaced by its newer
// version, in the order of the store.
func replaceEvidence(rows []origin.Evidence, e origin.Evidence) []origin.Evidence {
	byKey := func(a, b origin.Evidence) int {
		return cmp.Or(strings.Compare(a.Channel, b.Channel), strings.Compare(a.URL, b.URL), strings.Compare(a.Since, b.Since))
	}
	i, found := slices.BinarySearchFunc(rows, e, byKey)
	if found {
		rows[i] = e
		return rows
	}
	return slices.Insert(rows, i, e)
}

// currentEvidence returns the evidence in force for the observed document.
func currentEvidence(rows []origin.Evidence, o *origin.Observation) *origin.Evidence {
	for i := len(rows) - 1; i >= 0; i-- {
		if e := &rows[i]; e.Channel == o.Channel && e.URL == o.URL && e.ReplacedAt == "" {
			return e
		}
	}
	return nil
}

// renewEvidence returns the rows to write, new ones first. A document that
// cannot be reached keeps its statements until they are stale. One that exists
// but cannot be understood keeps its restrictions. One that is gone no longer
// says anything, except a licence file, which other documents name, and the
// publisher's own file. A document that is read again in time keeps its row.
// After that time it gets a new row, so that answers about the time in between
// do not change.
func renewEvidence(seen, old *origin.Evidence) []origin.Evidence {
	next := *seen
	if old == nil {
		return []origin.Evidence{next}
	}
	if next.LookedAt < old.LookedAt {
		return nil
	}
	switch {
	case next.State == "unreachable":
		next = *old
		next.State = "unreachable"
		next.LookedAt = seen.LookedAt
	case readAgainInTime(&next, old):
		next.Since = old.Since
	case keepKnown(&next, old):
		if next.Document == old.Document {
			next.Since = old.Since
			break
		}
		ended := *old
		ended.ReplacedAt = next.Since
		return []origin.Evidence{next, ended}
	case next.State == "absent" && next.Channel == string(statements.PublisherFile):
		keepClosed(&next, old)
		if old.State == "absent" {
			next.Since = old.Since
			break
		}
		ended := *old
		ended.ReplacedAt = next.Since
		return []origin.Evidence{next, ended}
	case next.Since == old.Since: // the same instant has two readings: the later one counts
	default:
		ended := *old
		ended.ReplacedAt = next.Since
		return []origin.Evidence{next, ended}
	}
	if sameEvidence(&next, old) {
		return nil
	}
	return []origin.Evidence{next}
}

// keepKnown keeps the restrictions of a document that cannot be understood now,
// or of a licence file that is gone, as they were last read. The missing new
// reading is a gap, so it permits nothing. Whether a licence file is still
// named is decided where documents are read; if not, it no longer counts.
// keepKnown reports whether there was anything to keep.
func keepKnown(next, old *origin.Evidence) bool {
	var now, known statements.Document
	switch {
	case next.State == "absent" && next.Channel == string(statements.RSL):
		now.Gaps = []statements.Gap{{Code: statements.LicenseUnread, Locator: next.URL}}
	case next.Document == "", wire.Decode([]byte(next.Document), &now, wire.Trusted) != nil, now.Reading() != statements.Failed:
		return false
	}
	if old.Document == "" || wire.Decode([]byte(old.Document), &known, wire.Trusted) != nil || len(known.Statements) == 0 {
		return false
	}
	for _, g := range now.Gaps {
		if !slices.Contains(known.Gaps, g) {
			known.Gaps = append(known.Gaps, g)
		}
	}
	next.Document, next.Statements = string(wire.Append(nil, &known)), int64(len(known.Statements))
	next.Digest = old.Digest
	next.CheckedAt = old.CheckedAt
	next.ValidUntil = old.ValidUntil
	return true
}

// keepClosed keeps the restrictions of a publisher's own file that is gone:
// what it allowed ends, and what it reserved or priced stays until the file
// exists again.
func keepClosed(next, old *origin.Evidence) {
	var d statements.Document
	if old.Document == "" || wire.Decode([]byte(old.Document), &d, wire.Trusted) != nil {
		next.Document = old.Document
		next.Digest = old.Digest
		next.ValidUntil = old.ValidUntil
		return
	}
	kept := d.Statements[:0]
	for _, s := range d.Statements {
		if s.Effect == statements.Disallow || s.Effect == statements.Priced {
			kept = append(kept, s)
		}
	}
	d.Statements = kept
	next.Document, next.Statements = string(wire.Append(nil, &d)), int64(len(kept))
	next.Digest, next.CheckedAt = old.Digest, old.CheckedAt
}

// readAgainInTime reports whether a document was found unchanged before its
// last reading expired.
func readAgainInTime(next, old *origin.Evidence) bool {
	if next.Digest != old.Digest || next.State != old.State && old.State != "unreachable" {
		return false
	}
	return old.ValidUntil == "" || next.CheckedAt <= old.ValidUntil
}

func sameEvidence(a, b *origin.Evidence) bool {
	return a.State == b.State && a.Document == b.Document && a.CheckedAt == b.CheckedAt && a.ValidUntil == b.ValidUntil && a.LookedAt == b.LookedAt
}
