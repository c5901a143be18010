package generator

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/listing"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// ledgerBatch is the number of leaves that are held in memory. Tests lower it.
var ledgerBatch = 4096

// appendLedger appends the events since the last build: keys, then records by
// instant, then policies.
func (b *build) appendLedger(ctx context.Context) error {
	if err := b.openLedger(ctx); err != nil || b.opt.Ledger == nil {
		return err
	}
	for _, step := range []func(context.Context) error{b.logKeys, b.logRecords, b.logPolicies} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return b.countDescribedLeaves(ctx)
}

// appendLeaves appends leaves and sets their positions.
func (b *build) appendLeaves(ctx context.Context, events []origin.LedgerEvent) error {
	for i := range events {
		events[i].Position = b.log.size + int64(i)
	}
	if err := b.store.AppendLedger(ctx, events); err != nil {
		return err
	}
	b.log.size += int64(len(events))
	b.report.Logged += int64(len(events))
	reached("append")
	return nil
}

// logKeys appends leaves about the keys that sign records or the log, and about
// their end.
func (b *build) logKeys(ctx context.Context) error {
	before, err := b.store.LedgerEventsOf(ctx, origin.LedgerKey)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, e := range before {
		known[e.Event+e.KeyID] = true
	}
	var events []origin.LedgerEvent
	keys := append(b.opt.Keys.Keys(), b.opt.Ledger.Keys...)
	sort.Slice(keys, func(i, j int) bool {
		return keys[i].NotBefore < keys[j].NotBefore || keys[i].NotBefore == keys[j].NotBefore && keys[i].ID < keys[j].ID
	})
	for _, k := range keys {
		added := k
		added.Revoked = nil
		if !known[exports.LedgerKeyAdded+k.ID] {
			events = append(events, keyEvent(added, exports.LedgerKeyAdded, k.NotBefore))
		}
		if k.Revoked != nil && !known[exports.LedgerKeyRevoked+k.ID] {
			events = append(events, keyEvent(k, exports.LedgerKeyRevoked, k.Revoked.At))
		}
	}
	return b.appendLeaves(ctx, events)
}

func keyEvent(k record.Key, event string, at int64) origin.LedgerEvent {
	leaf := record.KeyLeafOf(k)
	return origin.LedgerEvent{Kind: origin.LedgerKey, Event: event, KeyID: k.ID, At: exports.Instant(time.Unix(at, 0)), Leaf: string(wire.Append(nil, &leaf))}
}

// logRecords appends the records that are in no leaf yet. The store takes each
// record off its list when it is appended.
func (b *build) logRecords(ctx context.Context) error {
	for {
		records, err := b.store.RecordsToLog(ctx, ledgerBatch)
		if err != nil || len(records) == 0 {
			return err
		}
		events := make([]origin.LedgerEvent, len(records))
		err = b.runParallel(len(records), func(i int) error {
			e, err := recordEvent(&records[i])
			events[i] = e
			return err
		})
		if err != nil {
			return err
		}
		if err := b.appendLeaves(ctx, events); err != nil {
			return err
		}
	}
}

var recordEvents = map[string]string{
	record.OpIssue: exports.LedgerRegistered, record.OpSupersede: exports.LedgerUpdated, record.OpWithdraw: exports.LedgerWithdrawn,
}

func recordEvent(r *origin.Record) (origin.LedgerEvent, error) {
	v, err := wire.Parse([]byte(r.JSON), wire.Trusted)
	if err != nil {
		return origin.LedgerEvent{}, err
	}
	leaf, err := record.LeafOf(v)
	if err != nil || leaf.RecordSHA256 != r.SHA256 {
		return origin.LedgerEvent{}, fmt.Errorf("record %d of %q in the origin is not as it was issued", r.Version, r.EntryID)
	}
	return origin.LedgerEvent{Kind: origin.LedgerRecord, Event: recordEvents[leaf.Op], EntryID: r.EntryID, Version: r.Version, SiteID: leaf.SiteID,
		Digest: r.SHA256, At: r.Created, Leaf: string(record.LeafBytes(leaf))}, nil
}

// logPolicies appends the versions of policies that are in no leaf yet.
func (b *build) logPolicies(ctx context.Context) error {
	for {
		marks, err := b.store.PoliciesToLog(ctx, ledgerBatch)
		if err != nil || len(marks) == 0 {
			return err
		}
		events := make([]origin.LedgerEvent, len(marks))
		for i, p := range marks {
			leaf := record.PolicyLeaf{SiteID: p.SiteID, Version: p.Version, PolicySHA256: p.Digest, EffectiveFrom: p.EffectiveFrom}
			events[i] = origin.LedgerEvent{Kind: origin.LedgerPolicy, Event: exports.LedgerPolicyChanged, Version: p.Version, SiteID: p.SiteID,
				Digest: p.Digest, At: p.EffectiveFrom, Leaf: string(wire.Append(nil, &leaf))}
		}
		if err := b.appendLeaves(ctx, events); err != nil {
			return err
		}
	}
}

// countDescribedLeaves notes how many leaves the index covers. If the last leaf
// is that of an index, it covers only the leaves before it, so that a build
// without news produces the same index again.
func (b *build) countDescribedLeaves(ctx context.Context) error {
	indexes, err := b.store.LedgerEventsOf(ctx, origin.LedgerIndex)
	b.log.indexed = b.log.size
	for i := len(indexes) - 1; i >= 0 && indexes[i].Position == b.log.indexed-1; i-- {
		b.log.indexed--
	}
	return err
}

// logIndex appends a leaf with the digest of the list of the index's files, if it
// is new.
func (b *build) logIndex(ctx context.Context, digest string) error {
	indexes, err := b.store.LedgerEventsOf(ctx, origin.LedgerIndex)
	if err != nil || len(indexes) > 0 && indexes[len(indexes)-1].Digest == digest {
		return err
	}
	leaf := record.IndexLeaf{ManifestSHA256: digest, Bits: b.index.PBits, Entries: b.index.Pages, LedgerSize: b.log.indexed}
	return b.appendLeaves(ctx, []origin.LedgerEvent{{Kind: origin.LedgerIndex, Event: exports.LedgerIndexPublished, Digest: digest,
		At: b.catalog.Release.GeneratedAt, Leaf: string(wire.Append(nil, &leaf))}})
}

// lastEvents returns the leaves that were added last, the newest first, as a list
// of leaves shows them.
func (b *build) lastEvents(ctx context.Context) ([]exports.LedgerRow, error) {
	leaves, err := b.store.LedgerEvents(ctx, max(0, b.log.size-render.EventsOnPage), render.EventsOnPage)
	if err != nil {
		return nil, err
	}
	var entries, updated []string
	for i := range leaves {
		if leaves[i].EntryID != "" {
			entries = append(entries, leaves[i].EntryID)
		}
		if leaves[i].Event == exports.LedgerUpdated {
			updated = append(updated, leaves[i].EntryID)
		}
	}
	pages, err := b.store.PagesByID(ctx, entries)
	if err != nil {
		return nil, err
	}
	obtained, err := b.textsObtained(ctx, updated)
	rows := make([]exports.LedgerRow, 0, len(leaves))
	for _, leaf := range slices.Backward(leaves) {
		row, about, err := listing.RowOfLeaf(leaf.Position, []byte(leaf.Leaf))
		if err != nil {
			return nil, err
		}
		row.At = leaf.At // leaves of an index and of a revoked key do not say when that was
		if b.nameEvent(&row, pages); row.EntryID != "" && row.Event == exports.LedgerUpdated {
			row.Reason = record.SupersedeReason(obtained[recordVersion{row.EntryID, about.Version - 1}], obtained[recordVersion{row.EntryID, about.Version}])
		}
		rows = append(rows, row)
	}
	return rows, err
}

// nameEvent adds to a row what is public of its publisher and its page, which is
// among pages, or removes the ids of what is not public.
func (b *build) nameEvent(r *exports.LedgerRow, pages []origin.Page) {
	site := b.findSite(r.SiteID)
	at, known := slices.BinarySearchFunc(pages, r.EntryID, func(p origin.Page, id string) int { return strings.Compare(p.EntryID, id) })
	if site == nil || r.EntryID != "" && !known {
		r.EntryID, r.SiteID, r.Portable = "", "", ""
		return
	}
	r.Publisher = site.Site.Name
	if known {
		if e, ok := rights.Entry(site, &pages[at]); ok {
			r.Title, r.CanonicalURL = e.Title, e.URL
		}
	}
}

// recordVersion identifies a version of the record of an entry.
type recordVersion struct {
	entryID string
	version int64
}

// textsObtained returns how the texts were obtained that the records of entries
// describe, by version.
func (b *build) textsObtained(ctx context.Context, entryIDs []string) (map[recordVersion]string, error) {
	if len(entryIDs) == 0 {
		return nil, nil
	}
	versions, err := b.store.Versions(ctx, entryIDs...)
	obtained := map[recordVersion]string{}
	for _, v := range versions {
		record, err := decodeRecord(v.JSON)
		if err != nil {
			return nil, err
		}
		obtained[recordVersion{v.EntryID, v.Version}] = record.Source.Extraction
	}
	return obtained, err
}

// findSite returns a public site by its id, nil if there is none. b.sites is
// sorted.
func (b *build) findSite(siteID string) *rights.SiteSnapshot {
	i := sort.Search(len(b.sites), func(i int) bool { return b.sites[i].Site.SiteID >= siteID })
	if i == len(b.sites) || b.sites[i].Site.SiteID != siteID {
		return nil
	}
	return &b.sites[i].SiteSnapshot
}
