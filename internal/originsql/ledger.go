package originsql

import (
	"context"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

var (
	ledgerTable     = table{"ledger_events", 1, []string{"position", "kind", "event", "entry_id", "version", "site_id", "key_id", "digest", "at", "leaf"}}
	checkpointTable = table{"ledger_checkpoints", 1, []string{"size", "root", "name", "key_id", "cosigned"}}
)

func scanLedger(r scanner) (e origin.LedgerEvent, err error) {
	err = r.Scan(&e.Position, &e.Kind, &e.Event, &e.EntryID, &e.Version, &e.SiteID, &e.KeyID, &e.Digest, &e.At, &e.Leaf)
	return e, err
}

func scanCheckpoint(r scanner) (c origin.LedgerCheckpoint, err error) {
	err = r.Scan(&c.Size, &c.Root, &c.Name, &c.KeyID, &c.Cosigned)
	return c, err
}

func scanLogged(r scanner) (x origin.LoggedRecord, err error) {
	err = r.Scan(&x.EntryID, &x.Version, &x.Position)
	return x, err
}

func scanPolicyMark(r scanner) (p origin.PolicyMark, err error) {
	err = r.Scan(&p.SiteID, &p.Version, &p.Digest, &p.EffectiveFrom)
	return p, err
}

func scanNumber(r scanner) (n int64, err error) {
	err = r.Scan(&n)
	return n, err
}

// LedgerSize is the number of leaves.
func (s *Store) LedgerSize(ctx context.Context) (int64, error) {
	return queryOne(ctx, s.db, "read the ledger", scanNumber, "SELECT coalesce(max(position) + 1, 0) FROM ledger_events")
}

// LedgerEvents lists leaves by position.
func (s *Store) LedgerEvents(ctx context.Context, from int64, limit int) ([]origin.LedgerEvent, error) {
	return queryAll(ctx, s.db, "read the ledger", scanLedger, ledgerTable.selectWhere("WHERE position >= ?1 ORDER BY position LIMIT ?2"), from, int64(limit))
}

func scanLine(r scanner) (l origin.LedgerLine, err error) {
	e, p := &l.LedgerEvent, &l.Page
	err = r.Scan(&e.Position, &e.Kind, &e.Event, &e.EntryID, &e.Version, &e.SiteID, &e.KeyID, &e.Digest, &e.At, &e.Leaf,
		&p.EntryID, &p.SiteID, &p.CanonicalURL, &p.Title, &p.State, &p.Portable, &l.Extraction, &l.Before)
	return l, err
}

// LedgerLines lists leaves with their pages, the newest first. Records are read
// for updates only.
func (s *Store) LedgerLines(ctx context.Context, before int64, limit int) ([]origin.LedgerLine, error) {
	const query = selectLines + "WHERE e.position < ?1 AND e.kind <> 'index' ORDER BY e.position DESC LIMIT ?2"
	return queryAll(ctx, s.db, "read the ledger", scanLine, query, before, int64(limit))
}

// selectLines reads what scanLine takes: the leaf, its page, and the records before and
// after an update.
const selectLines = `SELECT e.position, e.kind, e.event, e.entry_id, e.version, e.site_id, e.key_id, e.digest, e.at, e.leaf,
		coalesce(p.entry_id, ''), coalesce(p.site_id, ''), coalesce(p.canonical_url, ''), coalesce(p.title, ''), coalesce(p.state, ''), coalesce(p.portable, ''),
		coalesce(r.record -> 'source' ->> 'extraction', ''), coalesce(q.record -> 'source' ->> 'extraction', '')
		FROM ledger_events e LEFT JOIN pages p ON p.entry_id = e.entry_id
		LEFT JOIN records r ON e.event = 'updated' AND r.entry_id = e.entry_id AND r.version = e.version
		LEFT JOIN records q ON e.event = 'updated' AND q.entry_id = e.entry_id AND q.version = e.version - 1 `

// LedgerEventsOf lists all leaves of a rare kind.
func (s *Store) LedgerEventsOf(ctx context.Context, kind string) ([]origin.LedgerEvent, error) {
	return queryAll(ctx, s.db, "read the ledger", scanLedger, ledgerTable.selectWhere("WHERE kind = ?1 AND kind IN ('key', 'index') ORDER BY position"), kind)
}

// appendBatch is how many leaves one statement adds: their bytes must fit into
// one parameter.
const appendBatch = 1024

// AppendLedger adds leaves at the end: one statement for a batch.
func (s *Store) AppendLedger(ctx context.Context, events []origin.LedgerEvent) error {
	for len(events) > 0 {
		n := min(len(events), appendBatch)
		rows := wire.Array()
		for _, e := range events[:n] {
			rows.Items = append(rows.Items, wire.Array(wire.Int(e.Position), wire.String(e.Kind), wire.String(e.Event), wire.String(e.EntryID), wire.Int(e.Version),
				wire.String(e.SiteID), wire.String(e.KeyID), wire.String(e.Digest), wire.String(e.At), wire.String(e.Leaf)))
		}
		if err := s.exec(ctx, "append to the ledger", ledgerTable.insertEachStatement(), string(rows.Append(nil))); err != nil {
			return err
		}
		events = events[n:]
	}
	return nil
}

// RecordsToLog lists records that are in no leaf.
func (s *Store) RecordsToLog(ctx context.Context, limit int) ([]origin.Record, error) {
	const query = `SELECT r.entry_id, r.version, r.sha256, r.facts, r.created, r.record FROM ledger_waiting w
		CROSS JOIN records r ON r.entry_id = w.entry_id AND r.version = w.version ORDER BY w.created, w.entry_id, w.version LIMIT ?1`
	return queryAll(ctx, s.db, "list records to log", scanRecord, query, int64(limit))
}

// PoliciesToLog lists policy versions that are in no leaf; none where the
// store keeps no history of policies.
func (s *Store) PoliciesToLog(ctx context.Context, limit int) ([]origin.PolicyMark, error) {
	kept, err := queryOne(ctx, s.db, "read the schema", scanNumber, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'policy_history'")
	if err != nil || kept == 0 {
		return nil, err
	}
	const query = `SELECT p.site_id, p.version, replace(p.digest, 'sha-256:', ''), p.effective_from FROM policy_history p
		LEFT JOIN ledger_events e ON e.kind = 'policy' AND e.site_id = p.site_id AND e.version = p.version
		WHERE e.position IS NULL ORDER BY p.effective_from, p.site_id, p.version LIMIT ?1`
	return queryAll(ctx, s.db, "list policies to log", scanPolicyMark, query, int64(limit))
}

// LoggedRecords lists the logged versions of a range of a site's records.
func (s *Store) LoggedRecords(ctx context.Context, siteID, after, last string) ([]origin.LoggedRecord, error) {
	const query = `SELECT entry_id, version, position FROM ledger_events
		WHERE kind = 'record' AND site_id = ?1 AND entry_id > ?2 AND entry_id <= ?3 ORDER BY entry_id, version`
	return queryAll(ctx, s.db, "list logged records", scanLogged, query, siteID, after, last)
}

// LedgerCheckpoints lists them by size.
func (s *Store) LedgerCheckpoints(ctx context.Context) ([]origin.LedgerCheckpoint, error) {
	return queryAll(ctx, s.db, "list checkpoints", scanCheckpoint, checkpointTable.selectWhere("ORDER BY size"))
}

// AddCheckpoint adds one.
func (s *Store) AddCheckpoint(ctx context.Context, c origin.LedgerCheckpoint) error {
	return s.exec(ctx, "add a checkpoint", checkpointTable.insertStatement(), c.Size, c.Root, c.Name, c.KeyID, c.Cosigned)
}

// SetCosigned replaces what is published of a checkpoint.
func (s *Store) SetCosigned(ctx context.Context, size int64, note string) error {
	return s.exec(ctx, "keep cosignatures", "UPDATE ledger_checkpoints SET cosigned = ?2 WHERE size = ?1", size, note)
}
