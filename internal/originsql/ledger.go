package originsql

import (
	"context"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

var ledgerTable = recordsOf("ledger_events", 1, func(e *origin.LedgerEvent) []column {
	return []column{
		{"position", &e.Position}, {"kind", &e.Kind}, {"event", &e.Event}, {"entry_id", &e.EntryID}, {"version", &e.Version},
		{"site_id", &e.SiteID}, {"key_id", &e.KeyID}, {"digest", &e.Digest}, {"at", &e.At}, {"leaf", &e.Leaf},
	}
})

var checkpointTable = recordsOf("ledger_checkpoints", 1, func(c *origin.LedgerCheckpoint) []column {
	return []column{
		{"size", &c.Size}, {"root", &c.Root}, {"name", &c.Name}, {"key_id", &c.KeyID}, {"cosigned", &c.Cosigned},
	}
})

var scanLogged = into(func(x *origin.LoggedRecord) []any { return []any{&x.EntryID, &x.Version, &x.Position} })

var scanPolicyMark = into(func(p *origin.PolicyMark) []any { return []any{&p.SiteID, &p.Version, &p.Digest, &p.EffectiveFrom} })

// LedgerSize returns the number of leaves.
func (s *Store) LedgerSize(ctx context.Context) (int64, error) {
	return queryOne(ctx, s, scanInt, read("read the ledger", "SELECT coalesce(max(position) + 1, 0) FROM ledger_events"))
}

// LedgerEvents lists leaves by position.
func (s *Store) LedgerEvents(ctx context.Context, from int64, limit int) ([]origin.LedgerEvent, error) {
	return ledgerTable.list(ctx, s, "read the ledger", "WHERE position >= ?1 ORDER BY position LIMIT ?2", from, int64(limit))
}

// LedgerEventsOf lists all leaves of a kind other than origin.LedgerRecord, in the
// order of an index that has no other leaves.
func (s *Store) LedgerEventsOf(ctx context.Context, kind string) ([]origin.LedgerEvent, error) {
	rest := "WHERE kind = ?1 AND kind IN ('key', 'index') ORDER BY position"
	if kind == origin.LedgerPolicy {
		rest = "WHERE kind = ?1 AND kind = 'policy' ORDER BY site_id, version"
	}
	return ledgerTable.list(ctx, s, "read the ledger", rest, kind)
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
			rows.Items = append(rows.Items, ledgerTable.row(&e).array())
		}
		if err := s.exec(ctx, write("append to the ledger", ledgerTable.insertEachStatement(), string(rows.Append(nil)))); err != nil {
			return err
		}
		events = events[n:]
	}
	return nil
}

// RecordsToLog lists records that are in no leaf.
func (s *Store) RecordsToLog(ctx context.Context, limit int) ([]origin.Record, error) {
	query := "SELECT " + recordTable.columnsOf("r") + ` FROM ledger_waiting w
		CROSS JOIN records r ON r.entry_id = w.entry_id AND r.version = w.version ORDER BY w.created, w.entry_id, w.version LIMIT ?1`
	return queryAll(ctx, s, recordTable.scan(), read("list records to log", query, int64(limit)))
}

// PoliciesToLog lists policy versions that are in no leaf.
func (s *Store) PoliciesToLog(ctx context.Context, limit int) ([]origin.PolicyMark, error) {
	const query = `SELECT p.site_id, p.version, replace(p.digest, 'sha-256:', ''), p.effective_from FROM policy_history p
		LEFT JOIN ledger_events e ON e.kind = 'policy' AND e.site_id = p.site_id AND e.version = p.version
		WHERE e.position IS NULL ORDER BY p.effective_from, p.site_id, p.version LIMIT ?1`
	return queryAll(ctx, s, scanPolicyMark, read("list policies to log", query, int64(limit)))
}

// LoggedRecords lists the logged versions of the records of some entries of a site.
func (s *Store) LoggedRecords(ctx context.Context, siteID string, entryIDs []string) ([]origin.LoggedRecord, error) {
	const query = `SELECT entry_id, version, position FROM ledger_events
		WHERE kind = 'record' AND site_id = ?2 AND entry_id IN ` + batchKeys + " ORDER BY entry_id, version"
	return queryAll(ctx, s, scanLogged, read("list logged records", query, joinList(entryIDs), siteID))
}

// LedgerCheckpoints lists them by size.
func (s *Store) LedgerCheckpoints(ctx context.Context) ([]origin.LedgerCheckpoint, error) {
	return checkpointTable.list(ctx, s, "list checkpoints", "ORDER BY size")
}

// AddCheckpoint adds one.
func (s *Store) AddCheckpoint(ctx context.Context, c origin.LedgerCheckpoint) error {
	return s.insert(ctx, "add a checkpoint", checkpointTable.row(&c))
}

// SetCosigned replaces what is published of a checkpoint.
func (s *Store) SetCosigned(ctx context.Context, size int64, note string) error {
	return s.exec(ctx, write("keep cosignatures", "UPDATE ledger_checkpoints SET cosigned = ?2 WHERE size = ?1", size, note))
}
