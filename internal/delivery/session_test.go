package delivery_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/delivery"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/origintest"
	"colophon/internal/paging"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

const seedTime = "2026-01-01T00:00:00Z"

// market is a store with one buyer, two sites with two pages each, and a clock.
type market struct {
	*testing.T
	*originsql.Store
	clock time.Time
	delivery.Service
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
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
	err = run(func(r wire.Record, _ bool) error {
		switch x := r.(type) {
		case *exports.Upsert:
			lines = append(lines, x.Change+" "+x.Item.EntryID)
		case *exports.RightsChange:
			lines = append(lines, "rights "+strings.TrimPrefix(x.ItemID, "itm_")+" "+strings.Join(x.Uses, ",")+" without "+strings.Join(x.Removed, ","))
		case *exports.Tombstone:
			lines = append(lines, x.Reason+" "+strings.TrimPrefix(x.ItemID, "itm_"))
		case *exports.Checkpoint:
			cursor = x.Cursor
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
	m := newMarket(t)
	first := m.wantDelta("at first", "", "added ent_a1", "added ent_a2")
	next := m.wantDelta("once more", first)
	m.page("site-a", "ent_a1", "active", "2026-05-01T00:00:00Z")
	m.page("site-a", "ent_a2", "withdrawn", "2026-05-01T00:00:00Z")
	next = m.wantDelta("an edit and a withdrawal", next, "updated ent_a1", "entry_withdrawn a2")
	m.grant("grt_a", "active", "site-a", "rag")
	next = m.wantDelta("a use less", next, "rights a1 rag without training")
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
	for wait, want := range map[time.Duration]string{0: "added", rights.PermitLife + time.Second: "grant_revoked", time.Hour: ""} {
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
		if got != want {
			t.Errorf("after %s: %q, not %q", wait, got, want)
		}
	}
}

// lateRights changes what a buyer may have after its rights were read and
// before the events are.
type lateRights struct {
	origin.Delivery
	change func()
}

func (d *lateRights) FeedSince(ctx context.Context, buyerID string, sequence int64, limit int) (origin.Feed, []origin.Holding, []origin.Item, error) {
	if change := d.change; change != nil {
		d.change = nil
		change()
	}
	return d.Delivery.FeedSince(ctx, buyerID, sequence, limit)
}

// TestDeltaByOlderRights checks that an item is not sent for uses that its
// newest event removed.
func TestDeltaByOlderRights(t *testing.T) {
	m := newMarket(t)
	m.wantDelta("at first", "", "added ent_a1", "added ent_a2")
	late := &lateRights{Delivery: m.Service.Store}
	m.Service.Store = late
	late.change = func() {
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
	result, err = run(func(e delivery.Event) error {
		switch {
		case e.Item != nil:
			entries = append(entries, e.Item.EntryID)
		case e.Tombstone != nil:
			entries = append(entries, e.Tombstone.Reason)
		}
		return nil
	})
	return entries, result, err
}

// TestList checks that a query lists what it asks for, as far as the buyer may
// have it.
func TestList(t *testing.T) {
	m := newMarket(t)
	m.grant("grt_b", "active", "site-b", "research")
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
		"of a site":                 {delivery.Query{Sources: []string{"site-b"}, Use: "research"}, "ent_b1 ent_b2"},
		"of a grant, for a use":     {delivery.Query{Sources: []string{"grt_b"}}, ""},
		"about something":           {delivery.Query{Topic: "title ent_a2"}, "ent_a2"},
		"about something else":      {delivery.Query{Topic: "harbour"}, ""},
		"metadata":                  {delivery.Query{Meta: true}, "ent_a1 ent_a2"},
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
	m := newMarket(t)
	m.grant("grt_b", "active", "site-b", "rag")
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
}

// TestSnapshots checks that a snapshot lists its items as they are now, until
// it expires and only to its buyer.
func TestSnapshots(t *testing.T) {
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

// TestSnapshotOfUses checks that a snapshot lists only what the buyer may have
// for the snapshot's uses.
func TestSnapshotOfUses(t *testing.T) {
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
}

// TestRead reads an item of a site that a grant covers, and fails to read one
// of another site.
func TestRead(t *testing.T) {
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
	s := m.session()
	m.grant("grt_a", "revoked", "site-a", "rag")
	m.clock = m.clock.Add(rights.PermitLife + time.Second)
	if item, err := s.Read(t.Context(), "site-a", "ent_a1", "text"); !errors.Is(err, delivery.ErrInactive) {
		t.Errorf("once it was revoked: %+v, %v", item, err)
	}
}

// TestSources lists grants by id, page by page.
func TestSources(t *testing.T) {
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
		out, err := m.session().Sources(tc.kind, tc.limit, tc.cursor)
		must(t, err)
		var ids []string
		for i := range out.Data {
			ids = append(ids, out.Data[i].GrantID)
		}
		if got := strings.Join(ids, " "); got != tc.want || out.Next != tc.next || out.Total != tc.total {
			t.Errorf("%q after %q, %d: %q, next %q of %d", tc.kind, tc.cursor, tc.limit, got, out.Next, out.Total)
		}
	}
}

// TestBegin checks that only an active credential of an active buyer is
// accepted.
func TestBegin(t *testing.T) {
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
		if _, err := m.Begin(t.Context(), &access, m.clock); !errors.Is(err, tc.want) {
			t.Errorf("%+v: %v", tc, err)
		}
	}
}

// TestRetentionInDelivery checks what a delta says about keeping copies: with
// each item, and when its days end, again when only that changed, and after the
// right has ended.
func TestRetentionInDelivery(t *testing.T) {
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
