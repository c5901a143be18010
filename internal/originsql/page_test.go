package originsql_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// twoSites returns a store with four pages of one site and one of another, which
// was made first.
func twoSites(t *testing.T) (context.Context, *originsql.Store) {
	t.Helper()
	ctx, s := context.Background(), licensed(t)
	for _, p := range []origin.Page{{EntryID: "ent_0", SiteID: "b-site"}, {EntryID: "ent_3"}, {EntryID: "ent_2"}, {EntryID: "ent_4"}} {
		if p.SiteID == "" {
			p.SiteID = "a-site"
		}
		p.CanonicalURL, p.State, p.RegisteredAt, p.ChangedAt = "https://a/"+p.EntryID, "active", "t", "t"
		must(t, s.PutPage(ctx, p, nil))
	}
	return ctx, s
}

// TestListingsOfPages checks which pages each listing returns: those of its
// sites, after an entry, as many as are wanted, in order.
func TestListingsOfPages(t *testing.T) {
	ctx, s := twoSites(t)
	for i, id := range []string{"ent_4", "ent_2", "ent_0", "ent_3"} {
		must(t, s.AddRecords(ctx, []origin.Record{{EntryID: id, Version: 1, JSON: "{}"}, {EntryID: id, Version: 2, JSON: "{}"}}))
		must(t, s.PutFetch(ctx, origin.Fetch{URL: "https://a/" + id, SiteID: map[bool]string{true: "a-site", false: "b-site"}[i != 2], Reason: "skipped"}))
	}
	pages := func(site, after string, limit int) (ids []string) {
		list, err := s.PagesOf(ctx, site, after, limit)
		must(t, err)
		for _, p := range list {
			ids = append(ids, p.EntryID)
		}
		return ids
	}
	items := func(site, after string, limit int) (ids []string) {
		list, err := s.Items(ctx, site, after, limit)
		must(t, err)
		for _, i := range list {
			ids = append(ids, i.EntryID)
			assert.Equal(t, i.Recorded, i.EntryID != "ent_1", "%s is recorded", i.EntryID)
		}
		return ids
	}
	itemsOf := func(limit int, sites ...string) (ids []string) {
		list, err := s.ItemsOf(ctx, sites, limit)
		must(t, err)
		for _, i := range list {
			ids = append(ids, i.EntryID)
		}
		return ids
	}
	fetches := func(site, after string, limit int) (ids []string) {
		list, err := s.FetchesOf(ctx, site, after, limit)
		must(t, err)
		for _, f := range list {
			ids = append(ids, strings.TrimPrefix(f.URL, "https://a/"))
		}
		return ids
	}
	because, err := s.FetchesBecause(ctx, "b-site", "skipped")
	if must(t, err); len(because) != 1 || because[0].URL != "https://a/ent_0" {
		t.Errorf("fetches of a site by their reason: %+v", because)
	}
	for _, c := range []struct {
		what string
		got  []string
		want string
	}{
		{"pages", pages("a-site", "", 9), "1 2 3 4"}, {"pages after one", pages("a-site", "ent_2", 9), "3 4"}, {"a page", pages("a-site", "ent_1", 1), "2"},
		{"items", items("a-site", "", 9), "1 2 3 4"}, {"items after one", items("a-site", "ent_2", 9), "3 4"}, {"an item", items("a-site", "ent_1", 1), "2"},
		{"items of sites", itemsOf(9, "b-site", "a-site", "no-site"), "1 2 3 4 0"}, {"items of a site", itemsOf(2, "a-site"), "1 2"}, {"items of no site", itemsOf(9), ""},
		{"fetches", fetches("a-site", "", 9), "2 3 4"}, {"fetches after one", fetches("a-site", "https://a/ent_2", 9), "3 4"}, {"a fetch", fetches("a-site", "", 1), "2"},
	} {
		want := strings.Fields(c.want)
		for i := range want {
			want[i] = "ent_" + want[i]
		}
		assert.EqualSlices(t, c.got, want, "%s", c.what)
	}
}

// TestPageStates checks that a page is withdrawn and made active once, names a
// successor only while it is withdrawn, and that others stay as they are.
func TestPageStates(t *testing.T) {
	ctx, s := twoSites(t)
	other, err := s.Page(ctx, "ent_2")
	must(t, err)
	for _, c := range []struct {
		what    string
		do      func() (bool, error)
		changed bool
		want    string
	}{
		{"active already", func() (bool, error) { return s.SetPageState(ctx, "ent_1", "active", "1") }, false, "active   t"},
		{"withdrawn", func() (bool, error) { return s.SetPageState(ctx, "ent_1", "withdrawn", "2") }, true, "withdrawn   2"},
		{"withdrawn again", func() (bool, error) { return s.SetPageState(ctx, "ent_1", "withdrawn", "3") }, false, "withdrawn   2"},
		{"moved", func() (bool, error) { return s.SetSuccessor(ctx, "ent_1", "ent_2", "v", "4") }, true, "withdrawn ent_2 v 4"},
		{"moved there", func() (bool, error) { return s.SetSuccessor(ctx, "ent_1", "ent_2", "v", "5") }, false, "withdrawn ent_2 v 4"},
		{"moved to another address", func() (bool, error) { return s.SetSuccessor(ctx, "ent_1", "ent_2", "w", "6") }, true, "withdrawn ent_2 w 6"},
		{"moved to another page", func() (bool, error) { return s.SetSuccessor(ctx, "ent_1", "ent_3", "w", "7") }, true, "withdrawn ent_3 w 7"},
		{"active", func() (bool, error) { return s.SetPageState(ctx, "ent_1", "active", "8") }, true, "active   8"},
		{"moved while it was active", func() (bool, error) { return s.SetSuccessor(ctx, "ent_1", "", "", "9") }, true, "withdrawn   9"},
		{"no page", func() (bool, error) { return s.SetPageState(ctx, "ent_9", "withdrawn", "9") }, false, "withdrawn   9"},
	} {
		changed, err := c.do()
		if changed != c.changed || err != nil {
			t.Errorf("%s: changed %v, %v", c.what, changed, err)
		}
		p, err := s.Page(ctx, "ent_1")
		must(t, err)
		assert.Equal(t, strings.Join([]string{p.State, p.Successor, p.SuccessorURL, p.ChangedAt}, " "), c.want, "%s", c.what)
	}
	moved, err := s.SetSuccessor(ctx, "ent_3", "ent_4", "v", "1")
	if !moved || err != nil {
		t.Fatal(moved, err)
	}
	if changed, err := s.SetPageState(ctx, "ent_3", "gone", "2"); !changed || err != nil {
		t.Fatal(changed, err)
	}
	if p, err := s.Page(ctx, "ent_3"); p.Successor != "ent_4" || p.SuccessorURL != "v" || err != nil {
		t.Errorf("a page that is not active has the successor %q, %v", p.Successor, err)
	}
	after, err := s.Page(ctx, "ent_2")
	same(t, "another page", after, other, err)
}

// TestSnapshotsOfBuyers checks that a key finds the snapshot of its buyer alone,
// and that snapshots are dropped only after the instant at which they end.
func TestSnapshotsOfBuyers(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	must(t, s.PutBuyer(ctx, origin.Buyer{BuyerID: "byr_2", Name: "C", State: "active", CreatedAt: "t", ChangedAt: "t"}))
	for i, x := range []origin.Snapshot{{BuyerID: "byr_1", Key: "k"}, {BuyerID: "byr_1", Key: "l"}, {BuyerID: "byr_2", Key: "k"}} {
		x.SnapshotID, x.ExpiresAt = fmt.Sprint("snp_", i), fmt.Sprint("202", i)
		if added, err := s.AddSnapshot(ctx, x); !added || err != nil {
			t.Fatal(added, err)
		}
		must(t, s.AddSnapshotItems(ctx, x.SnapshotID, []origin.SnapshotItem{{EntryID: "ent_1"}}))
		if got, err := s.SnapshotByKey(ctx, x.BuyerID, x.Key); got.SnapshotID != x.SnapshotID || err != nil {
			t.Errorf("the snapshot of %s with the key %s: %s, %v", x.BuyerID, x.Key, got.SnapshotID, err)
		}
	}
	if n, err := s.DropSnapshots(ctx, "2021"); n != 1 || err != nil {
		t.Errorf("%d dropped, %v", n, err)
	}
	for id, buyer := range map[string]string{"snp_1": "byr_1", "snp_2": "byr_2"} {
		if _, entries, err := s.Snapshot(ctx, buyer, id, "", 9); len(entries) != 1 || err != nil {
			t.Errorf("%s lists %q, %v", id, entries, err)
		}
	}
}
