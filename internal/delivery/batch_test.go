package delivery

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

var batchTime = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// bodiesOf opens a given number of texts at once, and records the permits that
// it was asked for.
type bodiesOf struct {
	opens  int
	single error // of Body
	asked  []int // permits of each call of Together
}

func (b *bodiesOf) Together(_ context.Context, permits []rights.Permit, _ string) ([]rights.Content, error) {
	b.asked = append(b.asked, len(permits))
	return make([]rights.Content, min(b.opens, len(permits))), nil
}

func (b *bodiesOf) Body(context.Context, rights.Permit, string) (rights.Content, error) {
	return rights.Content{Text: "one"}, b.single
}

// wordedRows are rows of which some have a text. They record what is written.
type wordedRows struct {
	permit rights.Permit
	sizes  []int64 // of each row, 0 for one without a text
	wrote  []string
}

func (r *wordedRows) count() int { return len(r.sizes) }

func (r *wordedRows) choose(i int) (rights.Permit, int64, bool) {
	return r.permit, r.sizes[i], r.sizes[i] > 0
}

func (r *wordedRows) note(what string, i int, together bool) error {
	line := fmt.Sprint(what, " ", i)
	if together {
		line += " +"
	}
	r.wrote = append(r.wrote, line)
	return nil
}

func (r *wordedRows) tell(i int, together bool) error { return r.note("tell", i, together) }

func (r *wordedRows) deliver(i int, _ *exports.Item, together bool) error {
	return r.note("text", i, together)
}

func (r *wordedRows) withhold(i int, reason string) error { return r.note("withheld", i, false) }

// batchListing returns a listing by a buyer with a grant, and a permit of it.
func batchListing(t *testing.T, bodies rights.Bodies, q *Query, budget Budget) (*listing, rights.Permit) {
	t.Helper()
	buyer := origin.Buyer{BuyerID: "byr_1", State: "active"}
	grants := []origin.Grant{{GrantID: "grt_1", BuyerID: "byr_1", State: "active", Uses: []string{"rag"}, Sites: []string{"site-a"}}}
	item := &origin.Item{Page: origin.Page{EntryID: "ent_1", SiteID: "site-a", CanonicalURL: "https://a.example/", State: "active"}, SiteState: origin.Approved, Version: 1}
	p, denial := rights.Check(&rights.Claim{Buyer: &buyer, Grants: grants, Item: item, Use: exports.UseRAG, At: batchTime, Decision: "dec_1"})
	if denial != "" {
		t.Fatalf("no permit: %+v", denial)
	}
	s := &Session{Service: &Service{Bodies: bodies, Now: func() time.Time { return batchTime }, Budget: budget}, Buyer: buyer, Grants: grants, began: batchTime, at: batchTime}
	return &listing{Session: s, q: q}, p
}

// TestWriteSome writes one batch. A row whose text was not opened is left for
// the next batch, as are all rows after it: none is skipped.
func TestWriteSome(t *testing.T) {
	t.Parallel()
	const kib = 1 << 10
	for name, tc := range map[string]struct {
		sizes []int64
		from  int
		opens int
		query Query
		next  int
		wrote []string
	}{
		"no texts":                    {[]int64{0, 0}, 0, 9, Query{Limit: 9}, 2, []string{"tell 0", "tell 1"}},
		"all are opened":              {[]int64{0, 1, 0, 1, 0}, 0, 9, Query{Limit: 9}, 5, []string{"tell 0 +", "text 1 +", "tell 2 +", "text 3", "tell 4"}},
		"from the second row":         {[]int64{1, 0, 1}, 1, 9, Query{Limit: 9}, 3, []string{"tell 1 +", "text 2"}},
		"the last is not opened":      {[]int64{1, 0, 1, 0}, 0, 1, Query{Limit: 9}, 1, []string{"text 0"}},
		"two of three":                {[]int64{1, 1, 0, 1}, 0, 2, Query{Limit: 9}, 2, []string{"text 0 +", "text 1"}},
		"none, and then the first":    {[]int64{0, 1, 1}, 0, 0, Query{Limit: 9}, 2, []string{"tell 0", "text 1"}},
		"as many as the answer takes": {[]int64{1, 1, 1}, 0, 9, Query{Limit: 2}, 2, []string{"text 0 +", "text 1"}},
		"large texts one by one":      {[]int64{rights.MaxTogether, kib}, 0, 9, Query{Limit: 9}, 1, []string{"text 0"}},
		"one that is larger":          {[]int64{rights.MaxTogether + 1, kib}, 0, 9, Query{Limit: 9}, 1, []string{"text 0"}},
		"as large as is opened":       {[]int64{rights.MaxTogether - kib, kib, 1}, 0, 9, Query{Limit: 9}, 2, []string{"text 0 +", "text 1"}},
		"metadata row by row":         {[]int64{0, 0}, 0, 9, Query{Limit: 9, Meta: true}, 1, []string{"tell 0"}},
	} {
		bodies := &bodiesOf{opens: tc.opens}
		l, p := batchListing(t, bodies, &tc.query, Budget{})
		r := &wordedRows{permit: p, sizes: tc.sizes}
		next, err := l.writeSome(t.Context(), r, tc.from)
		if next != tc.next || err != nil || !slices.Equal(r.wrote, tc.wrote) {
			t.Errorf("%s: wrote %q up to %d, %v; want %q up to %d", name, r.wrote, next, err, tc.wrote, tc.next)
		}
	}
}

// TestWriteSomeCounts counts texts and bytes against the budget of an answer.
func TestWriteSomeCounts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		opens  int
		budget Budget
		sizes  []int64
		asked  []int
		bodies int
	}{
		"no bound":                {9, Budget{}, []int64{1, 1, 1}, []int{3}, 3},
		"two texts":               {9, Budget{Bodies: 2}, []int64{1, 1, 1}, []int{2}, 2},
		"two rows":                {9, Budget{Rows: 2}, []int64{1, 1, 1}, []int{2}, 2},
		"bytes are spent":         {9, Budget{Bytes: 10}, []int64{6, 6, 6}, []int{2}, 2},
		"no more than are opened": {9, Budget{}, slices.Repeat([]int64{1}, maxTogether+1), []int{maxTogether}, maxTogether},
		"one that opens again":    {0, Budget{}, []int64{1, 1}, []int{2}, 1},
		"the most bytes together": {9, Budget{}, []int64{rights.MaxTogether - 1, 1}, []int{2}, 2},
		"more bytes than that":    {9, Budget{}, []int64{rights.MaxTogether, 1}, []int{1}, 1},
	} {
		bodies := &bodiesOf{opens: tc.opens}
		if tc.opens > 0 {
			bodies.opens = maxTogether
		}
		l, p := batchListing(t, bodies, &Query{Limit: 100}, tc.budget)
		_, err := l.writeSome(t.Context(), &wordedRows{permit: p, sizes: tc.sizes}, 0)
		if err != nil || l.bodies != tc.bodies || !slices.Equal(bodies.asked, tc.asked) {
			t.Errorf("%s: asked for %v, %d bodies, %v; want %v and %d", name, bodies.asked, l.bodies, err, tc.asked, tc.bodies)
		}
	}
}

// TestGatherItemsGoesOn checks that the rows before the first one that is left do
// not count against the budget.
func TestGatherItemsGoesOn(t *testing.T) {
	t.Parallel()
	l, p := batchListing(t, &bodiesOf{opens: maxTogether}, &Query{Limit: 100}, Budget{Rows: 2})
	b := l.gatherItems(&wordedRows{permit: p, sizes: []int64{1, 1, 1, 1, 1}}, 2)
	if !slices.Equal(b.places, []int{2, 3}) || b.end != 4 {
		t.Errorf("rows %v, then row %d", b.places, b.end)
	}
}

// closedBodies opens nothing, and counts how often it was asked.
type closedBodies struct {
	rights.Bodies
	asked int
}

func (b *closedBodies) Body(context.Context, rights.Permit, string) (rights.Content, error) {
	b.asked++
	return rights.Content{}, rights.ErrNotPermitted
}

// rightsOf always returns the same rights and page.
type rightsOf struct {
	origin.BuyerReader
	origin.Delivery
	access origin.Access
	item   origin.Item
}

func (r *rightsOf) Access(context.Context, string) (origin.Access, error) { return r.access, nil }

func (r *rightsOf) ItemsByID(context.Context, []string) ([]origin.Item, error) {
	return []origin.Item{r.item}, nil
}

// TestReadBodyGivesUp checks that a body is asked for three times, each time by
// a new permit, if no permit opens it, and withheld then.
func TestReadBodyGivesUp(t *testing.T) {
	t.Parallel()
	bodies := &closedBodies{}
	l, p := batchListing(t, bodies, &Query{Limit: 1}, Budget{})
	store := &rightsOf{
		access: origin.Access{Credential: origin.BuyerCredential{BuyerID: "byr_1", Credential: origin.Credential{State: "active"}}, Buyer: l.Buyer, Grants: l.Grants},
		item: origin.Item{Page: origin.Page{EntryID: "ent_1", SiteID: "site-a", CanonicalURL: "https://a.example/", State: "active"},
			SiteState: origin.Approved, Version: 1},
	}
	l.Buyers, l.Store = store, store
	item, denial, err := l.readBody(t.Context(), p, "text")
	if err != nil || item != nil || denial != "scope_changed" || bodies.asked != 3 {
		t.Errorf("%+v, %+v, %v after %d calls", item, denial, err, bodies.asked)
	}
}

// TestDeltaOfAnotherEdition checks that a delta counts as unsure if an item has
// another edition, older or newer, than its event.
func TestDeltaOfAnotherEdition(t *testing.T) {
	t.Parallel()
	for version, unsure := range map[int64]bool{1: true, 2: false, 3: true} {
		r := &eventRows{
			delta:  &delta{write: func(wire.Record, bool) error { return nil }},
			events: []origin.Holding{{EntryID: "ent_1", State: "held", Version: 2, Sequence: 7}},
		}
		if err := r.deliver(0, &exports.Item{Version: version}, false); err != nil || r.unsure != unsure || r.at != 7 {
			t.Errorf("edition %d: unsure %v at %d, %v", version, r.unsure, r.at, err)
		}
	}
}
