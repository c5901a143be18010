package rights_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/channel"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

var must = assert.NoError

const since = "2026-01-01T00:00:00Z"

// row returns a result in the form in which the origin stores it.
func row(r channel.Result) origin.Evidence {
	return origin.Evidence{
		SiteID: "pier-news", Channel: string(r.Channel), URL: r.URL, Since: since, State: string(r.State),
		Document: string(wire.Append(nil, &r.Document)), Digest: r.Digest, CheckedAt: "2026-11-20T12:00:00Z", ValidUntil: "2026-12-20T12:00:00Z", LookedAt: "2026-11-20T12:00:00Z",
	}
}

func pierNews(results ...channel.Result) *rights.SiteSnapshot {
	f := &rights.SiteSnapshot{Site: origin.Site{SiteID: "pier-news", Name: "Pier News", SiteURL: home + "/", State: origin.Approved, Visibility: "public", AcceptsInquiries: true, ApprovedAt: since}}
	for _, r := range results {
		f.Evidence = append(f.Evidence, row(r))
	}
	return f
}

// TestReportingOfChannels shows what RSL demands to be reported in the row of its
// channel: each demand once, of files and of pages, and of no other channel.
func TestReportingOfChannels(t *testing.T) {
	licence := func(demands string) string {
		return `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">ai-input</permits>` + demands + `</license></content></rsl>`
	}
	const spur, audit = `<reporting type="telemetry" profile="https://p.example/spur" endpoint="https://t.example/v1"/>`, `<reporting type="audit" profile="urn:x:audit"/>`
	file := channel.ParseRSL(channel.Input{URL: home + "/license.xml", Body: []byte(licence(audit + spur + spur))})
	page := channel.ParseHTML(channel.Input{URL: home + "/", Body: []byte(`<html><head><script type="application/rsl+xml">` + licence(spur) + `</script></head></html>`)})
	other := channel.ParseHTML(channel.Input{URL: home + "/b", Body: []byte(`<html><head><script type="application/rsl+xml">` + licence(audit+spur) + `</script></head></html>`)})
	telemetry, audits := exports.Reporting{Type: "telemetry", Profile: "https://p.example/spur", Endpoint: "https://t.example/v1"}, exports.Reporting{Type: "audit", Profile: "urn:x:audit"}
	rows := 0
	for _, c := range pierNews(simpleRobots, file, page, other).Channels() {
		var want []exports.Reporting
		if c.Channel == "rsl" {
			rows++
			want = []exports.Reporting{telemetry, audits}
		}
		assert.EqualSlices(t, c.Reporting, want, "%s of %s", c.Channel, c.URL)
	}
	for _, c := range pierNews(page).Channels() {
		if c.Channel == "rsl" && slices.Equal(c.Reporting, []exports.Reporting{telemetry}) {
			rows = -rows
		}
	}
	if rows >= 0 {
		t.Error("there is no row of RSL, of a file or of a page")
	}
}

// TestSharedVerdicts compares the vector of a page, which shares evaluations
// with other pages, with one judged by itself.
func TestSharedVerdicts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := pierNews(threeSections, simpleRobots, longestMatch, usageRobots, header("/members/3", "Content-Usage: search=y", "tdm-reservation: 1"))
		patterns := rapid.SampledFrom([]string{"/*", "/members/*", "/back-issues/", "/*.gif$", "/open"})
		for i := range rapid.IntRange(0, 3).Draw(t, "offers") {
			f.Offers = append(f.Offers, origin.Offer{
				LicenseID: "lic_" + strconv.Itoa(i), SiteID: "pier-news", Status: rapid.SampledFrom(exports.OfferStatuses).Draw(t, "status"), Kind: "custom", ScopeType: "site",
				Paths: []string{patterns.Draw(t, "path")}, Permits: []string{"rag", "training"}, PaymentModel: "use", ValidFrom: since,
				PublishedAfter: rapid.SampledFrom([]string{"", "2026-05-05T00:00:00Z"}).Draw(t, "after"),
			})
		}
		must(t, f.Precompute("2026-11-21T00:00:00Z"))
		doc, ok, err := rights.RightsDocumentAt(f, "2026-11-21T00:00:00Z")
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		at, _ := exports.ParseInstant("2026-11-21T00:00:00Z")
		for i := range 20 {
			p := origin.Page{
				EntryID: "ent_" + strconv.Itoa(i), SiteID: "pier-news", State: rapid.SampledFrom([]string{"active", "active", "withdrawn"}).Draw(t, "state"),
				CanonicalURL: home + rapid.SampledFrom([]string{"/", "/members/3", "/members/4?x=y", "/back-issues/1", "/open/a.gif", "/drafts/page.html", "/closed/"}).Draw(t, "page"),
				PublishedAt:  rapid.SampledFrom([]string{"", since, "2026-06-06T00:00:00Z"}).Draw(t, "published"), ContentFormat: "html",
			}
			about := rights.Resource{EntryID: p.EntryID, URL: p.CanonicalURL, ContentFormat: "html", PublishedAt: p.PublishedAt}
			if p.State == "withdrawn" {
				about.State = rights.EntryWithdrawn
			}
			alone := doc.Evaluate(about, rights.Question{At: at.Unix()}, nil, false)
			if got := f.VectorFor(&p); got != alone.Vector {
				t.Errorf("%s published %q: %s shared, %s alone", p.CanonicalURL, p.PublishedAt, got, alone.Vector)
			}
		}
	})
}

// TestDocumentSurvivesPublication checks that a document read back from its
// published form gives the same verdicts.
func TestDocumentSurvivesPublication(t *testing.T) {
	f := pierNews(threeSections, byUserClass, simpleRobots, usageRobots, withPolicy)
	f.Preferences = []origin.Preference{{Use: "rag", Inquiry: "welcome", Declared: "disallow", Conditions: []string{"attribution"}, Since: since, Source: "publisher", ChangedAt: since}}
	f.Offers = []origin.Offer{{LicenseID: "lic_1", SiteID: "pier-news", Kind: "custom", Status: "offered", ScopeType: "site", Permits: []string{"rag"}, PaymentModel: "use", ValidFrom: since, ChangedAt: since}}
	doc, _, err := rights.RightsDocumentAt(f, "2026-11-21T00:00:00Z")
	must(t, err)
	published := wire.Append(nil, doc)
	var back rights.RightsDocument
	must(t, wire.Decode(published, &back, wire.Trusted))
	if again := wire.Append(nil, &back); string(again) != string(published) {
		t.Errorf("read back:\n%s\npublished:\n%s", again, published)
	}
	at, _ := exports.ParseInstant("2026-11-21T00:00:00Z")
	for _, q := range []rights.Question{{}, {Agent: "foobot"}, {UserType: "commercial", Territory: "NL"}, {Agent: "BARBOT", UserType: "education"}} {
		q.At = at.Unix()
		for _, path := range []string{"", "/", "/members/1", "/drafts/page.html", "/closed/x"} {
			r := rights.Resource{URL: home + path}
			if path == "" {
				r.URL = ""
			}
			a, b := doc.Evaluate(r, q, nil, false), back.Evaluate(r, q, nil, false)
			one, two := a.ResourceRights(r, exports.UseWords(), true), b.ResourceRights(r, exports.UseWords(), true)
			if !reflect.DeepEqual(wire.Append(nil, &one), wire.Append(nil, &two)) {
				t.Errorf("%q for %+v:\n%s\n%s", path, q, wire.Append(nil, &one), wire.Append(nil, &two))
			}
			for _, u := range one.Uses {
				for _, id := range u.Basis {
					if !cited(one.Evidence, id) {
						t.Errorf("%q rests on %s, which is not listed", path, id)
					}
				}
				if u.Verdict != "unknown" && u.Verdict != "withdrawn" && len(u.Basis) == 0 {
					t.Errorf("%q: %s of %s rests on nothing", path, u.Verdict, u.Use)
				}
			}
		}
	}
}

// TestOffersReachTheirPages checks that an offer for a part of a site counts
// for the site as a whole, and for no page outside that part.
func TestOffersReachTheirPages(t *testing.T) {
	f := pierNews()
	f.Preferences = []origin.Preference{{SiteID: "pier-news", Use: "training", Inquiry: "not_offered", Declared: "disallow", Since: since, Source: "publisher", ChangedAt: since}}
	f.Offers = []origin.Offer{{
		LicenseID: "lic_1", SiteID: "pier-news", Kind: "custom", Status: "offered", ScopeType: "paths", Paths: []string{"/wire/*"},
		Permits: []string{"rag"}, PaymentModel: "use", ValidFrom: since, ChangedAt: since,
	}}
	doc, _, err := rights.RightsDocumentAt(f, "2026-11-21T00:00:00Z")
	must(t, err)
	at, _ := exports.ParseInstant("2026-11-21T00:00:00Z")
	for url, want := range map[string]string{"": "license_required", home + "/wire/1": "license_required", home + "/sport/1": "unknown", home + "/": "unknown"} {
		assert.Equal(t, doc.Evaluate(rights.Resource{URL: url}, rights.Question{At: at.Unix()}, nil, false).Uses[0].Verdict, want, "%q", url)
	}

	about := rights.Resource{URL: home + "/wire/1"}
	j := doc.Evaluate(about, rights.Question{At: at.Unix()}, nil, false)
	rights := j.ResourceRights(about, []string{"rag"}, false)
	if e := rights.Evidence; len(e) != 1 || e[0].Channel != "offer" || e[0].Statement != "lic_1 offered" || !reflect.DeepEqual(rights.Uses[0].Basis, []string{e[0].ID}) {
		t.Errorf("cited %+v by %v", e, rights.Uses[0].Basis)
	}
}

// TestStandingIsOfTheUsesAskedFor checks that statements about other uses are
// left out.
func TestStandingIsOfTheUsesAskedFor(t *testing.T) {
	f := pierNews(header("/", "Content-Usage: train-ai=y"), robots("User-agent: *", "Content-Signal: ai-train=no"))
	doc, _, err := rights.RightsDocumentAt(f, "2026-11-21T00:00:00Z")
	must(t, err)
	at, _ := exports.ParseInstant("2026-11-21T00:00:00Z")
	about := rights.Resource{URL: home + "/"}
	j := doc.Evaluate(about, rights.Question{At: at.Unix()}, nil, false)
	for use, conflicts := range map[string]int{"training": 1, "rag": 0} {
		got := j.ResourceRights(about, []string{use}, false)
		if len(got.Conflicts) != conflicts || len(got.Uses) != 1 || got.Uses[0].Use != use {
			t.Errorf("%s: %d uses, conflicts %v", use, len(got.Uses), got.Conflicts)
		}
		if skipped := map[string]int{"training": 0, "rag": 2}[use]; len(got.NotApplied) != skipped {
			t.Errorf("%s: not applied %v, want %d", use, got.NotApplied, skipped)
		}
	}
	seen := map[exports.Evidence]bool{}
	for _, e := range j.ResourceRights(about, exports.UseWords(), true).Evidence {
		e.ID = ""
		if seen[e] {
			t.Errorf("a statement has two numbers: %+v", e)
		}
		seen[e] = true
	}
	if site := doc.Evaluate(rights.Resource{}, rights.Question{At: at.Unix()}, nil, false); site.Vector != j.Vector {
		t.Errorf("the site as a whole is %s, its first page %s", site.Vector, j.Vector)
	}
}

func cited(list []exports.Evidence, id string) bool {
	for _, e := range list {
		if e.ID == id {
			return true
		}
	}
	return false
}

func TestPointInTime(t *testing.T) {
	f := pierNews()
	open := row(licence(`<content url="/"><license><permits type="usage">ai-input</permits></license></content>`))
	open.ReplacedAt = "2026-06-01T00:00:00Z"
	shut := row(licence(`<content url="/"><license><prohibits type="usage">ai-input</prohibits></license></content>`))
	shut.Since = "2026-06-01T00:00:00Z"
	f.Evidence = []origin.Evidence{open, shut}
	for at, want := range map[string]string{
		"2025-12-31T00:00:00Z": "unknown", "2026-03-01T00:00:00Z": "signal_allow", "2026-05-31T23:59:59Z": "signal_allow",
		"2026-06-01T00:00:00Z": "declined", "2026-11-21T00:00:00Z": "declined",
	} {
		doc, _, err := rights.RightsDocumentAt(f, at)
		must(t, err)
		instant, _ := exports.ParseInstant(at)
		j := doc.Evaluate(rights.Resource{URL: home + "/x"}, rights.Question{At: instant.Unix()}, nil, false)
		assert.Equal(t, j.Uses[0].Verdict, want, "at %s", at)
	}
}

func TestPolicyOfThePast(t *testing.T) {
	f := pierNews()
	f.Preferences = []origin.Preference{{Use: "training", Inquiry: "unstated", Declared: "allow", Since: since, Source: "publisher", ChangedAt: since}}
	first, due := rights.NextPolicy(f, since)
	if !due || first.Version != 1 || first.Vector != "USUUUUUU" || first.EffectiveFrom != since {
		t.Fatalf("first version %+v, due %v", first, due)
	}
	f.Policies = append(f.Policies, first)
	if _, due := rights.NextPolicy(f, since); due {
		t.Error("a version is due though nothing changed")
	}
	now := pierNews()
	now.Policies = f.Policies
	now.Preferences = []origin.Preference{{Use: "training", Inquiry: "not_offered", Declared: "disallow", Since: since, Source: "publisher", ChangedAt: "2026-07-01T00:00:00Z"}}
	second, due := rights.NextPolicy(now, "2026-07-02T00:00:00Z")
	if !due || second.Version != 2 || second.EffectiveFrom != "2026-07-01T00:00:00Z" || second.RecordedAt != "2026-07-02T00:00:00Z" || second.Digest == first.Digest {
		t.Fatalf("second version %+v, due %v", second, due)
	}
	now.Policies[0].EffectiveUntil = second.EffectiveFrom
	now.Policies = append(now.Policies, second)
	for at, want := range map[string]string{"2026-02-01T00:00:00Z": "signal_allow 1", "2026-08-01T00:00:00Z": "declined 2"} {
		doc, _, err := rights.RightsDocumentAt(now, at)
		must(t, err)
		instant, _ := exports.ParseInstant(at)
		j := doc.Evaluate(rights.Resource{}, rights.Question{At: instant.Unix()}, nil, false)
		assert.Equal(t, j.Uses[1].Verdict+" "+strconv.FormatInt(doc.Policy.Version, 10), want, "at %s", at)
	}
}

func TestDocumentsOfTheHiddenAreNone(t *testing.T) {
	for _, change := range []func(*origin.Site){
		func(s *origin.Site) { s.State = origin.Suspended }, func(s *origin.Site) { s.Visibility = "private" }, func(s *origin.Site) { s.State = origin.Pending },
	} {
		f := pierNews(simpleRobots)
		change(&f.Site)
		if s, ok, _ := rights.RightsDocumentAt(f, since); ok || s != nil {
			t.Errorf("a site %s, %s has a document", f.Site.State, f.Site.Visibility)
		}
	}
}

// TestOfferOfClosedPublisher checks that an offer says where to ask only while
// its publisher takes inquiries.
func TestOfferOfClosedPublisher(t *testing.T) {
	for open, want := range map[bool]string{true: `"request":{"href":"/v1/public/licensing-request","method":"POST"}}`, false: `"request":null}`} {
		f := rights.SiteSnapshot{Site: origin.Site{SiteID: "harbor", State: origin.Approved, Visibility: "public", AcceptsInquiries: open}}
		offer, ok := rights.Offer(&f, &origin.Offer{
			LicenseID: "lic_1", SiteID: "harbor", Kind: "custom", Status: "offered", ScopeType: "site", Permits: []string{"rag"}, PaymentModel: "use", ValidFrom: "2026-01-01T00:00:00Z",
		}, 1)
		text := wire.Append(nil, &offer)
		if !ok || !strings.Contains(string(text), want) {
			t.Errorf("accepts inquiries %t: %s", open, text)
		}
		var again exports.Offer
		if err := wire.Decode(text, &again, wire.Trusted); err != nil || again.AsksAllowed != open {
			t.Errorf("read again: %t %v", again.AsksAllowed, err)
		}
	}
}

// TestOffersOfDocument checks that a site's document lists the offers that can
// be asked for or are paused, and not those that are retired.
func TestOffersOfDocument(t *testing.T) {
	f := pierNews()
	for _, status := range exports.OfferStatuses {
		f.Offers = append(f.Offers, origin.Offer{LicenseID: "lic_" + status, SiteID: "pier-news", Status: status, ScopeType: "site", ValidFrom: since})
	}
	doc, ok, err := rights.RightsDocumentNow(f, since)
	if err != nil || !ok || len(doc.Offers) != 2 || doc.Offers[0].LicenseID != "lic_offered" || doc.Offers[1].LicenseID != "lic_paused" {
		t.Errorf("%+v %t %v", doc, ok, err)
	}
}
