package acceptance_test

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/blob"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/origin"
	"colophon/internal/screen"
	"colophon/internal/urlkey"
	"colophon/worker"
	"colophon/worker/edge"
)

// publish builds the world's origin and serves it, live and from published
// files alone.
func (w *rightsWorld) publish() (static edge.Handler, folder string) {
	w.t.Helper()
	signer, keys := rightsKey(w.t)
	folder = filepath.Join(w.t.TempDir(), "dist")
	_, err := generator.Build(context.Background(), w.store, folder, generator.Options{BaseURL: testBase, Name: "Colophon", Signer: signer, Keys: keys, Workers: 2})
	must(w.t, err)
	w.deps.Assets, w.deps.Origin = dir(folder), nil
	static = openapitest.Handler(w.t, worker.New(w.deps))
	w.deps.Origin = w.store
	w.handle = openapitest.Handler(w.t, worker.New(w.deps))
	return static, folder
}

// addSite adds a publisher with one proven host, which declines training and
// allows search, and its pages.
func (w *rightsWorld) addSite(id, host string, pages ...string) {
	w.t.Helper()
	ctx := context.Background()
	must(w.t, w.store.PutSite(ctx, origin.Site{
		SiteID: id, PublisherID: "pub_harbor-ledger", Name: id, SiteURL: "https://" + host + "/", State: origin.Approved, Visibility: "public",
		ApprovedAt: rightsStart, AcceptsInquiries: true, RAGSuitability: "unassessed", DomainControl: "dns_txt", CreatedAt: rightsStart, ChangedAt: rightsStart,
	}))
	must(w.t, w.store.PutWebsite(ctx, origin.Website{SiteID: id, Host: host, Associated: true, Method: "dns_txt", CheckedAt: rightsStart, ChangedAt: rightsStart}))
	must(w.t, w.store.PutPreference(ctx, origin.Preference{SiteID: id, Use: "training", Inquiry: "not_offered", Declared: "disallow", Since: rightsStart, Source: "publisher", ChangedAt: rightsStart}))
	for _, page := range pages {
		p := origin.Page{
			EntryID: urlkey.EntryID(id, page), SiteID: id, CanonicalURL: page, Title: "Page", Language: "en", ContentFormat: "html", PublishedAt: rightsStart,
			RegisteredAt: rightsStart, ChangedAt: rightsStart, State: "active", Extraction: "publisher-supplied-text",
		}
		p.Registry = urlkey.RegistryDigest(id, p.EntryID, page, "")
		must(w.t, w.store.PutPage(ctx, p, nil))
	}
}

// matched is what a surface says about an address.
type matched struct {
	basis string // canonical_url, same_page, website, none
	what  string // entry ids, or the id of the site
	uses  string // verdicts on the eight uses, "" if the surface has them in another form
}

const (
	tidesURL  = "https://harbor-ledger.example/shipping/tide-tables-2026"
	plainURL  = "https://harbor-ledger.example/plain"
	slashURL  = "http://harbor-ledger.example/old/"
	queryURL  = "https://harbor-ledger.example/show?id=7"
	bookURL   = "https://xn--bcher-kva.example/lexikon"
	southURL  = "https://south.example/a"
	otherURL  = "https://www.south.example/other"
	scoreURL  = "https://a_b.pier.example/log"
	natureURL = "https://harbor-ledger.example/100%25-natural"
)

// sameAddresses are the addresses that every surface is asked about. what is a
// registered address, or the id of a site.
var sameAddresses = []struct{ address, basis, what string }{
	{tidesURL, "canonical_url", tidesURL},
	{"HTTPS://Harbor-Ledger.Example:443/shipping/./tide-tables-2026#top", "canonical_url", tidesURL},
	{"https://harbor-ledger.example./shipping/tide-tables-2026", "canonical_url", tidesURL},
	{"https://harbor-ledger。example/shipping/tide-tables-2026", "canonical_url", tidesURL},
	{`https:\\harbor-ledger.example\shipping\tide-tables-2026`, "canonical_url", tidesURL},
	{"https://ｈarbor-ledger.example/shipping/tide-tables-2026", "canonical_url", tidesURL},
	{"https://harbor-ledger.example/shipping/tide%2Dtables-2026", "canonical_url", tidesURL},
	{"http://harbor-ledger.example/shipping/tide-tables-2026", "same_page", tidesURL},
	{"https://www.harbor-ledger.example/shipping/tide-tables-2026", "same_page", tidesURL},
	{"http://www.harbor-ledger.example/shipping/tide-tables-2026", "same_page", tidesURL},
	{"https://harbor-ledger.example/shipping/tide-tables-2026/", "same_page", tidesURL},
	{"http://WWW.harbor-ledger.example./shipping/tide-tables-2026/?utm_source=x", "same_page", tidesURL},
	{"https://harbor-ledger.example/shipping/tide-tables-2026?utm_source=a&utm_medium=b", "same_page", tidesURL},
	{"https://harbor-ledger.example/shipping/tide-tables-2026?fbclid=1", "same_page", tidesURL},
	{"https://harbor-ledger.example/shipping/tide-tables-2026?GCLID=1&_ga=2", "same_page", tidesURL},
	{"http://www.harbor-ledger.example/shipping/tide-tables-2026/?utm_campaign=x#a", "same_page", tidesURL},
	{plainURL, "canonical_url", plainURL},
	{"http://harbor-ledger.example/plain/", "same_page", plainURL},
	{slashURL, "canonical_url", slashURL},
	{"https://harbor-ledger.example/old", "same_page", slashURL},
	{"https://www.harbor-ledger.example/old/", "same_page", slashURL},
	{"https://www.harbor-ledger.example/old?mc_cid=1", "same_page", slashURL},
	{queryURL, "canonical_url", queryURL},
	{"http://www.harbor-ledger.example/show/?id=7&utm_source=x", "same_page", queryURL},
	{"https://harbor-ledger.example/show?utm_source=x&id=7", "same_page", queryURL},
	{"https://harbor-ledger.example/show?id=8", "website", "harbor-ledger"},
	{"https://harbor-ledger.example/show", "website", "harbor-ledger"},
	{natureURL, "canonical_url", natureURL},
	{"https://harbor-ledger.example/100%-natural", "canonical_url", natureURL},
	{"http://www.harbor-ledger.example/100%-natural/", "same_page", natureURL},
	{"https://harbor-ledger.example/shipping/never", "website", "harbor-ledger"},
	{"http://harbor-ledger.example/shipping/never", "website", "harbor-ledger"},
	{"https://www.harbor-ledger.example/shipping/never", "website", "harbor-ledger"},
	{"http://www.harbor-ledger.example/", "website", "harbor-ledger"},
	{"https://data.harbor-ledger.example/shipping/tide-tables-2026", "none", ""},
	{bookURL, "canonical_url", bookURL},
	{"https://bücher.example/lexikon", "canonical_url", bookURL},
	{"https://BÜCHER.example/lexikon", "canonical_url", bookURL},
	{"https://bu\u0308cher.example/lexikon", "canonical_url", bookURL},
	{"https://b%C3%BCcher.example/lexikon", "canonical_url", bookURL},
	{"http://www.bücher.example/lexikon/?utm_source=x", "same_page", bookURL},
	{"https://bücher.example/", "website", "buecher"},
	{"http://www.bücher.example", "website", "buecher"},
	{southURL, "canonical_url", southURL},
	{"http://south.example/a/", "same_page", southURL},
	{"https://www.south.example/a", "website", "www-south"}, // another publisher's host
	{otherURL, "canonical_url", otherURL},
	{"https://south.example/other", "website", "south"},
	{scoreURL, "canonical_url", scoreURL},
	{"http://A_B.pier.example/log/", "same_page", scoreURL},
	{"https://r1---x.pier.example/log", "none", ""},
	{"https://nobody.example/a?utm_source=x", "none", ""},
}

// TestOneMatcher asks every surface about the same addresses and requires the
// same answer.
func TestOneMatcher(t *testing.T) {
	w := newRightsWorld(t)
	for _, page := range []string{slashURL, queryURL, natureURL} {
		w.register(page)
	}
	w.addSite("buecher", "xn--bcher-kva.example", bookURL)
	w.addSite("south", "south.example", southURL)
	w.addSite("www-south", "www.south.example", otherURL)
	w.addSite("pier", "a_b.pier.example", scoreURL)
	static, folder := w.publish()
	live := w.handle
	catalog, err := screen.Open(t.Context(), screen.Folder{Source: blob.Folder(folder)}, nil, rightsNow)
	must(t, err)
	private, err := screen.OpenPrivate(t.Context(), screen.Folder{Source: blob.Folder(folder)}, nil, rightsNow)
	must(t, err)
	if len(sameAddresses) < 50 {
		t.Fatalf("%d addresses", len(sameAddresses))
	}
	for _, c := range sameAddresses {
		want := matched{basis: c.basis, what: c.what}
		if strings.Contains(c.what, "://") {
			want.what = w.entryOf(c.what)
		}
		api := w.askCheck(live, c.address)
		want.uses = api.uses
		if page := c.what; c.basis == "same_page" {
			if exact := w.askCheck(live, page); exact.uses != api.uses {
				t.Errorf("%s: %s, and the page itself %s", c.address, api.uses, exact.uses)
			}
		}
		for name, got := range map[string]matched{
			"API": api, "API without origin": w.askCheck(static, c.address),
			"batch": w.askBatch(live, c.address), "batch without origin": w.askBatch(static, c.address),
			"MCP": w.askMCP(c.address), "prepare": w.askPrepare(live, c.address), "prepare without origin": w.askPrepare(static, c.address),
			"resolver": w.askResolver(live, c.address), "check page": w.askPage(live, c.address), "check page without origin": w.askPage(static, c.address),
			"screen": w.askScreen(catalog, c.address), "screen --private": w.askScreen(private, c.address),
		} {
			expect := want
			if got.uses == "" || name == "screen --private" && c.basis == "website" { // the vector is that of the whole site
				got.uses, expect.uses = "", ""
			}
			if name == "resolver" && (c.basis == "website" || c.basis == "none") {
				expect = matched{basis: "none"}
			}
			if got != expect {
				t.Errorf("%s: %q is %+v, want %+v", name, c.address, got, expect)
			}
		}
	}
}

// entryOf returns the id of the entry that is registered at an address.
func (w *rightsWorld) entryOf(address string) string {
	found, err := w.store.FindRights(context.Background(), origin.RightsLookup{URL: address})
	must(w.t, err)
	if len(found.Pages) != 1 {
		w.t.Fatalf("%d pages at %s", len(found.Pages), address)
	}
	return found.Pages[0].EntryID
}

func (w *rightsWorld) ask(h edge.Handler, method, path, query string, body any) (int, []byte) {
	w.t.Helper()
	r := &edge.Request{Method: method, Path: path, Query: query, ID: "rid_x"}
	if body != nil {
		text, err := json.Marshal(body)
		must(w.t, err)
		r.Body = text
		r.Header.Set("content-type", "application/json")
	}
	resp := h(context.Background(), r)
	return resp.Status, resp.Body
}

// checkAnswer has the members that answers of rights checks share.
type checkAnswer struct {
	Match struct{ Basis string }
	Basis string // of a batch

	Candidates []struct {
		EntryID string `json:"entry_id"`
		SiteID  string `json:"site_id"`
		Uses    []struct{ Verdict string }
	}
	Website *struct {
		SiteID string `json:"site_id"`
		Uses   []struct{ Verdict string }
	}
	Uses []struct{ Verdict string }
}

func (s *checkAnswer) matched() matched {
	m := matched{basis: s.Match.Basis + s.Basis}
	uses := s.Uses
	if s.Website != nil {
		m.what, uses = s.Website.SiteID, s.Website.Uses
	}
	for _, c := range s.Candidates {
		m.what += c.EntryID
		if c.EntryID == "" {
			m.what += c.SiteID
		}
		uses = c.Uses
	}
	for _, u := range uses {
		m.uses += u.Verdict + " "
	}
	return m
}

func (w *rightsWorld) decode(status int, body []byte, v any) {
	w.t.Helper()
	if err := json.Unmarshal(body, v); err != nil || status != 200 {
		w.t.Fatalf("%d %v: %s", status, err, body)
	}
}

func (w *rightsWorld) askCheck(h edge.Handler, address string) matched {
	w.t.Helper()
	status, body := w.ask(h, "GET", exports.PathRightsCheck, "url="+url.QueryEscape(address), nil)
	var s checkAnswer
	w.decode(status, body, &s)
	return s.matched()
}

func (w *rightsWorld) askBatch(h edge.Handler, address string) matched {
	w.t.Helper()
	status, body := w.ask(h, "POST", exports.PathRightsBatch, "", map[string]any{"urls": []string{address}})
	var doc struct{ Results []checkAnswer }
	w.decode(status, body, &doc)
	return doc.Results[0].matched()
}

func (w *rightsWorld) askMCP(address string) matched {
	w.t.Helper()
	_, structured := w.callTool("/mcp", "check_rights", map[string]any{"url": address})
	var s checkAnswer
	w.decode(200, structured, &s)
	return s.matched()
}

func (w *rightsWorld) askPrepare(h edge.Handler, address string) matched {
	w.t.Helper()
	status, body := w.ask(h, "POST", exports.PathPrepare, "", map[string]any{"resource": address, "requested_use": "training"})
	var doc struct {
		Resolution struct {
			Basis   string
			EntryID string `json:"entry_id"`
			SiteID  string `json:"site_id"`
		}
	}
	w.decode(status, body, &doc)
	m := matched{basis: strings.Replace(doc.Resolution.Basis, "registered_url", "canonical_url", 1), what: doc.Resolution.EntryID}
	if m.what == "" {
		m.what = doc.Resolution.SiteID
	}
	return m
}

func (w *rightsWorld) askResolver(h edge.Handler, address string) matched {
	w.t.Helper()
	status, body := w.ask(h, "GET", exports.PathResolve, "url="+url.QueryEscape(address), nil)
	if status == 404 {
		return matched{basis: "none"}
	}
	var s checkAnswer
	w.decode(status, body, &s)
	return s.matched()
}

// askPage reads from the check page how the page was matched, and the link to
// it.
func (w *rightsWorld) askPage(h edge.Handler, address string) matched {
	w.t.Helper()
	status, body := w.ask(h, "GET", exports.PathCheckPage, "q="+url.QueryEscape(address), nil)
	if status != 200 {
		w.t.Fatalf("%s: %d %s", address, status, body)
	}
	text := results(w.t.(*testing.T), string(body))
	_, part, _ := strings.Cut(string(body), `<section id="results">`)
	m := matched{basis: "none"}
	for words, basis := range map[string]string{
		"found by its address": "canonical_url", "found as the same page under another address": "same_page", "the whole site": "website",
	} {
		if strings.Contains(text, words) {
			m.basis = basis
		}
	}
	if _, link, ok := strings.Cut(part, "/citations/"); ok {
		m.what, _, _ = strings.Cut(link, "/")
	} else if _, link, ok := strings.Cut(part, "/publishers/"); ok && m.basis == "website" {
		m.what, _, _ = strings.Cut(link, "/")
	}
	return m
}

func (w *rightsWorld) askScreen(r *screen.Release, address string) matched {
	w.t.Helper()
	m := screen.Matcher{Release: r, Uses: exports.UseWords()}
	var out screen.Result
	must(w.t, m.Match(context.Background(), &screen.Row{URL: address}, &out))
	got := matched{basis: map[screen.MatchedBy]string{screen.ByURL: "canonical_url", screen.BySamePage: "same_page", screen.ByHost: "website", screen.ByNothing: "none"}[out.MatchedBy]}
	got.what = strings.Join(out.Entries, "")
	if got.what == "" {
		got.what = strings.Join(slices.Sorted(slices.Values(out.Sites)), "")
	}
	for _, u := range out.Uses {
		got.uses += u.Verdict + " "
	}
	return got
}
