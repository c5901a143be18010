package registry_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
	"colophon/internal/originsql/schematest"
	"colophon/internal/registry"
	"colophon/internal/rights"
)

var must = assert.NoError

const (
	firstDay  = "2026-11-20T09:00:00Z"
	secondDay = "2026-11-21T09:00:00Z"
)

func newStore(t *testing.T) *originsql.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "origin.db")
	db, err := sql.Open("sqlite", local.Address(path))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, schematest.Write(path))
	return originsql.New(db)
}

// apply applies documents on a day and returns the plan.
func apply(t *testing.T, store *originsql.Store, day string, documents ...string) *registry.Plan {
	t.Helper()
	plan, err := tryApply(store, day, documents...)
	must(t, err)
	return plan
}

func tryApply(store *originsql.Store, day string, documents ...string) (*registry.Plan, error) {
	ctx := context.Background()
	var sources []registry.Source
	for i, text := range documents {
		s, err := registry.Read(fmt.Sprintf("%d.json", i+1), []byte(text))
		if err != nil {
			return nil, err
		}
		sources = append(sources, s)
	}
	plan, err := registry.Prepare(ctx, store, sources, day)
	if err != nil {
		return nil, err
	}
	return plan, store.Atomically(ctx, func(s *originsql.Store) error { return plan.Write(ctx, s) })
}

func export(t *testing.T, store *originsql.Store) string {
	t.Helper()
	d, _, err := registry.Export(context.Background(), store)
	must(t, err)
	text, err := d.Text()
	must(t, err)
	return string(text)
}

const head = `{"format": "colophon.registry.v1", `

// whole has a record of every kind.
const whole = head + `
"organizations": [{"id": "pub_house", "legal_name": "House B.V.", "contact_name": "Ada", "contact_email": "ada@house.example", "notes": "pays late",
  "preferences": [{"use": "rag", "inquiry": "welcome", "declared": "disallow", "conditions": ["payment"], "retention": "while_licensed"}, {"use": "training", "inquiry": "not_offered", "declared": "disallow"}],
  "rights_holder": {"name": "House B.V.", "territories": ["NL"]}}],
"categories": [{"slug": "ports", "label": "Ports", "description": "Quays", "iab_ids": ["52"]}],
"publishers": [
  {"site_id": "one", "organization": "pub_house", "name": "One", "site_url": "https://one.example", "state": "approved", "hosts": ["data.one.example"],
   "summary": "The first.", "description": "About the first.", "categories": ["ports", "tides"], "languages": ["en"], "countries": ["NL"],
   "audience": "trade", "technical_depth": "mixed", "rag_suitability": "high", "update_cadence": "daily", "human_page": "https://one.example/licensing",
   "inquiries": "closed", "visibility": "private", "reason": "by letter", "notes": "a note",
   "offers": [
     {"slug": "old", "title": "Old", "permits": ["rag"], "payment_model": "use", "status": "retired", "valid_from": "2025-01-01T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z"},
     {"slug": "new", "title": "New", "permits": ["rag"], "prohibits": ["training"], "payment_model": "use", "amount": "0.015", "currency": "EUR", "unit": "answer",
      "supersedes": "old", "paths": ["/a/*"], "excludes": ["/a/b"], "scope": "section", "attribution": "link", "display_limit": 600, "delete_hours": 72, "retention": "P30D",
      "territories": ["NL"], "not_in": ["BE"], "user_types": ["commercial"], "content_formats": ["html"], "published_after": "2024-01-01T00:00:00Z",
      "reporting": "https://one.example/reports", "terms_url": "https://one.example/terms", "terms_version": "3", "terms_media": "text/plain",
      "terms_sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "notes": "floor 0.011", "minimum_term_months": 12, "kind": "standard"}]},
  {"site_id": "two", "organization": "pub_house", "name": "Two", "site_url": "https://two.example/",
   "preferences": [{"use": "rag", "inquiry": "not_offered", "declared": "disallow", "note": "never"}], "rights_holder": {"name": "Two itself"}}],
"demand": [{"id": "tides", "headline": "Tides", "uses": ["rag"], "state": "approved", "expires_at": "2027-01-01T00:00:00Z", "buyer_name": "B", "buyer_email": "b@buyer.example",
  "categories": ["ports"], "languages": ["en"], "territories": ["EU"], "user_type": "commercial", "volume": "much", "budget_band": "some", "timeline": "soon",
  "buyer_display": "Labs", "saved_search": "q", "pipeline_stage": "early", "notes": "n", "content_formats": ["html"]}],
"partners": [{"id": "labs", "name": "Labs", "scopes": ["catalog:read"], "contact_email": "p@labs.example", "notes": "n"}],
"buyers": [{"id": "labs", "name": "Labs", "contact_email": "b@labs.example"}],
"grants": [{"id": "first", "buyer": "labs", "kind": "enterprise", "title": "T", "sites": ["one", "two"], "uses": ["rag"], "paths": ["/a/*"], "valid_until": "2027-01-01T00:00:00Z",
  "attribution": "name", "display_limit": 10, "delete_hours": 24, "retention": "none", "agreement": "2026/7", "license": "lic_x", "reporting": "https://r.example/"}]}`

// TestApplyAndExport checks that a document applied twice changes nothing, and
// that an export applied elsewhere makes the same registry.
func TestApplyAndExport(t *testing.T) {
	store := newStore(t)
	if plan := apply(t, store, firstDay, whole); len(plan.Changes) < 15 || fmt.Sprint(plan.Sites) != "[one two]" {
		t.Errorf("%d changes of %v", len(plan.Changes), plan.Sites)
	}
	if plan := apply(t, store, secondDay, whole); len(plan.Changes) != 0 {
		t.Errorf("a second time it changes\n%s", plan.Diff())
	}
	text := export(t, store)
	if plan := apply(t, store, secondDay, text); len(plan.Changes) != 0 {
		t.Errorf("what was exported changes\n%s", plan.Diff())
	}
	for _, member := range []string{"pays late", "0.015", "2025-01-01T00:00:00Z", "\"supersedes\": \"old\"", "data.one.example", "2026/7", "early", "by letter", "Tides"} {
		assert.Contains(t, "the export lacks", text, member)
	}

	other := newStore(t)
	apply(t, other, firstDay, text)
	if again := export(t, other); again != text {
		t.Errorf("elsewhere it makes\n%s\nand not\n%s", again, text)
	}
}

// TestDocumentsTogether checks that several documents count as one: each may
// refer to what another names.
func TestDocumentsTogether(t *testing.T) {
	store := newStore(t)
	publisher := head + `"publishers": [{"site_id": "one", "organization": "pub_house", "name": "One", "site_url": "https://one.example/"}]}`
	house := head + `"organizations": [{"id": "pub_house", "legal_name": "House"}]}`
	assert.ErrorContains(t, assert.Err(tryApply(store, firstDay, publisher)), "without its organization", "there is no organization")
	apply(t, store, firstDay, publisher, house)
	assert.ErrorContains(t, assert.Err(tryApply(store, firstDay, publisher, publisher)), "twice", "2.json:1: /publishers/0: publisher \"one\" is named more than once")
}

// TestOffsets checks that a document may state its instants with any offset,
// and that the registry keeps them in UTC.
func TestOffsets(t *testing.T) {
	store := newStore(t)
	replacer := strings.NewReplacer("2027-01-01T00:00:00Z", "2027-01-01T02:00:00.75+02:00", "2026-01-01T00:00:00Z", "2025-12-31T19:00:00-05:00", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00+00:00")
	apply(t, store, firstDay, replacer.Replace(whole))
	if plan := apply(t, store, secondDay, whole); len(plan.Changes) != 0 {
		t.Errorf("the same instants in UTC change\n%s", plan.Diff())
	}
}

// TestHouse checks that the preferences of an organization apply to its
// publishers, unless these state something else about a use.
func TestHouse(t *testing.T) {
	store := newStore(t)
	apply(t, store, firstDay, whole)
	said := func(site, use string) string {
		t.Helper()
		prefs, err := store.Preferences(context.Background(), site)
		must(t, err)
		for _, p := range prefs {
			if p.Use == use {
				return p.Inquiry + " " + p.Since
			}
		}
		return ""
	}
	for _, c := range []struct{ site, use, want string }{
		{"one", "rag", "welcome " + firstDay}, {"one", "training", "not_offered " + firstDay},
		{"two", "rag", "not_offered " + firstDay}, {"two", "training", "not_offered " + firstDay}, {"two", "research", ""},
	} {
		assert.Equal(t, said(c.site, c.use), c.want, "%s says of %s", c.site, c.use)
	}
	for site, holder := range map[string]string{"one": "House B.V.", "two": "Two itself"} {
		versions, err := store.Passports(context.Background(), site)
		if err != nil || len(versions) != 1 || versions[0].HolderName != holder || fmt.Sprint(versions[0].Territories) != "[NL]" {
			t.Errorf("the rights holder of %s is %+v (%v)", site, versions, err)
		}
	}

	// A change by the organization reaches the publisher that follows it.
	changed := strings.Replace(whole, `{"use": "rag", "inquiry": "welcome"`, `{"use": "rag", "inquiry": "conditional"`, 1)
	plan := apply(t, store, secondDay, changed)
	if len(plan.Changes) != 1 || plan.Changes[0].ID != "one/rag" || said("one", "rag") != "conditional "+secondDay || said("two", "rag") != "not_offered "+firstDay {
		t.Errorf("the house changed its mind:\n%s", plan.Diff())
	}
}

// TestLeftOutAndEmptied checks that a member which a document omits stays, and
// one that it empties is cleared.
func TestLeftOutAndEmptied(t *testing.T) {
	store := newStore(t)
	apply(t, store, firstDay, whole)
	plan := apply(t, store, secondDay, head+`"publishers": [{"site_id": "one", "summary": "", "categories": [], "offers": [{"slug": "new", "amount": "0.02", "attribution": "none"}]}]}`)
	diff := plan.Diff()
	const want = `~ publisher one
  - summary: "The first."
  - categories: "ports, tides"
~ offer one/new
  - amount: "0.015"
  + amount: "0.02"
  - attribution: "link"
`
	if diff != want {
		t.Errorf("the diff is\n%s\nand not\n%s", diff, want)
	}
	site, err := store.Site(context.Background(), "one")
	if err != nil || site.Name != "One" || site.Summary != "" || len(site.Categories) != 0 || site.ChangedAt != secondDay || site.CreatedAt != firstDay || site.ApprovedAt != firstDay {
		t.Errorf("%+v, %v", site, err)
	}
	secret := apply(t, store, secondDay, head+`"buyers": [{"id": "labs", "contact_email": "new@labs.example"}]}`)
	if got := secret.Diff(); strings.Contains(got, "labs.example") || !strings.Contains(got, "contact_email: (private, changed)") {
		t.Errorf("a plan tells what is private: %s", got)
	}
}

// TestPlansTellNothingPrivate checks that a plan shows neither the old nor the
// new value of a private member, in any record.
func TestPlansTellNothingPrivate(t *testing.T) {
	store := newStore(t)
	apply(t, store, firstDay, whole)
	for list, members := range map[string]string{
		"organizations": `"id": "pub_one", "legal_name": "One", "contact_email": "s@e.cret", "contact_name": "s@e.cret", "notes": "s@e.cret"`,
		"publishers":    `"site_id": "one", "notes": "s@e.cret", "reason": "s@e.cret", "grace_days": 3, "rights_holder": {"notes": "s@e.cret"}`,
		"demand":        `"id": "need", "headline": "h", "uses": ["rag"], "expires_at": "2030-01-01T00:00:00Z", "buyer_email": "s@e.cret", "buyer_name": "s@e.cret", "notes": "s@e.cret", "pipeline_stage": "s@e.cret", "saved_search": "s@e.cret"`,
		"partners":      `"id": "p", "name": "P", "contact_email": "s@e.cret", "notes": "s@e.cret"`,
		"buyers":        `"id": "labs", "contact_email": "s@e.cret", "notes": "s@e.cret"`,
		"grants":        `"id": "first", "agreement": "s@e.cret", "notes": "s@e.cret", "reason": "s@e.cret"`,
	} {
		diff := apply(t, store, secondDay, head+`"`+list+`": [{`+members+`}]}`).Diff()
		private := strings.Count(members, "s@e.cret") + strings.Count(members, "grace_days")
		if strings.Contains(diff, "s@e.cret") || strings.Count(diff, "(private, changed)") != private {
			t.Errorf("%s: want %d private members in\n%s", list, private, diff)
		}
	}
}

// TestGrants checks that an old document does not restore a revoked grant, and
// that a grant covers only the publishers that it names.
func TestGrants(t *testing.T) {
	store := newStore(t)
	apply(t, store, firstDay, whole)
	grant := func(members string) string { return head + `"grants": [{"id": "first", ` + members + `}]}` }
	apply(t, store, secondDay, grant(`"sites": ["two"]`))
	buyers, err := store.Buyers(context.Background())
	must(t, err)
	grants, err := store.GrantsOf(context.Background(), buyers[0].BuyerID)
	if err != nil || len(grants) != 1 || fmt.Sprint(grants[0].Sites) != "[two]" {
		t.Errorf("the grant covers %+v, %v", grants, err)
	}
	apply(t, store, secondDay, grant(`"state": "revoked", "reason": "ended"`))
	for members, word := range map[string]string{
		`"state": "active"`:                      "revoked for good",
		`"buyer": "other"`:                       "keeps its buyer",
		`"sites": ["nobody"], "state":"revoked"`: "there is no publisher",
	} {
		if _, err := tryApply(store, secondDay, grant(members)); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v does not tell %q", members, err, word)
		}
	}
}

// TestFaultsNameThePlace checks that errors name the document, the line and the
// place. The lines were counted by hand.
func TestFaultsNameThePlace(t *testing.T) {
	store := newStore(t)
	publisher := func(rest string) string {
		return head + "\n\"publishers\": [\n{\"site_id\": \"one\", \"name\": \"One\", \"site_url\": \"https://one.example/\"" + rest + "}]}"
	}
	for text, want := range map[string]string{
		`{`:                   "1.json:1: json_syntax",
		"\n\n{\"format\": 1}": "1.json:3: /format",
		`{"format": "other"}`: "/format: Must be",
		`{"format": "colophon.registry.v1", "sites": []}`:                "/sites: this member is not known",
		head + "\n\"partners\": [], \"partners\": []}":                   "1.json:2: json_duplicate_member",
		publisher(",\n\"audience\": \"aliens\""):                         "1.json:4: /publishers/0/audience: \"aliens\" is not one of general",
		publisher(",\n\n\"offers\": [{\"slug\": \"a\", \"amount\": 1}]"): "1.json:5: /publishers/0/offers/0/amount: Must be a string",
		publisher(",\n\"offers\": [{\"slug\": \"a\", \"title\": \"A\",\n\"currency\": \"EUX\", \"permits\": [\"rag\"], \"payment_model\": \"use\"}]"): "1.json:5: /publishers/0/offers/0/currency: \"EUX\" is not a currency",
		publisher(",\n\"preferences\": [{\"use\": \"rag\", \"inquiry\": \"welcome\"},\n{\"use\": \"rag\", \"inquiry\": \"welcome\"}]"):                "1.json:5: /publishers/0/preferences/1/use: is named more than once",
		publisher(", \"hosts\": [\"a/b\"]"):                                                   "/publishers/0/hosts: holds \"a/b\"",
		publisher(", \"rights_holder\": {\"basis\": \"domain_verified\"}"):                    "/publishers/0/rights_holder/basis: \"domain_verified\" is not one of",
		publisher(", \"domain_control\": \"dns_txt\""):                                        "/publishers/0/domain_control: this member is not known",
		publisher(", \"name\": \"Other\""):                                                    "json_duplicate_member",
		head + `"publishers": [{"site_id": "one"}]}`:                                          "/publishers/0/name: is needed; 1.json:1: /publishers/0/site_url: is needed",
		head + `"publishers": [{"site_id": "-", "name": "x", "site_url": "ftp://x"}]}`:        "/publishers/0/site_id",
		head + `"demand": [{"id": "a", "headline": "` + "\u202e" + `", "uses": ["rag"]}]}`:    "/demand/0/headline: holds a control character",
		head + `"grants": [{"id": "a", "buyer": "nobody", "uses": ["rag"], "sites": ["x"]}]}`: "/grants/0/buyer: there is no such buyer",
	} {
		plan, err := tryApply(store, firstDay, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n\tgives %v (%v), not %q", text, err, plan, want)
		}
	}
	assert.Lacks(t, "a refused document left", export(t, store), "one")
}

// TestHostileDocuments checks that deeply nested, long and broken documents are
// refused.
func TestHostileDocuments(t *testing.T) {
	for name, text := range map[string]string{
		"deep":      strings.Repeat("[", 100_000),
		"not UTF-8": head + "\"partners\": \"\xff\"}",
		"cut":       whole[:len(whole)/2],
		"a list":    "[]",
		"nothing":   "",
	} {
		assert.Fails(t, assert.Err(registry.Read(name, []byte(text))), "%s is read", name)
	}
	for cut := range len(whole) - 1 {
		if _, err := registry.Read("cut", []byte(whole[:cut])); err == nil {
			t.Fatalf("the first %d bytes are read", cut)
		}
	}
}

// TestSchema checks that the schema accepts what the program writes, and
// refuses what the program refuses.
func TestSchema(t *testing.T) {
	v := registry.Schema("https://registry.example")
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(v.Append(nil)))
	must(t, err)
	c := jsonschema.NewCompiler()
	const id = "https://registry.example/schemas/registry.v1.json"
	must(t, c.AddResource(id, parsed))
	schema, err := c.Compile(id)
	must(t, err)
	store := newStore(t)
	apply(t, store, firstDay, whole)
	holds := func(text string) error {
		t.Helper()
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		must(t, err)
		return schema.Validate(doc)
	}
	for _, text := range []string{whole, export(t, store)} {
		if err := holds(text); err != nil {
			t.Error(err)
		}
	}
	for _, text := range []string{
		`{}`, head + `"sites": []}`, head + `"publishers": [{"name": "x"}]}`, head + `"publishers": [{"site_id": "one", "audience": "aliens"}]}`,
	} {
		if holds(text) == nil {
			t.Errorf("the schema takes %s", text)
		}
	}
}

// TestStatesAndInstants checks that a need is public only while it is approved,
// and that a document may state since when a preference applies.
func TestStatesAndInstants(t *testing.T) {
	store := newStore(t)
	for _, c := range []struct {
		state string
		isIn  bool
	}{{"held", false}, {"approved", true}, {"closed", false}} {
		apply(t, store, firstDay, head+`"demand": [{"id": "a", "headline": "A", "uses": ["rag"], "state": "`+c.state+`"}]}`)
		all, err := store.Demand(context.Background())
		if err != nil || len(all) != 1 || all[0].OptedIn != c.isIn || registry.DemandState(&all[0]) != c.state {
			t.Errorf("%s: %+v, %v", c.state, all, err)
		}
	}

	const since = "2025-02-03T08:00:00Z"
	site := `"publishers": [{"site_id": "one", "name": "One", "site_url": "https://one.example/", "preferences": [{"use": "rag", "inquiry": "welcome", "since": "` + since + `"}]}]}`
	apply(t, store, firstDay, head+site)
	prefs, err := store.Preferences(context.Background(), "one")
	if err != nil || len(prefs) != 1 || prefs[0].Since != since || prefs[0].ChangedAt != firstDay {
		t.Errorf("%+v, %v", prefs, err)
	}
}

// TestVerifiedHolder checks that a verified domain counts only for the rights
// holder for whom it was verified.
func TestVerifiedHolder(t *testing.T) {
	verified := origin.Passport{SiteID: "one", Version: 2, PassportID: "rp_one_2", HolderName: "One", HolderURL: "https://one.example/", HolderBasis: "domain_verified",
		EffectiveFrom: firstDay, ChangedAt: firstDay}
	for holder, want := range map[string]string{`{"territories": ["NL"]}`: "domain_verified", `{"name": "Other"}`: "stated_by_publisher"} {
		other := newStore(t)
		apply(t, other, firstDay, head+`"publishers": [{"site_id": "one", "name": "One", "site_url": "https://one.example/"}]}`)
		must(t, other.AddPassport(context.Background(), verified))
		apply(t, other, secondDay, head+`"publishers": [{"site_id": "one", "rights_holder": `+holder+`}]}`)
		versions, err := other.Passports(context.Background(), "one")
		if err != nil || len(versions) != 3 || versions[2].HolderBasis != want {
			t.Errorf("%s: %+v, %v", holder, versions, err)
		}
	}
}

// TestExportLeavesOutFiles checks that an offer from a publisher's own site is
// reported but not exported, and that a document cannot change it.
func TestExportLeavesOutFiles(t *testing.T) {
	store, ctx := newStore(t), context.Background()
	apply(t, store, firstDay, whole)
	sites, err := store.Sites(ctx)
	must(t, err)
	before := export(t, store)
	id := sites[0].SiteID
	own := origin.Offer{
		LicenseID: rights.OfferID(id, "own"), SiteID: id, Slug: "own", Kind: "custom", Status: "offered", Title: "Own", ScopeType: "site", Paths: []string{"/*"},
		Permits: []string{"rag"}, PaymentModel: "subscription", ValidFrom: firstDay, ChangedAt: firstDay, Source: "file", EvidenceURL: "https://x.example/f", EvidenceAt: firstDay,
	}
	must(t, store.PutOffer(ctx, own))
	_, leftOut, err := registry.Export(ctx, store)
	if err != nil || len(leftOut) != 1 || leftOut[0] != id+"/own" {
		t.Errorf("%v, left out %v", err, leftOut)
	}
	assert.Equal(t, export(t, store), before, "the export has what the publisher's file offers")
	change := head + `"publishers": [{"site_id": "` + id + `", "offers": [{"slug": "own", "amount": "1", "currency": "EUR"}]}]}`
	assert.ErrorContains(t, assert.Err(tryApply(store, secondDay, change)), "a document changes the offer of a file", "/publishers/0/offers/0/slug: names an offer that the publisher makes on its own site")
}
