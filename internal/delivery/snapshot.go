package delivery

import (
	"context"
	"errors"
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
	if key != "" {
		if first, again, err := s.snapshotByKey(ctx, key, fingerprint); again || err != nil {
			return first, again, err
		}
	}
	if len(s.activeGrants(n.Sources)) == 0 {
		return exports.Snapshot{}, false, ErrInactive
	}
	if err := s.dropExpired(ctx); err != nil {
		return exports.Snapshot{}, false, err
	}
	compared, err := s.Compare(ctx)
	if err != nil {
		return exports.Snapshot{}, false, err
	}
	if !compared {
		return exports.Snapshot{}, false, ErrBusy
	}
	if held, err := s.Store.CountHeld(ctx, s.Buyer.BuyerID); err != nil || s.Budget.Leaves > 0 && held > s.Budget.Leaves {
		return exports.Snapshot{}, false, errors.Join(err, ErrTooMany)
	}
	x, err := s.listHeld(ctx, n, key, fingerprint)
	if err != nil {
		return exports.Snapshot{}, false, err
	}
	added, err := s.Store.AddSnapshot(ctx, x)
	if err != nil || added {
		return describeSnapshot(&x), false, err
	}
	return s.snapshotByKey(ctx, key, fingerprint)
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
	flush := func(least int) error {
		if len(lines) < least {
			return nil
		}
		err := s.Store.AddSnapshotItems(ctx, x.SnapshotID, lines)
		lines = lines[:0]
		return err
	}
	_, err = s.eachHeld(ctx, scopeOf(&x), func(h *origin.Holding) error {
		root.addEntry(h.EntryID, h.Version, h.Digest)
		lines = append(lines, origin.SnapshotItem{EntryID: h.EntryID, Version: h.Version, Digest: h.Digest, Sequence: h.Told})
		return flush(compareRows)
	})
	if err == nil {
		err = flush(1)
	}
	x.Items, x.Root = root.Size(), root.String()
	return x, err
}

// snapshotByKey returns the snapshot that was made with an Idempotency-Key.
func (s *Session) snapshotByKey(ctx context.Context, key, fingerprint string) (exports.Snapshot, bool, error) {
	x, err := s.Store.SnapshotByKey(ctx, s.Buyer.BuyerID, key)
	switch {
	case isMissing(err):
		return exports.Snapshot{}, false, nil
	case err != nil:
		return exports.Snapshot{}, false, err
	case x.Fingerprint != fingerprint:
		return exports.Snapshot{}, false, ErrKeyReused
	}
	return describeSnapshot(&x), true, nil
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
