package acceptance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/assert"
	"colophon/internal/openapi/openapitest"
	"colophon/worker"
	"colophon/worker/edge"
)

func (w *rightsWorld) read(path, query, accept string) *edge.Response {
	w.t.Helper()
	r := &edge.Request{Method: "GET", Path: path, Query: query, ID: "rid_x"}
	if accept != "" {
		r.Header = edge.Header{{Name: "accept", Value: accept}}
	}
	return w.handle(context.Background(), r)
}

// grow registers that many more pages and builds again.
func (w *rightsWorld) grow(pages int) {
	w.t.Helper()
	for n := range pages {
		w.register(fmt.Sprint("https://harbor-ledger.example/page-", n))
	}
	built := filepath.Join(w.t.TempDir(), "dist")
	signer, keys := rightsKey(w.t)
	_, err := generator.Build(context.Background(), w.store, built, generator.Options{BaseURL: testBase, Name: "Colophon", Signer: signer, Keys: keys, Workers: 2})
	must(w.t, err)
	w.deps.Assets = dir(built)
	w.handle = openapitest.Handler(w.t, worker.New(w.deps))
}

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

func TestCitationFiles(t *testing.T) {
	w := newRightsWorld(t)
	for form, want := range map[string][2]string{
		"bib": {"application/x-bibtex", "@misc{" + w.entry}, "ris": {"application/x-research-info-systems", "TY  - ELEC\nTI  - Tide tables\n"}, "csl": {"application/vnd.citationstyles.csl+json", `"URL":"` + pageURL},
	} {
		r := w.read(exports.CiteFile(w.entry, form), "", browser)
		if r.Status != 200 || !strings.HasPrefix(r.Header.Get("content-type"), want[0]) || !strings.Contains(string(r.Body), want[1]) || !strings.Contains(r.Header.Get("content-disposition"), w.entry+"."+form) {
			t.Errorf("%s: %d %v %s", form, r.Status, r.Header, r.Body)
		}
	}
	for _, path := range []string{exports.CiteFile(w.entry, "exe"), exports.CiteFile("ent_000000000000000000000000", "bib"), exports.CiteFile("..", "bib")} {
		if r := w.read(path, "", ""); r.Status != 404 {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
}

// TestDataInParts checks that NDJSON and CSV can be read in parts, uncompressed
// whatever the caller accepts, and that JSON-LD has its own media type.
func TestDataInParts(t *testing.T) {
	w := newRightsWorld(t)
	w.grow(30) // then there is a compressed sibling
	must(t, assert.Err(w.deps.Assets.Read(context.Background(), string(exports.KeyOf(exports.PathFeedNDJSON))+".gz")))
	ask := func(path, query string, header ...edge.Field) *edge.Response {
		return w.handle(context.Background(), &edge.Request{Method: "GET", Path: path, Query: query, Header: header})
	}
	for _, at := range [][2]string{{exports.PathFeedNDJSON, ""}, {exports.PathFeedNDJSON, "limit=1"}, {exports.PathMapCSV, ""}} {
		whole := ask(at[0], at[1])
		size, tag := len(whole.Body), whole.Header.Get("etag")
		if whole.Status != 200 || whole.Header.Get("accept-ranges") != "bytes" || size < 20 {
			t.Fatalf("%v: %d %v", at, whole.Status, whole.Header)
		}
		for _, c := range []struct {
			header []edge.Field
			status int
			from   int
			to     int
		}{
			{[]edge.Field{{Name: "range", Value: "bytes=0-9"}}, 206, 0, 10},
			{[]edge.Field{{Name: "range", Value: "bytes=10-"}}, 206, 10, size},
			{[]edge.Field{{Name: "range", Value: "bytes=-5"}, {Name: "accept-encoding", Value: "gzip"}}, 206, size - 5, size},
			{[]edge.Field{{Name: "range", Value: "bytes=10-"}, {Name: "if-range", Value: tag}}, 206, 10, size},
			{[]edge.Field{{Name: "range", Value: "bytes=10-"}, {Name: "if-range", Value: `"another"`}}, 200, 0, size},
			{[]edge.Field{{Name: "range", Value: "bytes=0-1,4-5"}}, 200, 0, size},
			{[]edge.Field{{Name: "range", Value: "lines=0-1"}}, 200, 0, size},
			{[]edge.Field{{Name: "range", Value: "bytes=" + strconv.Itoa(size) + "-"}}, 416, 0, 0},
		} {
			got := ask(at[0], at[1], c.header...)
			if got.Status != c.status || string(got.Body) != string(whole.Body[c.from:c.to]) || c.status == 206 && (got.Header.Has("content-encoding") || got.Header.Get("content-range") != fmt.Sprintf("bytes %d-%d/%d", c.from, c.to-1, size)) {
				t.Errorf("%v %v: %d %v", at, c.header, got.Status, got.Header)
			}
		}
	}
	for path, want := range map[string]string{"/v1/public/release/croissant.json": "application/ld+json", "/v1/public/license-catalog/lic_1.odrl.jsonld": "application/ld+json", exports.PathFeed: exports.MediaJSON} {
		if got := ask(path, ""); got.Status != 200 || got.Header.Get("content-type") != want {
			t.Errorf("%s: %d %q", path, got.Status, got.Header.Get("content-type"))
		}
	}
}

// TestLastModified checks that published files say when the data last changed,
// as the release does, and that only their entity tags decide what is fresh.
func TestLastModified(t *testing.T) {
	w := newRightsWorld(t)
	var stats struct {
		At time.Time `json:"generated_at"`
	}
	must(t, json.Unmarshal(w.read(exports.PathStats, "", "").Body, &stats))
	want := stats.At.UTC().Format(http.TimeFormat)
	for _, path := range []string{"/", "/robots.txt", exports.PathFeed, exports.PathFeedNDJSON, exports.PathMapCSV, exports.PathMapSitemap, exports.PublisherPath("harbor-ledger"), exports.RecordPath(w.entry), "/v1/public/release/croissant.json"} {
		got := w.read(path, "", "")
		if got.Status != 200 || got.Header.Get("last-modified") != want {
			t.Errorf("%s: %d, changed %q, want %q", path, got.Status, got.Header.Get("last-modified"), want)
		}
		since := edge.Request{Method: "GET", Path: path, Header: edge.Header{{Name: "if-modified-since", Value: want}}}
		if again := w.handle(context.Background(), &since); again.Status != 200 {
			t.Errorf("%s: %d for a time alone", path, again.Status)
		}
	}
	style := regexp.MustCompile(`/assets/site\.[0-9a-f]+\.css`).FindString(string(w.read("/", "", "").Body))
	if got := w.read(style, "", ""); got.Status != 200 {
		t.Fatalf("%q: %d", style, got.Status)
	}
	for path, query := range map[string]string{exports.PathLedgerCheckpoint: "", style: "", exports.PathRightsCheck: "site_id=harbor-ledger"} {
		if got := w.read(path, query, ""); got.Header.Has("last-modified") {
			t.Errorf("%s: changed %q", path, got.Header.Get("last-modified"))
		}
	}
}

// TestFirstPagesNameTheNext checks that Link (RFC 8288) names the next page if
// a first page is a published file too, and only if there is one.
func TestFirstPagesNameTheNext(t *testing.T) {
	w := newRightsWorld(t)
	w.grow(101)
	for path, most := range map[string]int{exports.SiteRecordsPath("harbor-ledger"): 100, exports.InventoryPath("harbor-ledger"): 20, exports.PathFeed: 20, exports.PathLicenseCatalog: 0, exports.PathMap: 0, exports.PathDemand: 0} {
		first := w.read(path, "", "")
		var list struct {
			Data  []any
			Links struct{ Next string }
			Page  struct{ Total int }
		}
		must(t, json.Unmarshal(first.Body, &list))
		want := ""
		if most > 0 {
			want = "<" + list.Links.Next + `>; rel="next"`
		}
		if got := first.Header.Get("link"); got != want || most > 0 && (len(list.Data) != most || list.Page.Total != 103 || list.Links.Next == "") {
			t.Errorf("%s: Link %q of %d records of %d, want %q", path, got, len(list.Data), list.Page.Total, want)
		}
		if most == 0 {
			continue
		}
		next, query, _ := strings.Cut(list.Links.Next, "?")
		if rest := w.read(next, query, ""); rest.Status != 200 {
			t.Errorf("%s: %d %s", list.Links.Next, rest.Status, rest.Body)
		}
		if known := w.handle(context.Background(), &edge.Request{Method: "GET", Path: path, Header: edge.Header{{Name: "if-none-match", Value: first.Header.Get("etag")}}}); known.Status != 304 || known.Header.Has("link") {
			t.Errorf("%s: %d %v", path, known.Status, known.Header)
		}
	}
}

// TestCitationAsJSONInABrowser checks that an address ending in .json opens
// JSON in a browser.
func TestCitationAsJSONInABrowser(t *testing.T) {
	w := newRightsWorld(t)
	for accept, want := range map[string]string{
		browser: "application/json", "": "application/json", "*/*": "application/json", "text/html, application/json;q=0.1": "application/json",
		"text/html": "text/html", "text/html;q=0.9, text/plain;q=0.5": "text/html", "text/plain": "text/plain", "application/x-bibtex, */*;q=0.1": "application/x-bibtex",
	} {
		r := w.read(exports.CitationPath(w.entry), "", accept)
		if got, _, _ := strings.Cut(r.Header.Get("content-type"), ";"); r.Status != 200 || got != want {
			t.Errorf("%q: %d %s, want %s", accept, r.Status, got, want)
		}
	}
}

func TestCitationPageOfTheBuild(t *testing.T) {
	w := newRightsWorld(t)
	page := string(w.read(exports.CitationPage(w.entry), "", browser).Body)
	assert.Contains(t, "the page", page, "/publishers/harbor-ledger/request/?resource=https%3A%2F%2Fharbor-ledger.example", "/check/?q="+w.entry, `<span class="state v-d">Declined</span> Training`)
	index := string(w.read("/sitemap.xml", "", "").Body)
	assert.Contains(t, "the index of sitemaps", index, "<sitemapindex", "/sitemap-citations-harbor-ledger.xml", exports.PathMapSitemap)
	if part := string(w.read("/sitemap-citations-harbor-ledger.xml", "", "").Body); strings.Count(part, "<url>") != 2 || !strings.Contains(part, testBase+exports.CitationPage(w.entry)) {
		t.Errorf("the sitemap of citations is %s", part)
	}
	assert.Contains(t, "robots.txt", string(w.read("/robots.txt", "", "").Body), "Allow: /v1/licensing-marketplace/\n")
}
