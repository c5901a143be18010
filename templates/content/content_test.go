package content_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/templates/content"
)

// hostile is a text that breaks out of markup wherever it is not escaped, and
// shown what is written of it.
const (
	hostile = "\"><script>alert('1')</script>&amp;</textarea>\x00"
	shown   = "&#34;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;&lt;/textarea&gt;\ufffd"
)

// typed are the texts of a form.
type typed map[string]string

func (t typed) Get(name string) string { return t[name] }

func write(t *testing.T, c templ.Component) string {
	t.Helper()
	text, err := templ.ToGoHTML(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// all is a form in which each field has the same text.
type all string

func (a all) Get(string) string { return string(a) }

var (
	results    = templ.Raw("<p>Found.</p>")
	categories = []exports.Category{{Slug: "energy", Label: "Energy", Publishers: 2, RegisteredPages: 30}, {Slug: "a", Label: "<b>"}, {Slug: "none"}}
	harbor     = exports.PublisherSummary{SiteID: "harbor-ledger", Name: hostile, AcceptsInquiries: true, RightsVector: "LDDSLDUU"}
)

// forms are all forms of the package, filled in.
func forms(f content.Filled) map[string]templ.Component {
	find := content.Finder{Asked: f.Typed, Categories: categories, Total: 3}
	return map[string]templ.Component{
		"catalog": content.Catalog(find, results), "publishers": content.Publishers(find, results), "map": content.RightsMap(find, results),
		"offers": content.Offers(find, results), "demand": content.Demand(find, results), "check": content.Check(f.Typed, results),
		"request": content.Request(content.RequestForm{Publisher: harbor, Filled: f}), "shortlist": content.Shortlist(f), "need": content.Need(f), "join": content.Join(f),
	}
}

// TestComponents: forms show what was typed, chosen and counted. It runs with the
// runtime of the worker too (see package page).
func TestComponents(t *testing.T) {
	counts := content.Counts{"category": {"energy": 1200}, "use": {"rag": 3}}
	asked := content.Finder{Asked: typed{"q": "ports", "category": "energy", "use": "rag", "sort": "newest"}, Categories: categories, Counts: counts, Total: 20_000}
	long := asked
	long.Total++
	offer := &exports.Offer{
		SiteID: "a", LicenseID: "lic_1", Title: hostile, Status: "offered", ValidFrom: "2026-01-02T00:00:00Z", Permits: []string{"rag"}, Prohibits: []string{"training"}, UserTypes: []string{"government", "x_y"},
		Scope: exports.OfferScope{Paths: []string{hostile}, Entries: 1200}, Obligations: exports.Obligations{Retention: "P30D"}, Source: "observed",
		Terms: &exports.Terms{URL: "https://a.example/t", Version: "2"}, Evidence: &exports.OfferEvidence{URL: "https://a.example/licence"},
	}
	for _, c := range []struct {
		name      string
		part      templ.Component
		has, lack []string
	}{
		{"publishers", content.Publishers(asked, results), []string{
			`<h1>Publishers</h1><p class="lead">The best matches come first`, `<form id="filter" class="search" role="search" method="get" action="/publishers/">`, `autocomplete="off" value="ports">`,
			`<select id="category" name="category"><option value="">Any category</option><option value="energy" selected>Energy (1,200)</option><option value="a">&lt;b&gt; (0)</option><option value="none">none (0)</option></select>`,
			`<option value="">Any use</option><option value="rag" selected>Retrieval (RAG) (3)</option><option value="training">Training (0)</option>`,
			`<option value="">Any</option><option value="1">Control was shown</option>`, `<option value="newest" selected>Newest here first</option>`, `<section id="results"><p>Found.</p></section>`,
		}, nil},
		{"a list without a question", content.Publishers(content.Finder{Total: 1}, results), []string{`<p class="lead">1 publisher sorted by identifier.`, `value=""> <button`, `<option value="">Any use</option><option value="rag">Retrieval (RAG)</option>`}, []string{"selected", `id="category"`, `id=""`}},
		{"a list too long for orders", content.Offers(long, results), []string{`<option value="energy" selected>`}, []string{`id="sort"`}},
		{"map", content.RightsMap(content.Finder{Asked: typed{"readiness": "min:attested"}, Categories: categories, Counts: content.Counts{"readiness": {"min:attested": 4}}}, results), []string{
			`<option value="min:declared">Declared or more (0)</option><option value="min:attested" selected>Attested or more (4)</option><option value="min:enforced">Enforced (0)</option>`, `<h2>By category</h2><ul class="subjects"><li><a href="/categories/energy/"><bdi>Energy</bdi></a> <span class="dim">2 publishers, 30 pages</span></li>`,
		}, []string{"min:none"}},
		{"offers", content.Offers(content.Finder{Asked: typed{"territory": "DE", "user_type": "research", "payment": "free"}}, results), []string{
			`<option value="">Anywhere</option><option value="EU">European Union</option>`, `<option value="DE" selected>Germany</option>`, `<option value="">Anybody</option>`, `<option value="price">`,
		}, nil},
		{"catalog", content.Catalog(asked, results), []string{`action="/catalog/"`, `<button type="submit">Search</button>`, `<option value="listed">Listed or more</option>`, `<option value="newest" selected>Latest published first</option>`}, nil},
		{"a search field alone", content.CatalogSearch(content.Finder{Categories: categories}), []string{`name="q"`}, []string{"<select"}},
		{"check", content.Check(typed{"q": "https://a.example/", "territory": "FR"}, results), []string{">\nhttps://a.example/</textarea>", `<option value="FR" selected>France</option>`}, nil},
		{"empty check", content.Check(nil, results), []string{`aria-describedby="q-hint"></textarea>`}, []string{"selected"}},
		{"request", content.Request(content.RequestForm{Publisher: harbor, Filled: content.Filled{
			Typed: typed{"requester_name": "Ada", "requested_use": "training", "message": "\nTwo\nlines"},
			Wrong: map[string]string{"requester_name": "Too short.", "requested_use": "Unknown.", "message": "Too short."},
			Fault: &content.Fault{Lead: "Some fields need correcting.", Fields: []content.FieldFault{{Link: "#message", Text: "Message: too short."}}},
		}}), []string{
			`<div class="warn" role="alert"><p>Some fields need correcting.</p><ul><li><a href="#message">Message: too short.</a></li></ul></div><form class="form" method="post" action="/v1/public/licensing-request"`,
			`<input type="hidden" name="site_id" value="harbor-ledger">`, `<strong class="wrong" id="requester_name-error">Too short.</strong> <input id="requester_name"`, `value="Ada" aria-describedby="requester_name-hint" aria-invalid="true" aria-errormessage="requester_name-error">`,
			`<option value="training" selected>Training: declined</option>`, `<strong class="wrong" id="requested_use-error">Unknown.</strong> <select id="requested_use" name="requested_use" aria-invalid="true"`, ">\n\nTwo\nlines</textarea>",
			`<label for="company">Organization <small>(optional)</small></label>`,
		}, nil},
		{"shortlist", content.Shortlist(content.Filled{Typed: typed{"publishers": "a\nb"}, Wrong: map[string]string{"publishers": "Unknown."}}), []string{`<strong class="wrong" id="publishers-error">Unknown.</strong>`, "aria-errormessage=\"publishers-error\">\na\nb</textarea>"}, nil},
		{"need", content.Need(content.Filled{Typed: typed{"headline": "Tides", "use_rag": "on", "categories": "energy"}, Fault: &content.Fault{Lead: "No.", Help: "Help."}}), []string{
			`<p>No.</p><p>Help.</p>`, `value="Tides"`, `name="use_rag" value="1" checked> Retrieval (RAG)`, `name="use_training" value="1"> Training`, `placeholder="trade-logistics, energy" value="energy"`,
		}, []string{`<small>(optional)`}},
		{"join", content.Join(content.Filled{Typed: typed{"address": "a"}}), []string{`maxlength="2000" value="a"`}, nil},
		{"map as a table", content.MapTable([]exports.MapRecord{{SiteID: "a", Name: hostile, RightsVector: "lDUUUUUU", Readiness: "listed", AcceptsInquiries: true, Group: &exports.GroupRef{GroupID: "pub_a"}}, {SiteID: "b"}}, nil), []string{
			`<tr><th scope="row"><a href="/publishers/a/"><bdi>`, `<td>Ask first <small>channels disagree</small></td><td>Declined </td>`, `<td>listed</td><td><a href="/publishers/a/request/">Ask</a> <button`, `data-shortlist="a"`, `<bdi>b</bdi></a></th>`, `<td></td></tr></tbody>`,
		}, []string{"<script", `class="group"`, `class="member"`}},
		{"publishers as cards", content.PublisherCards([]exports.PublisherSummary{{SiteID: "a", Name: hostile, Summary: hostile, RegisteredPages: 2, Verified: true, AcceptsInquiries: true, RightsVector: "sUUUUUUD"}, {SiteID: "b", RegisteredPages: 1}}), []string{
			`<ul class="cards"><li><h3><a href="/publishers/a/">`, `<span>2 pages</span> <span>domain verified</span>`, `data-shortlist="a"`, `<span class="cell cs" aria-hidden="true">S</span>`, `channels disagree`, `<span class="cell cd" aria-hidden="true">D</span>`, `<span>takes no inquiries now</span>`,
		}, []string{"<script"}},
		{"needs", content.Needs([]exports.Demand{{DemandID: "dem_1", Headline: hostile, Uses: []string{"rag"}, Categories: []string{"energy", "deep-sea"}, Volume: hostile, OptedInAt: "2026-01-02T00:00:00Z"}}, categories, false), []string{
			`<li id="dem_1"><h3><bdi>`, `<dt>Uses</dt><dd>Retrieval (RAG)</dd>`, `<a href="/categories/energy/">Energy</a>`, `<span>Deep sea</span>`, `<dt>Published</dt><dd><time datetime="2026-01-02T00:00:00Z">2 January 2026</time> </dd>`,
		}, []string{"<script", "until", "Timeline"}},
		{"an offer", content.Offer(offer, "", false), []string{
			`<article class="offer" id="lic_1"><h3><a href="/publishers/a/#lic_1"><bdi>`, `<dt>For</dt><dd>Retrieval (RAG)</dd><dt>Not for</dt><dd>Training</dd><dt>Covers</dt><dd>1,200 pages<bdi>`, `<dt>Open to</dt><dd>A public authority, x y</dd>`,
			`<dt>Copies</dt><dd>at most 30 days</dd><dt>Terms</dt><dd><a href="https://a.example/t" rel="nofollow noopener"><bdi>The publisher’s terms, version 2</bdi></a></dd><dt>Source</dt><dd>observed in the site’s own licence file, <a href="https://a.example/licence"`,
			`<dt>Status</dt><dd>offered, since <time datetime="2026-01-02T00:00:00Z">2 January 2026</time></dd></dl></article>`,
		}, []string{"<script", "h4", "Publisher</dt>"}},
		{"an offer in a list of publishers", content.Offer(offer, hostile, false), []string{
			`<article class="offer" id="lic_1"><h3><a href="/publishers/a/#lic_1"><bdi>`, `<dt>Publisher</dt><dd><a href="/publishers/a/"><bdi>`, `<dt>For</dt><dd>Retrieval (RAG)</dd><dt>Not for</dt><dd>Training</dd><dt>Open to</dt><dd>A public authority, x y</dd>`,
		}, []string{"<script", "h4", "Covers", "Copies", "Terms", "Source", "Status"}},
		{"an offer below a heading", content.Offer(&exports.Offer{SiteID: "a", LicenseID: "lic_1", Source: "file", Terms: &exports.Terms{URL: "javascript:x"}, Evidence: &exports.OfferEvidence{}}, "", true), []string{
			`<article class="offer"><h4 class="h3"><a href="/publishers/a/#lic_1"><bdi>Untitled offer</bdi></a></h4><dl class="facts"><dt>For</dt><dd>not stated</dd><dt>Covers</dt>`, `<dt>Terms</dt><dd><bdi>The publisher’s terms</bdi></dd>`, `the publisher’s own file, <bdi>`,
		}, []string{"Publisher</dt>", "Not for", "Open to", "Copies", "href=\"javascript"}},
		{"status", content.Status(&exports.Stats{Publishers: 1200, LedgerSize: 1}, results), []string{`<h2 id="now">Now</h2><p>Found.</p>`, `<dd>1,200</dd>`, `1 leaf</a>`}, nil},
	} {
		got := write(t, c.part)
		for _, want := range c.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks\n%s\nin\n%s", c.name, want, got)
			}
		}
		for _, not := range c.lack {
			if strings.Contains(got, not) {
				t.Errorf("%s has %q:\n%s", c.name, not, got)
			}
		}
	}
	for name, part := range forms(content.Filled{Typed: all(hostile), Wrong: map[string]string{"message": hostile, "publishers": hostile, "address": hostile}, Fault: &content.Fault{Lead: hostile, Fields: []content.FieldFault{{Link: "#a", Text: hostile}}}}) {
		if got := write(t, part); strings.Contains(got, "<script") || !strings.Contains(got, shown) || strings.Contains(got, " selected") || strings.Contains(got, "\x00") {
			t.Errorf("%s does not escape, or selects what is not offered:\n%s", name, got)
		}
	}
}

// TestFormsFillThemselves: whatever a form takes, it shows again, in the field that
// took it.
func TestFormsFillThemselves(t *testing.T) {
	for name, part := range forms(content.Filled{Typed: all("rag")}) {
		got := write(t, part)
		for _, field := range strings.Split(got, "<")[1:] {
			tag, text, _ := strings.Cut(field, ">")
			switch {
			case strings.Contains(tag, `type="hidden"`), strings.Contains(tag, `name="website"`):
			case strings.HasPrefix(tag, "input") && !strings.Contains(tag, `value="rag"`) && !strings.Contains(tag, " checked"),
				strings.HasPrefix(tag, "textarea") && text != "\nrag":
				t.Errorf("%s loses what was typed: %s", name, tag)
			}
		}
		if strings.Count(got, `value="rag"`) == 0 && strings.Count(got, "\nrag") == 0 {
			t.Errorf("%s has nothing of what was typed", name)
		}
	}
}

// TestCountriesFile: the file ends in a line break and has no line that is not a
// code and a name.
func TestCountriesFile(t *testing.T) {
	text, err := os.ReadFile("countries.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if code, name, found := strings.Cut(line, " "); !found || len(code) != 2 || !strings.HasSuffix(name, "\n") || len(name) < 4 {
			t.Errorf("line %q", line)
		}
	}
}
