package acceptance_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/canonicaltext"
	"colophon/internal/demo"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/prose"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker"
	"colophon/worker/access"
	"colophon/worker/edge"
)

// agreement asks every surface about the same pages and requires the same
// answer.
type agreement struct {
	t      *testing.T
	store  *originsql.Store
	dist   dir
	now    time.Time
	live   edge.Handler // asks the origin
	static edge.Handler // asks the published files
	chance *rand.Rand
	every  int                       // one page in so many is asked about in all ways; what is published is compared for each page
	asked  map[string]map[string]any // answers of the live check, by query
}

// newAgreement builds a store and serves it at the instant of its release.
func newAgreement(t *testing.T, store *originsql.Store) *agreement {
	t.Helper()
	built := filepath.Join(t.TempDir(), "dist")
	return agreementOf(t, store, built, buildRelease(t, store, built))
}

// buildRelease builds what the surfaces publish.
func buildRelease(t *testing.T, store *originsql.Store, built string) generator.Report {
	t.Helper()
	signer, keys := rightsKey(t)
	report, err := generator.Build(context.Background(), store, built, generator.Options{BaseURL: testBase, Name: "Colophon", Signer: signer, Keys: keys, Workers: 2})
	must(t, err)
	return report
}

func agreementOf(t *testing.T, store *originsql.Store, built string, report generator.Report) *agreement {
	t.Helper()
	now, ok := exports.ParseInstant(report.Release.GeneratedAt)
	if !ok {
		t.Fatalf("release of %q", report.Release.GeneratedAt)
	}
	a := &agreement{t: t, store: store, dist: dir(built), now: now, chance: rand.New(rand.NewPCG(1, 2)), every: number("AGREE_EVERY", 8), asked: map[string]map[string]any{}}
	deps := worker.Deps{BaseURL: testBase, Assets: a.dist, Now: func() time.Time { return now }}
	a.static = openapitest.Handler(t, worker.New(deps))
	deps.Origin = store
	a.live = openapitest.Handler(t, worker.New(deps))
	return a
}

func (a *agreement) get(h edge.Handler, path, query string) map[string]any {
	a.t.Helper()
	r := h(context.Background(), &edge.Request{Method: "GET", Path: path, Query: query, ID: "rid_x"})
	var doc map[string]any
	if err := json.Unmarshal(r.Body, &doc); err != nil || r.Status != 200 {
		a.t.Fatalf("%s?%s: %d %v: %s", path, query, r.Status, err, r.Body)
	}
	return doc
}

// check asks the live check, once for each query.
func (a *agreement) check(query string) map[string]any {
	a.t.Helper()
	if a.asked[query] == nil {
		a.asked[query] = a.get(a.live, exports.PathRightsCheck, query)
	}
	return a.asked[query]
}

// published compares a published vector with the live check at the instant that
// the vector states.
func (a *agreement) published(where, key, vector, at string) {
	a.t.Helper()
	if at == "" {
		a.t.Errorf("%s: a vector without its instant", where)
		return
	}
	if got := get(a.check(key+"&at="+at), "candidates.0.rights_vector"); got != vector {
		a.t.Errorf("%s: published %s as of %s, the check then says %v", where, vector, at, got)
	}
}

// sites compares everything that is published about each publisher.
func (a *agreement) sites() []string {
	var ids []string
	table, err := a.dist.Read(context.Background(), string(exports.KeyOf(exports.PathMapCSV)))
	must(a.t, err)
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	must(a.t, err)
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, row := range rows[1:] {
		id := row[column["site_id"]]
		ids = append(ids, id)
		key := "site_id=" + id
		a.published("CSV of "+id, key, row[column["rights_vector"]], row[column["rights_as_of"]])
		for _, path := range []string{exports.MapPublisherPath(id), exports.PublisherPath(id)} {
			doc := a.get(a.live, path, "")
			a.published(path, key, get(doc, "rights_vector").(string), get(doc, "rights_as_of").(string))
		}
	}
	return ids
}

// feed compares every line of the licensing feed.
func (a *agreement) feed() (entries int) {
	for cursor := "*"; cursor != ""; {
		r := a.live(context.Background(), &edge.Request{Method: "GET", Path: exports.PathFeedNDJSON, Query: "limit=250&cursor=" + url.QueryEscape(cursor), ID: "rid_x"})
		if r.Status != 200 {
			a.t.Fatalf("feed: %d %s", r.Status, r.Body)
		}
		cursor = ""
		for lines := bufio.NewScanner(bytes.NewReader(r.Body)); lines.Scan(); {
			var line map[string]any
			must(a.t, json.Unmarshal(lines.Bytes(), &line))
			id := line["entry_id"].(string)
			a.published("feed line "+id, "entry_id="+id, line["rights_vector"].(string), line["rights_as_of"].(string))
			cursor, _ = line["cursor"].(string)
			entries++
		}
	}
	return entries
}

// page compares everything that is published and answered about a page.
func (a *agreement) page(p *origin.Page) {
	id := p.EntryID
	if p.State != "active" {
		return
	}
	resolved := a.get(a.live, exports.PathResolve, "entry_id="+id)
	a.published("resolver of "+id, "entry_id="+id, get(resolved, "candidates.0.rights_passport.rights_vector").(string), get(resolved, "candidates.0.rights_passport.as_of").(string))
	citation := a.get(a.live, exports.CitationPath(id), "")
	a.published("citation of "+id, "entry_id="+id, get(citation, "rights.rights_vector").(string), get(citation, "rights.as_of").(string))
	if record, err := a.dist.Read(context.Background(), string(exports.KeyOf(exports.RecordPath(id)))); err == nil {
		var doc any
		must(a.t, json.Unmarshal(record, &doc))
		a.published("record of "+id, "entry_id="+id, get(doc, "rights_passport.rights_vector").(string), get(doc, "rights_passport.as_of").(string))
	}
	if a.chance.IntN(a.every) > 0 {
		return
	}
	a.answers(p, "", "", "")
	a.answers(p, pick(a.chance, exports.UserTypes), pick(a.chance, []string{"DE", "US", "EU", "NL"}), "")
	a.answers(p, "", "", pick(a.chance, []string{"GPTBot", "ChatGPT-User", "ClaudeBot"}))
}

func pick[T any](chance *rand.Rand, list []T) T { return list[chance.IntN(len(list))] }

// answers compares the live check with the one from published files, with
// prepare, and with the guard of the publisher's site.
func (a *agreement) answers(p *origin.Page, userType, territory, agent string) {
	query := "entry_id=" + p.EntryID
	for name, value := range map[string]string{"user_type": userType, "territory": territory, "agent": agent} {
		if value != "" {
			query += "&" + name + "=" + value
		}
	}
	live := a.check(query)
	static := a.get(a.static, exports.PathRightsCheck, query)
	if x, y := get(live, "candidates"), get(static, "candidates"); fmt.Sprint(x) != fmt.Sprint(y) {
		a.t.Errorf("%s: the origin says %v, the published files %v", query, x, y)
	}
	verdicts := verdictsOf(get(live, "candidates.0.uses"))
	if agent == "" {
		if got := a.shown(p.EntryID, userType, territory); fmt.Sprint(got) != fmt.Sprint(verdicts) {
			a.t.Errorf("%s: the check says %v, its page for people %v", query, verdicts, got)
		}
		use := pick(a.chance, exports.Uses[:])
		if got := a.prepared(p.CanonicalURL, string(use), userType, territory); got != verdicts[string(use)] {
			a.t.Errorf("%s: the check says %s of %s, prepare %s", query, verdicts[string(use)], use, got)
		}
		return
	}
	a.guarded(p, query, agent, verdicts)
}

func verdictsOf(uses any) map[string]string {
	out := map[string]string{}
	for _, u := range uses.([]any) {
		out[get(u, "use").(string)] = get(u, "verdict").(string)
	}
	return out
}

// shown returns the verdicts on the page for people, and checks that their
// words are those of the map.
func (a *agreement) shown(entryID, userType, territory string) map[string]string {
	query := "q=" + entryID + "&user_type=" + userType + "&territory=" + territory
	r := a.live(context.Background(), &edge.Request{Method: "GET", Path: exports.PathCheckPage, Query: query, ID: "rid_x"})
	if r.Status != 200 {
		a.t.Fatalf("%s?%s: %d %s", exports.PathCheckPage, query, r.Status, r.Body)
	}
	out := map[string]string{}
	for _, x := range shownVerdict.FindAllSubmatch(r.Body, -1) {
		letter, use, verdict, word := x[1][0]&^0x20, string(x[2]), string(x[3]), string(x[4])
		if prose.LetterWord(letter) != word {
			a.t.Errorf("%s: %s is shown as %q with the mark of %c", query, use, word, letter)
		}
		if strings.IndexByte("LDSUW", letter) < 0 || prose.VerdictWord(verdict) != word {
			a.t.Errorf("%s: %s is %s and shown as %q", query, use, verdict, word)
		}
		out[use] = verdict
	}
	return out
}

var shownVerdict = regexp.MustCompile(`<span class="state v-([a-z])" data-use="([a-z_]+)" data-verdict="([a-z_]+)">([^<]*)</span>`)

func (a *agreement) prepared(address, use, userType, territory string) string {
	body := map[string]string{"resource": address, "requested_use": use}
	if userType != "" {
		body["user_type"], body["territory"] = userType, territory
	}
	text, err := json.Marshal(body)
	must(a.t, err)
	r := a.live(context.Background(), &edge.Request{Method: "POST", Path: exports.PathPrepare, Body: text, ID: "rid_x", Header: edge.Header{{Name: "content-type", Value: "application/json"}}})
	var doc any
	must(a.t, json.Unmarshal(r.Body, &doc))
	verdict, _ := get(doc, "rights.verdict").(string)
	return verdict
}

// guarded requests the page as an agent from the guard of its site.
func (a *agreement) guarded(p *origin.Page, query, agent string, verdicts map[string]string) {
	doc := a.document(p.SiteID)
	if !strings.HasPrefix(p.CanonicalURL, strings.TrimSuffix(doc.SiteURL, "/")) {
		return
	}
	g := access.Guard{
		Base: testBase, Now: func() time.Time { return a.now },
		Document: func(context.Context) (*rights.RightsDocument, error) { return doc, nil },
	}
	path, rest, _ := strings.Cut(strings.TrimPrefix(p.CanonicalURL, strings.TrimSuffix(doc.SiteURL, "/")), "?")
	denied := g.Check(context.Background(), &edge.Request{Method: "GET", Path: path, Query: rest, ID: "rid_x", Header: edge.Header{{Name: "user-agent", Value: agent + "/1.0"}, {Name: "host", Value: "x.example"}}})
	use := map[string]string{"GPTBot": "training", "ClaudeBot": "training", "ChatGPT-User": "rag"}[agent]
	status := 0
	if denied != nil {
		status = denied.Status
	}
	want := map[string]int{"license_required": 402, "declined": 403}[verdicts[use]]
	if slices.ContainsFunc(doc.Offers, needsMetadata) {
		if status < want {
			a.t.Errorf("%s: %s is %s, the guard answers %d, which is freer than %d", query, use, verdicts[use], status, want)
		}
		return
	}
	if status != want {
		a.t.Errorf("%s: %s is %s, the guard answers %d, want %d", query, use, verdicts[use], status, want)
	}
	if denied == nil {
		return
	}
	var told any
	must(a.t, json.Unmarshal(denied.Body, &told))
	if got := verdictsOf(get(told, "access_response.uses")); fmt.Sprint(got) != fmt.Sprint(verdicts) {
		a.t.Errorf("%s: the check says %v, the guard %v", query, verdicts, got)
	}
}

// needsMetadata reports whether an offer selects pages by something that a
// guard cannot see in a request.
func needsMetadata(o exports.Offer) bool {
	return len(o.Scope.ContentFormats) > 0 || o.Scope.PublishedAfter != ""
}

func (a *agreement) document(siteID string) *rights.RightsDocument {
	body, err := a.dist.Read(context.Background(), string(exports.RightsDocumentKey(siteID)))
	must(a.t, err)
	doc := new(rights.RightsDocument)
	must(a.t, wire.Decode(body, doc, wire.Trusted))
	return doc
}

// later judges a page at random later instants: nothing new is stated, so
// nothing may open.
func (a *agreement) later(doc *rights.RightsDocument, p *origin.Page) {
	about := rights.ResourceOf(p)
	at := a.now.Unix()
	before := doc.Evaluate(about, rights.Question{At: at}, nil, false)
	after := doc.Evaluate(about, rights.Question{At: at + a.chance.Int64N(400*24*3600)}, nil, false)
	freedom := map[string]int{"license_required": 1, "unknown": 1, "signal_allow": 2}
	for i := range after.Uses {
		was, is := before.Uses[i].Verdict, after.Uses[i].Verdict
		if is != "unknown" && freedom[is] > freedom[was] {
			a.t.Errorf("%s: %s of %s became %s while nothing was said", p.CanonicalURL, was, exports.Uses[i], is)
		}
	}
}

// compare compares all publishers and pages.
func (a *agreement) compare() (pages int) {
	ctx := context.Background()
	a.feed()
	for _, id := range a.sites() {
		doc := a.document(id)
		for after := ""; ; {
			list, err := a.store.PagesOf(ctx, id, after, 256)
			must(a.t, err)
			for i := range list {
				a.page(&list[i])
				a.later(doc, &list[i])
				pages++
			}
			if len(list) < 256 {
				break
			}
			after = list[len(list)-1].EntryID
		}
	}
	return pages
}

// TestSurfacesAgreeOnTheDemo checks that everything published or answered about
// a page of the demo agrees.
func TestSurfacesAgreeOnTheDemo(t *testing.T) {
	if pages := demoAgreement(t).compare(); pages < 500 {
		t.Errorf("only %d pages", pages)
	}
}

// sharedDemo is a build of the demo, which tests must not change.
var sharedDemo struct {
	dir    string
	report generator.Report
}

// demoAgreement returns an agreement over the demo, which the first test that
// needs it builds and TestMain removes.
func demoAgreement(t *testing.T) *agreement {
	t.Helper()
	built := func() string { return filepath.Join(sharedDemo.dir, "dist") }
	origin := func() string { return filepath.Join(sharedDemo.dir, "origin.db") }
	if sharedDemo.dir == "" {
		dir, err := os.MkdirTemp("", "demo")
		must(t, err)
		sharedDemo.dir = dir
		store := openStore(t, origin())
		_, err = demo.Seed(context.Background(), store)
		must(t, err)
		sharedDemo.report = buildRelease(t, store, built())
		return agreementOf(t, store, built(), sharedDemo.report)
	}
	return agreementOf(t, openStore(t, origin()), built(), sharedDemo.report)
}

// TestSurfacesAgree makes the same checks for publishers with random channels:
// AGREE_SITES of them (default 12) with AGREE_PAGES pages each (default 5).
// "make test-agreement" uses 300 publishers with 10,000 pages in all.
func TestSurfacesAgree(t *testing.T) {
	sites, pages := number("AGREE_SITES", 12), number("AGREE_PAGES", 5)
	store := openStore(t, filepath.Join(t.TempDir(), "origin.db"))
	chance := rand.New(rand.NewPCG(7, uint64(sites)))
	for i := range sites {
		drawSite(t, store, chance, "site-"+strconv.Itoa(i), pages)
	}
	if compared := newAgreement(t, store).compare(); compared != sites*pages {
		t.Errorf("compared %d pages, want %d", compared, sites*pages)
	}
}

// drawSite writes a publisher with random statements, offers, documents and
// pages.
func drawSite(t *testing.T, store *originsql.Store, chance *rand.Rand, id string, pages int) {
	t.Helper()
	ctx := context.Background()
	home := "https://" + id + ".example"
	at := func(days int) string {
		return exports.Instant(time.Date(2026, 10, 1, 6, 0, 0, 0, time.UTC).AddDate(0, 0, days))
	}
	started := at(-chance.IntN(200))
	must(t, store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_" + id, LegalName: id, CreatedAt: started}))
	must(t, store.PutSite(ctx, origin.Site{
		SiteID: id, PublisherID: "pub_" + id, Name: "Site " + id, SiteURL: home + "/", State: origin.Approved, Visibility: "public", ApprovedAt: started,
		AcceptsInquiries: chance.IntN(4) > 0, RAGSuitability: "high", DomainControl: "dns_txt", CreatedAt: started, ChangedAt: started,
	}))
	must(t, store.PutWebsite(ctx, origin.Website{SiteID: id, Host: id + ".example", Associated: true, Method: "dns_txt", CheckedAt: started, ChangedAt: started}))
	if chance.IntN(4) > 0 {
		must(t, store.AddPassport(ctx, origin.Passport{SiteID: id, Version: 1, PassportID: "rp_" + id, HolderName: id, HolderBasis: "stated_by_publisher", EffectiveFrom: started, ChangedAt: started}))
	}
	for _, use := range exports.UseWords() {
		if chance.IntN(2) == 0 {
			stated := at(-chance.IntN(60))
			must(t, store.PutPreference(ctx, origin.Preference{SiteID: id, Use: use, Inquiry: pick(chance, exports.Inquiries), Declared: pick(chance, exports.Declarations), Since: stated, Source: "publisher", ChangedAt: stated}))
		}
	}
	for n := range chance.IntN(3) {
		o := origin.Offer{
			LicenseID: "lic_" + id + strconv.Itoa(n), SiteID: id, Slug: "offer-" + strconv.Itoa(n), Kind: "custom", Status: pick(chance, exports.OfferStatuses), Title: "Offer", ScopeType: "section",
			Paths: []string{pick(chance, []string{"/*", "/news/*", "/archive/*"})}, Permits: []string{pick(chance, exports.UseWords()), pick(chance, exports.UseWords())},
			PaymentModel: pick(chance, exports.PaymentModels), ValidFrom: at(-chance.IntN(90)), ChangedAt: at(-chance.IntN(30)),
		}
		if chance.IntN(2) == 0 {
			o.UserTypes = []string{pick(chance, exports.UserTypes)}
		}
		if chance.IntN(2) == 0 {
			o.Territories = []string{pick(chance, []string{"EU", "DE", "US"})}
		}
		if chance.IntN(3) == 0 {
			o.ValidUntil = at(30 - chance.IntN(60))
		}
		switch chance.IntN(6) {
		case 0:
			o.ContentFormats = []string{pick(chance, []string{"html", "image"})}
		case 1:
			o.PublishedAfter = at(-50)
		}
		must(t, store.PutOffer(ctx, o))
	}
	drawChannels(t, store, chance, id, home, at)
	for n := range pages {
		address := home + pick(chance, []string{"/news/", "/archive/", "/photos/", "/"}) + strconv.Itoa(n)
		text, err := canonicaltext.CanonicalText("What was seen at the pier on the day of this page is written down here, with its number and its place: " + address)
		must(t, err)
		p := origin.Page{
			EntryID: urlkey.EntryID(id, address), SiteID: id, CanonicalURL: address, Title: "Page " + strconv.Itoa(n), Language: "en", ContentFormat: "html",
			PublishedAt: at(-chance.IntN(100)), RegisteredAt: at(-chance.IntN(20)), ChangedAt: at(-chance.IntN(20)), State: "active", Extraction: "publisher-supplied-text",
			Portable: canonicaltext.PortableDigest([]byte(text)),
		}
		p.Registry = urlkey.RegistryDigest(id, p.EntryID, address, p.Portable)
		if chance.IntN(10) == 0 {
			p.State = "withdrawn"
		}
		must(t, store.PutPage(ctx, p, nil))
	}
}

// drawChannels gives a site some of the documents that sites have, read on
// different days.
func drawChannels(t *testing.T, store *originsql.Store, chance *rand.Rand, id, home string, at func(int) string) {
	t.Helper()
	yes := func() string { return pick(chance, []string{"yes", "no"}) }
	for channel, doc := range map[string][2]string{
		"robots": {"/robots.txt", "User-agent: *\nAllow: /\nContent-Signal: search=" + yes() + ", ai-train=" + yes() + "\n\nUser-agent: " + pick(chance, []string{"GPTBot", "ClaudeBot", "ChatGPT-User"}) +
			"\n" + pick(chance, []string{"Disallow: /", "Disallow: /archive/", "Allow: /\nContent-Signal: ai-train=" + yes()}) + "\n"},
		"rsl": {"/license.xml", `<rsl xmlns="https://rslstandard.org/rsl"><content url="` + pick(chance, []string{"/", "/news/*"}) + `"><license><permits type="usage">` +
			pick(chance, []string{"all", "search", "ai-train", "ai-input search"}) + `</permits>` + pick(chance, []string{"", `<permits type="user">education</permits>`, `<permits type="geo">DE</permits>`, `<prohibits type="geo">US</prohibits>`}) +
			`<payment type="` + pick(chance, []string{"free", "use", "attribution"}) + `"/></license></content></rsl>`},
		"tdmrep": {"/.well-known/tdmrep.json", `[{"location":"` + pick(chance, []string{"/", "/archive/"}) + `","tdm-reservation":` + pick(chance, []string{"0", "1"}) + `}]`},
	} {
		if chance.IntN(3) == 0 {
			continue
		}
		looked := -chance.IntN(40)
		must(t, store.PutObservation(context.Background(), origin.Observation{
			SiteID: id, Channel: channel, URL: home + doc[0], Status: 200, Raw: doc[1], SHA256: canonicaltext.PortableDigest([]byte(doc[1])), FetchedAt: at(looked), ValidUntil: at(looked + pick(chance, []int{1, 7, 60})),
		}))
	}
}
