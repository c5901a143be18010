package originsql

import (
	"context"
	"errors"
	"strconv"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

var snapshotTable = table{"snapshots", 1, []string{
	"snapshot_id", "buyer_id", "idempotency_key", "fingerprint", "label", "sources", "topic", "uses", "sequence", "items", "root",
	"created_at", "expires_at",
}}

func scanSnapshot(r scanner) (x origin.Snapshot, err error) {
	err = r.Scan(&x.SnapshotID, &x.BuyerID, nullable{&x.Key}, &x.Fingerprint, &x.Label, words{&x.Sources}, &x.Topic, &x.Uses, &x.Sequence,
		&x.Items, &x.Root, &x.CreatedAt, &x.ExpiresAt)
	return x, err
}

func scanSnapshotItem(r scanner) (x origin.SnapshotItem, err error) {
	err = r.Scan(&x.EntryID, &x.Version, &x.Digest, &x.Sequence)
	return x, err
}

func isMissing(err error) bool { return errors.Is(err, origin.ErrNotFound) }

// AddSnapshot stores a snapshot unless its key is taken.
func (s *Store) AddSnapshot(ctx context.Context, x origin.Snapshot) (bool, error) {
	return s.changed(ctx, "add a snapshot", snapshotTable.insert()+" ON CONFLICT DO NOTHING RETURNING snapshot_id", x.SnapshotID, x.BuyerID,
		orNull(x.Key), x.Fingerprint, x.Label, joined(x.Sources), x.Topic, x.Uses, x.Sequence, x.Items, x.Root, x.CreatedAt, x.ExpiresAt)
}

// AddSnapshotItems adds lines to a snapshot to come.
func (s *Store) AddSnapshotItems(ctx context.Context, snapshotID string, items []origin.SnapshotItem) error {
	const query = `INSERT INTO snapshot_items (snapshot_id, entry_id, version, digest, sequence)
		SELECT ?1, value ->> 0, CAST(value ->> 1 AS BIGINT), value ->> 2, CAST(value ->> 3 AS BIGINT) FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING`
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
	return s.exec(ctx, "list a snapshot", query, snapshotID, string(append(b, ']')))
}

// Snapshot returns one of the buyer's.
func (s *Store) Snapshot(ctx context.Context, buyerID, snapshotID string) (origin.Snapshot, error) {
	return one(ctx, s.db, "read a snapshot", scanSnapshot, snapshotTable.selectWhere("WHERE snapshot_id = ?2 AND buyer_id = ?1"), buyerID, snapshotID)
}

// SnapshotByKey returns the one that holds an Idempotency-Key.
func (s *Store) SnapshotByKey(ctx context.Context, buyerID, key string) (origin.Snapshot, error) {
	return one(ctx, s.db, "read a snapshot", scanSnapshot, snapshotTable.selectWhere("WHERE buyer_id = ?1 AND idempotency_key = ?2"), buyerID, key)
}

// SnapshotItems lists the items of a snapshot.
func (s *Store) SnapshotItems(ctx context.Context, snapshotID, after string, limit int) ([]origin.SnapshotItem, error) {
	const query = "SELECT entry_id, version, digest, sequence FROM snapshot_items WHERE snapshot_id = ?1 AND entry_id > ?2 ORDER BY entry_id LIMIT ?3"
	return many(ctx, s.db, "list a snapshot", scanSnapshotItem, query, snapshotID, after, int64(limit))
}

// DropSnapshots removes those that ended, their items first.
func (s *Store) DropSnapshots(ctx context.Context, before string) (int64, error) {
	const items = "DELETE FROM snapshot_items WHERE snapshot_id IN (SELECT snapshot_id FROM snapshots WHERE expires_at < ?1)"
	if err := s.exec(ctx, "drop items of snapshots", items, before); err != nil {
		return 0, err
	}
	return s.count(ctx, "drop snapshots", "DELETE FROM snapshots WHERE expires_at < ?1 RETURNING snapshot_id", before)
}
