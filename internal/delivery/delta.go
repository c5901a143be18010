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

// DeltaQuery is a request for a delta.
type DeltaQuery struct {
	Since string // cursor or snapshot; "" the beginning
	Meta  bool
	Limit int
}

// delta is a delta being written.
type delta struct {
	*listing
	from     deltaCursor
	page     feedPage // the events to report next
	at       int64    // sequence of the last line
	scope    scope
	snapshot *origin.Snapshot
	write    WriteLine
	count    int
	unsure   bool // live rights changed while it was written
}

// WriteLine writes a line of a delta. together means that the next line holds a
// text opened at the same moment, and that both should be sent at once.
type WriteLine func(r wire.Record, together bool) error

// feedPage is a run of events of a feed, with the state of the feed and the
// pages of the events when they were read.
type feedPage struct {
	feed   origin.Feed
	events []origin.Holding
	items  map[string]*origin.Item // by entry id, for events about items held
	size   int                     // how many events were asked for
}

// Delta runs Compare, then returns a function that writes the lines, a
// checkpoint last. It returns ErrSince for a text that is not a cursor, and
// ErrExpired for a cursor that is another buyer's, too old or from the future.
func (s *Session) Delta(ctx context.Context, ask *DeltaQuery) (func(write WriteLine) error, error) {
	from, fresh, err := parseDeltaCursor(ask.Since)
	if err != nil {
		return nil, err
	}
	d := &delta{listing: &listing{Session: s, q: &Query{Form: "markdown", Meta: ask.Meta, Limit: ask.Limit}}, from: from}
	if from.snapshot != "" {
		x, _, err := s.snapshotOf(ctx, from.snapshot, "", 0)
		if err != nil {
			return nil, err
		}
		d.snapshot = &x
		if fresh {
			d.from.sequence = x.Sequence
		}
	}
	d.scope, d.at = scopeOf(d.snapshot), d.from.sequence
	compared, err := s.compareWith(ctx, func() (origin.Feed, error) {
		err := d.readPage(ctx, bodyRows)
		return d.page.feed, err
	})
	if err != nil {
		return nil, err
	}
	if !compared {
		if err := d.readPage(ctx, bodyRows); err != nil {
			return nil, err
		}
	}
	f := &d.page.feed
	if f.Sequence == 0 && d.snapshot == nil && compared && len(s.activeGrants(nil)) == 0 {
		return nil, ErrInactive // it never held anything
	}
	if d.from.isExpired(f.Sequence, f.Floor) {
		return nil, ErrExpired
	}
	d.from.floor = f.Floor
	d.unsure = !compared
	return func(write WriteLine) error {
		d.write = write
		return d.runDelta(ctx)
	}, nil
}

// readPage reads the state of the feed and the events after the last line.
func (d *delta) readPage(ctx context.Context, size int) error {
	size = min(size, d.q.Limit-d.count)
	f, events, items, err := d.Store.FeedSince(ctx, d.Buyer.BuyerID, d.at, size)
	d.page = feedPage{f, events, byID(items), size}
	return err
}

func (d *delta) runDelta(ctx context.Context) error {
	for more := false; !d.isFull(); more = true {
		if more {
			if err := d.readNextPage(ctx); err != nil {
				return err
			}
		}
		if err := d.writeEvents(ctx); err != nil {
			return err
		}
		if len(d.page.events) < d.page.size && d.at == d.page.last(d.at) {
			d.at = max(d.at, d.page.feed.Floor) // the last events may be tombstones that were dropped
			return d.writeCheckpoint(ctx)
		}
	}
	d.unsure = true
	return d.writeCheckpoint(ctx)
}

// readNextPage reads the events after the last line. After tombstones it reads
// many, because they need no further reading.
func (d *delta) readNextPage(ctx context.Context) error {
	size := bodyRows
	if !anyHeld(d.page.events) {
		size = compareRows
	}
	return d.readPage(ctx, size)
}

// last returns the sequence of the last event, or none if there is no event.
func (p *feedPage) last(none int64) int64 {
	if n := len(p.events); n > 0 {
		return p.events[n-1].Sequence
	}
	return none
}

func anyHeld(events []origin.Holding) bool {
	return slices.ContainsFunc(events, func(h origin.Holding) bool { return h.State == "held" })
}

// isFull reports whether the answer is as long as it may get.
func (d *delta) isFull() bool { return d.count >= d.q.Limit || d.listing.isFull() }

// writeEvents writes a line for each event of the page, as things are now.
func (d *delta) writeEvents(ctx context.Context) error {
	if len(d.page.events) == 0 {
		return nil
	}
	if err := d.renewRights(ctx); err != nil {
		return err
	}
	if !d.rightsAgree() {
		// The rights are older than the events, or the events are older than
		// the present.
		if err := d.readRights(ctx); err != nil {
			return err
		}
	}
	rows := &eventRows{delta: d, events: d.page.events, items: d.page.items, chosen: make([]choice, len(d.page.events))}
	_, err := d.writeRows(ctx, rows)
	return err
}

// rightsAgree reports whether the rights at hand lead to what the events say.
// The cursor of a line passes its event for good, so no line may be written
// under rights that are older.
func (d *delta) rightsAgree() bool {
	at := exports.Instant(d.Session.at)
	for i := range d.page.events {
		h := &d.page.events[i]
		item := d.page.items[h.EntryID]
		if item == nil {
			continue // the event is a tombstone
		}
		check := rights.CheckGrants(&d.Buyer, d.Grants, item, at, h.Grants)
		if check.Reason != "" || check.Uses != h.Uses {
			return false
		}
	}
	return true
}

// eventRows are events of a feed, each of which becomes one line.
type eventRows struct {
	*delta
	events []origin.Holding
	items  map[string]*origin.Item
	chosen []choice
}

func (r *eventRows) count() int { return len(r.events) }

func (r *eventRows) choose(i int) (rights.Permit, int64, bool) {
	h := &r.events[i]
	c := &r.chosen[i]
	if h.State == "gone" {
		return rights.Permit{}, 0, false
	}
	*c = r.chooseItem(r.scope, r.items[h.EntryID])
	return c.permit, c.size, c.reason == "" && !r.q.Meta && !r.onlyUsesChanged(h)
}

// onlyUsesChanged reports whether the reader has the current item and needs
// only its uses.
func (r *eventRows) onlyUsesChanged(h *origin.Holding) bool { return h.Told <= r.from.sequence }

func (r *eventRows) tell(i int, together bool) error {
	h, c := &r.events[i], &r.chosen[i]
	switch {
	case h.State == "gone":
		return r.line(i, &exports.Tombstone{
			ItemID: exports.ItemID(h.EntryID), Reason: h.Reason, EffectiveAt: h.EffectiveAt, MustDeleteBy: hoursAfter(h.EffectiveAt, h.DeleteHours),
			Sequence: h.Sequence, Cursor: r.cursor(h),
		}, together)
	case c.reason != "":
		return r.bury(i, c.reason, together)
	case r.onlyUsesChanged(h):
		return r.line(i, &exports.RightsChange{
			ItemID: exports.ItemID(h.EntryID), Sequence: h.Sequence, Cursor: r.cursor(h), GrantID: firstOrEmpty(h.Grants),
			Uses: rights.UseList(h.Uses), Removed: rights.UseList(h.Lost),
		}, together)
	}
	item := c.permit.Item()
	return r.deliver(i, &item, together)
}

func (r *eventRows) deliver(i int, item *exports.Item, together bool) error {
	h := &r.events[i]
	r.unsure = r.unsure || item.Version != h.Version
	item.Sequence = h.Sequence
	return r.line(i, &exports.Upsert{Change: h.Change, Sequence: h.Sequence, Cursor: r.cursor(h), Item: *item}, together)
}

func (r *eventRows) withhold(i int, reason string) error { return r.bury(i, reason, false) }

// bury writes a tombstone for an item that was held when its event was written.
func (r *eventRows) bury(i int, reason string, together bool) error {
	h := &r.events[i]
	item := r.items[h.EntryID]
	left := !r.scope.holdsItem(h) || item != nil && !r.scope.topic.matchesItem(item)
	r.unsure = r.unsure || !left
	t := r.newTombstone(h.EntryID, reason, h.Grants)
	t.Sequence, t.Cursor = h.Sequence, r.cursor(h)
	return r.line(i, &t, together)
}

// line writes the line of an event.
func (r *eventRows) line(i int, record wire.Record, together bool) error {
	if err := r.write(record, together); err != nil {
		return err
	}
	r.delta.at = r.events[i].Sequence
	r.delta.count++
	return nil
}

// cursor returns the cursor that continues after an event.
func (r *eventRows) cursor(h *origin.Holding) string {
	return deltaCursor{h.Sequence, r.from.floor, r.from.snapshot}.String()
}

func firstOrEmpty(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// writeCheckpoint ends the answer. The checkpoint is complete if everything was
// reported and nothing happened meanwhile.
func (d *delta) writeCheckpoint(ctx context.Context) error {
	c := exports.Checkpoint{
		BuyerID: d.Buyer.BuyerID, Snapshot: d.from.snapshot, Sequence: d.at, Cursor: deltaCursor{d.at, d.from.floor, d.from.snapshot}.String(),
		At: exports.Instant(d.Now()),
	}
	if err := d.complete(ctx, &c); err != nil {
		return err
	}
	if d.Signer != nil {
		c.KeyID = d.Signer.KeyID()
		signature, err := d.Signer.Sign(c.SigningInput())
		if err != nil {
			return err
		}
		c.Signature = base64.RawURLEncoding.EncodeToString(signature)
	}
	return d.write(&c, false)
}

// complete sets the number of items held and, unless events were written
// meanwhile, the root.
func (d *delta) complete(ctx context.Context, c *exports.Checkpoint) error {
	most := d.Budget.Leaves
	if most == 0 && !d.unsure {
		return d.addRoot(ctx, c)
	}
	var err error
	if c.HeldItems, err = d.Store.CountHeld(ctx, d.Buyer.BuyerID); err != nil || d.unsure {
		return err
	}
	if c.HeldItems <= most {
		return d.addRoot(ctx, c)
	}
	f, err := d.Store.Feed(ctx, d.Buyer.BuyerID)
	c.Complete = d.toldAll(f.Sequence)
	return err
}

// addRoot counts the items held and, if nothing happened since the last line,
// sets the root over them.
func (d *delta) addRoot(ctx context.Context, c *exports.Checkpoint) error {
	var root Root
	sequence, err := d.eachHeld(ctx, d.scope, func(h *origin.Holding) error {
		root.addEntry(h.EntryID, h.Version, h.Digest)
		return nil
	})
	c.HeldItems = root.Size()
	if d.toldAll(sequence) {
		c.Complete, c.Root = true, root.String()
	}
	return err
}

// toldAll reports whether the last line reported the newest event of a feed.
func (d *delta) toldAll(sequence int64) bool { return sequence == d.at }

// eachHeld calls take with each item that the buyer was told it holds in a
// scope, in the order of entries. It returns the sequence of the feed when the
// last rows were read.
func (s *Session) eachHeld(ctx context.Context, sc scope, take func(*origin.Holding) error) (int64, error) {
	for after := ""; ; {
		held, sequence, err := s.Store.Held(ctx, s.Buyer.BuyerID, after, compareRows)
		if err != nil {
			return 0, err
		}
		on, err := s.itemsOnTopic(ctx, sc, held)
		if err != nil {
			return 0, err
		}
		for i := range held {
			h := &held[i]
			if sc.holdsItem(h) && (on == nil || on[h.EntryID]) {
				if err := take(h); err != nil {
					return 0, err
				}
			}
		}
		if len(held) < compareRows {
			return sequence, nil
		}
		after = held[len(held)-1].EntryID
	}
}

// itemsOnTopic reports which of the rows match the topic of a scope; nil means
// all.
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
		on[items[i].EntryID] = sc.topic.matchesItem(&items[i])
	}
	return on, nil
}
