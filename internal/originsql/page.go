package originsql

import (
	"context"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

var (
	pageTable = table{"pages", 1, []string{
		"entry_id", "site_id", "canonical_url", "title", "byline", "section", "terms", "language", "content_format", "word_count",
		"published_at", "modified_at", "registered_at", "changed_at", "state", "portable", "registry", "extraction", "iscc",
		"successor", "successor_url",
	}}
	bodyTable        = table{"bodies", 1, []string{"entry_id", "text", "markdown", "html", "sha256", "digest", "changed_at"}}
	recordTable      = table{"records", 2, []string{"entry_id", "version", "sha256", "facts", "created", "record"}}
	fetchTable       = table{"fetches", 1, []string{"url", "site_id", "entry_id", "etag", "last_modified", "outcome", "reason", "run", "fetched_at", "source"}}
	observationTable = table{"observations", 3, []string{"site_id", "channel", "url", "status", "content_type", "raw", "sha256", "fetched_at", "valid_until"}}
)

func scanPage(r scanner) (p origin.Page, err error) {
	err = r.Scan(&p.EntryID, &p.SiteID, &p.CanonicalURL, &p.Title, words{&p.Byline}, &p.Section, words{&p.Terms}, &p.Language,
		&p.ContentFormat, &p.WordCount, &p.PublishedAt, &p.ModifiedAt, &p.RegisteredAt, &p.ChangedAt, &p.State, &p.Portable,
		&p.Registry, &p.Extraction, &p.ISCC, &p.Successor, &p.SuccessorURL)
	return p, err
}

func scanBody(r scanner) (b origin.Body, err error) {
	err = r.Scan(&b.EntryID, &b.Text, &b.Markdown, &b.HTML, &b.SHA256, &b.ChangedAt)
	return b, err
}

func scanRecord(r scanner) (x origin.Record, err error) {
	err = r.Scan(&x.EntryID, &x.Version, &x.SHA256, &x.Facts, &x.Created, &x.JSON)
	return x, err
}

func scanFetch(r scanner) (f origin.Fetch, err error) {
	err = r.Scan(&f.URL, &f.SiteID, &f.EntryID, &f.ETag, &f.LastModified, &f.Outcome, &f.Reason, &f.Run, &f.FetchedAt, &f.Source)
	return f, err
}

func scanObservation(r scanner) (o origin.Observation, err error) {
	err = r.Scan(&o.SiteID, &o.Channel, &o.URL, &o.Status, &o.ContentType, &o.Raw, &o.SHA256, &o.FetchedAt, &o.ValidUntil)
	return o, err
}

// Page returns one page, or origin.ErrNotFound.
func (s *Store) Page(ctx context.Context, entryID string) (origin.Page, error) {
	return queryOne(ctx, s.db, "read a page", scanPage, pageTable.selectWhere("WHERE entry_id = ?1"), entryID)
}

// PagesOf lists pages of a site by entry id.
func (s *Store) PagesOf(ctx context.Context, siteID, after string, limit int) ([]origin.Page, error) {
	return queryAll(ctx, s.db, "list pages", scanPage, pageTable.selectWhere("WHERE site_id = ?1 AND entry_id > ?2 ORDER BY entry_id LIMIT ?3"), siteID, after, int64(limit))
}

// PutPage adds or replaces a page: the body first, so that no page is ever
// seen whose body is still to come.
func (s *Store) PutPage(ctx context.Context, p origin.Page, b *origin.Body) error {
	if b != nil {
		if err := s.exec(ctx, "write a body", bodyTable.upsertStatement(), p.EntryID, b.Text, b.Markdown, b.HTML, b.SHA256, digestOf(b), b.ChangedAt); err != nil {
			return err
		}
	}
	return s.exec(ctx, "write a page", pageTable.upsertStatement(), p.EntryID, p.SiteID, p.CanonicalURL, p.Title, joinList(p.Byline), p.Section,
		joinList(p.Terms), p.Language, p.ContentFormat, p.WordCount, p.PublishedAt, p.ModifiedAt, p.RegisteredAt, p.ChangedAt, p.State,
		p.Portable, p.Registry, p.Extraction, p.ISCC, p.Successor, p.SuccessorURL)
}

// SetPageState makes a page active or withdrawn. One that is active again has
// no successor.
func (s *Store) SetPageState(ctx context.Context, entryID, state, at string) (bool, error) {
	const query = `UPDATE pages SET state = ?2, changed_at = ?3, successor = CASE WHEN ?2 = 'active' THEN '' ELSE successor END,
		successor_url = CASE WHEN ?2 = 'active' THEN '' ELSE successor_url END WHERE entry_id = ?1 AND state <> ?2 RETURNING entry_id`
	changed, err := s.execChanged(ctx, "change the state of a page", query, entryID, state, at)
	before := map[string]string{"active": "withdrawn", "withdrawn": "active"}[state]
	return s.recordIf(ctx, changed, err, "pages", entryID, []string{"state", before}, []string{"state", state})
}

// SetSuccessor withdraws a page that moved and names the page that stands for it.
func (s *Store) SetSuccessor(ctx context.Context, entryID, successor, address, at string) (bool, error) {
	const query = `UPDATE pages SET state = 'withdrawn', successor = ?2, successor_url = ?3, changed_at = ?4
		WHERE entry_id = ?1 AND (state <> 'withdrawn' OR successor <> ?2 OR successor_url <> ?3) RETURNING entry_id`
	changed, err := s.execChanged(ctx, "name the successor of a page", query, entryID, successor, address, at)
	return s.recordIf(ctx, changed, err, "pages", entryID, nil, []string{"state", "withdrawn", "successor", successor})
}

// RawBody returns the body of a page without asking for any right, or
// origin.ErrNotFound. It is for tests of what was stored; the house rules keep
// it out of the product.
func (s *Store) RawBody(ctx context.Context, entryID string) (origin.Body, error) {
	const query = "SELECT entry_id, text, markdown, html, sha256, changed_at FROM bodies WHERE entry_id = ?1"
	return queryOne(ctx, s.db, "read a body", scanBody, query, entryID)
}

// RecordsOf lists the newest record of each page of a site by entry id.
func (s *Store) RecordsOf(ctx context.Context, siteID, after string, limit int) ([]origin.Record, error) {
	const query = `SELECT r.entry_id, r.version, r.sha256, r.facts, r.created, r.record FROM pages p JOIN records r
		ON r.entry_id = p.entry_id AND r.version = (SELECT max(version) FROM records WHERE entry_id = p.entry_id)
		WHERE p.site_id = ?1 AND p.entry_id > ?2 ORDER BY p.entry_id LIMIT ?3`
	return queryAll(ctx, s.db, "list records", scanRecord, query, siteID, after, int64(limit))
}

// Versions lists all records of a page, oldest first.
func (s *Store) Versions(ctx context.Context, entryID string) ([]origin.Record, error) {
	return queryAll(ctx, s.db, "list record versions", scanRecord, recordTable.selectWhere("WHERE entry_id = ?1 ORDER BY version"), entryID)
}

// recordBytes is how many bytes of records one statement adds, about: they must
// fit into one parameter, of which D1 takes 2 MB.
const recordBytes = 512 << 10

// AddRecords adds versions: one statement for a batch. It does not wait for the
// disk: a record is public only after its leaf is in the ledger, and AppendLedger
// waits for both.
func (s *Store) AddRecords(ctx context.Context, records []origin.Record) error {
	rows := wire.Array()
	size := 0
	for i := range records {
		r := &records[i]
		rows.Items = append(rows.Items, wire.Array(wire.String(r.EntryID), wire.Int(r.Version), wire.String(r.SHA256), wire.String(r.Facts), wire.String(r.Created), wire.String(r.JSON)))
		if size += len(r.JSON); size < recordBytes && i+1 < len(records) {
			continue
		}
		if err := s.db.sparse().exec(ctx, recordTable.insertEachStatement(), []any{string(rows.Append(nil))}); err != nil {
			return Wrap("add records", err)
		}
		rows, size = wire.Array(), 0
	}
	return nil
}

// Fetch returns the last fetch of an address, or origin.ErrNotFound.
func (s *Store) Fetch(ctx context.Context, url string) (origin.Fetch, error) {
	return queryOne(ctx, s.db, "read a fetch", scanFetch, fetchTable.selectWhere("WHERE url = ?1"), url)
}

// FetchesOf lists the fetches of a site by address.
func (s *Store) FetchesOf(ctx context.Context, siteID, after string, limit int) ([]origin.Fetch, error) {
	return queryAll(ctx, s.db, "list fetches", scanFetch, fetchTable.selectWhere("WHERE site_id = ?1 AND url > ?2 ORDER BY url LIMIT ?3"), siteID, after, int64(limit))
}

// FetchesBecause lists the fetches of a site by address whose reason ends with a text.
func (s *Store) FetchesBecause(ctx context.Context, siteID, end string) ([]origin.Fetch, error) {
	return queryAll(ctx, s.db, "list fetches", scanFetch, fetchTable.selectWhere("WHERE site_id = ?1 AND reason LIKE '%' || ?2 ORDER BY url"), siteID, end)
}

// PutFetch adds or replaces it.
func (s *Store) PutFetch(ctx context.Context, f origin.Fetch) error {
	return s.exec(ctx, "write a fetch", fetchTable.upsertStatement(), f.URL, f.SiteID, f.EntryID, f.ETag, f.LastModified, f.Outcome, f.Reason, f.Run, f.FetchedAt, f.Source)
}

// Observations lists what a site says by itself.
func (s *Store) Observations(ctx context.Context, siteID string) ([]origin.Observation, error) {
	return queryAll(ctx, s.db, "list observations", scanObservation, observationTable.selectWhere("WHERE site_id = ?1 ORDER BY channel, url"), siteID)
}

// PutObservation adds or replaces one.
func (s *Store) PutObservation(ctx context.Context, o origin.Observation) error {
	return s.exec(ctx, "write an observation", observationTable.upsertStatement(), o.SiteID, o.Channel, o.URL, o.Status, o.ContentType, o.Raw, o.SHA256, o.FetchedAt, o.ValidUntil)
}
