package delivery_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/delivery"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// watched is the store of a market. It notes what is asked of it, and can change
// something or fail before it answers.
type watched struct {
	origin.BuyerReader
	origin.Delivery
	before map[string]func() // by method, once
	fails  map[string]error  // by method
	sizes  []int             // events that were asked for at once
	rows   []int             // pages that were asked for at once
	rights int               // how often rights were read
}

// watch puts a watched store between a market and its store.
func (m *market) watch() *watched {
	w := &watched{BuyerReader: m.Store, Delivery: m.Store, before: map[string]func(){}, fails: map[string]error{}}
	m.Service.Store, m.Service.Buyers = w, w
	return w
}

func (w *watched) call(method string) error {
	if do := w.before[method]; do != nil {
		delete(w.before, method)
		do()
	}
	return w.fails[method]
}

func (w *watched) Access(ctx context.Context, id string) (origin.Access, error) {
	w.rights++
	return w.BuyerReader.Access(ctx, id)
}

func (w *watched) Feed(ctx context.Context, id string) (origin.Feed, error) {
	if err := w.call("Feed"); err != nil {
		return origin.Feed{}, err
	}
	return w.Delivery.Feed(ctx, id)
}

func (w *watched) FeedSince(ctx context.Context, id string, sequence int64, limit int) (origin.Feed, []origin.Holding, []origin.Item, error) {
	if err := w.call("FeedSince"); err != nil {
		return origin.Feed{}, nil, nil, err
	}
	w.sizes = append(w.sizes, limit)
	return w.Delivery.FeedSince(ctx, id, sequence, limit)
}

func (w *watched) Held(ctx context.Context, id, after string, limit int) ([]origin.Holding, int64, error) {
	if err := w.call("Held"); err != nil {
		return nil, 0, err
	}
	return w.Delivery.Held(ctx, id, after, limit)
}

func (w *watched) CountHeld(ctx context.Context, id string) (int64, error) {
	if err := w.call("CountHeld"); err != nil {
		return 0, err
	}
	return w.Delivery.CountHeld(ctx, id)
}

func (w *watched) ItemsByID(ctx context.Context, ids []string) ([]origin.Item, error) {
	if err := w.call("ItemsByID"); err != nil {
		return nil, err
	}
	return w.Delivery.ItemsByID(ctx, ids)
}

func (w *watched) Items(ctx context.Context, siteID, after string, limit int) ([]origin.Item, error) {
	w.rows = append(w.rows, limit)
	return w.Delivery.Items(ctx, siteID, after, limit)
}

func (w *watched) ItemsOf(ctx context.Context, siteIDs []string, limit int) ([]origin.Item, error) {
	w.rows = append(w.rows, limit)
	return w.Delivery.ItemsOf(ctx, siteIDs, limit)
}

func (w *watched) AddSnapshot(ctx context.Context, x origin.Snapshot) (bool, error) {
	if err := w.call("AddSnapshot"); err != nil {
		return false, err
	}
	return w.Delivery.AddSnapshot(ctx, x)
}

func (w *watched) Snapshot(ctx context.Context, buyerID, id, after string, limit int) (origin.Snapshot, []string, error) {
	if err := w.call("Snapshot"); err != nil {
		return origin.Snapshot{}, nil, err
	}
	return w.Delivery.Snapshot(ctx, buyerID, id, after, limit)
}

func (w *watched) SnapshotByKey(ctx context.Context, id, key string) (origin.Snapshot, error) {
	if err := w.call("SnapshotByKey"); err != nil {
		return origin.Snapshot{}, err
	}
	return w.Delivery.SnapshotByKey(ctx, id, key)
}

func (w *watched) DropSnapshots(ctx context.Context, before string) (int64, error) {
	if err := w.call("DropSnapshots"); err != nil {
		return 0, err
	}
	return w.Delivery.DropSnapshots(ctx, before)
}

// more adds pages to a site, or puts them into another state.
func (m *market) more(n int, site, state string) {
	m.Helper()
	store := m.Store
	must(m.T, store.Bulk(m.Context(), func(bulk *originsql.Store) error {
		m.Store = bulk
		for i := range n {
			m.page(site, fmt.Sprintf("ent_%s%03d", site[len(site)-1:], i), state, seedTime)
		}
		return nil
	}))
	m.Store = store
}

// wantRoot checks that the last delta ended with the root over some of what is
// held.
func (m *market) wantRoot(what string, entries ...string) {
	m.Helper()
	held, _, err := m.Held(m.Context(), "byr_1", "", 1000)
	must(m.T, err)
	var root delivery.Root
	for _, h := range held {
		if slices.Contains(entries, h.EntryID) {
			root.Add(exports.ItemID(h.EntryID), h.Version, h.Digest)
		}
	}
	if n := int64(len(entries)); m.end.Root != root.String() || m.end.HeldItems != n || root.Size() != n {
		m.Errorf("%s: root %s over %d items, want %s over %d", what, m.end.Root, m.end.HeldItems, root.String(), n)
	}
}

// TestDeltaInPages reads feeds that are longer than what is read at once: each
// event becomes one line, up to the limit, and the checkpoint is complete if the
// end was reached before the limit.
func TestDeltaInPages(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		pages, limit, lines int
		complete            bool
		sizes               []int // of which the first three are those of the comparison
	}{
		{20, 100, 20, true, []int{50, 50, 50}},
		{50, 100, 50, true, []int{50, 50, 50, 50}},
		{60, 100, 60, true, []int{50, 50, 50, 50}},
		{100, 200, 100, true, []int{50, 50, 50, 50, 50}},
		{60, 55, 55, false, []int{50, 50, 50, 5}},
		{60, 60, 60, false, []int{50, 50, 50, 10}},
		{60, 7, 7, false, []int{7, 7, 7}},
	} {
		m := newMarket(t)
		m.more(tc.pages, "site-b", "active")
		m.page("site-b", "ent_b1", "withdrawn", seedTime)
		m.page("site-b", "ent_b2", "withdrawn", seedTime)
		m.grant("grt_a", "revoked", "site-a", "rag")
		m.grant("grt_b", "active", "site-b", "rag")
		w := m.watch()
		lines, _, err := m.delta(delivery.DeltaQuery{Limit: tc.limit, Meta: true})
		must(t, err)
		if !tc.complete {
			if last := len(lines) - 1; lines[last] != "incomplete" {
				t.Errorf("%d pages up to %d: complete", tc.pages, tc.limit)
			} else {
				lines = lines[:last]
			}
		}
		if len(lines) != tc.lines || !slices.IsSorted(lines) || len(slices.Compact(lines)) != tc.lines || !slices.Equal(w.sizes, tc.sizes) {
			t.Errorf("%d pages up to %d: %d lines %q, events read %v, want %d and %v", tc.pages, tc.limit, len(lines), lines, w.sizes, tc.lines, tc.sizes)
		}
	}
}

// TestDeltaOfManyTombstones checks that tombstones are read many at a time.
func TestDeltaOfManyTombstones(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.more(60, "site-a", "active")
	_, since, err := m.delta(delivery.DeltaQuery{Meta: true})
	must(t, err)
	m.more(60, "site-a", "withdrawn")
	w := m.watch()
	lines, _, err := m.delta(delivery.DeltaQuery{Since: since, Limit: 1000})
	if len(lines) != 60 || err != nil || !slices.Equal(w.sizes, []int{50, 50, 50, 500}) {
		t.Errorf("%d lines, %v, events read %v", len(lines), err, w.sizes)
	}
}

// TestDeltaReadsNothingTwice checks that a reader that is up to date costs one
// reading of its feed, and that one that reads old events costs none of its rights.
func TestDeltaReadsNothingTwice(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	next := m.wantDelta("at first", "", "added ent_a1", "added ent_a2")
	w := m.watch()
	m.wantDelta("up to date", next)
	m.wantDelta("from the beginning", "", "added ent_a1", "added ent_a2")
	if len(w.sizes) != 2 || w.rights != 0 {
		t.Errorf("events read %v, rights read %d times", w.sizes, w.rights)
	}
}

// TestDeltaOfTwoCalls checks that a delta whose comparison did not finish reports
// what it found, says that it is not complete, and that the next one goes on.
func TestDeltaOfTwoCalls(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.grant("grt_b", "active", "site-b", "rag")
	m.Budget.Rows = 1
	next := m.wantDelta("the first call", "", "added ent_a1", "added ent_a2", "incomplete")
	m.wantDelta("the second call", next, "added ent_b1", "added ent_b2")
	m.wantRoot("the second call", "ent_a1", "ent_a2", "ent_b1", "ent_b2")
}

// TestDeltaOfNothing checks that a buyer without a right is refused only if
// nothing was ever delivered to it.
func TestDeltaOfNothing(t *testing.T) {
	t.Parallel()
	revoke := func(m *market) string {
		m.grant("grt_a", "revoked", "site-a", "rag")
		return ""
	}
	coverNothing := func(m *market) {
		must(t, m.SetGrantSite(t.Context(), "grt_a", "site-a", false, seedTime))
	}
	for _, tc := range []struct {
		what  string
		begin func(m *market) (since string)
		want  string
	}{
		{"no grant", revoke, delivery.ErrInactive.Error()},
		{"a grant of nothing", func(m *market) string { coverNothing(m); return "" }, ""},
		{"a grant that ended", func(m *market) string {
			since := m.wantDelta("at first", "", "added ent_a1", "added ent_a2")
			revoke(m)
			return since
		}, "grant_revoked a1, grant_revoked a2"},
		{"a snapshot of nothing", func(m *market) string {
			coverNothing(m)
			x, _, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 1}, "", "")
			must(t, err)
			revoke(m)
			return x.SnapshotID
		}, ""},
		{"no grant, and a comparison that does not end", func(m *market) string {
			w := m.watch()
			var move func()
			move = func() {
				m.page("site-b", "ent_b1", "active", exports.Instant(m.clock))
				m.clock = m.clock.Add(time.Second)
				w.before["FeedSince"] = move
			}
			move()
			return revoke(m)
		}, "incomplete"},
	} {
		m := newMarket(t)
		since := tc.begin(m)
		lines, _, err := m.delta(delivery.DeltaQuery{Since: since})
		got := strings.Join(lines, ", ")
		if errors.Is(err, delivery.ErrInactive) {
			got = err.Error()
		} else if err != nil {
			t.Errorf("%s: %v", tc.what, err)
		}
		assert.Equal(t, got, tc.want, "%s", tc.what)
	}
}

// TestDeltaInScope checks that a delta since a snapshot reports what is in the
// snapshot's scope, buries what leaves it, and is complete.
func TestDeltaInScope(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		scope exports.NewSnapshot
		at    int64 // items of the snapshot
		lines []string
		held  []string
	}{
		{exports.NewSnapshot{}, 2, []string{"updated ent_a1", "added ent_a3", "scope_changed b3"}, []string{"ent_a1", "ent_a2", "ent_a3"}},
		{exports.NewSnapshot{Uses: []string{"research"}}, 2, []string{"scope_changed a1", "scope_changed a3", "added ent_b3"}, []string{"ent_b1", "ent_b2", "ent_b3"}},
		{exports.NewSnapshot{Uses: []string{"rag", "research"}, Sources: []string{"site-b"}}, 2, []string{"scope_changed a1", "scope_changed a3", "added ent_b3"}, []string{"ent_b1", "ent_b2", "ent_b3"}},
		{exports.NewSnapshot{Sources: []string{"grt_a"}}, 2, []string{"updated ent_a1", "added ent_a3", "scope_changed b3"}, []string{"ent_a1", "ent_a2", "ent_a3"}},
		{exports.NewSnapshot{Topic: "ent_a1"}, 1, []string{"scope_changed a1", "scope_changed a3", "scope_changed b3"}, nil},
		{exports.NewSnapshot{Topic: "ent_a2 title"}, 1, []string{"scope_changed a1", "scope_changed a3", "scope_changed b3"}, []string{"ent_a2"}},
	} {
		m := newMarket(t)
		m.grant("grt_b", "active", "site-b", "research")
		tc.scope.Days = 1
		x, _, err := m.session().Snapshot(t.Context(), &tc.scope, "", "")
		must(t, err)
		if x.Items != tc.at {
			t.Errorf("%+v: %d items", tc.scope, x.Items)
		}
		m.page("site-b", "ent_b3", "active", seedTime)
		m.page("site-a", "ent_a3", "active", seedTime)
		p, err := m.Page(t.Context(), "ent_a1")
		must(t, err)
		p.Title = "Another title"
		must(t, m.PutPage(t.Context(), p, nil))
		m.wantDelta(fmt.Sprintf("%+v", tc.scope), x.SnapshotID, tc.lines...)
		m.wantRoot(fmt.Sprintf("%+v", tc.scope), tc.held...)
		assert.Equal(t, m.end.Snapshot, x.SnapshotID, "the checkpoint is of snapshot")
	}
}

// TestDeltaToldUses checks that a reader gets only the uses of an item if its
// last line reported the item as it is.
func TestDeltaToldUses(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	_, first, err := m.delta(delivery.DeltaQuery{Limit: 1})
	must(t, err)
	both := m.wantDelta("at first", "", "added ent_a1", "added ent_a2")
	m.grant("grt_a", "active", "site-a", "rag")
	const less = " by grt_a to rag without training"
	m.wantDelta("with both items", both, "rights a1"+less, "rights a2"+less)
	m.wantDelta("with the first item", first, "rights a1"+less, "added ent_a2")
}

// TestDeltaWhileThingsChange checks that a delta does not claim to be complete
// if something happened while it was written.
func TestDeltaWhileThingsChange(t *testing.T) {
	t.Parallel()
	withdraw := func(m *market) func() {
		return func() {
			m.page("site-a", "ent_a2", "withdrawn", seedTime)
			m.wantDelta("of another reader", "", "added ent_a1", "entry_withdrawn a2")
		}
	}
	for _, tc := range []struct {
		what  string
		begin func(m *market)
		want  string
		held  int64
	}{
		{"while what is held is counted", func(m *market) {
			m.Budget.Leaves = 2
			m.watch().before["CountHeld"] = withdraw(m)
		}, "added ent_a1, added ent_a2, incomplete", 1},
		{"while the root is computed", func(m *market) { m.watch().before["Held"] = withdraw(m) }, "added ent_a1, added ent_a2, incomplete", 1},
		{"while the feed is read, for a root of one item", func(m *market) {
			m.Budget.Leaves = 1
			m.watch().before["CountHeld"] = func() {
				m.page("site-a", "ent_a3", "active", seedTime)
				m.wantDelta("of another reader", "", "added ent_a1", "added ent_a2", "added ent_a3")
			}
		}, "added ent_a1, added ent_a2, incomplete", 3},
		{"while a text is opened", func(m *market) {
			m.Service.Bodies = &lateBodies{Bodies: m.Service.Bodies, change: func() { m.grant("grt_a", "revoked", "site-a", "rag") }}
		}, "grant_revoked a1, grant_revoked a2, incomplete", 2},
	} {
		m := newMarket(t)
		tc.begin(m)
		lines, _, err := m.delta(delivery.DeltaQuery{})
		if got := strings.Join(lines, ", "); got != tc.want || err != nil || m.end.HeldItems != tc.held || m.end.Root != "" {
			t.Errorf("%s: %q, %v, want %q; %d items with root %q", tc.what, got, err, tc.want, m.end.HeldItems, m.end.Root)
		}
		if strings.Contains(tc.want, "revoked") && m.together != "---" {
			t.Errorf("%s: sent together: %s", tc.what, m.together)
		}
	}
}

// lateBodies changes something once texts were opened a number of times, before
// the first time if the number is 0.
type lateBodies struct {
	rights.Bodies
	change func()
	times  int
}

func (b *lateBodies) look() {
	if b.times == 0 {
		b.change()
	}
}

func (b *lateBodies) Together(ctx context.Context, permits []rights.Permit, form string) ([]rights.Content, error) {
	b.look()
	b.times--
	list, err := b.Bodies.Together(ctx, permits, form)
	b.look()
	return list, err
}

func (b *lateBodies) Body(ctx context.Context, p rights.Permit, form string) (rights.Content, error) {
	b.look()
	b.times--
	return b.Bodies.Body(ctx, p, form)
}

// TestDeltaFails checks that a delta ends with the error of the store.
func TestDeltaFails(t *testing.T) {
	t.Parallel()
	away := errors.New("the store is away")
	for _, method := range []string{"FeedSince", "CountHeld", "Held"} {
		m := newMarket(t)
		m.Budget.Leaves = 5
		m.watch().fails[method] = away
		if lines, _, err := m.delta(delivery.DeltaQuery{}); !errors.Is(err, away) || slices.Contains(lines, "incomplete") {
			t.Errorf("%s: %q, %v", method, lines, err)
		}
	}
}

// TestDeltaOfEndingRights checks that rights that are read again are those of
// that moment.
func TestDeltaOfEndingRights(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	g, err := m.Grant(t.Context(), "grt_a")
	must(t, err)
	g.ValidUntil = exports.Instant(m.clock.Add(5 * time.Second))
	must(t, m.PutGrant(t.Context(), g))
	run, err := m.session().Delta(t.Context(), &delivery.DeltaQuery{Limit: 100, Meta: true})
	must(t, err)
	m.clock = m.clock.Add(6 * time.Second)
	must(t, run(func(r wire.Record, _ bool) error {
		switch x := r.(type) {
		case *exports.Upsert:
			t.Errorf("%s, one second after its right ended", x.Item.EntryID)
		case *exports.Tombstone:
			if x.Reason != "grant_expired" || x.EffectiveAt != g.ValidUntil {
				t.Errorf("%s since %s: %s", x.ItemID, x.EffectiveAt, x.Reason)
			}
		}
		return nil
	}))
}

// seal signs with a word.
type seal struct{}

func (seal) KeyID() string                       { return "key_1" }
func (seal) Sign(message []byte) ([]byte, error) { return append([]byte("sealed "), message...), nil }

// TestCheckpoint checks what a complete checkpoint says, by the number of items
// over which the budget allows a root.
func TestCheckpoint(t *testing.T) {
	t.Parallel()
	for leaves, root := range map[int64]bool{0: true, 1: false, 2: true, 3: true} {
		m := newMarket(t)
		m.Signer, m.Budget.Leaves = seal{}, leaves
		m.wantDelta("at first", "", "added ent_a1", "added ent_a2")
		if root {
			m.wantRoot(fmt.Sprintf("at most %d", leaves), "ent_a1", "ent_a2")
		} else if m.end.Root != "" || m.end.HeldItems != 2 {
			t.Errorf("at most %d: root %q over %d items", leaves, m.end.Root, m.end.HeldItems)
		}
		signed := base64.RawURLEncoding.EncodeToString(append([]byte("sealed "), m.end.SigningInput()...))
		if m.end.KeyID != "key_1" || m.end.Signature != signed || m.end.BuyerID != "byr_1" || m.end.At != exports.Instant(m.clock) {
			t.Errorf("%+v", m.end)
		}
		assert.Equal(t, m.together, "+--", "sent together")
	}
}
