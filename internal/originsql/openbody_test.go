package originsql_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/origintest"
	"colophon/internal/rights"
)

// The states on which access to a body depends, with all their values. The
// times are around openAt, the moment of the request.
const (
	openBefore = "2026-06-01T11:59:59Z"
	openAt     = "2026-06-01T12:00:00Z"
	openAfter  = "2026-06-01T12:00:01Z"
)

var (
	openBuyers      = []string{"active", "suspended"}
	openCredentials = []struct{ state, expires string }{
		{"active", ""}, {"active", openAfter}, {"active", openAt}, {"active", openBefore}, {"suspended", ""}, {"revoked", ""}, {"", ""},
	}
	openGrants   = []string{"active", "suspended", "revoked", ""}
	openValidity = []struct{ from, until string }{
		{openBefore, ""}, {openAt, openAfter}, {openAfter, ""}, {openBefore, openAt}, {openBefore, openBefore},
	}
	openScopes = []origin.Grant{
		{Paths: []string{"/in/*"}}, {Excludes: []string{"/in/*"}}, {ContentFormats: []string{"html"}}, {ContentFormats: []string{"dataset"}},
		{PublishedAfter: openAt}, {PublishedBefore: openBefore}, {PublishedAfter: openBefore, PublishedBefore: openAt},
	}
	openSites = []struct {
		id    string
		state origin.SiteState
		link  string // link of the grant to each site: active, left, none
	}{
		{"approved", origin.Approved, "active"}, {"left", origin.Approved, "left"}, {"other", origin.Approved, "none"},
		{"pending", origin.Pending, "active"}, {"suspended", origin.Suspended, "active"}, {"closed", origin.Closed, "active"},
		{"left-closed", origin.Closed, "left"},
	}
	openPages = []struct {
		state string
		body  bool
	}{{"active", true}, {"withdrawn", true}, {"active", false}}

	// openDrifts are the ways in which a permit can differ from what it was
	// issued for.
	openDrifts = []struct {
		name  string
		apply func(a *origin.BodyAsk)
	}{
		{"none", func(*origin.BodyAsk) {}},
		{"grant version", func(a *origin.BodyAsk) { a.GrantVersion-- }},
		{"format", func(a *origin.BodyAsk) { a.ContentFormat = "dataset" }},
		{"date", func(a *origin.BodyAsk) { a.PublishedAt = openAfter }},
		{"address", func(a *origin.BodyAsk) { a.CanonicalURL += "?moved" }},
		{"site", func(a *origin.BodyAsk) { a.SiteID = "closed" }},
		{"buyer", func(a *origin.BodyAsk) { a.BuyerID = "byr_none" }},
		{"credential", func(a *origin.BodyAsk) { a.CredentialID = "crd_none" }},
	}
)

// openWorld holds all states at once: each buyer has each credential and each
// grant, each grant has each site, each site has each page.
type openWorld struct {
	store       *originsql.Store
	buyers      []origin.Buyer
	credentials []origin.BuyerCredential
	grants      map[string][]origin.Grant // by buyer
	items       []origin.Item
}

func newOpenWorld(t *testing.T) *openWorld {
	t.Helper()
	ctx := context.Background()
	w := &openWorld{grants: map[string][]origin.Grant{}}
	w.store, _ = origintest.Open(t)
	must(t, w.store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_1", LegalName: "P", CreatedAt: openBefore}))
	w.addSites(t)
	for i, state := range openBuyers {
		b := origin.Buyer{BuyerID: fmt.Sprintf("byr_%d", i), Name: "B", State: state, CreatedAt: openBefore, ChangedAt: openBefore}
		must(t, w.store.PutBuyer(ctx, b))
		w.buyers = append(w.buyers, b)
		for j, c := range openCredentials {
			credential := origin.BuyerCredential{CredentialID: fmt.Sprintf("crd_%d_%d", i, j), BuyerID: b.BuyerID, Credential: origin.Credential{State: c.state, ExpiresAt: c.expires}}
			must(t, w.store.PutCredential(ctx, credential))
			w.credentials = append(w.credentials, credential)
		}
		w.addGrants(t, b.BuyerID)
	}
	return w
}

// addSites adds each site with each page.
func (w *openWorld) addSites(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	for _, site := range openSites {
		must(t, w.store.PutSite(ctx, origin.Site{SiteID: site.id, PublisherID: "pub_1", Name: "S", SiteURL: "https://" + site.id, State: site.state, CreatedAt: openBefore, ChangedAt: openBefore}))
		for i, p := range openPages {
			page := origin.Page{
				EntryID: fmt.Sprintf("ent_%s_%d", site.id, i), SiteID: site.id, CanonicalURL: fmt.Sprintf("https://%s/in/page-%d", site.id, i),
				Title: "T", ContentFormat: "html", PublishedAt: openBefore, State: p.state, RegisteredAt: openBefore, ChangedAt: openBefore,
			}
			var body *origin.Body
			if p.body {
				body = &origin.Body{Text: "text of " + page.EntryID, SHA256: "x", ChangedAt: openBefore}
			}
			must(t, w.store.PutPage(ctx, page, body))
		}
		items, err := w.store.Items(ctx, site.id, "", 100)
		must(t, err)
		w.items = append(w.items, items...)
	}
}

// addGrants adds a grant with each state and validity, and an active one with
// each scope.
func (w *openWorld) addGrants(t *testing.T, buyer string) {
	t.Helper()
	ctx := context.Background()
	var list []origin.Grant
	for _, state := range openGrants {
		for _, v := range openValidity {
			list = append(list, origin.Grant{State: state, ValidFrom: v.from, ValidUntil: v.until})
		}
	}
	for _, scope := range openScopes {
		scope.State = "active"
		scope.ValidFrom = openBefore
		list = append(list, scope)
	}
	for i, g := range list {
		g.GrantID = fmt.Sprintf("grt_%s_%02d", buyer, i)
		g.BuyerID = buyer
		g.Kind = "direct"
		g.Uses = []string{"rag"}
		g.StateAt, g.CreatedAt, g.ChangedAt = openBefore, openBefore, openBefore
		must(t, w.store.PutGrant(ctx, g))
		for _, site := range openSites {
			if site.link != "none" {
				must(t, w.store.SetGrantSite(ctx, g.GrantID, site.id, site.link == "active", openBefore))
			}
		}
	}
	var err error
	w.grants[buyer], err = w.store.GrantsOf(ctx, buyer)
	must(t, err)
}

// openRow is one combination of states.
type openRow struct {
	buyer      *origin.Buyer
	credential *origin.BuyerCredential
	grant      *origin.Grant
	item       *origin.Item
}

// rows calls try for each combination of states.
func (w *openWorld) rows(try func(openRow)) {
	for i := range w.buyers {
		buyer := &w.buyers[i]
		grants := w.grants[buyer.BuyerID]
		for j := range w.credentials {
			for k := range grants {
				for l := range w.items {
					try(openRow{buyer, &w.credentials[j], &grants[k], &w.items[l]})
				}
			}
		}
	}
}

// TestOpenBodiesAgreesWithCheckGrants checks that OpenBodies and CheckGrants
// decide alike, for every state of the credential, the buyer, the grant, its
// validity and scope, its site, the publisher, the page, and of what changed
// since the permit was issued, and for every two wrong states together.
func TestOpenBodiesAgreesWithCheckGrants(t *testing.T) {
	w := newOpenWorld(t)
	tried, opened := 0, 0
	var asks []origin.BodyAsk
	var permits []bool
	w.rows(func(r openRow) {
		check := rights.CheckGrants(r.buyer, []origin.Grant{*r.grant}, r.item, openAt, nil)
		scoped := len(r.grant.Paths)+len(r.grant.Excludes)+len(r.grant.ContentFormats) > 0 || r.grant.PublishedAfter+r.grant.PublishedBefore != ""
		if scoped && check.Reason == "scope_changed" {
			return // the grant's version stands for its scope, so there is no permit to ask with
		}
		if r.wrong() > 2 {
			return
		}
		mine := r.credential.BuyerID == r.buyer.BuyerID && credential.CredentialState(&r.credential.Credential, openAt) == "active"
		permitted := mine && check.Reason == ""
		for _, drift := range openDrifts {
			ask := r.ask()
			drift.apply(&ask)
			got := w.opens(t, ask)
			asks = append(asks, ask)
			permits = append(permits, got)
			if want := permitted && drift.name == "none"; got != want {
				t.Fatalf("opened: %v, permitted: %v (%s), drift: %s\n%+v\n%+v\n%+v\n%+v", got, permitted, check.Reason, drift.name, *r.buyer, *r.credential, *r.grant, *r.item)
			}
			if tried++; got {
				opened++
			}
			if !permitted {
				break // refused anyway: drift adds nothing
			}
		}
	})
	if opened == 0 || tried < 1000 {
		t.Errorf("%d rows tried, %d opened: the table was not tried", tried, opened)
	}
	w.openMixed(t, asks, permits)
}

// openMixed opens many bodies in one statement: each must be opened as it is
// when requested alone, and returned in its place.
func (w *openWorld) openMixed(t *testing.T, asks []origin.BodyAsk, permits []bool) {
	t.Helper()
	const step = 37 // neighbours are too similar
	for start := range step {
		var mixed []origin.BodyAsk
		var want []bool
		for i := start; i < len(asks) && len(mixed) < 300; i += step {
			mixed = append(mixed, asks[i])
			want = append(want, permits[i])
		}
		got, err := w.store.OpenBodies(context.Background(), mixed)
		must(t, err)
		for i := range mixed {
			if (got[i] != nil) != want[i] || got[i] != nil && got[i].Text != "text of "+mixed[i].EntryID {
				t.Fatalf("%d of %d: %+v for %+v", i, len(mixed), got[i], mixed[i])
			}
		}
	}
}

// wrong returns how many states of a row forbid access.
func (r *openRow) wrong() int {
	n := 0
	count := func(bad bool) {
		if bad {
			n++
		}
	}
	count(r.buyer.State != "active")
	count(r.credential.BuyerID != r.buyer.BuyerID)
	count(r.credential.State != "active")
	count(r.credential.ExpiresAt != "" && r.credential.ExpiresAt <= openAt)
	count(r.grant.State != "active")
	count(r.grant.ValidFrom > openAt)
	count(r.grant.ValidUntil != "" && r.grant.ValidUntil <= openAt)
	count(!slices.Contains(r.grant.Sites, r.item.SiteID))
	count(r.item.SiteState != origin.Approved)
	count(r.item.State != "active")
	count(r.item.Version == 0)
	return n
}

func (r *openRow) ask() origin.BodyAsk {
	return origin.BodyAsk{
		BuyerID: r.buyer.BuyerID, CredentialID: r.credential.CredentialID, EntryID: r.item.EntryID, SiteID: r.item.SiteID,
		GrantID: r.grant.GrantID, GrantVersion: r.grant.Version, CanonicalURL: r.item.CanonicalURL, ContentFormat: r.item.ContentFormat,
		PublishedAt: r.item.PublishedAt, At: openAt, Form: "text",
	}
}

func (w *openWorld) opens(t *testing.T, ask origin.BodyAsk) bool {
	t.Helper()
	body, err := openOne(context.Background(), w.store, ask)
	if errors.Is(err, origin.ErrNotFound) {
		return false
	}
	must(t, err)
	if body.Text != "text of "+ask.EntryID {
		t.Fatalf("%s: %q", ask.EntryID, body.Text)
	}
	return true
}

// TestPermitAfterAChange checks that a permit opens nothing once what it was
// issued for has changed, even if grant and page still allow it.
func TestPermitAfterAChange(t *testing.T) {
	ctx := context.Background()
	w := newOpenWorld(t)
	for _, tc := range []struct {
		name   string
		grant  origin.Grant
		change func(r *openRow) error
	}{
		{"grant rewritten", w.grants["byr_0"][0], func(r *openRow) error {
			g := *r.grant
			g.Title = "rewritten"
			return w.store.PutGrant(ctx, g)
		}},
		{"page moved", w.grants["byr_0"][1], func(r *openRow) error {
			p := r.item.Page
			p.CanonicalURL += "/elsewhere"
			return w.store.PutPage(ctx, p, nil)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at, _ := exports.ParseInstant(openAt)
			row := openRow{&w.buyers[0], &w.credentials[0], &tc.grant, &w.items[0]}
			permit, denial := rights.Check(&rights.Claim{
				Buyer: row.buyer, Credential: row.credential.CredentialID, Grants: []origin.Grant{tc.grant}, Item: row.item,
				Use: exports.UseRAG, At: at, Decision: "dec_1",
			})
			if denial != "" {
				t.Fatal(denial)
			}
			bodies := rights.NewBodyStore(w.store, nil, func() time.Time { return at })

			_, before := bodies.Body(ctx, permit, "text")
			must(t, tc.change(&row))
			_, after := bodies.Body(ctx, permit, "text")

			if before != nil || !errors.Is(after, rights.ErrNotPermitted) {
				t.Errorf("before: %v, after: %v", before, after)
			}
		})
	}
}
