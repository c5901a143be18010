package delivery_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/credential"
	"colophon/internal/delivery"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/origintest"
	"colophon/internal/paging"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

var must = assert.NoError

const seedTime = "2026-01-01T00:00:00Z"

// market is a store with one buyer, two sites with two pages each, and a clock.
type market struct {
	*testing.T
	*originsql.Store
	clock time.Time
	delivery.Service
	end      exports.Checkpoint // of the last delta
	together string             // a sign for each line of it: "+" if the next line was opened at the same moment, otherwise "-"
}

func newMarket(t *testing.T) *market {
	t.Helper()
	ctx := t.Context()
	store, _ := origintest.Open(t)
	m := &market{T: t, Store: store, clock: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
	now := func() time.Time { return m.clock }
	m.Service = delivery.Service{Buyers: store, Store: store, Bodies: rights.NewBodyStore(store, nil, now), Now: now, Rand: strings.NewReader(strings.Repeat("random bytes", 1000))}
	must(t, store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_1", LegalName: "P", CreatedAt: seedTime}))
	for _, id := range []string{"site-a", "site-b"} {
		must(t, store.PutSite(ctx, origin.Site{SiteID: id, PublisherID: "pub_1", Name: id, SiteURL: "https://" + id + ".example/", State: origin.Approved, Visibility: "public", CreatedAt: seedTime, ChangedAt: seedTime}))
		for _, n := range []string{"1", "2"} {
			m.page(id, "ent_"+id[len(id)-1:]+n, "active", "2026-0"+n+"-01T00:00:00Z")
		}
	}
	must(t, store.PutBuyer(ctx, origin.Buyer{BuyerID: "byr_1", Name: "B", State: "active", CreatedAt: seedTime, ChangedAt: seedTime}))
	hash := credential.Digest("secret")
	must(t, store.PutCredential(ctx, origin.BuyerCredential{CredentialID: "crd_1", BuyerID: "byr_1", Credential: origin.Credential{Lookup: credential.LookupOf(hash), Hash: hash, State: "active", CreatedAt: seedTime, ChangedAt: seedTime}}))
	m.grant("grt_a", "active", "site-a", "rag", "training")
	return m
}

func (m *market) page(site, entry, state, modified string) {
	m.Helper()
	must(m.T, m.PutPage(m.Context(), origin.Page{
		EntryID: entry, SiteID: site, CanonicalURL: "https://" + site + ".example/" + entry, Title: "Title of " + entry, ContentFormat: "html",
		PublishedAt: seedTime, ModifiedAt: modified, RegisteredAt: seedTime, ChangedAt: modified, State: state,
	}, &origin.Body{Text: "text of " + entry + modified, SHA256: "x", ChangedAt: modified}))
}

func (m *market) grant(id, state, site string, uses ...string) {
	m.Helper()
	at := exports.Instant(m.clock)
	must(m.T, m.PutGrant(m.Context(), origin.Grant{
		GrantID: id, BuyerID: "byr_1", Kind: "direct", Uses: uses, ValidFrom: seedTime, State: state, StateAt: at, DeleteHours: 48, CreatedAt: seedTime, ChangedAt: at,
	}))
	must(m.T, m.SetGrantSite(m.Context(), id, site, true, seedTime))
}

func (m *market) session() *delivery.Session {
	m.Helper()
	access, err := m.Access(m.Context(), "crd_1")
	must(m.T, err)
	s, err := m.Begin(m.Context(), &access, m.clock)
	must(m.T, err)
	return s
}

// delta requests a delta: it returns a word and an entry for each line, and the
// cursor at its end.
func (m *market) delta(ask delivery.DeltaQuery) (lines []string, cursor string, err error) {
	m.Helper()
	if ask.Limit == 0 {
		ask.Limit = 100
	}
	run, err := m.session().Delta(m.Context(), &ask)
	if err != nil {
		return nil, "", err
	}
	m.together = ""
	err = run(func(r wire.Record, together bool) error {
		m.together += map[bool]string{true: "+", false: "-"}[together]
		switch x := r.(type) {
		case *exports.Upsert:
			lines = append(lines, x.Change+" "+x.Item.EntryID)
			if x.Item.Sequence != x.Sequence || (x.Item.Content == nil) != ask.Meta {
				m.Errorf("%s: line %d has item %+v", x.Item.EntryID, x.Sequence, x.Item)
			}
		case *exports.RightsChange:
			lines = append(lines, "rights "+strings.TrimPrefix(x.ItemID, "itm_")+" by "+x.GrantID+" to "+strings.Join(x.Uses, ",")+" without "+strings.Join(x.Removed, ","))
		case *exports.Tombstone:
			lines = append(lines, x.Reason+" "+strings.TrimPrefix(x.ItemID, "itm_"))
		case *exports.Checkpoint:
			cursor, m.end = x.Cursor, *x
			if !x.Complete {
				lines = append(lines, "incomplete")
			}
		}
		return nil
	})
	return lines, cursor, err
}

func (m *market) wantDelta(what, since string, want ...string) (cursor string) {
	m.Helper()
	lines, cursor, err := m.delta(delivery.DeltaQuery{Since: since})
	if err != nil || !slices.Equal(lines, want) {
		m.Errorf("%s: %q, %v; want %q", what, lines, err, want)
	}
	return cursor
}

// TestDelta follows one buyer: first come all items, then what changed, each
// once.
func TestDelta(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	first := m.wantDelta("at first", "", "added ent_a1", "added ent_a2")
	next := m.wantDelta("once more", first)
	assert.Equal(t, m.together, "-", "sent together")
	m.page("site-a", "ent_a1", "active", "2026-05-01T00:00:00Z")
	m.page("site-a", "ent_a2", "withdrawn", "2026-05-01T00:00:00Z")
	next = m.wantDelta("an edit and a withdrawal", next, "updated ent_a1", "entry_withdrawn a2")
	m.grant("grt_a", "active", "site-a", "rag")
	next = m.wantDelta("a use less", next, "rights a1 by grt_a to rag without training")
	m.wantDelta("a use less, for a reader that never had the item", "", "entry_withdrawn a2", "updated ent_a1")
	m.grant("grt_a", "revoked", "site-a", "rag")
	next = m.wantDelta("revoked", next, "grant_revoked a1")
	m.grant("grt_a", "active", "site-a", "rag")
	m.wantDelta("granted again", next, "regranted ent_a1")
}

// TestDeltaOfSlowReaders checks that rights are read again if the reader is
// slow, so that nothing is sent by rights that ended meanwhile, and that an
// answer that lasts too long is ended.
func TestDeltaOfSlowReaders(t *testing.T) {
	t.Parallel()
	const lasts = 4*time.Minute + 30*time.Second
	for wait, want := range map[time.Duration]string{
		0: "added", rights.PermitLife: "added", rights.PermitLife + time.Second: "grant_revoked", lasts - time.Second: "grant_revoked", lasts: "",
	} {
		m := newMarket(t)
		run, err := m.session().Delta(t.Context(), &delivery.DeltaQuery{Limit: 100, Meta: true})
		must(t, err)
		if wait > 0 {
			m.grant("grt_a", "revoked", "site-a", "rag")
		}
		m.clock = m.clock.Add(wait)
		got := ""
		must(t, run(func(r wire.Record, _ bool) error {
			switch x := r.(type) {
			case *exports.Upsert:
				got = x.Change
			case *exports.Tombstone:
				got = x.Reason
			}
			return nil
		}))
		assert.Equal(t, got, want, "after %s", wait)
	}
}

// TestDeltaByOlderRights checks that an item is not sent for uses that its
// newest event removed.
func TestDeltaByOlderRights(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.wantDelta("at first", "", "added ent_a1", "added ent_a2")
	m.watch().before["FeedSince"] = func() {
		m.grant("grt_a", "active", "site-a", "rag")
		m.wantDelta("of another answer", "", "added ent_a1", "added ent_a2")
	}
	run, err := m.session().Delta(t.Context(), &delivery.DeltaQuery{Limit: 100, Meta: true})
	must(t, err)
	must(t, run(func(r wire.Record, _ bool) error {
		if x, ok := r.(*exports.Upsert); ok && !slices.Equal(x.Item.Rights.Uses, []string{"rag"}) {
			t.Errorf("%s for %q", x.Item.EntryID, x.Item.Rights.Uses)
		}
		return nil
	}))
}

// TestDeltaCursors checks that a cursor below the oldest tombstone, and one
// from the future, are refused.
func TestDeltaCursors(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	first := m.wantDelta("at first", "", "added ent_a1", "added ent_a2")
	m.page("site-a", "ent_a1", "withdrawn", seedTime)
	next := m.wantDelta("a withdrawal", first, "entry_withdrawn a1")
	if n, err := m.ForgetTombstones(t.Context(), "byr_1", "2027-01-01T00:00:00Z"); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	m.wantDelta("from the newest event", next)
	again := m.wantDelta("from the beginning", "", "added ent_a2")
	m.wantDelta("once more from there", again)
	m.page("site-a", "ent_a1", "active", seedTime)
	_, part, err := m.delta(delivery.DeltaQuery{Limit: 1})
	must(t, err)
	m.wantDelta("from the first event, below what was dropped", part, "added ent_a1")
	for _, since := range []string{first, paging.Keyset("delta", "99", "0", ""), "c.2"} {
		if lines, _, err := m.delta(delivery.DeltaQuery{Since: since}); !errors.Is(err, delivery.ErrExpired) {
			t.Errorf("since %s: %q, %v", since, lines, err)
		}
	}
	if _, _, err := m.delta(delivery.DeltaQuery{Since: "nonsense"}); !errors.Is(err, delivery.ErrSince) {
		t.Errorf("nonsense: %v", err)
	}
}

// list runs a query and returns the entries of its lines.
func (m *market) list(q delivery.Query) (entries []string, result delivery.Result, err error) {
	m.Helper()
	q.Form = "text"
	if q.Limit == 0 {
		q.Limit = 100
	}
	if q.Use == "" {
		q.Use = exports.UseRAG
	}
	run, err := m.session().List(m.Context(), &q)
	if err != nil {
		return nil, result, err
	}
	m.together = ""
	result, err = run(func(e delivery.Event) error {
		m.together += map[bool]string{true: "+", false: "-"}[e.Together]
		switch {
		case e.Item != nil:
			entries = append(entries, e.Item.EntryID)
			if (e.Item.Content == nil) != q.Meta {
				m.Errorf("%s has content %+v", e.Item.EntryID, e.Item.Content)
			}
		case e.Tombstone != nil:
			entries = append(entries, e.Tombstone.Reason)
		default:
			entries = append(entries, "withheld "+e.Withheld.Reason)
		}
		return nil
	})
	return entries, result, err
}

// TestList checks that a query lists what it asks for, as far as the buyer may
// have it.
func TestList(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.grant("grt_b", "active", "site-b", "research")
	g, err := m.Grant(t.Context(), "grt_a") // another grant of a part of the same site
	must(t, err)
	g.GrantID, g.Paths = "grt_c", []string{"/ent_a2"}
	must(t, m.PutGrant(t.Context(), g))
	must(t, m.SetGrantSite(t.Context(), "grt_c", "site-a", true, seedTime))
	for name, tc := range map[string]struct {
		query delivery.Query
		want  string
	}{
		"for retrieval":             {delivery.Query{}, "ent_a1 ent_a2"},
		"for another use":           {delivery.Query{Use: "research"}, "ent_b1 ent_b2"},
		"for a use without grants":  {delivery.Query{Use: "datasets"}, ""},
		"updated since":             {delivery.Query{UpdatedSince: "2026-02-01T00:00:00Z"}, "ent_a2"},
		"updated at that instant":   {delivery.Query{UpdatedSince: "2026-01-01T00:00:00Z"}, "ent_a1 ent_a2"},
		"updated later":             {delivery.Query{UpdatedSince: "2026-02-01T00:00:01Z"}, ""},
		"of a grant":                {delivery.Query{Sources: []string{"grt_a"}}, "ent_a1 ent_a2"},
		"of a grant of a part":      {delivery.Query{Sources: []string{"grt_c"}}, "ent_a2"},
		"of a site":                 {delivery.Query{Sources: []string{"site-b"}, Use: "research"}, "ent_b1 ent_b2"},
		"of a grant, for a use":     {delivery.Query{Sources: []string{"grt_b"}}, ""},
		"about something":           {delivery.Query{Topic: "title ent_a2"}, "ent_a2"},
		"about something else":      {delivery.Query{Topic: "harbour"}, ""},
		"metadata":                  {delivery.Query{Meta: true}, "ent_a1 ent_a2"},
		"metadata about something":  {delivery.Query{Meta: true, Topic: "title ent_a1"}, "ent_a1"},
		"the first":                 {delivery.Query{Limit: 1}, "ent_a1"},
		"sources that do not exist": {delivery.Query{Sources: []string{"site-z"}}, "no active grant"},
	} {
		entries, result, err := m.list(tc.query)
		got := strings.Join(entries, " ")
		if errors.Is(err, delivery.ErrInactive) {
			got = err.Error()
		}
		if got != tc.want || err == nil && (result.Next != "") != (tc.query.Limit == 1) {
			t.Errorf("%s: %q, next %q, %v; want %q", name, got, result.Next, err, tc.want)
		}
	}
}

// TestListPages pages through a listing one item at a time, by the cursors of
// its answers.
func TestListPages(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.grant("grt_0", "active", "site-b", "rag")
	var all []string
	cursor := ""
	for range 10 {
		entries, result, err := m.list(delivery.Query{Limit: 1, Cursor: cursor})
		must(t, err)
		all = append(all, entries...)
		if cursor = result.Next; cursor == "" {
			break
		}
	}
	if got := strings.Join(all, " "); got != "ent_a1 ent_a2 ent_b1 ent_b2" || cursor != "" {
		t.Errorf("%q, next %q", got, cursor)
	}
	run, err := m.session().List(t.Context(), &delivery.Query{Form: "text", Use: exports.UseRAG}) // of no item
	must(t, err)
	if result, err := run(func(delivery.Event) error { return nil }); err != nil || result.Count != 0 || result.Next != "" {
		t.Errorf("of no item: %+v, %v", result, err)
	}
	_, result, err := m.list(delivery.Query{Limit: 1})
	must(t, err)
	if _, _, err := m.list(delivery.Query{Limit: 1, Cursor: result.Next, Use: "training"}); !errors.Is(err, delivery.ErrCursor) {
		t.Errorf("the cursor of another query: %v", err)
	}
	_, result, err = m.list(delivery.Query{Limit: 3}) // up to the first item of site-b
	must(t, err)
	m.grant("grt_0", "revoked", "site-b", "rag")
	if entries, end, err := m.list(delivery.Query{Limit: 3, Cursor: result.Next}); len(entries) != 0 || end.Next != "" || err != nil {
		t.Errorf("after a site whose grant ended: %q, %+v, %v", entries, end, err)
	}
}

// TestListInBatches lists more items than are read at once. The rights are read
// for each batch, so items whose right ended are not named.
func TestListInBatches(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		query delivery.Query
		rows  []int
		lines int
		ends  bool // the right to site-b ends after the first batch
	}{
		{delivery.Query{}, []int{50, 50, 50}, 104, false},
		{delivery.Query{}, []int{50, 50, 50}, 50, true},
		{delivery.Query{Meta: true}, []int{500}, 104, false},
		{delivery.Query{Topic: "title"}, []int{500}, 104, false},
	} {
		m := newMarket(t)
		m.grant("grt_b", "active", "site-b", "rag")
		m.more(100, "site-b", "active")
		w := m.watch()
		if tc.ends {
			m.Service.Bodies = &lateBodies{Bodies: m.Service.Bodies, times: 3, change: func() { m.grant("grt_b", "revoked", "site-b", "rag") }}
		}
		tc.query.Limit = 1000
		entries, _, err := m.list(tc.query)
		if len(entries) != tc.lines || !slices.IsSorted(entries) || len(slices.Compact(entries)) != tc.lines || err != nil || !slices.Equal(w.rows, tc.rows) {
			t.Errorf("%+v: %d lines %q, %v; rows %v", tc.query, len(entries), entries, err, w.rows)
		}
	}
}

// TestSnapshots checks that a snapshot lists its items as they are now, until
// it expires and only to its buyer.
func TestSnapshots(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	x, again, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 1}, "key", "f")
	must(t, err)
	if again || x.Items != 2 || x.ExpiresAt != "2026-06-02T12:00:00Z" {
		t.Fatalf("made again %v, %+v", again, x)
	}
	if y, again, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 1}, "key", "f"); !again || y.SnapshotID != x.SnapshotID || err != nil {
		t.Errorf("with the same key: %v, %+v, %v", again, y, err)
	}
	if _, _, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 2}, "key", "g"); !errors.Is(err, delivery.ErrKeyReused) {
		t.Errorf("the key of another: %v", err)
	}
	m.grant("grt_a", "revoked", "site-a", "rag")
	if y, again, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 1}, "key", "f"); !again || y.SnapshotID != x.SnapshotID || err != nil {
		t.Errorf("with the same key, once the right ended: %v, %+v, %v", again, y, err)
	}
	m.grant("grt_a", "active", "site-a", "rag", "training")
	m.page("site-a", "ent_a1", "withdrawn", seedTime)
	if entries, _, err := m.list(delivery.Query{Snapshot: x.SnapshotID}); strings.Join(entries, " ") != "entry_withdrawn ent_a2" || err != nil {
		t.Errorf("listed %q, %v", entries, err)
	}
	if lines, _, err := m.delta(delivery.DeltaQuery{Since: x.SnapshotID}); !slices.Equal(lines, []string{"entry_withdrawn a1"}) || err != nil {
		t.Errorf("since then %q, %v", lines, err)
	}
	m.clock = m.clock.Add(24 * time.Hour)
	if _, _, err := m.list(delivery.Query{Snapshot: x.SnapshotID}); !errors.Is(err, delivery.ErrSnapshotGone) {
		t.Errorf("once it ended: %v", err)
	}
	if _, _, err := m.list(delivery.Query{Snapshot: "snp_none"}); !errors.Is(err, delivery.ErrSnapshotGone) {
		t.Errorf("one that never was: %v", err)
	}
}

// TestSnapshotPages lists snapshots that are longer than what is read at once, or
// than an answer may be: each item comes once, in order, and the last answer has
// no cursor.
func TestSnapshotPages(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		items  int
		query  delivery.Query
		budget delivery.Budget
		lines  []int // of each answer
		gone   int   // how many pages are withdrawn meanwhile
	}{
		{120, delivery.Query{Limit: 55}, delivery.Budget{}, []int{55, 55, 10}, 118},
		{49, delivery.Query{Limit: 1000}, delivery.Budget{}, []int{49}, 0},
		{50, delivery.Query{Limit: 1000}, delivery.Budget{}, []int{50}, 0},
		{120, delivery.Query{Limit: 1000}, delivery.Budget{}, []int{120}, 0},
		{120, delivery.Query{Limit: 1000, Meta: true}, delivery.Budget{}, []int{120}, 0},
		{120, delivery.Query{Limit: 55, Meta: true}, delivery.Budget{}, []int{55, 55, 10}, 0},
		{60, delivery.Query{Limit: 60}, delivery.Budget{}, []int{60}, 0},
		{100, delivery.Query{Limit: 50}, delivery.Budget{}, []int{50, 50, 0}, 0},
		{70, delivery.Query{Limit: 1000}, delivery.Budget{Bodies: 30}, []int{30, 30, 10}, 0},
	} {
		m := newMarket(t)
		m.more(tc.items-2, "site-a", "active")
		x, _, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 1}, "", "")
		must(t, err)
		m.more(tc.gone, "site-a", "withdrawn")
		m.Budget = tc.budget
		tc.query.Snapshot = x.SnapshotID
		var all []string
		var lines []int
		for {
			entries, result, err := m.list(tc.query)
			must(t, err)
			all = append(all, entries...)
			lines = append(lines, len(entries))
			if tc.query.Cursor = result.Next; result.Next == "" || len(lines) > 9 {
				break
			}
		}
		same := slices.IsSorted(all) && len(slices.Compact(all)) == tc.items
		if len(all) != tc.items || !same && tc.gone == 0 || !slices.Equal(lines, tc.lines) {
			t.Errorf("%d items by %+v: answers of %v, %q", tc.items, tc.query, lines, all)
		}
	}
}

// TestSnapshotListingFails checks that a listing of a snapshot ends with the error
// of the store, on whichever page it is.
func TestSnapshotListingFails(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.more(60, "site-a", "active")
	x, _, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 1}, "", "")
	must(t, err)
	away := errors.New("the store is away")
	w := m.watch()
	for _, method := range []string{"Snapshot", "ItemsByID"} {
		w.fails[method] = away
		if entries, _, err := m.list(delivery.Query{Snapshot: x.SnapshotID}); !errors.Is(err, away) || len(entries) > 0 {
			t.Errorf("without %s: %q, %v", method, entries, err)
		}
		delete(w.fails, method)
	}
	w.before["ItemsByID"] = func() { w.fails["Snapshot"] = away } // once the first page was read
	if entries, _, err := m.list(delivery.Query{Snapshot: x.SnapshotID}); !errors.Is(err, away) || len(entries) != 50 {
		t.Errorf("after the first page: %q, %v", entries, err)
	}
}

// TestSnapshotOfTwins checks that one of two snapshots made with the same key at
// the same moment is answered with the other.
func TestSnapshotOfTwins(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	var first exports.Snapshot
	m.watch().before["AddSnapshot"] = func() {
		var err error
		first, _, err = m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 1}, "key", "f")
		must(t, err)
	}
	if x, again, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 1}, "key", "f"); !again || x.SnapshotID != first.SnapshotID || err != nil {
		t.Errorf("%v, %s and %s, %v", again, x.SnapshotID, first.SnapshotID, err)
	}
}

// TestSnapshotFails checks the errors of a snapshot that cannot be made.
func TestSnapshotFails(t *testing.T) {
	t.Parallel()
	away := errors.New("the store is away")
	for _, tc := range []struct {
		what  string
		begin func(m *market, w *watched)
		want  error
	}{
		{"as many items as are allowed", func(m *market, _ *watched) { m.Budget.Leaves = 4 }, nil},
		{"one item too many", func(m *market, _ *watched) { m.Budget.Leaves = 3 }, delivery.ErrTooMany},
		{"more than one call compares", func(m *market, _ *watched) { m.Budget.Rows = 1 }, delivery.ErrBusy},
		{"no grant", func(m *market, _ *watched) {
			m.grant("grt_a", "revoked", "site-a", "rag")
			m.grant("grt_b", "revoked", "site-b", "rag")
		}, delivery.ErrInactive},
		{"nothing is dropped", func(m *market, w *watched) { w.fails["DropSnapshots"] = away }, away},
		{"nothing is compared", func(m *market, w *watched) { w.fails["Feed"] = away }, away},
		{"nothing is counted", func(m *market, w *watched) { w.fails["CountHeld"] = away }, away},
		{"nothing is counted, of few items", func(m *market, w *watched) { m.Budget.Leaves, w.fails["CountHeld"] = 1, away }, away},
		{"nothing is listed", func(m *market, w *watched) { w.fails["Held"] = away }, away},
		{"nothing is stored", func(m *market, w *watched) { w.fails["AddSnapshot"] = away }, away},
		{"no keys are read", func(m *market, w *watched) { w.fails["SnapshotByKey"] = away }, away},
	} {
		m := newMarket(t)
		m.grant("grt_b", "active", "site-b", "rag")
		tc.begin(m, m.watch())
		if _, again, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 1}, "", ""); again || !errors.Is(err, tc.want) || errors.Is(tc.want, away) && errors.Is(err, delivery.ErrTooMany) {
			t.Errorf("%s: made before %v, %v", tc.what, again, err)
		}
	}
}

// TestSnapshotOfUses checks that a snapshot lists only what the buyer may have
// for the snapshot's uses.
func TestSnapshotOfUses(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.grant("grt_b", "active", "site-b", "research")
	for _, tc := range []struct {
		uses  []string
		items int64
	}{{nil, 2}, {[]string{"rag"}, 2}, {[]string{"research"}, 2}, {[]string{"rag", "research"}, 4}, {[]string{"datasets"}, 0}} {
		x, _, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Uses: tc.uses, Days: 1}, "", "")
		if x.Items != tc.items || err != nil {
			t.Errorf("%q: %d items, %v", tc.uses, x.Items, err)
		}
	}
	x, _, err := m.session().Snapshot(t.Context(), &exports.NewSnapshot{Days: 1}, "", "")
	must(t, err)
	m.grant("grt_a", "active", "site-a", "training")
	if entries, _, err := m.list(delivery.Query{Snapshot: x.SnapshotID}); strings.Join(entries, " ") != "scope_changed scope_changed" || err != nil {
		t.Errorf("once the use was taken away: %q, %v", entries, err)
	}
	m.grant("grt_a", "active", "site-a", "rag")
	if entries, _, err := m.list(delivery.Query{Snapshot: x.SnapshotID}); strings.Join(entries, " ") != "ent_a1 ent_a2" || m.together != "+-" || err != nil {
		t.Errorf("once it is given again: %q, sent together %s, %v", entries, m.together, err)
	}
	m.Service.Bodies = &lateBodies{Bodies: m.Service.Bodies, change: func() { m.grant("grt_a", "revoked", "site-a", "rag") }}
	if entries, _, err := m.list(delivery.Query{Snapshot: x.SnapshotID}); strings.Join(entries, " ") != "grant_revoked grant_revoked" || m.together != "--" || err != nil {
		t.Errorf("revoked while it was read: %q, sent together %s, %v", entries, m.together, err)
	}
}

// TestRead reads an item of a site that a grant covers, and fails to read one
// of another site.
func TestRead(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	for _, tc := range []struct {
		site, entry string
		want        error
	}{
		{"site-a", "ent_a1", nil}, {"site-b", "ent_a1", delivery.ErrInactive}, {"site-b", "ent_b1", delivery.ErrInactive}, {"site-a", "ent_none", delivery.ErrInactive},
	} {
		item, err := m.session().Read(t.Context(), tc.site, tc.entry, "text")
		if !errors.Is(err, tc.want) || (item == nil) != (tc.want != nil) {
			t.Errorf("%s of %s: %+v, %v", tc.entry, tc.site, item, err)
		}
		if item != nil && (item.Content == nil || !strings.HasPrefix(item.Content.Text, "text of ent_a1") || item.URI != exports.LicensedURI("site-a", "ent_a1")) {
			t.Errorf("%s: %+v", tc.entry, item)
		}
	}
	for _, use := range exports.UseWords() {
		m.grant("grt_a", "active", "site-a", use)
		if item, err := m.session().Read(t.Context(), "site-a", "ent_a1", "text"); err != nil || !slices.Equal(item.Rights.Uses, []string{use}) {
			t.Errorf("for %s: %+v, %v", use, item, err)
		}
	}
	m.grant("grt_a", "active", "site-a", "rag")
	bodies := m.Service.Bodies
	m.Service.Bodies = &lateBodies{Bodies: bodies, change: func() { m.grant("grt_a", "active", "site-a", "rag", "training") }}
	if item, err := m.session().Read(t.Context(), "site-a", "ent_a1", "text"); err != nil || len(item.Rights.Uses) != 2 {
		t.Errorf("by a grant that was changed while it was read: %+v, %v", item, err)
	}
	m.Service.Bodies = &lateBodies{Bodies: bodies, change: func() { m.grant("grt_a", "revoked", "site-a", "rag") }}
	if item, err := m.session().Read(t.Context(), "site-a", "ent_a1", "text"); !errors.Is(err, delivery.ErrInactive) || item != nil {
		t.Errorf("revoked while it was read: %+v, %v", item, err)
	}
	m.grant("grt_a", "active", "site-a", "rag")
	s := m.session()
	m.grant("grt_a", "revoked", "site-a", "rag")
	m.clock = m.clock.Add(rights.PermitLife + time.Second)
	if item, err := s.Read(t.Context(), "site-a", "ent_a1", "text"); !errors.Is(err, delivery.ErrInactive) {
		t.Errorf("once it was revoked: %+v, %v", item, err)
	}
}

// TestSources lists grants by id, page by page.
func TestSources(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.grant("grt_b", "active", "site-b", "rag")
	m.grant("grt_c", "revoked", "site-b", "rag")
	for _, tc := range []struct {
		kind, cursor string
		limit        int
		want, next   string
		total        int64
	}{
		{"", "", 10, "grt_a grt_b", "", 2}, {"direct", "", 10, "grt_a grt_b", "", 2}, {"enterprise", "", 10, "", "", 0},
		{"", "", 1, "grt_a", "grt_a", 2}, {"", "grt_a", 1, "grt_b", "", 2}, {"", "*", 1, "grt_a", "grt_a", 2}, {"", "", 0, "", "", 2},
	} {
		out := m.session().Sources(tc.kind, tc.limit, tc.cursor)
		var ids []string
		for i := range out.Data {
			ids = append(ids, out.Data[i].GrantID)
		}
		if got := strings.Join(ids, " "); got != tc.want || out.Next != tc.next || out.Total != tc.total {
			t.Errorf("%q after %q, %d: %q, next %q of %d", tc.kind, tc.cursor, tc.limit, got, out.Next, out.Total)
		}
	}
}

// TestOverview checks what a buyer is told of its rights.
func TestOverview(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.grant("grt_b", "active", "site-b", "rag")
	m.grant("grt_c", "revoked", "site-b", "rag")
	g, err := m.Grant(t.Context(), "grt_b")
	must(t, err)
	g.Kind = "enterprise"
	must(t, m.PutGrant(t.Context(), g))
	o, err := m.session().Overview(t.Context())
	must(t, err)
	if len(o.Direct) != 1 || o.Direct[0].GrantID != "grt_a" || len(o.Enterprise) != 1 || o.Enterprise[0].GrantID != "grt_b" {
		t.Errorf("direct %+v, enterprise %+v", o.Direct, o.Enterprise)
	}
	if o.BuyerID != "byr_1" || o.Name != "B" || o.Items != 4 || !o.Complete || !slices.Equal(o.Publishers, []string{"site-a", "site-b"}) {
		t.Errorf("%+v", o)
	}
	for _, method := range []string{"Feed", "CountHeld"} {
		m.watch().fails[method] = errors.New("the store is away")
		if o, err := m.session().Overview(t.Context()); o != nil || err == nil {
			t.Errorf("without %s: %+v, %v", method, o, err)
		}
	}
}

// TestPermitted checks which of some entries a buyer may have for a use.
func TestPermitted(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.grant("grt_b", "active", "site-b", "research")
	ask := []string{"ent_b2", "ent_a1", "ent_none", "ent_b1", "ent_a2"}
	for _, tc := range []struct {
		use     exports.Use
		sources []string
		want    string
	}{
		{"rag", nil, "ent_a1 ent_a2"}, {"research", nil, "ent_b2 ent_b1"}, {"datasets", nil, ""},
		{"rag", []string{"grt_b"}, ""}, {"research", []string{"site-a", "site-b"}, "ent_b2 ent_b1"},
	} {
		items, err := m.session().Permitted(t.Context(), ask, tc.use, tc.sources)
		must(t, err)
		var got []string
		for _, x := range items {
			got = append(got, x.EntryID)
			if x.URI != exports.LicensedURI(x.SiteID, x.EntryID) || x.Content != nil {
				t.Errorf("%+v", x)
			}
		}
		assert.Equal(t, strings.Join(got, " "), tc.want, "for %s from %q: %q", tc.use, tc.sources, got)
	}
	w := m.watch()
	if items, err := m.session().Permitted(t.Context(), nil, "rag", nil); len(items) != 0 || err != nil {
		t.Errorf("of none: %+v, %v", items, err)
	}
	w.fails["ItemsByID"] = errors.New("the store is away")
	if items, err := m.session().Permitted(t.Context(), ask, "rag", nil); items != nil || err == nil {
		t.Errorf("without the store: %+v, %v", items, err)
	}
	s := m.session()
	m.grant("grt_a", "revoked", "site-a", "rag")
	m.clock = m.clock.Add(rights.PermitLife + time.Second)
	delete(w.fails, "ItemsByID")
	if items, err := s.Permitted(t.Context(), ask, "rag", nil); len(items) != 0 || err != nil {
		t.Errorf("once the right ended: %+v, %v", items, err)
	}
}

// TestBegin checks that only an active credential of an active buyer is
// accepted.
func TestBegin(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		state, expires, buyer string
		want                  error
	}{
		{"active", "", "active", nil}, {"active", "2026-06-01T12:00:01Z", "active", nil},
		{"revoked", "", "active", delivery.ErrCredential}, {"active", "2026-06-01T12:00:00Z", "active", delivery.ErrCredential}, {"active", "", "suspended", delivery.ErrInactive},
	} {
		m := newMarket(t)
		access, err := m.Access(context.Background(), "crd_1")
		must(t, err)
		access.Credential.State, access.Credential.ExpiresAt, access.Buyer.State = tc.state, tc.expires, tc.buyer
		assert.ErrorIs(t, assert.Err(m.Begin(t.Context(), &access, m.clock)), tc.want, "%+v", tc)
	}
}

// TestRetentionInDelivery checks what a delta says about keeping copies: with
// each item, and when its days end, again when only that changed, and after the
// right has ended.
func TestRetentionInDelivery(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := newMarket(t)
	grant := func(change func(g *origin.Grant)) {
		t.Helper()
		m.clock = m.clock.Add(time.Hour)
		g, err := m.Grant(ctx, "grt_a")
		must(t, err)
		g.ChangedAt = exports.Instant(m.clock)
		change(&g)
		must(t, m.PutGrant(ctx, g))
	}
	cursor := ""
	next := func() (lines []string) {
		t.Helper()
		run, err := m.session().Delta(ctx, &delivery.DeltaQuery{Since: cursor, Limit: 100, Meta: true})
		must(t, err)
		must(t, run(func(r wire.Record, _ bool) error {
			switch x := r.(type) {
			case *exports.Upsert:
				lines = append(lines, x.Change+" "+x.Item.EntryID+" "+x.Item.Rights.Retention+" "+x.Item.Rights.MustDeleteBy)
			case *exports.Tombstone:
				lines = append(lines, x.Reason+" "+x.ItemID+" "+x.MustDeleteBy)
			case *exports.Checkpoint:
				cursor = x.Cursor
			}
			return nil
		}))
		return lines
	}
	for _, c := range []struct {
		what   string
		change func(g *origin.Grant)
		want   string // of the first item
	}{
		{"a grant that says nothing", func(*origin.Grant) {}, "added ent_a1 while_licensed "},
		{"a day", func(g *origin.Grant) { g.Retention = "P1D" }, "updated ent_a1 P1D 2026-06-02T14:00:00Z"},
		{"ten years", func(g *origin.Grant) { g.Retention = "P3650D" }, "updated ent_a1 P3650D 2036-05-29T15:00:00Z"},
		{"no copy", func(g *origin.Grant) { g.Retention = "none" }, "updated ent_a1 none "},
		{"no copy, and no right", func(g *origin.Grant) { g.State, g.StateAt = "revoked", exports.Instant(m.clock) }, "grant_revoked itm_a1 2026-06-01T17:00:00Z"},
		{"a day, granted again", func(g *origin.Grant) { g.State, g.Retention = "active", "P1D" }, "regranted ent_a1 P1D 2026-06-02T18:00:00Z"},
		{"a day, and no right", func(g *origin.Grant) { g.State, g.StateAt = "revoked", exports.Instant(m.clock) }, "grant_revoked itm_a1 2026-06-02T19:00:00Z"},
	} {
		grant(c.change)
		if got := next(); len(got) != 2 || got[0] != c.want {
			t.Errorf("%s: %q, want %q first", c.what, got, c.want)
		}
	}
}
