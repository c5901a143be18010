package rights_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

const coverTime = "2026-06-01T12:00:00Z"

func coverItem(change ...func(*origin.Item)) *origin.Item {
	i := &origin.Item{Page: origin.Page{EntryID: "ent_1", SiteID: "site-a", CanonicalURL: "https://site-a.example/shipping/tides?x=1", Title: "Tides",
		ContentFormat: "html", PublishedAt: "2026-03-01T00:00:00Z", State: "active"}, SiteName: "Site A", SiteState: origin.Approved, Version: 3, Digest: "d"}
	for _, f := range change {
		f(i)
	}
	return i
}

func coverGrant(change ...func(*origin.Grant)) origin.Grant {
	g := origin.Grant{GrantID: "grt_1", BuyerID: "byr_1", Kind: "direct", Uses: []string{"rag", "research"}, ValidFrom: "2026-01-01T00:00:00Z",
		State: "active", DeleteHours: 48, Version: 9, Sites: []string{"site-a", "site-b"}}
	for _, f := range change {
		f(&g)
	}
	return g
}

var coverBuyer = &origin.Buyer{BuyerID: "byr_1", State: "active"}

func TestCheckGrants(t *testing.T) {
	set := func(f func(g *origin.Grant)) []origin.Grant { return []origin.Grant{coverGrant(f)} }
	for _, tc := range []struct {
		name   string
		item   *origin.Item
		grants []origin.Grant
		reason string
	}{
		{"covered", coverItem(), set(func(*origin.Grant) {}), ""},
		{"no grant", coverItem(), nil, "grant_revoked"},
		{"of another buyer", coverItem(), set(func(g *origin.Grant) { g.BuyerID = "byr_2" }), "grant_revoked"},
		{"revoked", coverItem(), set(func(g *origin.Grant) { g.State = "revoked" }), "grant_revoked"},
		{"suspended", coverItem(), set(func(g *origin.Grant) { g.State = "suspended" }), "grant_suspended"},
		{"a state nobody knows", coverItem(), set(func(g *origin.Grant) { g.State = "" }), "grant_suspended"},
		{"ends this second", coverItem(), set(func(g *origin.Grant) { g.ValidUntil = coverTime }), "grant_expired"},
		{"ends the next second", coverItem(), set(func(g *origin.Grant) { g.ValidUntil = "2026-06-01T12:00:01Z" }), ""},
		{"begins this second", coverItem(), set(func(g *origin.Grant) { g.ValidFrom = coverTime }), ""},
		{"begins the next second", coverItem(), set(func(g *origin.Grant) { g.ValidFrom = "2026-06-01T12:00:01Z" }), "scope_changed"},
		{"another site", coverItem(), set(func(g *origin.Grant) { g.Sites = []string{"site-b"} }), "scope_changed"},
		{"no site", coverItem(), set(func(g *origin.Grant) { g.Sites = nil }), "scope_changed"},
		{"its path", coverItem(), set(func(g *origin.Grant) { g.Paths = []string{"/people/*", "/shipping/"} }), ""},
		{"another path", coverItem(), set(func(g *origin.Grant) { g.Paths = []string{"/people/*"} }), "scope_changed"},
		{"a path with its query", coverItem(), set(func(g *origin.Grant) { g.Paths = []string{"/*x=1$"} }), ""},
		{"left out", coverItem(), set(func(g *origin.Grant) { g.Excludes = []string{"/shipping/t*"} }), "scope_changed"},
		{"its format", coverItem(), set(func(g *origin.Grant) { g.ContentFormats = []string{"text", "html"} }), ""},
		{"another format", coverItem(), set(func(g *origin.Grant) { g.ContentFormats = []string{"dataset"} }), "scope_changed"},
		{"published then", coverItem(), set(func(g *origin.Grant) { g.PublishedAfter = "2026-03-01T00:00:00Z" }), ""},
		{"published before then", coverItem(), set(func(g *origin.Grant) { g.PublishedAfter = "2026-03-01T00:00:01Z" }), "scope_changed"},
		{"published too late", coverItem(), set(func(g *origin.Grant) { g.PublishedBefore = "2026-03-01T00:00:00Z" }), "scope_changed"},
		{"date unknown", coverItem(func(i *origin.Item) { i.PublishedAt = "" }), set(func(g *origin.Grant) { g.PublishedBefore = "2027-01-01T00:00:00Z" }), "scope_changed"},
		{"site pending", coverItem(func(i *origin.Item) { i.SiteState = origin.Pending }), set(func(*origin.Grant) {}), "publisher_withdrawn"},
		{"site suspended", coverItem(func(i *origin.Item) { i.SiteState = origin.Suspended }), set(func(*origin.Grant) {}), "publisher_withdrawn"},
		{"page withdrawn", coverItem(func(i *origin.Item) { i.State = "withdrawn" }), set(func(*origin.Grant) {}), "entry_withdrawn"},
		{"no body", coverItem(func(i *origin.Item) { i.Version = 0 }), set(func(*origin.Grant) {}), "entry_withdrawn"},
		{"the reason that says most", coverItem(), []origin.Grant{coverGrant(func(g *origin.Grant) { g.ValidUntil = "2026-02-01T00:00:00Z" }),
			coverGrant(func(g *origin.Grant) { g.GrantID, g.State = "grt_2", "revoked" })}, "grant_revoked"},
	} {
		c := rights.CheckGrants(coverBuyer, tc.grants, tc.item, coverTime, nil)
		if c.Reason != tc.reason || (len(c.Grants) > 0) != (tc.reason == "") {
			t.Errorf("%s: %q with %d grants, want %q", tc.name, c.Reason, len(c.Grants), tc.reason)
		}
		p, denial := rights.Check(&rights.Claim{Buyer: coverBuyer, Grants: tc.grants, Item: tc.item, Use: exports.UseRAG, At: instant(t, coverTime), Decision: "dec_1"})
		if denial != tc.reason || denial != "" && (p.Decision() != "" || p.Entry() != "") {
			t.Errorf("%s: checked %+v, permit of %q", tc.name, denial, p.Entry())
		}
	}
}

// TestCheckGrantsTellsWhatEnded checks that the reason comes from the grants
// under which an item was delivered, not from others.
func TestCheckGrantsTellsWhatEnded(t *testing.T) {
	grants := []origin.Grant{
		coverGrant(func(g *origin.Grant) { g.ValidUntil = "2026-02-01T00:00:00Z" }),
		coverGrant(func(g *origin.Grant) { g.GrantID, g.State = "grt_2", "revoked" }),
	}
	for behind, want := range map[string]string{"grt_1": "grant_expired", "grt_2": "grant_revoked", "grt_3": "grant_revoked"} {
		if c := rights.CheckGrants(coverBuyer, grants, coverItem(), coverTime, []string{behind}); c.Reason != want {
			t.Errorf("behind %s: %s", behind, c.Reason)
		}
	}
}

// TestInForce checks that a grant is active from the second in which it begins
// until the second in which it ends.
func TestInForce(t *testing.T) {
	const at = "2026-06-01T12:00:00Z"
	for _, c := range []struct {
		state, from, until string
		want               bool
	}{
		{"active", "2026-01-01T00:00:00Z", "", true},
		{"active", at, "", true},
		{"active", "2026-06-01T12:00:01Z", "", false},
		{"active", "2026-01-01T00:00:00Z", "2026-06-01T12:00:01Z", true},
		{"active", "2026-01-01T00:00:00Z", at, false},
		{"suspended", "2026-01-01T00:00:00Z", "", false},
		{"revoked", "2026-01-01T00:00:00Z", "2026-12-31T00:00:00Z", false},
	} {
		g := coverGrant(func(g *origin.Grant) { g.State, g.ValidFrom, g.ValidUntil = c.state, c.from, c.until })
		assert.Equal(t, rights.InForce(&g, at), c.want, "%+v", c)
	}
}

// TestNextChange checks that the next change is the first one after an instant,
// and that grants which are not active change nothing.
func TestNextChange(t *testing.T) {
	day := func(n int) string { return fmt.Sprintf("2026-06-%02dT12:00:00Z", n) }
	grant := func(state, from, until string) origin.Grant {
		return coverGrant(func(g *origin.Grant) { g.State, g.ValidFrom, g.ValidUntil = state, from, until })
	}
	grants := []origin.Grant{grant("active", day(1), day(9)), grant("active", day(5), day(20)), grant("active", day(2), ""), grant("revoked", day(3), day(4))}
	for at, want := range map[string]string{day(1): day(2), day(2): day(5), day(5): day(9), day(9): day(20), day(20): ""} {
		assert.Equal(t, rights.NextChange(grants, at), want, "after %s", at)
	}
}

func TestCheckGrantsOfSeveral(t *testing.T) {
	grants := []origin.Grant{
		coverGrant(func(g *origin.Grant) {
			g.GrantID, g.Kind, g.Uses, g.DeleteHours = "grt_0", "enterprise", []string{"rag", "training"}, 24
		}),
		coverGrant(func(g *origin.Grant) { g.GrantID = "grt_2" }),
		coverGrant(),
		coverGrant(func(g *origin.Grant) { g.GrantID, g.State = "grt_4", "revoked" }),
	}
	c := rights.CheckGrants(coverBuyer, grants, coverItem(), coverTime, nil)
	if got := c.IDs(); !reflect.DeepEqual(got, []string{"grt_1", "grt_2", "grt_0"}) {
		t.Errorf("order %v", got)
	}
	if got := rights.UseList(c.Uses); !reflect.DeepEqual(got, []string{"rag", "training", "research"}) {
		t.Errorf("uses %v", got)
	}
	if c.DeleteHours() != 24 || c.GrantFor(exports.UseTraining).GrantID != "grt_0" || c.GrantFor(exports.UseRAG).GrantID != "grt_1" || c.GrantFor(exports.UseDatasets) != nil {
		t.Errorf("%d hours, training by %v", c.DeleteHours(), c.GrantFor(exports.UseTraining))
	}
	long := []origin.Grant{coverGrant(func(g *origin.Grant) { g.DeleteHours = 96 })}
	if c := rights.CheckGrants(coverBuyer, long, coverItem(), coverTime, nil); c.DeleteHours() != 96 {
		t.Errorf("a grant that gives 96 hours gives %d", c.DeleteHours())
	}
	assert.Equal(t, rights.NextChange(append(grants, coverGrant(func(g *origin.Grant) { g.ValidUntil = "2026-08-01T00:00:00Z" }),
		coverGrant(func(g *origin.Grant) { g.ValidFrom = "2026-07-01T00:00:00Z" }), coverGrant(func(g *origin.Grant) { g.State, g.ValidFrom = "revoked", "2026-06-15T00:00:00Z" })), coverTime), "2026-07-01T00:00:00Z", "the next change")
}

func TestPermitSaysWhatItIsFor(t *testing.T) {
	end := "2026-06-01T12:02:00Z"
	grants := []origin.Grant{coverGrant(func(g *origin.Grant) { g.ValidUntil, g.Attribution, g.DisplayLimit = end, "link", 600 })}
	claim := &rights.Claim{Buyer: coverBuyer, Grants: grants, Item: coverItem(), Use: exports.UseRAG, At: instant(t, coverTime), Decision: "dec_1"}
	p, denial := rights.Check(claim)
	if denial != "" || p.Buyer() != "byr_1" || p.Entry() != "ent_1" || p.Use() != exports.UseRAG || p.Decision() != "dec_1" {
		t.Fatalf("%+v %+v", p, denial)
	}
	i := p.WithBody(rights.Content{Format: "text", Text: "Tides.", SHA256: "s", Version: 4})
	if i.ItemID != "itm_1" || i.Version != 4 || i.Content.Text != "Tides." || i.Attribution != "Site A" || i.Rights.ValidUntil != end || i.Rights.CheckedAt != coverTime ||
		i.Rights.DisplayLimit != 600 || !reflect.DeepEqual(i.Rights.Uses, []string{"rag", "research"}) {
		t.Errorf("%+v", i)
	}
	open := *claim
	open.Grants = []origin.Grant{coverGrant()}
	if p, _ := rights.Check(&open); p.Item().Rights.ValidUntil != "2026-06-01T12:05:00Z" {
		t.Errorf("an answer about a grant without an end counts until %s", p.Item().Rights.ValidUntil)
	}
	if meta := p.Item(); meta.Content != nil || meta.Version != 3 {
		t.Errorf("%+v", meta)
	}
	for name, change := range map[string]func(c *rights.Claim){
		"a use that is not granted": func(c *rights.Claim) { c.Use = exports.UseTraining },
		"no use":                    func(c *rights.Claim) { c.Use = "" },
		"no decision":               func(c *rights.Claim) { c.Decision = "" },
		"a suspended buyer":         func(c *rights.Claim) { c.Buyer = &origin.Buyer{BuyerID: "byr_1", State: "suspended"} },
		"another buyer":             func(c *rights.Claim) { c.Buyer = &origin.Buyer{BuyerID: "byr_2", State: "active"} },
		"a moment too late":         func(c *rights.Claim) { c.At = c.At.Add(3 * time.Minute) },
	} {
		other := *claim
		change(&other)
		if p, denial := rights.Check(&other); denial == "" || p.Decision() != "" {
			t.Errorf("%s: permitted", name)
		}
	}
}

func TestUseBits(t *testing.T) {
	for bits := int64(0); bits < 256; bits++ {
		if got := rights.UseBits(rights.UseList(bits)); got != bits {
			t.Fatalf("%b became %b", bits, got)
		}
	}
	assert.Equal(t, rights.UseBits([]string{"copying", "", "rag"}), 1, "a word that is no use counts")
}

func instant(t *testing.T, s string) time.Time {
	t.Helper()
	at, ok := exports.ParseInstant(s)
	if !ok {
		t.Fatal(s)
	}
	return at
}
