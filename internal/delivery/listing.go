package delivery

import (
	"context"
	"slices"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/paging"
	"colophon/internal/rights"
)

// Query is a request for items.
type Query struct {
	Sources      []string // grants and sites; all when empty
	Topic        string
	Use          exports.Use
	UpdatedSince string
	Form         string // one of exports.ContentForms
	Meta         bool   // metadata only
	Snapshot     string // list this snapshot, "" lists the live items
	Limit        int
	Cursor       string
}

// queryMark returns a text that distinguishes a query, so that its cursors are
// accepted for that query only.
func (q *Query) queryMark(buyerID string) string {
	return paging.Mark(append([]string{buyerID, q.Topic, string(q.Use), q.UpdatedSince, q.Snapshot}, q.Sources...)...)
}

// Event is one line of a listing: an item, a tombstone (in a listing of a
// snapshot), or an item whose right ended at that moment.
type Event struct {
	Item      *exports.Item
	Tombstone *exports.Tombstone
	Withheld  *exports.Withheld
	Cursor    string // where to continue after it
	Together  bool   // the next event was opened at the same moment: both should be sent at once
}

// Result says how a listing ended.
type Result struct {
	Count int64
	Next  string // cursor, "" at the end
}

// bodyRows is how many rows are read at once.
const bodyRows = 50

// listing is the answer to one query while it is being written.
type listing struct {
	*Session
	q      *Query
	mark   string
	topic  topic
	emit   func(Event) error
	result Result
	rows   int
	bodies int
	bytes  int64
}

// isFull reports whether the answer is as long as it may get.
func (l *listing) isFull() bool {
	return l.isExpired() || l.result.Count >= int64(l.q.Limit) || l.Budget.isSpent(l.rows, l.bodies, l.bytes)
}

// List checks a query and returns a function that passes the items that the
// buyer may have now to emit, one after another. List itself returns the errors
// that precede the first byte of an answer: ErrInactive if no grant is in
// force, ErrCursor or ErrSnapshotGone.
func (s *Session) List(ctx context.Context, q *Query) (func(emit func(Event) error) (Result, error), error) {
	l := &listing{Session: s, q: q, mark: q.queryMark(s.Buyer.BuyerID), topic: topicOf(q.Topic)}
	at, err := parseCursor(q.Cursor, l.mark)
	if err != nil {
		return nil, err
	}
	if q.Snapshot != "" {
		return l.listSnapshot(ctx, at)
	}
	if len(s.activeGrants(q.Sources)) == 0 {
		return nil, ErrInactive
	}
	return func(emit func(Event) error) (Result, error) {
		l.emit = emit
		err := l.listCurrent(ctx, at)
		return l.result, err
	}, nil
}

func sitesOf(grants []*origin.Grant) []string {
	var sites []string
	for _, g := range grants {
		sites = append(sites, g.Sites...)
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}

// listCurrent lists what the buyer may have now, after a place.
func (l *listing) listCurrent(ctx context.Context, at position) error {
	sites := sitesFrom(sitesOf(l.activeGrants(l.q.Sources)), at.site)
	for len(sites) > 0 {
		if l.isFull() {
			l.stopAt(at)
			return nil
		}
		from := at
		if sites[0] != at.site {
			from = position{site: sites[0]}
		}
		if err := l.freshRights(ctx); err != nil {
			return err
		}
		n := l.batchSize()
		items, err := l.readRows(ctx, sites, from, n)
		if err != nil {
			return err
		}
		listed, err := l.writeRows(ctx, &currentRows{listing: l, items: items})
		if err != nil {
			return err
		}
		whole := from.entry == "" // the rows were of all sites
		if listed > 0 {
			at = position{items[listed-1].SiteID, items[listed-1].EntryID}
		}
		switch {
		case listed < len(items):
			l.stopAt(at)
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

// stopAt ends a full answer at a place.
func (l *listing) stopAt(at position) {
	if l.q.Limit > 0 {
		l.result.Next = encodeCursor(at, l.mark)
	}
}

// sitesFrom returns the sites from first on.
func sitesFrom(sites []string, first string) []string {
	for len(sites) > 0 && sites[0] < first {
		sites = sites[1:]
	}
	return sites
}

// readRows reads the next rows: those of the site of the place or, if the place
// is at the beginning of a site, the first rows of all sites.
func (l *listing) readRows(ctx context.Context, sites []string, at position, n int) ([]origin.Item, error) {
	if at.entry == "" {
		return l.Store.ItemsOf(ctx, sites, n)
	}
	return l.Store.Items(ctx, at.site, at.entry, n)
}

// freshRights reads the rights again if they have already been used for a row.
func (l *listing) freshRights(ctx context.Context) error {
	if l.rows == 0 {
		return l.renewRights(ctx)
	}
	return l.readRights(ctx)
}

// batchSize returns how many rows to read next: no more than can be used while
// the decision about them is fresh.
func (l *listing) batchSize() int {
	if l.q.Meta || len(l.topic) > 0 {
		return bodyRows * 10
	}
	return bodyRows
}

// currentRows are pages. The buyer gets those that it asks for and may have,
// and learns nothing about others.
type currentRows struct {
	*listing
	items  []origin.Item
	permit rights.Permit // of the row that was chosen last
	ok     bool
}

func (r *currentRows) count() int { return len(r.items) }

func (r *currentRows) choose(i int) (rights.Permit, int64, bool) {
	item := &r.items[i]
	r.ok = false
	if !r.matchesQuery(item) {
		return rights.Permit{}, 0, false
	}
	p, denial := r.decideItem(item, r.q.Use)
	r.permit, r.ok = p, denial == ""
	return p, item.Bytes, r.ok && !r.q.Meta
}

func (r *currentRows) tell(i int, together bool) error {
	r.rows++
	if !r.q.Meta || !r.ok {
		return nil
	}
	out := r.permit.Item()
	return r.emitItem(i, &out, together)
}

func (r *currentRows) deliver(i int, item *exports.Item, together bool) error {
	r.rows++
	return r.emitItem(i, item, together)
}

func (r *currentRows) withhold(i int, reason string) error {
	r.rows++
	return r.emit(Event{Withheld: &exports.Withheld{ItemID: exports.ItemID(r.items[i].EntryID), Reason: reason}, Cursor: r.cursor(i)})
}

func (r *currentRows) emitItem(i int, item *exports.Item, together bool) error {
	r.result.Count++
	return r.emit(Event{Item: item, Cursor: r.cursor(i), Together: together})
}

// cursor returns the cursor that continues after a row.
func (r *currentRows) cursor(i int) string {
	return encodeCursor(position{r.items[i].SiteID, r.items[i].EntryID}, r.mark)
}

// matchesQuery reports whether an item matches the query, regardless of rights.
func (l *listing) matchesQuery(item *origin.Item) bool {
	if len(l.q.Sources) > 0 {
		check := rights.CheckGrants(&l.Buyer, l.Grants, item, exports.Instant(l.at), nil)
		if !fromSources(l.q.Sources, check.IDs(), item.SiteID) {
			return false
		}
	}
	if l.q.UpdatedSince != "" && item.ModifiedAt < l.q.UpdatedSince {
		return false
	}
	return l.topic.matchesItem(item)
}
