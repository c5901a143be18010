package listing

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"colophon/exports"
	"colophon/internal/ledgerlog"
	"colophon/internal/lookup"
	"colophon/internal/paging"
	"colophon/internal/record"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// Ledger is a part of the ledger.
type Ledger = exports.List[exports.LedgerRow, *exports.LedgerRow]

// LedgerSearch lists the leaves of the ledger, the newest first. With an entry id
// or a fingerprint it lists the leaf of each version of the entries' records, with
// words the leaf of the present record of each entry that matches. It returns at
// most 100, 20 by default. An entry that is not registered, or whose publisher is
// not public, is not named.
func (c *Lists) LedgerSearch(ctx context.Context, a staticindex.Ask) (*Ledger, error) {
	return staticindex.AskAgain(ctx, c.files, func() (*Ledger, error) { return c.searchLedger(ctx, a) })
}

func (c *Lists) searchLedger(ctx context.Context, a staticindex.Ask) (*Ledger, error) {
	q, err := query.ParseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	w, err := c.files.PagingWindow(ctx, &a, 20, 100, "l", q)
	if err != nil {
		return nil, err
	}
	log, err := c.openLog(ctx, w.Gen)
	if err != nil {
		return nil, err
	}
	found, err := log.findEntries(ctx, q)
	if err != nil {
		return nil, err
	}
	var part leafPart
	switch {
	case q == "":
		part, err = log.newest(w)
	case len(found) > 0:
		part, err = log.ofEntries(ctx, w, found)
	default:
		part, err = log.ofWords(ctx, w, q)
	}
	if err != nil {
		return nil, err
	}
	out := &Ledger{Catalog: w.Gen.Release}
	if out.Data, err = log.rows(ctx, part.indexes); err != nil {
		return nil, err
	}
	out.Page, out.Links = w.PageOf(part.total, part.last)
	return out, nil
}

// leafPart is the part of a list of leaves that was asked for.
type leafPart struct {
	indexes []int64 // in the ledger
	total   int     // of the whole list
	last    string  // place of the last leaf of the part
}

// ledgerLog is the published ledger during one question.
type ledgerLog struct {
	c     *Lists
	gen   *staticindex.Generation
	size  int64 // leaves, 0 if no ledger is published
	tiles *ledgerlog.Tiles
}

func (c *Lists) openLog(ctx context.Context, g *staticindex.Generation) (*ledgerLog, error) {
	prefix := exports.PathLedgerLog[1:]
	note, err := c.files.Read(ctx, prefix+ledgerlog.CheckpointPath)
	if errors.Is(err, fs.ErrNotExist) {
		return &ledgerLog{c: c, gen: g}, nil
	}
	if err != nil {
		return nil, err
	}
	checkpoint, err := ledgerlog.ReadCheckpoint(note)
	if err != nil {
		return nil, staticindex.OutageError(ledgerlog.CheckpointPath, err)
	}
	read := func(path string) ([]byte, error) { return c.files.Read(ctx, prefix+path) }
	return &ledgerLog{c, g, checkpoint.Size, ledgerlog.NewTiles(checkpoint.Size, read)}, nil
}

func placeOfLeaf(index int64) string { return paging.PlaceByNumber(index, "") }

// newest returns the leaves that were added last.
func (l *ledgerLog) newest(w *staticindex.Window) (leafPart, error) {
	p := leafPart{total: int(l.size)}
	before := ""
	if at := l.size - int64(w.Pos); w.Pos > 0 && at >= 0 {
		before = placeOfLeaf(at)
	}
	err := w.Resume(before, true, p.total, func(i int) (string, error) { return placeOfLeaf(l.size - 1 - int64(i)), nil })
	for i := w.Pos; err == nil && i < min(w.Pos+w.Limit, p.total); i++ {
		p.indexes = append(p.indexes, l.size-1-int64(i))
		p.last = placeOfLeaf(l.size - 1 - int64(i))
	}
	return p, err
}

// findEntries returns the entries of which a topic is the id or the fingerprint.
func (l *ledgerLog) findEntries(ctx context.Context, q string) ([]exports.Candidate, error) {
	if sum, ok := staticindex.DecodeHex(q); ok && len(sum) == 32 {
		found, err := l.c.entries.Find(ctx, lookup.Query{Fingerprint: q})
		if err != nil {
			return nil, err
		}
		return found.Candidates, nil
	}
	if !exports.ValidEntryID(q) {
		return nil, nil
	}
	known, err := l.c.entries.Entries(ctx, l.gen, []string{q})
	if x, ok := known[q]; ok {
		return []exports.Candidate{x}, err
	}
	return nil, err
}

// ofEntries returns the leaves of entries: of each the newest version first.
func (l *ledgerLog) ofEntries(ctx context.Context, w *staticindex.Window, found []exports.Candidate) (p leafPart, err error) {
	for i := range found {
		p.total += int(found[i].RecordVersion)
	}
	indexAt := func(i int) (int64, error) {
		for n := range found {
			x := &found[n]
			if i < int(x.RecordVersion) {
				return l.indexOf(ctx, x, x.RecordVersion-int64(i))
			}
			i -= int(x.RecordVersion)
		}
		return record.NotLogged, nil
	}
	placeAt := func(i int) (string, error) {
		index, err := indexAt(i)
		return placeOfLeaf(index), err
	}
	before := ""
	if w.After() != "" && w.Pos > 0 {
		if before, err = placeAt(w.Pos - 1); err != nil {
			return p, err
		}
	}
	if err := w.Resume(before, len(found) < 2, p.total, placeAt); err != nil {
		return p, err
	}
	for i := w.Pos; i < min(w.Pos+w.Limit, p.total); i++ {
		index, err := indexAt(i)
		if err != nil {
			return p, err
		}
		p.indexes, p.last = append(p.indexes, index), placeOfLeaf(index)
	}
	return p, nil
}

// indexOf returns the place of a version of an entry's record, record.NotLogged if
// it is not logged. That of the present version is known.
func (l *ledgerLog) indexOf(ctx context.Context, x *exports.Candidate, version int64) (int64, error) {
	if version == x.RecordVersion {
		return x.LedgerIndex, nil
	}
	key := exports.KeyOf(exports.PlacePath(x.EntryID, version))
	data, err := l.c.files.Read(ctx, string(key))
	if errors.Is(err, fs.ErrNotExist) {
		return record.NotLogged, nil
	}
	if err != nil {
		return 0, err
	}
	var place exports.LedgerPlace
	if err := wire.Decode(data, &place, wire.Trusted); err != nil {
		return 0, staticindex.OutageError(string(key), err)
	}
	return place.Index, nil
}

// ofWords returns the leaves of the present records of entries that match words, in
// the order of a search.
func (l *ledgerLog) ofWords(ctx context.Context, w *staticindex.Window, q string) (p leafPart, err error) {
	logged := query.Filter{Not: []string{searchindex.FacetWord("unlogged", "1")}}
	total, hits, err := l.c.search.MatchPages(ctx, w, q, []query.Filter{logged}, false)
	if err != nil {
		return p, err
	}
	ids := make([]string, len(hits))
	for i := range hits {
		ids[i] = hits[i].Doc.EntryID
	}
	known, err := l.c.entries.Entries(ctx, l.gen, ids)
	if err != nil {
		return p, err
	}
	for _, id := range ids {
		if x, ok := known[id]; ok {
			p.indexes = append(p.indexes, x.LedgerIndex)
		}
	}
	p.total, p.last = total, query.LastPlace(hits)
	return p, nil
}

// rows reads leaves, and names the entries that they are about. It leaves out
// places that the ledger does not have.
func (l *ledgerLog) rows(ctx context.Context, indexes []int64) ([]exports.LedgerRow, error) {
	rows, subjects := make([]exports.LedgerRow, 0, len(indexes)), make([]LeafSubject, 0, len(indexes))
	bundles := map[int64][][]byte{}
	var ids []string
	for _, index := range indexes {
		if index < 0 || index >= l.size {
			continue
		}
		n := index >> ledgerlog.TileHeight
		if bundles[n] == nil {
			leaves, err := l.tiles.Leaves(n)
			if err != nil {
				return nil, err
			}
			bundles[n] = leaves
		}
		row, subject, err := RowOfLeaf(index, bundles[n][index%ledgerlog.TileWidth])
		if err != nil {
			return nil, err
		}
		rows, subjects = append(rows, row), append(subjects, subject)
		if row.EntryID != "" {
			ids = append(ids, row.EntryID)
		}
	}
	known, err := l.c.entries.Entries(ctx, l.gen, ids)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if err := l.nameRow(ctx, &rows[i], subjects[i], known); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// nameRow adds to a row what the entry or the key that it is about shows, or
// removes the ids of what is not public.
func (l *ledgerLog) nameRow(ctx context.Context, r *exports.LedgerRow, about LeafSubject, known map[string]exports.Candidate) (err error) {
	x, ok := known[r.EntryID]
	switch {
	case ok && x.SiteID == r.SiteID:
		r.Publisher = x.Publisher
		if !x.Withdrawn {
			r.Title, r.CanonicalURL = x.Title, x.CanonicalURL
		}
		if r.Event == exports.LedgerUpdated {
			r.Reason, err = l.reasonOf(ctx, &x, about.Version)
		}
		return err
	case r.EntryID != "":
		r.EntryID, r.SiteID, r.Portable = "", "", ""
	case r.SiteID != "":
		var missing *staticindex.Error
		_, err := l.c.findSite(ctx, l.gen, r.SiteID)
		if errors.As(err, &missing) && missing.Code == "site_not_found" {
			r.SiteID = ""
			return nil
		}
		return err
	case r.Event == exports.LedgerKeyRevoked:
		r.At, err = l.revokedAt(ctx, about.KeyID)
	}
	return err
}

// revokedAt returns when a key was revoked, as the published lists of keys say: of
// those that sign records, and of those that sign the ledger.
func (l *ledgerLog) revokedAt(ctx context.Context, keyID string) (string, error) {
	for _, list := range []struct{ path, member, id string }{{exports.WellKnownKeys, "keys", "kid"}, {exports.PathLedgerManifest, "log_keys", "key_id"}} {
		data, err := l.c.files.Read(ctx, string(exports.KeyOf(list.path)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		document, err := wire.Parse(data, wire.Trusted)
		if err != nil {
			return "", staticindex.OutageError(list.path, err)
		}
		keys := document.Get(list.member)
		for i := 0; keys != nil && i < len(keys.Items); i++ {
			id, _ := keys.Items[i].Get(list.id).Str()
			if at, ok := keys.Items[i].Get("revoked").Get("revoked_at").Int(); ok && id == keyID {
				return exports.Instant(time.Unix(at, 0)), nil
			}
		}
	}
	return "", nil
}

// reasonOf returns why a version of an entry's record superseded the one before; ""
// if that is unknown, or if one of the two is not published.
func (l *ledgerLog) reasonOf(ctx context.Context, x *exports.Candidate, version int64) (string, error) {
	path := exports.RecordVersionPath(x.EntryID, version)
	if version == x.RecordVersion {
		path = exports.RecordPath(x.EntryID)
	}
	after, err := l.c.record(ctx, path)
	if err == nil {
		var before *exports.Record
		if before, err = l.c.record(ctx, exports.RecordVersionPath(x.EntryID, version-1)); err == nil {
			return record.SupersedeReason(before.Source.Extraction, after.Source.Extraction), nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return "", err
}

// ledgerEvents are the events by the actions of leaves.
var ledgerEvents = map[string]string{
	record.OpIssue: exports.LedgerRegistered, record.OpSupersede: exports.LedgerUpdated, record.OpWithdraw: exports.LedgerWithdrawn,
	record.OpAdd: exports.LedgerKeyAdded, record.OpRevoke: exports.LedgerKeyRevoked,
}

// LeafSubject is what a leaf is about and its row does not show.
type LeafSubject struct {
	Version int64  // of the record
	KeyID   string // of a key that was added or revoked
}

// RowOfLeaf returns a leaf as a row without names, and what it is about.
func RowOfLeaf(index int64, leaf []byte) (row exports.LedgerRow, about LeafSubject, err error) {
	row.Index = index
	v, err := wire.Parse(leaf, wire.Trusted)
	if err != nil {
		return row, about, staticindex.OutageError("leaf", err)
	}
	form, _ := v.Get("leaf").Str()
	switch form {
	case record.FormatRecordLeaf:
		var x record.RecordLeaf
		err = wire.DecodeValue(&v, &x)
		row.Event, row.EntryID, row.SiteID = ledgerEvents[x.Op], x.EntryID, x.SiteID
		row.RecordDigest, row.Portable, row.At, about.Version = x.RecordSHA256, x.Fingerprint, x.IssuedAt, x.RecordVersion
	case record.FormatPolicyLeaf:
		var x record.PolicyLeaf
		err = wire.DecodeValue(&v, &x)
		row.Event, row.SiteID, row.RecordDigest, row.At = exports.LedgerPolicyChanged, x.SiteID, x.PolicySHA256, x.EffectiveFrom
	case record.FormatKeyLeaf:
		var x record.KeyLeaf
		err = wire.DecodeValue(&v, &x)
		row.Event, about.KeyID = ledgerEvents[x.Op], x.KeyID
		if x.Op == record.OpAdd {
			row.At = exports.Instant(time.Unix(x.NotBefore, 0))
		}
	case record.FormatIndexLeaf:
		row.Event = exports.LedgerIndexPublished
	default:
		err = staticindex.ErrMalformed
	}
	if err != nil {
		return row, about, staticindex.OutageError("leaf", err)
	}
	return row, about, nil
}
