package delivery

import (
	"context"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// tombstoneDays is how long a tombstone is kept after the right has ended.
const tombstoneDays = 400

// Snapshot makes a logical snapshot of the items that the buyer holds: ids,
// editions and digests. If the key was used before for the same snapshot, it
// returns that one and true. It returns ErrKeyReused if the key was used for
// another snapshot, ErrBusy if the comparison needs another call to finish, and
// ErrTooMany if the buyer holds more items than the budget allows.
func (s *Session) Snapshot(ctx context.Context, n *exports.NewSnapshot, key, fingerprint string) (exports.Snapshot, bool, error) {
	first, again, err := s.snapshotByKey(ctx, key, fingerprint)
	if again || err != nil {
		return first, again, err
	}
	if err := s.prepareSnapshot(ctx, n); err != nil {
		return first, again, err
	}
	x, err := s.listHeld(ctx, n, key, fingerprint)
	if err != nil {
		return first, again, err
	}
	added, err := s.Store.AddSnapshot(ctx, x)
	if err == nil && !added {
		return s.snapshotByKey(ctx, key, fingerprint)
	}
	return describeSnapshot(&x), again, err
}

// prepareSnapshot updates what the buyer was told it holds, and returns an
// error unless a snapshot can be made of that.
func (s *Session) prepareSnapshot(ctx context.Context, n *exports.NewSnapshot) error {
	if len(s.activeGrants(n.Sources)) == 0 {
		return ErrInactive
	}
	if err := s.dropExpired(ctx); err != nil {
		return err
	}
	compared, err := s.Compare(ctx)
	if err != nil {
		return err
	}
	if !compared {
		return ErrBusy
	}
	held, err := s.Store.CountHeld(ctx, s.Buyer.BuyerID)
	if most := s.Budget.Leaves; most > 0 && held > most {
		return ErrTooMany
	}
	return err
}

// listHeld returns the items of a new snapshot. It reads the sequence first, so
// that the delta repeats what happens while they are listed.
func (s *Session) listHeld(ctx context.Context, n *exports.NewSnapshot, key, fingerprint string) (origin.Snapshot, error) {
	f, err := s.Store.Feed(ctx, s.Buyer.BuyerID)
	if err != nil {
		return origin.Snapshot{}, err
	}
	uses, days := rights.UseBits(n.Uses), n.Days
	if uses == 0 {
		uses = retrievalUses
	}
	if days < 0 {
		days = 90
	}
	x := origin.Snapshot{
		SnapshotID: exports.PrefixSnapshot + s.Decision()[len(exports.PrefixDecision):], BuyerID: s.Buyer.BuyerID, Key: key, Fingerprint: fingerprint,
		Label: n.Label, Sources: n.Sources, Topic: n.Topic, Uses: uses, Sequence: f.Sequence,
		CreatedAt: exports.Instant(s.at), ExpiresAt: exports.Instant(s.at.Add(time.Duration(days) * 24 * time.Hour)),
	}
	var root Root
	var lines []origin.SnapshotItem
	_, err = s.eachHeld(ctx, scopeOf(&x), func(h *origin.Holding) error {
		root.addEntry(h.EntryID, h.Version, h.Digest)
		lines = append(lines, origin.SnapshotItem{EntryID: h.EntryID, Version: h.Version, Digest: h.Digest, Sequence: h.Told})
		if len(lines) < compareRows {
			return nil
		}
		full := lines
		lines = nil
		return s.Store.AddSnapshotItems(ctx, x.SnapshotID, full)
	})
	if err != nil {
		return x, err
	}
	x.Items, x.Root = root.Size(), root.String()
	return x, s.Store.AddSnapshotItems(ctx, x.SnapshotID, lines)
}

// snapshotByKey returns the snapshot that was made with an Idempotency-Key.
func (s *Session) snapshotByKey(ctx context.Context, key, fingerprint string) (exports.Snapshot, bool, error) {
	x, err := s.Store.SnapshotByKey(ctx, s.Buyer.BuyerID, key)
	if isMissing(err) {
		return exports.Snapshot{}, false, nil
	}
	if err == nil && x.Fingerprint != fingerprint {
		err = ErrKeyReused
	}
	return describeSnapshot(&x), err == nil, err
}

// describeSnapshot returns a snapshot as its buyer sees it.
func describeSnapshot(x *origin.Snapshot) exports.Snapshot {
	return exports.Snapshot{
		SnapshotID: x.SnapshotID, Label: x.Label, Scope: exports.NewSnapshot{Sources: x.Sources, Topic: x.Topic, Uses: rights.UseList(x.Uses)},
		CreatedAt: x.CreatedAt, ExpiresAt: x.ExpiresAt, Sequence: x.Sequence, Items: x.Items, Root: x.Root,
	}
}

// dropExpired deletes tombstones and snapshots that nobody can need any longer.
func (s *Session) dropExpired(ctx context.Context) error {
	if _, err := s.Store.DropSnapshots(ctx, exports.Instant(s.at)); err != nil {
		return err
	}
	_, err := s.Store.ForgetTombstones(ctx, s.Buyer.BuyerID, exports.Instant(s.at.Add(-tombstoneDays*24*time.Hour)))
	return err
}
