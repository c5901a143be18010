package originsql

import (
	"context"
	"strconv"
	"strings"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

var feedTable = recordsOf("feeds", 1, func(f *origin.Feed) []column {
	return []column{
		{"sequence", &f.Sequence}, {"floor", &f.Floor}, {"stamp", &f.Stamp}, {"boundary", &f.Boundary}, {"scan", &f.Scan},
		{"scan_open", flag{&f.ScanOpen}}, {"scan_stamp", &f.ScanStamp}, {"scan_boundary", &f.ScanBoundary}, {"scan_base", &f.ScanBase},
		{"scan_wrote", &f.ScanWrote}, {"scan_place", &f.ScanPlace},
		{"(SELECT CAST(sum(value) AS BIGINT) FROM meta WHERE name IN ('changes', 'editions')) + (SELECT rights FROM buyers WHERE buyer_id = ?1)", &f.Now},
	}
})

// Feed returns the state of a buyer's feed.
func (s *Store) Feed(ctx context.Context, buyerID string) (origin.Feed, error) {
	f, err := feedTable.one(ctx, s, "read a feed", "WHERE buyer_id = ?1", buyerID)
	if !isMissing(err) {
		return f, err
	}
	if err := s.exec(ctx, write("begin a feed", "INSERT INTO feeds (buyer_id) VALUES (?1) ON CONFLICT (buyer_id) DO NOTHING", buyerID)); err != nil {
		return f, err
	}
	return feedTable.one(ctx, s, "read a feed", "WHERE buyer_id = ?1", buyerID)
}

// FeedSince reads the feed with the newest event of each item and the items that
// are held, in one statement. A feed that was not there has no events.
func (s *Store) FeedSince(ctx context.Context, buyerID string, sequence int64, limit int) (origin.Feed, []origin.Holding, []origin.Item, error) {
	const since = "WHERE buyer_id = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3"
	const held = "SELECT entry_id FROM (SELECT entry_id, state FROM holdings " + since + ") AS newest WHERE state = 'held'"
	items := "(SELECT coalesce(json_group_array(" + itemTable.jsonArray() + "), '[]') FROM " + itemTable.name + " WHERE p.entry_id IN (" + held + "))"
	query := "SELECT " + feedTable.columnList() + ", " + holdingTable.jsonRows(since) + ", " + items + " FROM feeds WHERE buyer_id = ?1"
	var cells [2]string
	feed := feedTable.scan()
	scan := func(r scanner) (origin.Feed, error) { return feed(further{r, []any{&cells[0], &cells[1]}}) }
	f, err := queryOne(ctx, s, scan, read("read a feed", query, buyerID, sequence, int64(limit)))
	if isMissing(err) {
		f, err = s.Feed(ctx, buyerID)
		return f, nil, nil, err
	}
	if err != nil {
		return f, nil, nil, err
	}
	events, err := jsonRows(cells[0], holdingTable.scan())
	if err != nil {
		return f, nil, nil, Wrap("read events", err)
	}
	list, err := jsonRows(cells[1], itemTable.scan())
	return f, events, list, Wrap("read items", err)
}

// further is a row with more columns than its reader knows; they are scanned
// into other fields.
type further struct {
	scanner
	dest []any
}

// Scan copies the row into fields.
func (f further) Scan(dest ...any) error { return f.scanner.Scan(append(dest, f.dest...)...) }

// OpenScan begins a comparison.
func (s *Store) OpenScan(ctx context.Context, buyerID string, n, stamp int64, boundary string) (bool, error) {
	const query = `UPDATE feeds SET scan = scan + 1, scan_open = 1, scan_stamp = ?3, scan_boundary = ?4, scan_base = sequence,
		scan_wrote = 0, scan_place = '' WHERE buyer_id = ?1 AND scan = ?2 AND scan_open = 0 RETURNING buyer_id`
	return s.execChanged(ctx, write("begin a comparison", query, buyerID, n, stamp, boundary))
}

// MoveScan notes how far a comparison has come.
func (s *Store) MoveScan(ctx context.Context, buyerID string, n int64, from, to string, wrote int64) (bool, error) {
	const query = `UPDATE feeds SET scan_place = ?4, scan_wrote = scan_wrote + ?5
		WHERE buyer_id = ?1 AND scan = ?2 AND scan_open = 1 AND scan_place = ?3 RETURNING buyer_id`
	return s.execChanged(ctx, write("go on with a comparison", query, buyerID, n, from, to, wrote))
}

// CloseScan ends a comparison.
func (s *Store) CloseScan(ctx context.Context, buyerID string, n int64) (bool, error) {
	const query = `UPDATE feeds SET scan_open = 0, stamp = CASE WHEN sequence = scan_base + scan_wrote THEN scan_stamp ELSE stamp END,
		boundary = CASE WHEN sequence = scan_base + scan_wrote THEN scan_boundary ELSE boundary END
		WHERE buyer_id = ?1 AND scan = ?2 AND scan_open = 1 RETURNING CASE WHEN sequence = scan_base + scan_wrote THEN 'counts' ELSE '' END`
	outcome, err := queryOne(ctx, s, scanText, write("end a comparison", query, buyerID, n))
	if isMissing(err) {
		return false, nil
	}
	return outcome != "", err
}

var holdingTable = recordsOf("holdings", 2, func(h *origin.Holding) []column {
	return []column{
		{"buyer_id", new(string)}, {"entry_id", &h.EntryID}, {"site_id", &h.SiteID}, {"state", &h.State}, {"version", &h.Version},
		{"digest", &h.Digest}, {"facts", &h.Facts}, {"uses", &h.Uses}, {"lost", &h.Lost}, {"grants", words{&h.Grants}}, {"change", &h.Change},
		{"reason", &h.Reason}, {"effective_at", &h.EffectiveAt}, {"delete_hours", &h.DeleteHours}, {"told", &h.Told}, {"sequence", &h.Sequence},
		{"at", &h.At},
	}
})

// HeldSites lists the sites of which a buyer holds anything.
func (s *Store) HeldSites(ctx context.Context, buyerID string) ([]string, error) {
	const query = "SELECT DISTINCT site_id FROM holdings WHERE buyer_id = ?1 AND state = 'held' ORDER BY site_id"
	return queryAll(ctx, s, scanText, read("list held sites", query, buyerID))
}

// HoldingsOf lists what a buyer was told about the items of a site.
func (s *Store) HoldingsOf(ctx context.Context, buyerID, siteID, after, last string, limit int) ([]origin.Holding, error) {
	rest := "WHERE buyer_id = ?1 AND site_id = ?2 AND entry_id > ?3 AND (?4 = '' OR entry_id <= ?4) ORDER BY entry_id LIMIT ?5"
	return holdingTable.list(ctx, s, "list holdings", rest, buyerID, siteID, after, last, int64(limit))
}

// AppendEvents writes events and numbers them.
func (s *Store) AppendEvents(ctx context.Context, buyerID string, events []origin.Holding) (int64, error) {
	const query = `INSERT INTO holdings (buyer_id, entry_id, site_id, state, version, digest, facts, uses, lost, grants, change, reason,
		effective_at, delete_hours, told, sequence, at)
		SELECT ?1, x ->> 0, x ->> 1, x ->> 2, CAST(x ->> 3 AS BIGINT), x ->> 4, x ->> 5, CAST(x ->> 6 AS BIGINT), CAST(x ->> 7 AS BIGINT), x ->> 8,
		x ->> 9, x ->> 10, x ->> 11, CAST(x ->> 12 AS BIGINT), CASE WHEN CAST(x ->> 13 AS BIGINT) < 0 THEN n ELSE CAST(x ->> 13 AS BIGINT) END, n, x ->> 15
		FROM (SELECT value AS x, (SELECT sequence FROM feeds WHERE buyer_id = ?1) + row_number() OVER (ORDER BY key) AS n
			FROM json_each(?2) AS r WHERE CAST(r.value ->> 14 AS BIGINT) = coalesce((SELECT sequence FROM holdings WHERE buyer_id = ?1 AND entry_id = r.value ->> 0), 0)) AS due
		WHERE true
		ON CONFLICT (buyer_id, entry_id) DO UPDATE SET state = excluded.state, version = excluded.version, digest = excluded.digest,
		facts = excluded.facts, uses = excluded.uses, lost = excluded.lost, grants = excluded.grants, change = excluded.change,
		reason = excluded.reason, effective_at = excluded.effective_at, delete_hours = excluded.delete_hours, told = excluded.told,
		sequence = excluded.sequence, at = excluded.at RETURNING entry_id`
	b := []byte{'['}
	for i := range events {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendEvent(b, &events[i])
	}
	return s.execCount(ctx, write("tell a buyer", query, buyerID, string(append(b, ']'))).locking(Lock{"feeds", "buyer_id", buyerID}))
}

// appendEvent appends an event as the list that AppendEvents reads. It builds
// no intermediate values, because memory is not given back at the edge.
func appendEvent(b []byte, h *origin.Holding) []byte {
	text := func(s string) { b = append(wire.AppendString(b, s), ',') }
	number := func(n int64) { b = append(strconv.AppendInt(b, n, 10), ',') }
	b = append(b, '[')
	text(h.EntryID)
	text(h.SiteID)
	text(h.State)
	number(h.Version)
	text(h.Digest)
	text(h.Facts)
	number(h.Uses)
	number(h.Lost)
	b = append(wire.Strings(h.Grants...).Append(b), ',')
	text(h.Change)
	text(h.Reason)
	text(h.EffectiveAt)
	number(h.DeleteHours)
	number(h.Told)
	number(h.Sequence)
	return append(wire.AppendString(b, h.At), ']')
}

// Held lists what a buyer holds. All rows come in one cell, one line each,
// because at the edge every cell costs a crossing and memory.
func (s *Store) Held(ctx context.Context, buyerID, after string, limit int) ([]origin.Holding, int64, error) {
	const query = "SELECT coalesce((SELECT sequence FROM feeds WHERE buyer_id = ?1), 0), coalesce(group_concat(entry_id || '\t' || site_id || '\t' || version || '\t' || digest || '\t' || " +
		"uses || '\t' || told || '\t' || grants, '\n'), '') FROM (SELECT entry_id, site_id, version, digest, uses, told, grants FROM holdings " +
		"WHERE buyer_id = ?1 AND entry_id > ?2 AND state = 'held' ORDER BY entry_id LIMIT ?3) AS held"
	var sequence int64
	scan := into(func(text *string) []any { return []any{&sequence, text} })
	text, err := queryOne(ctx, s, scan, read("list what is held", query, buyerID, after, int64(limit)))
	if err != nil || text == "" {
		return nil, sequence, err
	}
	out := make([]origin.Holding, 0, limit)
	var grants string // of the line before, which are most often those of this one
	var list []string
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		h := origin.Holding{State: "held"}
		own, err := readHeld(&h, line)
		if err == nil && own != grants {
			grants = own
			err = (words{&list}).Scan(own)
		}
		if err != nil {
			return nil, 0, Wrap("read what is held", err)
		}
		h.Grants = list
		out = append(out, h)
	}
	return out, sequence, nil
}

// readHeld parses the fields of a line, and returns the last one, the grants, as
// it is.
func readHeld(h *origin.Holding, line string) (grants string, err error) {
	for _, text := range []*string{&h.EntryID, &h.SiteID} {
		*text, line, _ = strings.Cut(line, "\t")
	}
	version, line, _ := strings.Cut(line, "\t")
	h.Digest, line, _ = strings.Cut(line, "\t")
	uses, line, _ := strings.Cut(line, "\t")
	told, grants, _ := strings.Cut(line, "\t")
	for _, n := range []struct {
		p    *int64
		text string
	}{{&h.Version, version}, {&h.Uses, uses}, {&h.Told, told}} {
		if *n.p, err = strconv.ParseInt(n.text, 10, 64); err != nil {
			return "", err
		}
	}
	return grants, nil
}

// CountHeld returns how many items a buyer holds.
func (s *Store) CountHeld(ctx context.Context, buyerID string) (int64, error) {
	return queryOne(ctx, s, scanInt, read("count what is held", "SELECT count(*) FROM holdings WHERE buyer_id = ?1 AND state = 'held'", buyerID))
}

// ForgetTombstones drops old ones. It raises the floor first, so that no cursor
// below a dropped one is ever accepted.
func (s *Store) ForgetTombstones(ctx context.Context, buyerID, before string) (int64, error) {
	const old = "FROM holdings WHERE buyer_id = ?1 AND state = 'gone' AND effective_at < ?2 AND at < ?2"
	const last = "(SELECT max(sequence) " + old + ")"
	const lift = "UPDATE feeds SET floor = " + last + " WHERE buyer_id = ?1 AND floor < " + last
	if err := s.exec(ctx, write("lift the floor of a feed", lift, buyerID, before)); err != nil {
		return 0, err
	}
	return s.execCount(ctx, write("drop tombstones", "DELETE "+old+" AND sequence <= (SELECT floor FROM feeds WHERE buyer_id = ?1) RETURNING entry_id", buyerID, before))
}
