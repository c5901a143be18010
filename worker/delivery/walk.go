package delivery

import (
	"context"
	"slices"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// Question asks for items.
type Question struct {
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

// mark tells a question from others, so that its cursors are only taken back
// by itself.
func (q *Question) mark(buyerID string) string {
	return exports.CursorMark(append([]string{buyerID, q.Topic, string(q.Use), q.UpdatedSince, q.Snapshot}, q.Sources...)...)
}

// Line is one thing that a walk comes by: an item, or, in a walk through a
// snapshot, what is left of one, or an item whose right ended at that moment.
type Line struct {
	Item      *exports.Item
	Tombstone *exports.Tombstone
	Withheld  *exports.Withheld
	Cursor    string // where to go on after it
}

// End tells how a walk ended.
type End struct {
	Count int64
	Next  string // cursor, "" at the end
}

// chunk is how many rows are read at once.
const chunk = 50

// walker is a walk on its way.
type walker struct {
	*Session
	q      *Question
	mark   string
	topic  topic
	emit   func(Line) error
	end    End
	last   string // cursor of the last row seen
	rows   int
	bodies int
	bytes  int64
}

// full reports whether the answer is as long as it may get.
func (w *walker) full() bool {
	b := &w.Budget
	return w.expired() || w.end.Count >= int64(w.q.Limit) || b.Rows > 0 && w.rows >= b.Rows || b.Bodies > 0 && w.bodies >= b.Bodies || b.Bytes > 0 && w.bytes >= b.Bytes
}

// Walk gives emit what the buyer may have now, item after item. ErrInactive
// when no grant is in force.
func (s *Session) Walk(ctx context.Context, q *Question, emit func(Line) error) (End, error) {
	w := &walker{Session: s, q: q, mark: q.mark(s.Buyer.BuyerID), topic: topicOf(q.Topic), emit: emit}
	at, err := parseWalk(q.Cursor, w.mark)
	if err != nil {
		return End{}, err
	}
	if q.Snapshot != "" {
		return w.snapshot(ctx, at)
	}
	if len(s.inForce(q.Sources)) == 0 {
		return End{}, ErrInactive
	}
	for _, site := range sitesOf(s.inForce(q.Sources)) {
		if site < at.site {
			continue
		}
		after := ""
		if site == at.site {
			after = at.entry
		}
		if more, err := w.site(ctx, site, after); more || err != nil {
			w.end.Next = w.last
			return w.end, err
		}
	}
	return w.end, nil
}

// Ready reports, before the first byte of an answer, what would be wrong with
// a question: its cursor, its snapshot, or that there is no right at all.
func (s *Session) Ready(ctx context.Context, q *Question) error {
	if _, err := parseWalk(q.Cursor, q.mark(s.Buyer.BuyerID)); err != nil {
		return err
	}
	if q.Snapshot != "" {
		_, err := s.snapshotOf(ctx, q.Snapshot)
		return err
	}
	if len(s.inForce(q.Sources)) == 0 {
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

// site walks one site; more tells that the answer is full before its end.
func (w *walker) site(ctx context.Context, site, after string) (more bool, err error) {
	for {
		if w.full() {
			if w.last == "" {
				w.last = walkCursor(place{site, after}, w.mark)
			}
			return w.q.Limit > 0, nil
		}
		if err := w.refresh(ctx); err != nil {
			return false, err
		}
		n := w.size()
		items, err := w.Store.Items(ctx, site, after, n)
		if err != nil {
			return false, err
		}
		for i := range items {
			if w.full() {
				return true, nil
			}
			if err := w.renew(ctx); err != nil {
				return false, err
			}
			item := &items[i]
			after = item.EntryID
			w.rows++
			w.last = walkCursor(place{site, after}, w.mark)
			if err := w.item(ctx, item); err != nil {
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
func (w *walker) size() int {
	if w.q.Meta || len(w.topic) > 0 {
		return chunk * 10
	}
	return chunk
}

// item delivers one item if it is asked for and permitted.
func (w *walker) item(ctx context.Context, item *origin.Item) error {
	if !w.wanted(item) {
		return nil
	}
	p, denial := w.check(item, w.q.Use)
	if denial != nil {
		return nil
	}
	if w.q.Meta {
		out := p.Item()
		return w.deliver(&out)
	}
	out, denial, err := w.content(ctx, p)
	switch {
	case err != nil:
		return err
	case denial != nil:
		return w.emit(Line{Withheld: &exports.Withheld{ItemID: exports.ItemID(item.EntryID), Reason: denial.Reason}, Cursor: w.last})
	}
	return w.deliver(out)
}

// content reads the body that a permit opens.
func (w *walker) content(ctx context.Context, p rights.Permit) (*exports.Item, *rights.Denial, error) {
	w.bodies++
	out, denial, err := w.open(ctx, p, w.q.Form)
	if out != nil {
		w.bytes += int64(len(out.Content.Text))
	}
	return out, denial, err
}

func (w *walker) deliver(item *exports.Item) error {
	w.end.Count++
	return w.emit(Line{Item: item, Cursor: w.last})
}

// wanted reports whether an item answers the question, rights aside.
func (w *walker) wanted(item *origin.Item) bool {
	if len(w.q.Sources) > 0 {
		check := rights.CheckGrants(&w.Buyer, w.Grants, item, exports.Instant(w.at), nil)
		if !fromSources(w.q.Sources, check.IDs(), item.SiteID) {
			return false
		}
	}
	if w.q.UpdatedSince != "" && item.ModifiedAt < w.q.UpdatedSince {
		return false
	}
	return w.topic.in(item)
}

// snapshot walks the items of a snapshot: each as it is now, or as a
// tombstone.
func (w *walker) snapshot(ctx context.Context, at place) (End, error) {
	x, err := w.snapshotOf(ctx, w.q.Snapshot)
	if err != nil {
		return End{}, err
	}
	after := at.entry
	for {
		if w.full() {
			w.end.Next = walkCursor(place{"", after}, w.mark)
			if after == "" {
				w.end.Next = "*"
			}
			return w.end, nil
		}
		lines, err := w.Store.SnapshotItems(ctx, x.SnapshotID, after, chunk)
		if err != nil {
			return w.end, err
		}
		items, err := w.byID(ctx, lines)
		if err != nil {
			return w.end, err
		}
		for _, line := range lines {
			if w.full() {
				break
			}
			after = line.EntryID
			w.rows++
			w.last = walkCursor(place{"", after}, w.mark)
			if err := w.line(ctx, &x, line.EntryID, items[line.EntryID]); err != nil {
				return w.end, err
			}
		}
		if len(lines) < chunk && (len(lines) == 0 || after == lines[len(lines)-1].EntryID) {
			return w.end, nil
		}
	}
}

// byID reads the items of lines, after the rights of the buyer.
func (w *walker) byID(ctx context.Context, lines []origin.SnapshotItem) (map[string]*origin.Item, error) {
	ids := make([]string, len(lines))
	for i := range lines {
		ids[i] = lines[i].EntryID
	}
	return w.items(ctx, ids)
}

// items reads rights and items as they are now.
func (s *Session) items(ctx context.Context, ids []string) (map[string]*origin.Item, error) {
	if err := s.refresh(ctx); err != nil {
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

// line gives one line of a snapshot as it is now.
func (w *walker) line(ctx context.Context, x *origin.Snapshot, entryID string, item *origin.Item) error {
	w.end.Count++
	out, reason, err := w.current(ctx, scopeOf(x), item)
	if err != nil {
		return err
	}
	if out != nil {
		return w.emit(Line{Item: out, Cursor: w.last})
	}
	t := w.tombstone(entryID, reason, nil)
	return w.emit(Line{Tombstone: &t, Cursor: w.last})
}

// current is an item in a scope as it is now, or the reason why it is none.
func (w *walker) current(ctx context.Context, sc scope, item *origin.Item) (*exports.Item, string, error) {
	if item == nil {
		return nil, "entry_withdrawn", nil
	}
	use, reason := w.scoped(sc, item)
	if reason != "" {
		return nil, reason, nil
	}
	p, denial := w.check(item, use)
	if denial != nil {
		return nil, denial.Reason, nil
	}
	if w.q.Meta {
		out := p.Item()
		return &out, "", nil
	}
	out, denial, err := w.content(ctx, p)
	if denial != nil {
		return nil, denial.Reason, nil
	}
	return out, "", err
}
