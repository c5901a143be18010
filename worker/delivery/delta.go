package delivery

import (
	"context"
	"encoding/base64"
	"slices"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// DeltaQuery asks for a delta.
type DeltaQuery struct {
	Since string // cursor or snapshot; "" the beginning
	Meta  bool
	Limit int
}

// delta is one on its way.
type delta struct {
	*listing
	from     deltaCursor
	at       int64 // sequence of the last line
	scope    scope
	snapshot *origin.Snapshot
	write    func(wire.Record) error
	count    int
	unsure   bool // live rights moved on while it was written
}

// Delta compares first, then returns a function that writes the lines, a
// checkpoint last. A cursor that is not the buyer's, too old or from the
// future is ErrExpired.
func (s *Session) Delta(ctx context.Context, ask *DeltaQuery) (func(write func(wire.Record) error) error, error) {
	from, fresh, err := parseDeltaCursor(ask.Since)
	if err != nil {
		return nil, err
	}
	d := &delta{listing: &listing{Session: s, q: &Query{Form: "markdown", Meta: ask.Meta, Limit: ask.Limit}}, from: from}
	if from.snapshot != "" {
		x, err := s.snapshotOf(ctx, from.snapshot)
		if err != nil {
			return nil, err
		}
		d.snapshot = &x
		if fresh {
			d.from.sequence = x.Sequence
		}
	}
	d.scope = scopeOf(d.snapshot)
	compared, err := s.Compare(ctx)
	if err != nil {
		return nil, err
	}
	f, err := s.Store.Feed(ctx, s.Buyer.BuyerID)
	if err != nil {
		return nil, err
	}
	if f.Sequence == 0 && d.snapshot == nil && compared && len(s.activeGrants(nil)) == 0 {
		return nil, ErrInactive // never had anything
	}
	if d.from.sequence > f.Sequence || d.from.sequence < f.Floor && d.from.sequence > 0 {
		return nil, ErrExpired
	}
	d.unsure, d.at = !compared, d.from.sequence
	return func(write func(wire.Record) error) error {
		d.write = write
		return d.run(ctx)
	}, nil
}

func (d *delta) run(ctx context.Context) error {
	size := bodyRows
	for {
		if d.count >= d.q.Limit || d.full() {
			d.unsure = true
			return d.checkpoint(ctx)
		}
		events, err := d.Store.EventsSince(ctx, d.Buyer.BuyerID, d.at, min(size, d.q.Limit-d.count))
		if err != nil {
			return err
		}
		if len(events) == 0 {
			return d.checkpoint(ctx)
		}
		if size = bodyRows; !anyHeld(events) {
			size = compareRows // tombstones need no look at anything
		}
		if err := d.writeEvents(ctx, events); err != nil {
			return err
		}
	}
}

func anyHeld(events []origin.Holding) bool {
	return slices.ContainsFunc(events, func(h origin.Holding) bool { return h.State == "held" })
}

// full reports whether the time or a budget is used up.
func (d *delta) full() bool {
	return d.expired() || d.Budget.spent(0, d.bodies, d.bytes)
}

// writeEvents writes a line for each event, as things are now.
func (d *delta) writeEvents(ctx context.Context, events []origin.Holding) error {
	var ids []string
	for i := range events {
		if events[i].State == "held" {
			ids = append(ids, events[i].EntryID)
		}
	}
	var items map[string]*origin.Item
	if len(ids) > 0 {
		var err error
		if items, err = d.items(ctx, ids); err != nil {
			return err
		}
	}
	for i := range events {
		if d.full() {
			return nil
		}
		h := &events[i]
		if err := d.writeEvent(ctx, h, items[h.EntryID]); err != nil {
			return err
		}
		d.at = h.Sequence
		d.count++
	}
	return nil
}

func (d *delta) writeEvent(ctx context.Context, h *origin.Holding, item *origin.Item) error {
	cursor := deltaCursor{h.Sequence, d.from.snapshot}.String()
	if h.State == "gone" {
		return d.write(&exports.Tombstone{
			ItemID: exports.ItemID(h.EntryID), Reason: h.Reason, EffectiveAt: h.EffectiveAt, MustDeleteBy: hoursAfter(h.EffectiveAt, h.DeleteHours),
			Sequence: h.Sequence, Cursor: cursor,
		})
	}
	if h.Told <= d.from.sequence && item != nil {
		if _, reason := d.useInScope(d.scope, item); reason == "" {
			return d.write(&exports.RightsChange{
				ItemID: exports.ItemID(h.EntryID), Sequence: h.Sequence, Cursor: cursor, GrantID: first(h.Grants),
				Uses: rights.UseList(h.Uses), Removed: rights.UseList(h.Lost),
			})
		}
	}
	out, reason, err := d.currentItem(ctx, d.scope, item)
	if err != nil {
		return err
	}
	if out == nil {
		left := !d.scope.holds(h) || item != nil && !d.scope.topic.matches(item)
		d.unsure = d.unsure || !left
		t := d.tombstone(h.EntryID, reason, h.Grants)
		t.Sequence, t.Cursor = h.Sequence, cursor
		return d.write(&t)
	}
	d.unsure = d.unsure || out.Version != h.Version
	out.Sequence = h.Sequence
	return d.write(&exports.Upsert{Change: h.Change, Sequence: h.Sequence, Cursor: cursor, Item: *out})
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// checkpoint ends the answer. It is complete when everything was told and
// nothing happened meanwhile.
func (d *delta) checkpoint(ctx context.Context) error {
	c := exports.Checkpoint{
		BuyerID: d.Buyer.BuyerID, Snapshot: d.from.snapshot, Sequence: d.at, Cursor: deltaCursor{d.at, d.from.snapshot}.String(),
		At: exports.Instant(d.Now()),
	}
	live, err := d.Store.CountHeld(ctx, d.Buyer.BuyerID)
	if err != nil {
		return err
	}
	c.LiveItems = live
	if !d.unsure {
		if err := d.complete(ctx, &c); err != nil {
			return err
		}
	}
	if d.Signer != nil {
		c.KeyID = d.Signer.KeyID()
		signature, err := d.Signer.Sign(c.SigningInput())
		if err != nil {
			return err
		}
		c.Signature = base64.RawURLEncoding.EncodeToString(signature)
	}
	return d.write(&c)
}

// complete adds the root, unless events were written meanwhile.
func (d *delta) complete(ctx context.Context, c *exports.Checkpoint) error {
	counted := d.Budget.Leaves == 0 || c.LiveItems <= d.Budget.Leaves
	var root Root
	if counted {
		err := d.eachHeld(ctx, d.scope, func(h *origin.Holding) error {
			root.entry(h.EntryID, h.Version, h.Digest)
			return nil
		})
		if err != nil {
			return err
		}
	}
	f, err := d.Store.Feed(ctx, d.Buyer.BuyerID)
	if err != nil || f.Sequence != max(d.at, d.from.sequence) {
		return err
	}
	c.Complete = true
	if counted {
		c.LiveItems, c.Root = root.Size(), root.String()
	}
	return nil
}

// eachHeld gives take what the buyer was told it holds in a scope, in the
// order of entries.
func (s *Session) eachHeld(ctx context.Context, sc scope, take func(*origin.Holding) error) error {
	for after := ""; ; {
		held, err := s.Store.Held(ctx, s.Buyer.BuyerID, after, compareRows)
		if err != nil {
			return err
		}
		on, err := s.itemsOnTopic(ctx, sc, held)
		if err != nil {
			return err
		}
		for i := range held {
			h := &held[i]
			if sc.holds(h) && (on == nil || on[h.EntryID]) {
				if err := take(h); err != nil {
					return err
				}
			}
		}
		if len(held) < compareRows {
			return nil
		}
		after = held[len(held)-1].EntryID
	}
}

// itemsOnTopic tells which of the rows are about the topic of a scope; nil: all.
func (s *Session) itemsOnTopic(ctx context.Context, sc scope, held []origin.Holding) (map[string]bool, error) {
	if len(sc.topic) == 0 {
		return nil, nil
	}
	ids := make([]string, len(held))
	for i := range held {
		ids[i] = held[i].EntryID
	}
	items, err := s.Store.ItemsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	on := map[string]bool{}
	for i := range items {
		on[items[i].EntryID] = sc.topic.matches(&items[i])
	}
	return on, nil
}
