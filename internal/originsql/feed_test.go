package originsql_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// tell appends an event to a buyer's feed.
func tell(t *testing.T, s *originsql.Store, buyer string, h origin.Holding) {
	t.Helper()
	must(t, assert.Err(s.Feed(t.Context(), buyer)))
	h.Told = -1
	if n, err := s.AppendEvents(t.Context(), buyer, []origin.Holding{h}); n != 1 || err != nil {
		t.Fatalf("%s is told of %s: %d, %v", buyer, h.EntryID, n, err)
	}
}

// twoFeeds returns a store with a feed of two sites and, of another buyer, one of
// the same entries.
func twoFeeds(t *testing.T) (context.Context, *originsql.Store) {
	t.Helper()
	ctx, s := context.Background(), licensed(t)
	must(t, s.PutBuyer(ctx, origin.Buyer{BuyerID: "byr_2", Name: "C", State: "active", CreatedAt: "t", ChangedAt: "t"}))
	for _, buyer := range []string{"byr_1", "byr_2"} {
		for _, h := range []origin.Holding{
			{EntryID: "ent_1", SiteID: "a-site", State: "held"}, {EntryID: "ent_2", SiteID: "a-site", State: "gone", EffectiveAt: "2026", At: "2026"},
			{EntryID: "ent_3", SiteID: "b-site", State: "held"}, {EntryID: "ent_4", SiteID: "a-site", State: "held"},
		} {
			tell(t, s, buyer, h)
		}
	}
	tell(t, s, "byr_2", origin.Holding{EntryID: "ent_5", SiteID: "c-site", State: "held"})
	return ctx, s
}

// TestReadingFeeds checks which rows each reading of a feed returns, of one
// buyer alone.
func TestReadingFeeds(t *testing.T) {
	ctx, s := twoFeeds(t)
	ids := func(list []origin.Holding, err error) string {
		t.Helper()
		must(t, err)
		var out []string
		for _, h := range list {
			out = append(out, strings.TrimPrefix(h.EntryID, "ent_"))
		}
		return strings.Join(out, " ")
	}
	since := func(sequence int64, limit int) string {
		f, events, items, err := s.FeedSince(ctx, "byr_1", sequence, limit)
		if f.Sequence != 4 || len(items) > 1 || len(items) == 1 && items[0].EntryID != "ent_1" || len(items) == 1 && sequence > 0 {
			t.Errorf("since %d: a feed at %d, items %+v", sequence, f.Sequence, items)
		}
		return ids(events, err)
	}
	held := func(after string, limit int) string {
		list, sequence, err := s.Held(ctx, "byr_1", after, limit)
		assert.Equal(t, sequence, 4, "held after %q at", after)
		return ids(list, err)
	}
	told := func(site, after, last string, limit int) string {
		list, err := s.HoldingsOf(ctx, "byr_1", site, after, last, limit)
		return ids(list, err)
	}
	for _, c := range []struct{ what, got, want string }{
		{"events", since(0, 9), "1 2 3 4"},
		{"events after the second", since(2, 9), "3 4"},
		{"one event", since(1, 1), "2"},
		{"events after the last", since(4, 9), ""},
		{"held", held("", 9), "1 3 4"},
		{"held after the third", held("ent_3", 9), "4"},
		{"one that is held", held("", 1), "1"},
		{"told", told("a-site", "", "", 9), "1 2 4"},
		{"told after the first", told("a-site", "ent_1", "", 9), "2 4"},
		{"told up to the second", told("a-site", "", "ent_2", 9), "1 2"},
		{"told once", told("a-site", "ent_1", "ent_4", 1), "2"},
		{"told of another site", told("b-site", "", "", 9), "3"},
		{"told of a site of another buyer", told("c-site", "", "", 9), ""},
	} {
		assert.Equal(t, c.got, c.want, "%s", c.what)
	}
	for buyer, want := range map[string]int64{"byr_1": 3, "byr_2": 4, "byr_9": 0} {
		if n, err := s.CountHeld(ctx, buyer); n != want || err != nil {
			t.Errorf("%s holds %d, %v", buyer, n, err)
		}
	}
	for buyer, want := range map[string][]string{"byr_1": {"a-site", "b-site"}, "byr_2": {"a-site", "b-site", "c-site"}} {
		if sites, err := s.HeldSites(ctx, buyer); !slices.Equal(sites, want) || err != nil {
			t.Errorf("%s holds items of %q, %v", buyer, sites, err)
		}
	}
}

// TestGrantsOfHeldItems checks that each item is held under its own grants,
// whatever those of the item before.
func TestGrantsOfHeldItems(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	lists := [][]string{nil, {"grt_1"}, {"grt_1"}, {"grt_1", "grt_2"}, nil, {"grt_2"}}
	for i, grants := range lists {
		tell(t, s, "byr_1", origin.Holding{EntryID: fmt.Sprint("ent_", i), SiteID: "a-site", State: "held", Version: int64(i), Digest: "d", Uses: 3, Grants: grants})
	}
	held, _, err := s.Held(ctx, "byr_1", "", 9)
	must(t, err)
	for i, h := range held {
		same(t, h.EntryID, h, origin.Holding{EntryID: fmt.Sprint("ent_", i), SiteID: "a-site", State: "held", Version: int64(i), Digest: "d", Uses: 3, Told: int64(i + 1), Grants: lists[i]}, nil)
	}
	assert.Equal(t, len(held), len(lists), "items are held")
}

// TestForgettingOldRows checks that dropping tombstones leaves what is held,
// however old, what ended at the instant itself, and what others were told.
func TestForgettingOldRows(t *testing.T) {
	ctx, s := twoFeeds(t)
	tell(t, s, "byr_1", origin.Holding{EntryID: "ent_6", SiteID: "a-site", State: "gone", EffectiveAt: "2027", At: "2026"})
	tell(t, s, "byr_1", origin.Holding{EntryID: "ent_7", SiteID: "a-site", State: "gone", EffectiveAt: "2026", At: "2027"})
	for _, c := range []struct {
		before         string
		dropped, floor int64
		left           int
	}{{"2026", 0, 0, 6}, {"2027", 1, 2, 5}, {"2027", 0, 2, 5}, {"2028", 2, 6, 3}, {"2027", 0, 6, 3}} {
		n, err := s.ForgetTombstones(ctx, "byr_1", c.before)
		must(t, err)
		f, events, _, err := s.FeedSince(ctx, "byr_1", 0, 9)
		if n != c.dropped || f.Floor != c.floor || len(events) != c.left || err != nil {
			t.Errorf("before %s: %d dropped, floor %d, %d left, %v; want %+v", c.before, n, f.Floor, len(events), err, c)
		}
	}
	if f, events, _, err := s.FeedSince(ctx, "byr_2", 0, 9); f.Floor != 0 || len(events) != 5 || err != nil {
		t.Errorf("of another buyer: floor %d, %d left, %v", f.Floor, len(events), err)
	}
}

// TestScansAreNumbered checks that a call which speaks of another comparison, or
// of one that is not open, changes nothing, nor does one of another buyer.
func TestScansAreNumbered(t *testing.T) {
	ctx, s := twoFeeds(t)
	feed := func(buyer string) origin.Feed {
		f, err := s.Feed(ctx, buyer)
		must(t, err)
		return f
	}
	open := func(n int64) (bool, error) { return s.OpenScan(ctx, "byr_1", n, 7, "2027") }
	move := func(n int64, from string) (bool, error) { return s.MoveScan(ctx, "byr_1", n, from, "b", 0) }
	end := func(n int64) (bool, error) { return s.CloseScan(ctx, "byr_1", n) }
	other := feed("byr_2")
	for _, c := range []struct {
		what string
		do   func() (bool, error)
		done bool
	}{
		{"move before it is open", func() (bool, error) { return move(0, "") }, false},
		{"end before it is open", func() (bool, error) { return end(0) }, false},
		{"open with another number", func() (bool, error) { return open(1) }, false},
		{"open", func() (bool, error) { return open(0) }, true},
		{"open twice", func() (bool, error) { return open(1) }, false},
		{"move another", func() (bool, error) { return move(2, "") }, false},
		{"move from elsewhere", func() (bool, error) { return move(1, "a") }, false},
		{"move", func() (bool, error) { return move(1, "") }, true},
		{"end another", func() (bool, error) { return end(2) }, false},
		{"end", func() (bool, error) { return end(1) }, true},
		{"move after its end", func() (bool, error) { return move(1, "b") }, false},
		{"end twice", func() (bool, error) { return end(1) }, false},
	} {
		before := feed("byr_1")
		done, err := c.do()
		if done != c.done || err != nil {
			t.Errorf("%s: %v, %v", c.what, done, err)
		}
		if after := feed("byr_1"); (after == before) == c.done {
			t.Errorf("%s: the feed was %+v and is %+v", c.what, before, after)
		}
	}
	if got := feed("byr_1"); got.Stamp != 7 || got.Boundary != "2027" || got.Scan != 1 || got.ScanOpen {
		t.Errorf("after the comparison: %+v", got)
	}
	same(t, "the feed of another buyer", feed("byr_2"), other, nil)
}
