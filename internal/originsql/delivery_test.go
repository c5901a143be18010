package originsql_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// licensed returns a store with a buyer, two sites and one page.
func licensed(t *testing.T) *originsql.Store {
	t.Helper()
	ctx, s := context.Background(), inquiries(t)
	must(t, s.PutSite(ctx, origin.Site{SiteID: "b-site", PublisherID: "p", Name: "B", SiteURL: "u", State: origin.Approved, CreatedAt: "t", ChangedAt: "t"}))
	must(t, s.PutBuyer(ctx, origin.Buyer{BuyerID: "byr_1", Name: "B", State: "active", CreatedAt: "t", ChangedAt: "t"}))
	must(t, s.PutPage(ctx, origin.Page{EntryID: "ent_1", SiteID: "a-site", CanonicalURL: "https://a/1", Title: "One", ContentFormat: "html", State: "active", RegisteredAt: "t", ChangedAt: "t"},
		&origin.Body{Text: "plain", Markdown: "# mark", HTML: "<p>", SHA256: "x", ChangedAt: "t"}))
	return s
}

func TestEveryBuyerFieldRoundTrips(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	b := fill(t, origin.Buyer{})
	must(t, s.PutBuyer(ctx, b))
	gotB, err := s.Buyer(ctx, b.BuyerID)
	same(t, "buyer", gotB, b, err)
	c := fill(t, origin.BuyerCredential{BuyerID: b.BuyerID}, "BuyerID")
	must(t, s.PutCredential(ctx, c))
	gotC, err := s.Credential(ctx, c.CredentialID)
	same(t, "credential", gotC, c, err)
	list, err := s.CredentialsOf(ctx, b.BuyerID)
	same(t, "credentials", list, []origin.BuyerCredential{c}, err)
	g := fill(t, origin.Grant{BuyerID: b.BuyerID, Version: 1}, "BuyerID", "Version", "Sites")
	must(t, s.PutGrant(ctx, g))
	gotG, err := s.Grant(ctx, g.GrantID)
	same(t, "grant", gotG, g, err)
	must(t, s.PutGrant(ctx, g))
	must(t, s.SetGrantSite(ctx, g.GrantID, "b-site", true, "t"))
	must(t, s.SetGrantSite(ctx, g.GrantID, "a-site", true, "t"))
	must(t, s.SetGrantSite(ctx, g.GrantID, "a-site", true, "t2"))
	g.Sites, g.Version = []string{"a-site", "b-site"}, 3
	grants, err := s.GrantsOf(ctx, b.BuyerID)
	same(t, "grants", grants, []origin.Grant{g}, err)
	must(t, s.SetGrantSite(ctx, g.GrantID, "b-site", false, "t"))
	gotG, err = s.Grant(ctx, g.GrantID)
	if g.Sites, g.Version = []string{"a-site"}, 4; err != nil || gotG.Version != 4 || len(gotG.Sites) != 1 {
		t.Errorf("%+v %v", gotG, err)
	}
	x := fill(t, origin.Snapshot{BuyerID: b.BuyerID}, "BuyerID")
	if added, err := s.AddSnapshot(ctx, x); !added || err != nil {
		t.Fatal(added, err)
	}
	again := x
	again.SnapshotID = "other"
	if added, err := s.AddSnapshot(ctx, again); added || err != nil {
		t.Fatal("the key was taken twice", err)
	}
	gotX, entries, err := s.Snapshot(ctx, b.BuyerID, x.SnapshotID, "", 5)
	same(t, "snapshot", gotX, x, err)
	assert.Equal(t, len(entries), 0, "an empty snapshot lists %q", entries)
	gotX, err = s.SnapshotByKey(ctx, b.BuyerID, x.Key)
	same(t, "snapshot by key", gotX, x, err)
	if _, _, err := s.Snapshot(ctx, "byr_1", x.SnapshotID, "", 5); !errors.Is(err, origin.ErrNotFound) {
		t.Errorf("the snapshot of another: %v", err)
	}
	lines := []origin.SnapshotItem{{EntryID: "ent_1", Version: 2, Digest: "d", Sequence: 3}, {EntryID: "ent_2", Version: 1, Digest: "e", Sequence: 4}}
	must(t, s.AddSnapshotItems(ctx, x.SnapshotID, lines))
	_, entries, err = s.Snapshot(ctx, b.BuyerID, x.SnapshotID, "", 5)
	same(t, "snapshot items", entries, []string{"ent_1", "ent_2"}, err)
	_, entries, err = s.Snapshot(ctx, b.BuyerID, x.SnapshotID, "", 1)
	same(t, "the first item", entries, []string{"ent_1"}, err)
	_, entries, err = s.Snapshot(ctx, b.BuyerID, x.SnapshotID, "ent_1", 5)
	same(t, "items after the first", entries, []string{"ent_2"}, err)
	n, err := s.DropSnapshots(ctx, "value of ExpiresAu")
	must(t, err)
	// Adding the same snapshot again returns what is stored under its id.
	if added, err := s.AddSnapshot(ctx, x); !added || err != nil {
		t.Fatal(added, err)
	}
	_, entries, err = s.Snapshot(ctx, b.BuyerID, x.SnapshotID, "", 5)
	if n != 1 || len(entries) != 0 || err != nil {
		t.Errorf("dropped %d, left %v, %v", n, entries, err)
	}
}

// TestEditions checks that writing another body makes a new edition, and
// writing the same one does not.
func TestEditions(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	page := func(markdown string) origin.Item {
		p, err := s.Page(ctx, "ent_1")
		must(t, err)
		must(t, s.PutPage(ctx, p, &origin.Body{Text: "plain", Markdown: markdown, HTML: "<p>", SHA256: "x", ChangedAt: "t"}))
		list, err := s.ItemsByID(ctx, []string{"ent_1", "ent_none"})
		must(t, err)
		if len(list) != 1 {
			t.Fatalf("%d items", len(list))
		}
		return list[0]
	}
	f, err := s.Feed(ctx, "byr_1")
	must(t, err)
	for i, tc := range []struct {
		markdown, form string
		version        int64
	}{{"# mark", "# mark", 1}, {"# other", "# other", 2}, {"", "plain", 3}} {
		got := page(tc.markdown)
		if got.Version != tc.version || got.Digest != credential.Digest(tc.form) || got.Bytes != int64(len(tc.form)) || got.SiteName != "A" || got.SiteState != origin.Approved || got.Recorded {
			t.Errorf("%d: %+v", i, got)
		}
	}
	after, err := s.Feed(ctx, "byr_1")
	must(t, err)
	assert.Equal(t, after.Now, f.Now+2, "the counters went from %d to", f.Now)
}

// TestDigestsOfOldBodies checks that the migration gives a digest to a body
// from before digests were kept.
func TestDigestsOfOldBodies(t *testing.T) {
	ctx := context.Background()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "o.db")+"?_pragma=foreign_keys(1)")
	must(t, err)
	defer db.Close()
	for i, name := range []string{"0001_catalog.sql", "0002_inquiry.sql"} {
		text, err := originsql.Migrations.ReadFile("migrations/" + name)
		must(t, err)
		_, err = db.ExecContext(ctx, string(text)+"PRAGMA user_version = "+[]string{"1", "2"}[i])
		must(t, err)
	}
	for _, q := range []string{
		"INSERT INTO publishers (publisher_id, legal_name, created_at) VALUES ('p', 'P', 't')",
		"INSERT INTO sites (site_id, publisher_id, name, site_url, created_at, changed_at) VALUES ('a-site', 'p', 'A', 'u', 't', 't')",
		"INSERT INTO pages (entry_id, site_id, canonical_url, title, registered_at, changed_at) VALUES ('ent_1', 'a-site', 'https://a/1', 'One', 't', 't')",
		"INSERT INTO bodies (entry_id, text, markdown, sha256, changed_at) VALUES ('ent_1', 'plain', '# mark', 'x', 't')",
	} {
		_, err := db.ExecContext(ctx, q)
		must(t, err)
	}
	must(t, originsql.Migrate(ctx, db))
	list, err := originsql.New(db).Items(ctx, "a-site", "", 9)
	must(t, err)
	if len(list) != 1 || list[0].Version != 1 || list[0].Digest != credential.Digest("# mark") || list[0].Bytes != 6 {
		t.Errorf("%+v", list)
	}
}

// openOne opens one body with OpenBodies; it returns origin.ErrNotFound if that
// opens nothing.
func openOne(ctx context.Context, s *originsql.Store, ask origin.BodyAsk) (origin.LicensedBody, error) {
	list, err := s.OpenBodies(ctx, []origin.BodyAsk{ask})
	if err != nil {
		return origin.LicensedBody{}, err
	}
	if list[0] == nil {
		return origin.LicensedBody{}, origin.ErrNotFound
	}
	return *list[0], nil
}

// TestOpenBody checks that OpenBodies returns a body only if every condition of
// the request holds.
func TestOpenBody(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	must(t, s.PutGrant(ctx, origin.Grant{GrantID: "grt_1", BuyerID: "byr_1", Kind: "direct", ValidFrom: "2026", ValidUntil: "2028", State: "active", StateAt: "t", CreatedAt: "t", ChangedAt: "t"}))
	must(t, s.SetGrantSite(ctx, "grt_1", "a-site", true, "t"))
	put := func(id, buyer, state, expires string) {
		must(t, s.PutCredential(ctx, origin.BuyerCredential{CredentialID: id, BuyerID: buyer, Credential: origin.Credential{State: state, ExpiresAt: expires}}))
	}
	must(t, s.PutBuyer(ctx, origin.Buyer{BuyerID: "byr_2", Name: "C", State: "active", CreatedAt: "t", ChangedAt: "t"}))
	put("crd_1", "byr_1", "active", "2028")
	put("crd_suspended", "byr_1", "suspended", "")
	put("crd_revoked", "byr_1", "revoked", "")
	put("crd_expired", "byr_1", "active", "2027")
	put("crd_foreign", "byr_2", "active", "")
	ask := origin.BodyAsk{BuyerID: "byr_1", CredentialID: "crd_1", EntryID: "ent_1", SiteID: "a-site", GrantID: "grt_1", GrantVersion: 2, CanonicalURL: "https://a/1", ContentFormat: "html", At: "2027", Form: "markdown"}
	b, err := openOne(ctx, s, ask)
	if err != nil || b.Text != "# mark" || b.Form != "markdown" || b.Version != 1 {
		t.Fatalf("%+v %v", b, err)
	}
	for form, want := range map[string]string{"text": "plain", "html": "<p>", "": "plain", "pdf": "plain"} {
		ask.Form = form
		if b, err := openOne(ctx, s, ask); err != nil || b.Text != want || b.Form != "text" && b.Form != form {
			t.Errorf("%s: %+v %v", form, b, err)
		}
	}
	for i, c := range []struct{ markdown, html, form, want string }{
		{"", "", "markdown", "text plain"}, {"", "", "html", "text plain"}, {"# mark", "", "html", "text plain"}, {"", "<p>", "markdown", "text plain"},
		{"", "<p>", "html", "html <p>"}, {"# mark", "", "markdown", "markdown # mark"}, {"# mark", "<p>", "text", "text plain"},
	} {
		p, err := s.Page(ctx, "ent_1")
		must(t, err)
		p.EntryID, p.CanonicalURL = "ent_form"+strconv.Itoa(i), "https://a/form"+strconv.Itoa(i)
		must(t, s.PutPage(ctx, p, &origin.Body{Text: "plain", Markdown: c.markdown, HTML: c.html, SHA256: "x", ChangedAt: "t"}))
		other := ask
		other.EntryID, other.CanonicalURL, other.Form = p.EntryID, p.CanonicalURL, c.form
		if b, err := openOne(ctx, s, other); b.Form+" "+b.Text != c.want || err != nil {
			t.Errorf("%+v: %s %s, %v", c, b.Form, b.Text, err)
		}
	}
	for name, change := range map[string]func(a *origin.BodyAsk){
		"buyer": func(a *origin.BodyAsk) { a.BuyerID = "byr_2" }, "entry": func(a *origin.BodyAsk) { a.EntryID = "ent_2" }, "site": func(a *origin.BodyAsk) { a.SiteID = "b-site" },
		"grant": func(a *origin.BodyAsk) { a.GrantID = "grt_2" }, "version": func(a *origin.BodyAsk) { a.GrantVersion = 1 }, "format": func(a *origin.BodyAsk) { a.ContentFormat = "text" },
		"no credential": func(a *origin.BodyAsk) { a.CredentialID = "" }, "credential of another": func(a *origin.BodyAsk) { a.CredentialID = "crd_foreign" },
		"suspended credential": func(a *origin.BodyAsk) { a.CredentialID = "crd_suspended" }, "revoked credential": func(a *origin.BodyAsk) { a.CredentialID = "crd_revoked" },
		"expired credential": func(a *origin.BodyAsk) { a.CredentialID = "crd_expired" },
		"address":            func(a *origin.BodyAsk) { a.CanonicalURL = "https://a/2" },
		"date":               func(a *origin.BodyAsk) { a.PublishedAt = "2026" }, "too early": func(a *origin.BodyAsk) { a.At = "2025" }, "too late": func(a *origin.BodyAsk) { a.At = "2028" },
	} {
		other := ask
		change(&other)
		if b, err := openOne(ctx, s, other); !errors.Is(err, origin.ErrNotFound) || b.Text != "" {
			t.Errorf("%s: %+v %v", name, b, err)
		}
	}
}

// TestAppendEvents checks that events are numbered in order, and written only
// if what they were decided by has not changed.
func TestAppendEvents(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	must(t, assert.Err(s.Feed(ctx, "byr_1")))
	held := func(entry string, seen, told int64) origin.Holding {
		return origin.Holding{EntryID: entry, SiteID: "a-site", State: "held", Version: 2, Digest: "d", Facts: "f", Uses: 5, Lost: 2, Grants: []string{"grt_1", "grt_2"},
			Change: "added", DeleteHours: 72, Told: told, Sequence: seen, At: "t"}
	}
	must(t, s.PutPage(ctx, origin.Page{EntryID: "ent_2", SiteID: "a-site", CanonicalURL: "https://a/2", State: "active", RegisteredAt: "t", ChangedAt: "t"}, nil))
	n, err := s.AppendEvents(ctx, "byr_1", []origin.Holding{held("ent_2", 0, -1), held("ent_1", 0, -1)})
	if n != 2 || err != nil {
		t.Fatal(n, err)
	}
	f, events, _, err := s.FeedSince(ctx, "byr_1", 0, 9)
	first, second := held("ent_2", 1, 1), held("ent_1", 2, 2)
	same(t, "events", events, []origin.Holding{first, second}, err)
	assert.Equal(t, f.Sequence, 2, "the feed that came with the events is at")
	_, events, _, err = s.FeedSince(ctx, "byr_1", 0, 1)
	same(t, "the first event", events, []origin.Holding{first}, err)
	n, err = s.AppendEvents(ctx, "byr_1", []origin.Holding{held("ent_2", 0, -1), held("ent_1", 2, 2), held("ent_3", 7, -1)})
	if n != 1 || err != nil {
		t.Fatalf("%d events were written over others, %v", n, err)
	}
	gone := origin.Holding{EntryID: "ent_2", SiteID: "a-site", State: "gone", Reason: "grant_revoked", EffectiveAt: "2026", Sequence: 1, At: "2026"}
	if n, err = s.AppendEvents(ctx, "byr_1", []origin.Holding{gone}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	gone.Sequence = 4
	_, events, items, err := s.FeedSince(ctx, "byr_1", 2, 9)
	same(t, "newest events", events, []origin.Holding{held("ent_1", 3, 2), gone}, err)
	want, err := s.ItemsByID(ctx, []string{"ent_1"})
	same(t, "items that are held", items, want, err)
	f, err = s.Feed(ctx, "byr_1")
	if f.Sequence != 4 || err != nil {
		t.Errorf("%+v %v", f, err)
	}
	sites, err := s.HeldSites(ctx, "byr_1")
	same(t, "held sites", sites, []string{"a-site"}, err)
	list, sequence, err := s.Held(ctx, "byr_1", "", 9)
	lean := origin.Holding{EntryID: "ent_1", SiteID: "a-site", State: "held", Version: 2, Digest: "d", Uses: 5, Grants: []string{"grt_1", "grt_2"}, Told: 2}
	same(t, "held", list, []origin.Holding{lean}, err)
	_, none, err := s.Held(ctx, "byr_1", "ent_1", 9)
	if sequence != 4 || none != 4 || err != nil {
		t.Errorf("held at %d, after the last item at %d, %v", sequence, none, err)
	}
	if n, _ := s.ForgetTombstones(ctx, "byr_1", "2026"); n != 0 {
		t.Errorf("%d tombstones were dropped too early", n)
	}
	n, err = s.ForgetTombstones(ctx, "byr_1", "2027")
	if f, _ = s.Feed(ctx, "byr_1"); n != 1 || f.Floor != 4 || f.Sequence != 4 || err != nil {
		t.Errorf("%d dropped, %+v, %v", n, f, err)
	}
	if n, _ = s.AppendEvents(ctx, "byr_1", []origin.Holding{held("ent_9", 0, -1)}); n != 1 {
		t.Fatal(n)
	}
	if f, _ = s.Feed(ctx, "byr_1"); f.Sequence != 5 {
		t.Errorf("the sequence goes on at %d", f.Sequence)
	}
}

// interrupted is a Backend that does something else just before a statement.
type interrupted struct {
	*sql.DB
	statement string
	first     func()
}

func (b interrupted) Run(ctx context.Context, s originsql.Statement) (originsql.Rows, error) {
	if s.Name == b.statement {
		b.first()
	}
	return b.QueryContext(ctx, s.Text, s.Args...)
}

// TestForgetTombstones checks that only tombstones below the floor are dropped
// and that the floor never falls: a cursor that missed a tombstone must not be
// accepted.
func TestForgetTombstones(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	_, err := s.Feed(ctx, "byr_1")
	must(t, err)
	gone := func(entry, effective, at string) {
		t.Helper()
		n, err := s.AppendEvents(ctx, "byr_1", []origin.Holding{{EntryID: entry, SiteID: "a-site", State: "gone", EffectiveAt: effective, At: at, Told: -1}})
		if n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	left := func(dropped int64, floor int64, want ...string) {
		t.Helper()
		f, events, _, err := s.FeedSince(ctx, "byr_1", 0, 9)
		must(t, err)
		var ids []string
		for _, e := range events {
			ids = append(ids, e.EntryID)
		}
		if f.Floor != floor || !slices.Equal(ids, want) {
			t.Errorf("%d dropped, the floor is %d, left are %q, want %d and %q", dropped, f.Floor, ids, floor, want)
		}
	}
	forget := func(s *originsql.Store, before string) int64 {
		t.Helper()
		n, err := s.ForgetTombstones(ctx, "byr_1", before)
		must(t, err)
		return n
	}
	gone("ent_1", "2026", "2028") // ended long ago, but sent recently
	gone("ent_2", "2028", "2026")
	gone("ent_3", "2026", "2026")
	sites, err := s.HeldSites(ctx, "byr_1")
	same(t, "sites of which nothing is held", sites, []string(nil), err)
	told, err := s.HoldingsOf(ctx, "byr_1", "a-site", "ent_1", "ent_3", 9)
	if len(told) != 2 || told[0].EntryID != "ent_2" || told[1].EntryID != "ent_3" || err != nil {
		t.Errorf("told after the first and up to the third: %+v, %v", told, err)
	}
	left(forget(s, "2027"), 3, "ent_1", "ent_2")
	left(forget(s, "2027"), 3, "ent_1", "ent_2")
	left(forget(s, "2029"), 3) // the rest is older than the floor
	gone("ent_4", "2026", "2026")
	if s.DB() == nil {
		return // only a database of this process can be written to between two statements
	}
	late := originsql.OverBackend(interrupted{s.DB(), "drop tombstones", func() { gone("ent_5", "2026", "2026") }})
	left(forget(late, "2027"), 4, "ent_5")
}

// TestScan checks that a comparison counts only if nobody else wrote meanwhile.
func TestScan(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	f, err := s.Feed(ctx, "byr_1")
	must(t, err)
	open := func(n int64) bool { ok, err := s.OpenScan(ctx, "byr_1", n, f.Now, "2027"); must(t, err); return ok }
	if !open(0) || open(0) || open(1) {
		t.Fatal("a comparison began twice")
	}
	h := origin.Holding{EntryID: "ent_1", SiteID: "a-site", State: "held", Told: -1}
	if n, err := s.AppendEvents(ctx, "byr_1", []origin.Holding{h}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	moved, err := s.MoveScan(ctx, "byr_1", 1, "", "a-site/ent_1", 1)
	must(t, err)
	again, err := s.MoveScan(ctx, "byr_1", 1, "", "a-site/ent_1", 1)
	must(t, err)
	counts, err := s.CloseScan(ctx, "byr_1", 1)
	must(t, err)
	after, err := s.Feed(ctx, "byr_1")
	must(t, err)
	if !moved || again || !counts || after.Stamp != f.Now || after.Boundary != "2027" || after.ScanOpen {
		t.Fatalf("moved %v, again %v, counts %v: %+v", moved, again, counts, after)
	}
	if ok, err := s.OpenScan(ctx, "byr_1", 1, f.Now+5, "2028"); !ok || err != nil {
		t.Fatal("no second comparison", err)
	}
	h.EntryID = "ent_2"
	if n, err := s.AppendEvents(ctx, "byr_1", []origin.Holding{h}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if counts, err = s.CloseScan(ctx, "byr_1", 2); counts || err != nil {
		t.Error("a comparison counts although somebody else wrote", err)
	}
	if counts, err = s.CloseScan(ctx, "byr_1", 2); counts || err != nil {
		t.Error("a comparison ended twice", err)
	}
	if after, err = s.Feed(ctx, "byr_1"); after.Stamp != f.Now || after.Boundary != "2027" || err != nil {
		t.Errorf("a comparison that does not count left %+v, %v", after, err)
	}
}
