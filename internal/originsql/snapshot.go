package originsql

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

var snapshotTable = recordsOf("snapshots", 1, func(x *origin.Snapshot) []column {
	return []column{
		{"snapshot_id", &x.SnapshotID}, {"buyer_id", &x.BuyerID}, {"idempotency_key", nullable{&x.Key}}, {"fingerprint", &x.Fingerprint},
		{"label", &x.Label}, {"sources", words{&x.Sources}}, {"topic", &x.Topic}, {"uses", &x.Uses}, {"sequence", &x.Sequence},
		{"items", &x.Items}, {"root", &x.Root}, {"created_at", &x.CreatedAt}, {"expires_at", &x.ExpiresAt},
	}
})

func isMissing(err error) bool { return errors.Is(err, origin.ErrNotFound) }

// AddSnapshot stores a snapshot unless its key is taken.
func (s *Store) AddSnapshot(ctx context.Context, x origin.Snapshot) (bool, error) {
	r := snapshotTable.row(&x)
	return s.execChanged(ctx, write("add a snapshot", r.insertSelect()+" WHERE true ON CONFLICT DO NOTHING RETURNING snapshot_id", r.cells...))
}

// AddSnapshotItems adds lines to a snapshot that is stored later.
func (s *Store) AddSnapshotItems(ctx context.Context, snapshotID string, items []origin.SnapshotItem) error {
	const query = `INSERT INTO snapshot_items (snapshot_id, entry_id, version, digest, sequence)
		SELECT ?1, value ->> 0, CAST(value ->> 1 AS BIGINT), value ->> 2, CAST(value ->> 3 AS BIGINT) FROM json_each(?2) AS r WHERE true ON CONFLICT DO NOTHING`
	b := []byte{'['}
	for i, x := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(wire.AppendString(append(b, '['), x.EntryID), ',')
		b = append(strconv.AppendInt(b, x.Version, 10), ',')
		b = append(wire.AppendString(b, x.Digest), ',')
		b = append(strconv.AppendInt(b, x.Sequence, 10), ']')
	}
	return s.exec(ctx, write("list a snapshot", query, snapshotID, string(append(b, ']'))))
}

// Snapshot returns one of the buyer's snapshots and entries of its items, in
// one statement, or origin.ErrNotFound. The entries come in one cell, one line
// each.
func (s *Store) Snapshot(ctx context.Context, buyerID, snapshotID, after string, limit int) (origin.Snapshot, []string, error) {
	const entries = "(SELECT coalesce(group_concat(entry_id, '\n'), '') FROM (SELECT entry_id FROM snapshot_items " +
		"WHERE snapshot_id = ?2 AND entry_id > ?3 ORDER BY entry_id LIMIT ?4) AS listed)"
	query := "SELECT " + snapshotTable.columnList() + ", " + entries + " FROM snapshots WHERE snapshot_id = ?2 AND buyer_id = ?1"
	var lines string
	snapshot := snapshotTable.scan()
	scan := func(r scanner) (origin.Snapshot, error) { return snapshot(further{r, []any{&lines}}) }
	x, err := queryOne(ctx, s, scan, read("read a snapshot", query, buyerID, snapshotID, after, int64(limit)))
	if err != nil || lines == "" {
		return x, nil, err
	}
	return x, strings.Split(lines, "\n"), nil
}

// SnapshotByKey returns the snapshot that holds an Idempotency-Key, or
// origin.ErrNotFound.
func (s *Store) SnapshotByKey(ctx context.Context, buyerID, key string) (origin.Snapshot, error) {
	return snapshotTable.one(ctx, s, "read a snapshot", "WHERE buyer_id = ?1 AND idempotency_key = ?2", buyerID, key)
}

// DropSnapshots removes the snapshots that ended, their items first.
func (s *Store) DropSnapshots(ctx context.Context, before string) (int64, error) {
	const items = "DELETE FROM snapshot_items WHERE snapshot_id IN (SELECT snapshot_id FROM snapshots WHERE expires_at < ?1)"
	if err := s.exec(ctx, write("drop items of snapshots", items, before)); err != nil {
		return 0, err
	}
	return s.execCount(ctx, write("drop snapshots", "DELETE FROM snapshots WHERE expires_at < ?1 RETURNING snapshot_id", before))
}
