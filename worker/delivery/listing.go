package delivery

import (
	"context"
	"slices"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// Query asks for items.
type Query struct {
	Sources      []string // grants and sites; all when empty
	Topic        string
	Use          exports.Use
	UpdatedSince string
	Form         string // one of exports.ContentForms
	Meta         bool   // metadata alone
	Snapshot     string // read through it, "" live
	Limit        int
	Cursor       string
}

// mark tells a query from others, so that its cursors are only taken back
// by itself.
func (q *Query) mark(buyerID string) string {
	return exports.CursorMark(append([]string{buyerID, q.Topic, string(q.Use), q.UpdatedSince, q.Snapshot}, q.Sources...)...)
}

// Event is one line of a listing: an item, or, in a listing of a
// snapshot, what is left of one, or an item whose right ended at that moment.
type Event struct {
	Item      *exports.Item
	Tombstone *exports.Tombstone
	Withheld  *exports.Withheld
	Cursor    string // where to go on after it
}

// Result tells how a listing ended.
type Result struct {
	Count int64
	Next  string // cursor, "" at the end
}

// bodyRows is how many rows are read at once.
const bodyRows = 50

// listing is the answer to one query on its way.
type listing struct {
	*Session
	q      *Query
	mark   string
	topic  topic
	emit   func(Event) error
	result Result
	last   string // cursor of the last row seen
	rows   int
	bodies int
	bytes  int64
}

// full reports whether the answer is as long as it may get.
func (l *listing) full() bool {
	return l.expired() || l.result.Count >= int64(l.q.Limit) || l.Budget.spent(l.rows, l.bodies, l.bytes)
}

// List gives emit what the buyer may have now, item after item. ErrInactive
// when no grant is in force.
func (s *Session) List(ctx context.Context, q *Query, emit func(Event) error) (Result, error) {
	l := &listing{Session: s, q: q, mark: q.mark(s.Buyer.BuyerID), topic: topicOf(q.Topic), emit: emit}
	at, err := parseCursor(q.Cursor, l.mark)
	if err != nil {
		return Result{}, err
	}
	if q.Snapshot != "" {
		return l.listSnapshot(ctx, at)
	}
	if len(s.activeGrants(q.Sources)) == 0 {
		return Result{}, ErrInactive
	}
	for _, site := range sitesOf(s.activeGrants(q.Sources)) {
		if site < at.site {
			continue
		}
		after := ""
		if site == at.site {
			after = at.entry
		}
		if more, err := l.listSite(ctx, site, after); more || err != nil {
			l.result.Next = l.last
			return l.result, err
		}
	}
	return l.result, nil
}

// Validate reports, before the first byte of an answer, what would be wrong with
// a query: its cursor, its snapshot, or that there is no right at all.
func (s *Session) Validate(ctx context.Context, q *Query) error {
	if _, err := parseCursor(q.Cursor, q.mark(s.Buyer.BuyerID)); err != nil {
		return err
	}
	if q.Snapshot != "" {
		_, err := s.snapshotOf(ctx, q.Snapshot)
		return err
	}
	if len(s.activeGrants(q.Sources)) == 0 {
		return ErrInactive
	}
	return nil
}

func sitesOf(grants []*origin.Grant) []string {
	var sites []string
	for _, g := range grants {
		sites = append(sites, g.Sites...)
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}

// listSite lists one site; more tells that the answer is full before its end.
func (l *listing) listSite(ctx context.Context, site, after string) (more bool, err error) {
	for {
		if l.full() {
			if l.last == "" {
				l.last = encodeCursor(position{site, after}, l.mark)
			}
			return l.q.Limit > 0, nil
		}
		if err := l.readRights(ctx); err != nil {
			return false, err
		}
		n := l.size()
		items, err := l.Store.Items(ctx, site, after, n)
		if err != nil {
			return false, err
		}
		for i := range items {
			if l.full() {
				return true, nil
			}
			if err := l.renewRights(ctx); err != nil {
				return false, err
			}
			item := &items[i]
			after = item.EntryID
			l.rows++
			l.last = encodeCursor(position{site, after}, l.mark)
			if err := l.listItem(ctx, item); err != nil {
				return false, err
			}
		}
		if len(items) < n {
			return false, nil
		}
	}
}

// size is how many rows to read next: no more than can be used while the
// decision about them is fresh.
func (l *listing) size() int {
	if l.q.Meta || len(l.topic) > 0 {
		return bodyRows * 10
	}
	return bodyRows
}

// listItem delivers one item if it is asked for and permitted.
func (l *listing) listItem(ctx context.Context, item *origin.Item) error {
	if !l.matches(item) {
		return nil
	}
	p, denial := l.decide(item, l.q.Use)
	if denial != nil {
		return nil
	}
	if l.q.Meta {
		out := p.Item()
		return l.emitItem(&out)
	}
	out, denial, err := l.readContent(ctx, p)
	switch {
	case err != nil:
		return err
	case denial != nil:
		return l.emit(Event{Withheld: &exports.Withheld{ItemID: exports.ItemID(item.EntryID), Reason: denial.Reason}, Cursor: l.last})
	}
	return l.emitItem(out)
}

// readContent reads the body that a permit opens.
func (l *listing) readContent(ctx context.Context, p rights.Permit) (*exports.Item, *rights.Denial, error) {
	l.bodies++
	out, denial, err := l.readBody(ctx, p, l.q.Form)
	if out != nil {
		l.bytes += int64(len(out.Content.Text))
	}
	return out, denial, err
}

func (l *listing) emitItem(item *exports.Item) error {
	l.result.Count++
	return l.emit(Event{Item: item, Cursor: l.last})
}

// matches reports whether an item answers the query, rights aside.
func (l *listing) matches(item *origin.Item) bool {
	if len(l.q.Sources) > 0 {
		check := rights.CheckGrants(&l.Buyer, l.Grants, item, exports.Instant(l.at), nil)
		if !fromSources(l.q.Sources, check.IDs(), item.SiteID) {
			return false
		}
	}
	if l.q.UpdatedSince != "" && item.ModifiedAt < l.q.UpdatedSince {
		return false
	}
	return l.topic.matches(item)
}

// listSnapshot lists the items of a snapshot: each as it is now, or as a
// tombstone.
func (l *listing) listSnapshot(ctx context.Context, at position) (Result, error) {
	x, err := l.snapshotOf(ctx, l.q.Snapshot)
	if err != nil {
		return Result{}, err
	}
	after := at.entry
	for {
		if l.full() {
			l.result.Next = encodeCursor(position{"", after}, l.mark)
			if after == "" {
				l.result.Next = "*"
			}
			return l.result, nil
		}
		lines, err := l.Store.SnapshotItems(ctx, x.SnapshotID, after, bodyRows)
		if err != nil {
			return l.result, err
		}
		items, err := l.byID(ctx, lines)
		if err != nil {
			return l.result, err
		}
		for _, line := range lines {
			if l.full() {
				break
			}
			after = line.EntryID
			l.rows++
			l.last = encodeCursor(position{"", after}, l.mark)
			if err := l.listSnapshotItem(ctx, &x, line.EntryID, items[line.EntryID]); err != nil {
				return l.result, err
			}
		}
		if len(lines) < bodyRows && (len(lines) == 0 || after == lines[len(lines)-1].EntryID) {
			return l.result, nil
		}
	}
}

// byID reads the items of lines, after the rights of the buyer.
func (l *listing) byID(ctx context.Context, lines []origin.SnapshotItem) (map[string]*origin.Item, error) {
	ids := make([]string, len(lines))
	for i := range lines {
		ids[i] = lines[i].EntryID
	}
	return l.items(ctx, ids)
}

// items reads rights and items as they are now.
func (s *Session) items(ctx context.Context, ids []string) (map[string]*origin.Item, error) {
	if err := s.readRights(ctx); err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, nil
	}
	items, err := s.Store.ItemsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[string]*origin.Item, len(items))
	for i := range items {
		out[items[i].EntryID] = &items[i]
	}
	return out, nil
}

// listSnapshotItem gives one line of a snapshot as it is now.
func (l *listing) listSnapshotItem(ctx context.Context, x *origin.Snapshot, entryID string, item *origin.Item) error {
	l.result.Count++
	out, reason, err := l.currentItem(ctx, scopeOf(x), item)
	if err != nil {
		return err
	}
	if out != nil {
		return l.emit(Event{Item: out, Cursor: l.last})
	}
	t := l.tombstone(entryID, reason, nil)
	return l.emit(Event{Tombstone: &t, Cursor: l.last})
}

// currentItem is an item in a scope as it is now, or the reason why it is none.
func (l *listing) currentItem(ctx context.Context, sc scope, item *origin.Item) (*exports.Item, string, error) {
	if item == nil {
		return nil, "entry_withdrawn", nil
	}
	use, reason := l.useInScope(sc, item)
	if reason != "" {
		return nil, reason, nil
	}
	p, denial := l.decide(item, use)
	if denial != nil {
		return nil, denial.Reason, nil
	}
	if l.q.Meta {
		out := p.Item()
		return &out, "", nil
	}
	out, denial, err := l.readContent(ctx, p)
	if denial != nil {
		return nil, denial.Reason, nil
	}
	return out, "", err
}
