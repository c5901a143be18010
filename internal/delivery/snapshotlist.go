package delivery

import (
	"context"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// snapshotPage is a run of lines of a snapshot.
type snapshotPage struct {
	after   string // the entry before the first line
	entries []string
}

// last returns the entry of the last line, or the one before the first line if
// there are no lines.
func (p *snapshotPage) last() string {
	if n := len(p.entries); n > 0 {
		return p.entries[n-1]
	}
	return p.after
}

// snapshotOf reads a snapshot of the buyer with a page of its lines. It treats
// a snapshot that ended, belongs to another buyer or never existed alike, as
// gone.
func (s *Session) snapshotOf(ctx context.Context, id, after string, limit int) (origin.Snapshot, snapshotPage, error) {
	x, entries, err := s.Store.Snapshot(ctx, s.Buyer.BuyerID, id, after, limit)
	if isMissing(err) || err == nil && x.ExpiresAt <= exports.Instant(s.Now()) {
		err = ErrSnapshotGone
	}
	return x, snapshotPage{after, entries}, err
}

// listSnapshot lists the items of a snapshot: each as it is now, or as a
// tombstone.
func (l *listing) listSnapshot(ctx context.Context, at position) (func(emit func(Event) error) (Result, error), error) {
	x, page, err := l.snapshotOf(ctx, l.q.Snapshot, at.entry, bodyRows)
	if err != nil {
		return nil, err
	}
	sc := scopeOf(&x)
	return func(emit func(Event) error) (Result, error) {
		l.emit = emit
		err := l.listPages(ctx, sc, page)
		return l.result, err
	}, nil
}

// listPages lists a page of a snapshot and those after it.
func (l *listing) listPages(ctx context.Context, sc scope, page snapshotPage) error {
	for {
		after, err := l.listPage(ctx, sc, page)
		if err != nil {
			return err
		}
		whole := after == page.last()
		if whole && len(page.entries) < bodyRows {
			return nil
		}
		if l.isFull() {
			l.result.Next = encodeCursor(position{entry: after}, l.mark)
			return nil
		}
		_, page, err = l.snapshotOf(ctx, l.q.Snapshot, after, bodyRows)
		if err != nil {
			return err
		}
	}
}

// listPage lists a page of a snapshot until the answer is full. It returns the
// entry after which to continue.
func (l *listing) listPage(ctx context.Context, sc scope, page snapshotPage) (string, error) {
	if err := l.renewRights(ctx); err != nil {
		return page.after, err
	}
	items, err := l.itemsByID(ctx, page.entries)
	if err != nil {
		return page.after, err
	}
	entries := page.entries[:min(len(page.entries), l.q.Limit-int(l.result.Count))]
	n, err := l.writeRows(ctx, &snapshotRows{listing: l, scope: sc, entries: entries, items: items, chosen: make([]choice, len(entries))})
	if n == 0 {
		return page.after, err
	}
	return entries[n-1], err
}

// snapshotRows are lines of a snapshot.
type snapshotRows struct {
	*listing
	scope   scope
	entries []string
	items   map[string]*origin.Item
	chosen  []choice
}

func (r *snapshotRows) count() int { return len(r.entries) }

func (r *snapshotRows) choose(i int) (rights.Permit, int64, bool) {
	item := r.items[r.entries[i]]
	c := &r.chosen[i]
	*c = r.chooseItem(r.scope, item)
	return c.permit, c.size, c.reason == "" && !r.q.Meta
}

func (r *snapshotRows) tell(i int, together bool) error {
	c := &r.chosen[i]
	if c.reason != "" {
		return r.bury(i, c.reason, together)
	}
	item := c.permit.Item()
	return r.deliver(i, &item, together)
}

func (r *snapshotRows) deliver(i int, item *exports.Item, together bool) error {
	r.rows++
	r.result.Count++
	return r.emit(Event{Item: item, Cursor: r.cursor(i), Together: together})
}

func (r *snapshotRows) withhold(i int, reason string) error { return r.bury(i, reason, false) }

// bury writes a tombstone instead of an item.
func (r *snapshotRows) bury(i int, reason string, together bool) error {
	r.rows++
	r.result.Count++
	t := r.newTombstone(r.entries[i], reason, nil)
	return r.emit(Event{Tombstone: &t, Cursor: r.cursor(i), Together: together})
}

// cursor returns the cursor that continues after a line.
func (r *snapshotRows) cursor(i int) string {
	return encodeCursor(position{"", r.entries[i]}, r.mark)
}

// choice is the decision about an item before its text is opened.
type choice struct {
	permit rights.Permit
	size   int64  // bytes of its text
	reason string // why there is no permit
}

// chooseItem decides about an item in a scope as it is now.
func (s *Session) chooseItem(sc scope, item *origin.Item) choice {
	if item == nil {
		return choice{reason: "entry_withdrawn"}
	}
	use, reason := s.useInScope(sc, item)
	if reason != "" {
		return choice{reason: reason}
	}
	p, denial := s.decideItem(item, use)
	if denial != "" {
		return choice{reason: denial}
	}
	return choice{permit: p, size: item.Bytes}
}
