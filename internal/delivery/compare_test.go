package delivery

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// feedStore keeps one feed. It counts comparisons, and can be overtaken by another
// writer.
type feedStore struct {
	origin.Delivery
	feed   origin.Feed
	opened int
	others int64 // how often the counters still move while a comparison runs
}

func (s *feedStore) Feed(context.Context, string) (origin.Feed, error) { return s.feed, nil }

func (s *feedStore) OpenScan(_ context.Context, _ string, n, stamp int64, boundary string) (bool, error) {
	s.opened++
	if n != s.feed.Scan || s.feed.ScanOpen {
		return false, nil
	}
	s.feed.Scan, s.feed.ScanOpen, s.feed.ScanStamp, s.feed.ScanBoundary = n+1, true, stamp, boundary
	if s.others > 0 {
		s.others--
		s.feed.Now++
	}
	return true, nil
}

func (s *feedStore) CloseScan(_ context.Context, _ string, n int64) (bool, error) {
	if n != s.feed.Scan {
		return false, errors.New("another comparison is closed")
	}
	s.feed.ScanOpen, s.feed.Stamp, s.feed.Boundary = false, s.feed.ScanStamp, s.feed.ScanBoundary
	return true, nil
}

func (s *feedStore) HeldSites(context.Context, string) ([]string, error) { return nil, nil }

// accessReader knows one credential.
type accessReader struct {
	origin.BuyerReader
	access origin.Access
}

func (r accessReader) Access(context.Context, string) (origin.Access, error) { return r.access, nil }

func compareSession(store origin.Delivery, grants ...origin.Grant) *Session {
	access := origin.Access{Buyer: origin.Buyer{BuyerID: "byr_1", State: "active"}, Grants: grants}
	access.Credential.State = "active"
	return &Session{Service: &Service{Buyers: accessReader{access: access}, Store: store, Now: func() time.Time { return batchTime }}, Buyer: access.Buyer}
}

// TestCompareWhenDue checks that a feed is compared with live rights exactly if
// the counters moved since the last comparison, or an instant has passed at
// which time changes rights.
func TestCompareWhenDue(t *testing.T) {
	t.Parallel()
	now := exports.Instant(batchTime)
	for name, tc := range map[string]struct {
		feed   origin.Feed
		opened int
	}{
		"nothing moved":             {origin.Feed{Stamp: 7, Now: 7}, 0},
		"the counters moved":        {origin.Feed{Stamp: 6, Now: 7}, 1},
		"never compared":            {origin.Feed{Now: 7}, 1},
		"a right ends later":        {origin.Feed{Stamp: 7, Now: 7, Boundary: "2026-06-01T12:00:01Z"}, 0},
		"a right ends now":          {origin.Feed{Stamp: 7, Now: 7, Boundary: now}, 1},
		"a right ended":             {origin.Feed{Stamp: 7, Now: 7, Boundary: "2026-06-01T11:59:59Z"}, 1},
		"one is under way":          {origin.Feed{Stamp: 7, Now: 7, Scan: 3, ScanOpen: true, ScanStamp: 7}, 0},
		"one is under way, and old": {origin.Feed{Stamp: 5, Now: 7, Scan: 3, ScanOpen: true, ScanStamp: 6}, 1},
	} {
		store := &feedStore{feed: tc.feed}
		done, err := compareSession(store).Compare(t.Context())
		if !done || err != nil || store.opened != tc.opened || store.feed.Stamp != store.feed.Now {
			t.Errorf("%s: done %v, %v after %d comparisons, not %d: %+v", name, done, err, store.opened, tc.opened, store.feed)
		}
	}
}

// TestCompareOvertaken checks that a comparison is repeated while others move
// the counters, and ends without a result if they do not stop.
func TestCompareOvertaken(t *testing.T) {
	t.Parallel()
	for others, want := range map[int64]bool{1: true, 2: true, 100: false} {
		store := &feedStore{feed: origin.Feed{Now: 1}, others: others}
		if done, err := compareSession(store).Compare(t.Context()); done != want || err != nil {
			t.Errorf("%d writers: done %v, %v", others, done, err)
		}
	}
}

// TestCompareNotesTheBoundary notes the next instant at which time changes rights.
func TestCompareNotesTheBoundary(t *testing.T) {
	t.Parallel()
	store := &feedStore{feed: origin.Feed{Now: 1}}
	grants := []origin.Grant{{GrantID: "grt_1", BuyerID: "byr_1", State: "active", ValidUntil: "2026-07-01T00:00:00Z"}}
	if done, err := compareSession(store, grants...).Compare(t.Context()); !done || err != nil || store.feed.Boundary != "2026-07-01T00:00:00Z" {
		t.Errorf("done %v, %v, boundary %q", done, err, store.feed.Boundary)
	}
}

// scanStore is a feedStore of three sites, in one of which an item is held that is
// gone. It notes what a comparison reads and how far it says it came.
type scanStore struct {
	feedStore
	read, moved []string
	lost        int // how many events are not written, because others were first
	overtaken   bool
}

func (s *scanStore) HeldSites(context.Context, string) ([]string, error) {
	return []string{"a-site", "b-site", "c-site"}, nil
}

func (s *scanStore) Items(_ context.Context, siteID, after string, _ int) ([]origin.Item, error) {
	s.read = append(s.read, siteID+"/"+after)
	return nil, nil
}

func (s *scanStore) HoldingsOf(_ context.Context, _, siteID, _, _ string, _ int) ([]origin.Holding, error) {
	if siteID != "b-site" {
		return nil, nil
	}
	return []origin.Holding{{EntryID: "ent_6", SiteID: siteID, State: "held"}}, nil
}

func (s *scanStore) AppendEvents(_ context.Context, _ string, events []origin.Holding) (int64, error) {
	if s.lost > 0 {
		s.lost--
		return 0, nil
	}
	return int64(len(events)), nil
}

func (s *scanStore) MoveScan(_ context.Context, _ string, _ int64, from, to string, wrote int64) (bool, error) {
	s.moved = append(s.moved, fmt.Sprint(from, " ", to, " ", wrote))
	return !s.overtaken, nil
}

// TestResumeScan continues a comparison where the last call ended, reads a part again
// when others wrote first, and stops when another call went further.
func TestResumeScan(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name        string
		store       scanStore
		done        bool
		read, moved string
	}{
		{"resumed", scanStore{}, true, "b-site/ent_5 c-site/", "b-site/ent_5 b-site/~ 1, b-site/~ c-site/~ 0"},
		{"written by others first", scanStore{lost: 1}, true, "b-site/ent_5 b-site/ent_5 c-site/", "b-site/ent_5 b-site/~ 1, b-site/~ c-site/~ 0"},
		{"overtaken", scanStore{overtaken: true}, false, "b-site/ent_5", "b-site/ent_5 b-site/~ 1"},
	} {
		c := &comparison{Session: compareSession(&tc.store)}
		tc.store.feed = origin.Feed{Scan: 3, ScanOpen: true, ScanPlace: "b-site/ent_5"}
		done, err := c.resumeScan(t.Context(), &origin.Feed{Scan: 3, ScanPlace: "b-site/ent_5"})
		if read, moved := strings.Join(tc.store.read, " "), strings.Join(tc.store.moved, ", "); done != tc.done || err != nil || read != tc.read || moved != tc.moved {
			t.Errorf("%s: done %v, %v, read %q, moved %q", tc.name, done, err, read, moved)
		}
	}
}

// TestCompareItem checks the event that reports what changed about an item
// since the last one.
func TestCompareItem(t *testing.T) {
	t.Parallel()
	at := exports.Instant(batchTime)
	grant := origin.Grant{GrantID: "grt_1", BuyerID: "byr_1", State: "active", Uses: []string{"rag"}, Sites: []string{"site-a"}, DeleteHours: 48}
	s := compareSession(nil, grant)
	s.Grants, s.at = []origin.Grant{grant}, batchTime
	c := &comparison{Session: s}
	item := &origin.Item{Page: origin.Page{EntryID: "ent_1", SiteID: "site-a", CanonicalURL: "https://a.example/", State: "active"}, SiteState: origin.Approved, Version: 2, Digest: "d"}
	gone := *item
	gone.State = "withdrawn"
	first, told := c.compareItem(item, nil, at)
	if !told || first.State != "held" || first.Change != "added" || first.Told != -1 || first.Version != 2 {
		t.Fatalf("an item that was never told: %v %+v", told, first)
	}
	held := func(change func(h *origin.Holding)) *origin.Holding {
		h := first
		h.Sequence, h.Told = 5, 5
		change(&h)
		return &h
	}
	for name, tc := range map[string]struct {
		item    *origin.Item
		was     *origin.Holding
		told    bool
		state   string
		change  string
		toldAt  int64
		atFirst int64 // sequence that must still be the newest
	}{
		"the same":               {item, held(func(*origin.Holding) {}), false, "", "", 0, 0},
		"another edition":        {item, held(func(h *origin.Holding) { h.Version = 1 }), true, "held", "updated", -1, 5},
		"another text":           {item, held(func(h *origin.Holding) { h.Digest = "e" }), true, "held", "updated", -1, 5},
		"other metadata":         {item, held(func(h *origin.Holding) { h.Facts = "x" }), true, "held", "updated", -1, 5},
		"a use more":             {item, held(func(h *origin.Holding) { h.Uses = 0 }), true, "held", "updated", -1, 5},
		"a use less":             {item, held(func(h *origin.Holding) { h.Uses |= 1 << 7 }), true, "held", "added", 5, 5},
		"a grant less":           {item, held(func(h *origin.Holding) { h.Grants = []string{"grt_0", "grt_1"} }), true, "held", "added", 5, 5},
		"by another grant":       {item, held(func(h *origin.Holding) { h.Grants = []string{"grt_0"} }), true, "held", "updated", -1, 5},
		"again":                  {item, held(func(h *origin.Holding) { h.State = "gone" }), true, "held", "regranted", -1, 5},
		"withdrawn":              {&gone, held(func(*origin.Holding) {}), true, "gone", "", 0, 5},
		"no such page":           {nil, held(func(*origin.Holding) {}), true, "gone", "", 0, 5},
		"gone, and still gone":   {&gone, held(func(h *origin.Holding) { h.State = "gone" }), false, "", "", 0, 0},
		"never told and no page": {&gone, nil, false, "", "", 0, 0},
	} {
		e, told := c.compareItem(tc.item, tc.was, at)
		if told != tc.told || told && (e.State != tc.state || e.Change != tc.change || e.Told != tc.toldAt || e.Sequence != tc.atFirst) {
			t.Errorf("%s: %v %+v", name, told, e)
		}
	}
	endings := map[string]string{"grt_1": "grant_revoked", "grt_0": "grant_expired"} // what ended the right is said of the grant behind it
	c.Grants = []origin.Grant{grant, grant}
	c.Grants[0].State, c.Grants[1].GrantID, c.Grants[1].ValidUntil = "revoked", "grt_0", at
	for id, want := range endings {
		if e, _ := c.compareItem(item, held(func(h *origin.Holding) { h.Grants = []string{id} }), at); e.Reason != want {
			t.Errorf("held under %s: %s, want %s", id, e.Reason, want)
		}
	}
	c.Grants = []origin.Grant{grant}
	lost, _ := c.compareItem(item, held(func(h *origin.Holding) { h.Uses |= 1 << 7; h.Lost = 1 << 6 }), at)
	assert.Equal(t, lost.Lost, 1<<7|1<<6, "uses that were taken away")
}

// failingStore is a scanStore of which the nth call fails, counted over all its
// methods. It counts how often the feed is read.
type failingStore struct {
	scanStore
	calls, failsAt, feeds int
}

var errStore = errors.New("the store is away")

func (s *failingStore) call() error {
	if s.calls++; s.calls == s.failsAt {
		return errStore
	}
	return nil
}

func (s *failingStore) Feed(ctx context.Context, id string) (origin.Feed, error) {
	s.feeds++
	if err := s.call(); err != nil {
		return origin.Feed{}, err
	}
	return s.scanStore.Feed(ctx, id)
}

func (s *failingStore) OpenScan(ctx context.Context, id string, n, stamp int64, boundary string) (bool, error) {
	if err := s.call(); err != nil {
		return false, err
	}
	return s.scanStore.OpenScan(ctx, id, n, stamp, boundary)
}

func (s *failingStore) HeldSites(ctx context.Context, id string) ([]string, error) {
	if err := s.call(); err != nil {
		return nil, err
	}
	return s.scanStore.HeldSites(ctx, id)
}

func (s *failingStore) Items(_ context.Context, siteID, _ string, _ int) ([]origin.Item, error) {
	if err := s.call(); err != nil {
		return nil, err
	}
	return []origin.Item{{Page: origin.Page{EntryID: "ent_1", SiteID: siteID}}}, nil
}

func (s *failingStore) MoveScan(ctx context.Context, id string, n int64, from, to string, wrote int64) (bool, error) {
	if err := s.call(); err != nil {
		return false, err
	}
	return s.scanStore.MoveScan(ctx, id, n, from, to, wrote)
}

func (s *failingStore) CloseScan(ctx context.Context, id string, n int64) (bool, error) {
	if err := s.call(); err != nil {
		return false, err
	}
	return s.scanStore.CloseScan(ctx, id, n)
}

// TestCompareFails fails each call of the store in turn: a comparison says so, and
// does not say that it finished.
func TestCompareFails(t *testing.T) {
	t.Parallel()
	whole := &failingStore{scanStore: scanStore{feedStore: feedStore{feed: origin.Feed{Now: 1}}}}
	if done, err := compareSession(whole).Compare(t.Context()); !done || err != nil {
		t.Fatalf("done %v, %v", done, err)
	}
	for n := 1; n <= whole.calls; n++ {
		store := &failingStore{scanStore: scanStore{feedStore: feedStore{feed: origin.Feed{Now: 1}}}, failsAt: n}
		if done, err := compareSession(store).Compare(t.Context()); !errors.Is(err, errStore) || done {
			t.Errorf("call %d of %d: done %v, %v", n, whole.calls, done, err)
		}
	}
}

// awayReader cannot read what buyers may do.
type awayReader struct{ origin.BuyerReader }

func (awayReader) Access(context.Context, string) (origin.Access, error) {
	return origin.Access{}, errStore
}

// TestCompareWithoutRights checks that a comparison does not finish if the rights
// of the buyer cannot be read.
func TestCompareWithoutRights(t *testing.T) {
	t.Parallel()
	s := compareSession(&feedStore{feed: origin.Feed{Now: 1}})
	s.Service.Buyers = awayReader{}
	if done, err := s.Compare(t.Context()); !errors.Is(err, errStore) || done {
		t.Errorf("done %v, %v", done, err)
	}
}

// TestCompareStops checks that a call which used up its rows, or whose comparison
// another one overtook, ends without a result.
func TestCompareStops(t *testing.T) {
	t.Parallel()
	spent := &failingStore{scanStore: scanStore{feedStore: feedStore{feed: origin.Feed{Now: 1}}}}
	s := compareSession(spent)
	s.Budget.Rows = 1
	if done, err := s.Compare(t.Context()); done || err != nil || spent.feeds != 2 || len(spent.moved) != 1 || !spent.feed.ScanOpen {
		t.Errorf("rows used up: done %v, %v after reading the feed %d times and %d parts", done, err, spent.feeds, len(spent.moved))
	}
	overtaken := &failingStore{scanStore: scanStore{feedStore: feedStore{feed: origin.Feed{Now: 1}}, overtaken: true}}
	if done, err := compareSession(overtaken).Compare(t.Context()); done || err != nil || overtaken.feeds != 8 {
		t.Errorf("overtaken: done %v, %v after reading the feed %d times", done, err, overtaken.feeds)
	}
}

// longSite is a scanStore of one site with one entry more than a part has.
type longSite struct {
	scanStore
	parts []string // "after..last" of the entries, then of what is held
}

func (s *longSite) HeldSites(context.Context, string) ([]string, error) {
	return []string{"a-site"}, nil
}

func (s *longSite) Items(_ context.Context, siteID, after string, limit int) ([]origin.Item, error) {
	s.parts = append(s.parts, after)
	if after != "" {
		return []origin.Item{{Page: origin.Page{EntryID: "ent_last", SiteID: siteID}}}, nil
	}
	list := make([]origin.Item, limit)
	for i := range list {
		list[i].Page = origin.Page{EntryID: fmt.Sprintf("ent_%06d", i), SiteID: siteID}
	}
	return list, nil
}

func (s *longSite) HoldingsOf(_ context.Context, _, _, after, last string, _ int) ([]origin.Holding, error) {
	s.parts = append(s.parts, after+".."+last)
	return nil, nil
}

// TestCompareInParts compares a site of more entries than a part has: what is held
// is read for the same entries, and the next part begins after them.
func TestCompareInParts(t *testing.T) {
	t.Parallel()
	store := &longSite{scanStore: scanStore{feedStore: feedStore{feed: origin.Feed{Now: 1}}}}
	done, err := compareSession(store).Compare(t.Context())
	end := fmt.Sprintf("ent_%06d", compareRows-1)
	if want := []string{"", ".." + end, end, end + ".."}; !done || err != nil || !slices.Equal(store.parts, want) {
		t.Errorf("done %v, %v, parts %q, want %q", done, err, store.parts, want)
	}
	if want := []string{" a-site/" + end + " 0", "a-site/" + end + " a-site/~ 0"}; !slices.Equal(store.moved, want) {
		t.Errorf("moved %q, want %q", store.moved, want)
	}
}

// TestMetadataMark checks that the mark of an item changes with everything that
// a buyer sees of it, and with nothing else.
func TestMetadataMark(t *testing.T) {
	t.Parallel()
	marks := map[string]string{}
	for name, change := range map[string]func(i *origin.Item, g *origin.Grant){
		"title":        func(i *origin.Item, _ *origin.Grant) { i.Title = "x" },
		"language":     func(i *origin.Item, _ *origin.Grant) { i.Language = "x" },
		"address":      func(i *origin.Item, _ *origin.Grant) { i.CanonicalURL = "x" },
		"published":    func(i *origin.Item, _ *origin.Grant) { i.PublishedAt = "x" },
		"modified":     func(i *origin.Item, _ *origin.Grant) { i.ModifiedAt = "x" },
		"words":        func(i *origin.Item, _ *origin.Grant) { i.WordCount = 1 },
		"fingerprint":  func(i *origin.Item, _ *origin.Grant) { i.Portable = "x" },
		"publisher":    func(i *origin.Item, _ *origin.Grant) { i.SiteName = "x" },
		"record":       func(i *origin.Item, _ *origin.Grant) { i.Recorded = true },
		"section":      func(i *origin.Item, _ *origin.Grant) { i.Section = "x" },
		"author":       func(i *origin.Item, _ *origin.Grant) { i.Byline = []string{"x"} },
		"term":         func(i *origin.Item, _ *origin.Grant) { i.Terms = []string{"x"} },
		"attribution":  func(_ *origin.Item, g *origin.Grant) { g.Attribution = "x" },
		"display":      func(_ *origin.Item, g *origin.Grant) { g.DisplayLimit = 1 },
		"reporting":    func(_ *origin.Item, g *origin.Grant) { g.Reporting = "x" },
		"delete hours": func(_ *origin.Item, g *origin.Grant) { g.DeleteHours = 1 },
		"retention":    func(_ *origin.Item, g *origin.Grant) { g.Retention = "P1D" },
		"nothing":      func(*origin.Item, *origin.Grant) {},
	} {
		item, grant := &origin.Item{}, &origin.Grant{}
		change(item, grant)
		mark := metadataMark(item, &rights.GrantCheck{Grants: []*origin.Grant{grant}})
		if other := marks[mark]; other != "" {
			t.Errorf("%s and %s have the same mark", name, other)
		}
		marks[mark] = name
	}
	private := metadataMark(&origin.Item{Page: origin.Page{RegisteredAt: "x", ChangedAt: "x"}}, &rights.GrantCheck{Grants: []*origin.Grant{{PrivateNotes: "x", Version: 2}}})
	assert.Equal(t, marks[private], "nothing", "what a buyer does not see has a mark")
}
