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
	Together  bool   // the next event was opened at the same moment: both are to be sent at once
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
	err = l.listLive(ctx, at)
	return l.result, err
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

// listLive lists what the buyer may have now, after a place.
func (l *listing) listLive(ctx context.Context, at position) error {
	sites := sitesFrom(sitesOf(l.activeGrants(l.q.Sources)), at.site)
	for len(sites) > 0 {
		if sites[0] != at.site {
			at = position{site: sites[0]}
		}
		if l.full() {
			l.stop(at)
			return nil
		}
		if err := l.freshRights(ctx); err != nil {
			return err
		}
		n := l.size()
		items, err := l.readRows(ctx, sites, at, n)
		if err != nil {
			return err
		}
		listed, err := l.listRows(ctx, items)
		if err != nil {
			return err
		}
		whole := at.entry == "" // the rows were of all sites
		if listed > 0 {
			at = position{items[listed-1].SiteID, items[listed-1].EntryID}
		}
		switch {
		case listed < len(items):
			l.stop(at)
			return nil
		case len(items) == n:
			sites = sitesFrom(sites, at.site)
		case whole:
			return nil
		default:
			sites = sites[1:]
		}
	}
	return nil
}

// stop ends an answer that is full at a place.
func (l *listing) stop(at position) {
	if l.q.Limit > 0 {
		l.result.Next = encodeCursor(at, l.mark)
	}
}

// sitesFrom are the sites from one on.
func sitesFrom(sites []string, first string) []string {
	for len(sites) > 0 && sites[0] < first {
		sites = sites[1:]
	}
	return sites
}

// readRows reads the next rows: those of the site at the place, or the first ones
// of all sites where the place is at the beginning of one.
func (l *listing) readRows(ctx context.Context, sites []string, at position, n int) ([]origin.Item, error) {
	if at.entry == "" {
		return l.Store.ItemsOf(ctx, sites, n)
	}
	return l.Store.Items(ctx, at.site, at.entry, n)
}

// listRows lists rows until the answer is full, and returns how many.
func (l *listing) listRows(ctx context.Context, items []origin.Item) (int, error) {
	listed := 0
	for listed < len(items) && !l.full() {
		if err := l.renewRights(ctx); err != nil {
			return listed, err
		}
		n, err := l.listSome(ctx, items[listed:])
		if err != nil {
			return listed, err
		}
		listed += n
	}
	return listed, nil
}

// freshRights reads the rights again once anything was listed by them.
func (l *listing) freshRights(ctx context.Context) error {
	if l.rows == 0 {
		return l.renewRights(ctx)
	}
	return l.readRights(ctx)
}

// size is how many rows to read next: no more than can be used while the
// decision about them is fresh.
func (l *listing) size() int {
	if l.q.Meta || len(l.topic) > 0 {
		return bodyRows * 10
	}
	return bodyRows
}

// maxTogether is how many bodies are opened at once.
const maxTogether = 20

// listSome delivers the first of some items, those whose bodies can be opened
// together, and returns how many it dealt with, at least one.
func (l *listing) listSome(ctx context.Context, items []origin.Item) (int, error) {
	if l.q.Meta {
		return 1, l.listMeta(&items[0])
	}
	batch := l.gather(items)
	if len(batch.permits) == 0 {
		l.pass(items[:batch.rows])
		return batch.rows, nil
	}
	opened, err := l.Bodies.Together(ctx, batch.permits, l.q.Form)
	if err != nil {
		return 0, err
	}
	if len(opened) == 0 {
		first := batch.places[0]
		l.pass(items[:first+1])
		return first + 1, l.listAgain(ctx, batch.permits[0])
	}
	for i := range opened {
		l.bodies++
		l.bytes += int64(len(opened[i].Text))
	}
	dealt := 0
	for i := range opened {
		l.pass(items[dealt : batch.places[i]+1])
		dealt = batch.places[i] + 1
		item := batch.permits[i].WithBody(opened[i])
		if err := l.emitItem(&item, i < len(opened)-1); err != nil {
			return 0, err
		}
	}
	if len(opened) == len(batch.permits) {
		l.pass(items[dealt:batch.rows])
		dealt = batch.rows
	}
	return dealt, nil
}

// batch is what of some rows is opened together.
type batch struct {
	permits []rights.Permit
	places  []int // of each permit, among the rows
	rows    int   // looked at
}

// gather takes the rows that are asked for and permitted, until as many are
// found as may be opened at once or the answer is full with them.
func (l *listing) gather(items []origin.Item) batch {
	var b batch
	var size int64
	for b.rows < len(items) {
		n := len(b.permits)
		full := l.result.Count+int64(n) >= int64(l.q.Limit) || l.Budget.spent(l.rows+b.rows, l.bodies+n, l.bytes+size)
		item := &items[b.rows]
		if full || n == maxTogether || n > 0 && size+item.Bytes > rights.MaxTogether {
			return b
		}
		if p, ok := l.permit(item); ok {
			b.permits = append(b.permits, p)
			b.places = append(b.places, b.rows)
			size += item.Bytes
		}
		b.rows++
	}
	return b
}

// permit decides about an item if it is asked for.
func (l *listing) permit(item *origin.Item) (rights.Permit, bool) {
	if !l.matches(item) {
		return rights.Permit{}, false
	}
	p, denial := l.decide(item, l.q.Use)
	return p, denial == nil
}

// pass notes that rows were dealt with.
func (l *listing) pass(items []origin.Item) {
	if len(items) == 0 {
		return
	}
	last := &items[len(items)-1]
	l.rows += len(items)
	l.last = encodeCursor(position{last.SiteID, last.EntryID}, l.mark)
}

// listMeta delivers an item without its content.
func (l *listing) listMeta(item *origin.Item) error {
	l.pass([]origin.Item{*item})
	p, ok := l.permit(item)
	if !ok {
		return nil
	}
	out := p.Item()
	return l.emitItem(&out, false)
}

// listAgain delivers an item whose permit opened nothing any more, or says why
// it does not.
func (l *listing) listAgain(ctx context.Context, p rights.Permit) error {
	out, denial, err := l.readContent(ctx, p)
	switch {
	case err != nil:
		return err
	case denial != nil:
		return l.emit(Event{Withheld: &exports.Withheld{ItemID: exports.ItemID(p.Entry()), Reason: denial.Reason}, Cursor: l.last})
	}
	return l.emitItem(out, false)
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

// emitItem gives an item out; together tells that the next one was opened with it.
func (l *listing) emitItem(item *exports.Item, together bool) error {
	l.result.Count++
	return l.emit(Event{Item: item, Cursor: l.last, Together: together})
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
