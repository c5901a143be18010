package originsql

import (
	"context"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

var pageTable = recordsOf("pages", 1, func(p *origin.Page) []column {
	return []column{
		{"entry_id", &p.EntryID}, {"site_id", &p.SiteID}, {"canonical_url", &p.CanonicalURL}, {"title", &p.Title}, {"byline", words{&p.Byline}},
		{"section", &p.Section}, {"terms", words{&p.Terms}}, {"language", &p.Language}, {"content_format", &p.ContentFormat},
		{"word_count", &p.WordCount}, {"published_at", &p.PublishedAt}, {"modified_at", &p.ModifiedAt}, {"registered_at", &p.RegisteredAt},
		{"changed_at", &p.ChangedAt}, {"state", &p.State}, {"portable", &p.Portable}, {"registry", &p.Registry}, {"extraction", &p.Extraction},
		{"iscc", &p.ISCC}, {"successor", &p.Successor}, {"successor_url", &p.SuccessorURL},
	}
})

// storedBody is a body with the digest of the form that is delivered by default.
type storedBody struct {
	origin.Body
	digest string
}

var bodyTable = recordsOf("bodies", 1, func(b *storedBody) []column {
	return []column{
		{"entry_id", &b.EntryID}, {"text", &b.Text}, {"markdown", &b.Markdown}, {"html", &b.HTML}, {"sha256", &b.SHA256}, {"digest", &b.digest},
		{"changed_at", &b.ChangedAt},
	}
})

var recordTable = recordsOf("records", 2, func(x *origin.Record) []column {
	return []column{
		{"entry_id", &x.EntryID}, {"version", &x.Version}, {"sha256", &x.SHA256}, {"facts", &x.Facts}, {"created", &x.Created},
		{"record", &x.JSON},
	}
})

var fetchTable = recordsOf("fetches", 1, func(f *origin.Fetch) []column {
	return []column{
		{"url", &f.URL}, {"site_id", &f.SiteID}, {"entry_id", &f.EntryID}, {"etag", &f.ETag}, {"last_modified", &f.LastModified},
		{"outcome", &f.Outcome}, {"reason", &f.Reason}, {"run", &f.Run}, {"fetched_at", &f.FetchedAt}, {"source", &f.Source},
	}
})

var observationTable = recordsOf("observations", 3, func(o *origin.Observation) []column {
	return []column{
		{"site_id", &o.SiteID}, {"channel", &o.Channel}, {"url", &o.URL}, {"status", &o.Status}, {"content_type", &o.ContentType},
		{"raw", &o.Raw}, {"sha256", &o.SHA256}, {"fetched_at", &o.FetchedAt}, {"valid_until", &o.ValidUntil},
	}
})

// Page returns one page, or origin.ErrNotFound.
func (s *Store) Page(ctx context.Context, entryID string) (origin.Page, error) {
	return pageTable.one(ctx, s, "read a page", "WHERE entry_id = ?1", entryID)
}

// PagesOf lists pages of a site by entry id.
func (s *Store) PagesOf(ctx context.Context, siteID, after string, limit int) ([]origin.Page, error) {
	return pageTable.list(ctx, s, "list pages", "WHERE site_id = ?1 AND entry_id > ?2 ORDER BY entry_id LIMIT ?3", siteID, after, int64(limit))
}

// PagesByID lists those of some pages that exist.
func (s *Store) PagesByID(ctx context.Context, entryIDs []string) ([]origin.Page, error) {
	return pageTable.list(ctx, s, "read pages", "WHERE entry_id IN "+batchKeys+" ORDER BY entry_id", joinList(entryIDs))
}

// PutPage adds or replaces a page. It writes the body first, so that no page is
// ever seen before its body.
func (s *Store) PutPage(ctx context.Context, p origin.Page, b *origin.Body) error {
	if b != nil {
		stored := storedBody{*b, digestOf(b)}
		stored.EntryID = p.EntryID
		if err := s.upsert(ctx, "write a body", bodyTable.row(&stored)); err != nil {
			return err
		}
	}
	return s.upsert(ctx, "write a page", pageTable.row(&p))
}

// SetPageState makes a page active or withdrawn. A page made active again has
// no successor.
func (s *Store) SetPageState(ctx context.Context, entryID, state, at string) (bool, error) {
	const query = `UPDATE pages SET state = ?2, changed_at = ?3, successor = CASE WHEN ?2 = 'active' THEN '' ELSE successor END,
		successor_url = CASE WHEN ?2 = 'active' THEN '' ELSE successor_url END WHERE entry_id = ?1 AND state <> ?2 RETURNING entry_id`
	changed, err := s.execChanged(ctx, write("change the state of a page", query, entryID, state, at))
	before := map[string]string{"active": "withdrawn", "withdrawn": "active"}[state]
	return s.recordIf(ctx, changed, err, "pages", entryID, []string{"state", before}, []string{"state", state})
}

// SetSuccessor withdraws a page that moved and names the entry of its new
// address.
func (s *Store) SetSuccessor(ctx context.Context, entryID, successor, address, at string) (bool, error) {
	const query = `UPDATE pages SET state = 'withdrawn', successor = ?2, successor_url = ?3, changed_at = ?4
		WHERE entry_id = ?1 AND (state <> 'withdrawn' OR successor <> ?2 OR successor_url <> ?3) RETURNING entry_id`
	changed, err := s.execChanged(ctx, write("name the successor of a page", query, entryID, successor, address, at))
	return s.recordIf(ctx, changed, err, "pages", entryID, nil, []string{"state", "withdrawn", "successor", successor})
}

// LastRecords lists the newest record of each of some pages.
func (s *Store) LastRecords(ctx context.Context, entryIDs []string) ([]origin.Record, error) {
	query := "SELECT " + recordTable.columnsOf("r") + " FROM records r WHERE r.entry_id IN " + batchKeys + `
		AND r.version = (SELECT max(version) FROM records WHERE entry_id = r.entry_id) ORDER BY r.entry_id`
	return queryAll(ctx, s, recordTable.scan(), read("list the newest records", query, joinList(entryIDs)))
}

// Versions lists all records of pages, oldest first.
func (s *Store) Versions(ctx context.Context, entryIDs ...string) ([]origin.Record, error) {
	return recordTable.list(ctx, s, "list record versions", "WHERE entry_id IN "+batchKeys+" ORDER BY entry_id, version", joinList(entryIDs))
}

// recordBytes is about how many bytes of records one statement adds. They must
// fit into one parameter, of which D1 takes 2 MB.
const recordBytes = 512 << 10

// AddRecords adds versions, one statement for a batch. It does not wait for the
// disk: a record is public only after its leaf is in the ledger, and
// AppendLedger waits for both.
func (s *Store) AddRecords(ctx context.Context, records []origin.Record) error {
	rows := wire.Array()
	size := 0
	for i := range records {
		r := &records[i]
		rows.Items = append(rows.Items, recordTable.row(r).array())
		if size += len(r.JSON); size < recordBytes && i+1 < len(records) {
			continue
		}
		if err := s.lazy().exec(ctx, write("add records", recordTable.insertEachStatement(), string(rows.Append(nil)))); err != nil {
			return err
		}
		rows, size = wire.Array(), 0
	}
	return nil
}

// Fetch returns the last fetch of an address, or origin.ErrNotFound.
func (s *Store) Fetch(ctx context.Context, url string) (origin.Fetch, error) {
	return fetchTable.one(ctx, s, "read a fetch", "WHERE url = ?1", url)
}

// FetchesOf lists the fetches of a site by address.
func (s *Store) FetchesOf(ctx context.Context, siteID, after string, limit int) ([]origin.Fetch, error) {
	return fetchTable.list(ctx, s, "list fetches", "WHERE site_id = ?1 AND url > ?2 ORDER BY url LIMIT ?3", siteID, after, int64(limit))
}

// FetchesBecause lists the fetches of a site by address whose reason ends with a text.
func (s *Store) FetchesBecause(ctx context.Context, siteID, end string) ([]origin.Fetch, error) {
	return fetchTable.list(ctx, s, "list fetches", "WHERE site_id = ?1 AND substr(reason, length(reason) - length(?2) + 1) = ?2 ORDER BY url", siteID, end)
}

// PutFetch adds or replaces it.
func (s *Store) PutFetch(ctx context.Context, f origin.Fetch) error {
	return s.upsert(ctx, "write a fetch", fetchTable.row(&f))
}

// Observations lists what a site itself says.
func (s *Store) Observations(ctx context.Context, siteID string) ([]origin.Observation, error) {
	return observationTable.list(ctx, s, "list observations", "WHERE site_id = ?1 ORDER BY channel, url", siteID)
}

// PutObservation adds or replaces one.
func (s *Store) PutObservation(ctx context.Context, o origin.Observation) error {
	return s.upsert(ctx, "write an observation", observationTable.row(&o))
}
