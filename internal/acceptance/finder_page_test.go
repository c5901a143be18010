package acceptance_test

import (
	"net/url"
	"strings"
	"testing"

	"colophon/exports"
)

// TestListsAskTheService checks that a list gives the same total as the API,
// and that its form keeps the query.
func TestListsAskTheService(t *testing.T) {
	w := newRightsWorld(t)
	for _, x := range []struct {
		path, query string
		wants       []string
	}{
		{exports.PathMapPage, "q=harbor", []string{"<h2>1 of 1 publishers</h2>", `href="/publishers/harbor-ledger/"`, "<td>Declined", `value="harbor"`, `href="/v1/public/ai-rights-map?q=harbor"`}},
		{exports.PathMapPage, "q=zzzz&readiness=", []string{"<h2>0 of 1 publishers</h2>", "Try fewer or other words"}},
		{exports.PathMapPage, "readiness=min:listed", []string{"<h2>1 of 1 publishers</h2>", "Listed or more (1)</option>", `<option value="min:listed" selected>`}},
		{exports.PathPublishersPage, "q=harbor&verified=1", []string{"<h2>1 of 1 publishers</h2>", `href="/publishers/harbor-ledger/"`, "domain verified", `<option value="1" selected>`, "(1)</option>", `<option value="rag">Retrieval (RAG) (1)</option>`, `<option value="training">Training (0)</option>`, `Training <span class="quiet">: Declined</span>`}},
		{exports.PathPublishersPage, "verified=0", []string{"<h2>0 of 1 publishers</h2>"}},
		{exports.PathOffersPage, "use=rag&territory=DE", []string{"<h2>1 of 1 offers</h2>", "Grounding", `<option value="rag" selected>`, `<option value="DE" selected>`}},
		{exports.PathOffersPage, "use=training", []string{"<h2>0 of 1 offers</h2>"}},
		{exports.PathDemandPage, "q=anything", []string{"<h2>0 of 0 needs</h2>", `href="/v1/public/buyer-demand?q=anything"`}},
		{exports.PathDemandPage, "use=rag&sort=ends", []string{"<h2>0 of 0 needs</h2>", `<option value="ends" selected>`, `<option value="rag" selected>Retrieval (RAG) (0)</option>`}},
		{exports.PathMapPage, "sort=pages", []string{"<h2>1 of 1 publishers</h2>", `<option value="pages" selected>`, `href="/v1/public/ai-rights-map"`, "in the order of the API", `href="/publishers/harbor-ledger/request/">Ask</a>`, `data-shortlist="harbor-ledger"`}},
		{exports.PathPublishersPage, "sort=newest&use=rag", []string{"<h2>1 of 1 publishers</h2>", `<option value="newest" selected>`, `data-shortlist="harbor-ledger"`}},
		{exports.PathOffersPage, "sort=price", []string{"<h2>1 of 1 offers</h2>", `<option value="price" selected>`}},
		{exports.PathCatalogPage, "sort=newest", []string{"match</h2>", `<option value="newest" selected>`}},
		{exports.PathCatalogPage, "use=rag", []string{"<h2>2 pages match</h2>", `<option value="rag" selected>Retrieval (RAG) (2)</option>`, `<option value="training">Training (0)</option>`}},
		{exports.PathLedgerLog, "q=" + url.QueryEscape(`"><script>`), []string{"No leaf matches", `value="&#34;&gt;&lt;script&gt;"`}},
	} {
		r := w.read(x.path, x.query, browser)
		page := string(r.Body)
		if r.Status != 200 || r.Header.Get("x-robots-tag") != "noindex" {
			t.Fatalf("%s?%s: %d %s", x.path, x.query, r.Status, page)
		}
		for _, want := range x.wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s?%s: no %s", x.path, x.query, want)
			}
		}
		if strings.Contains(page, "%%") || strings.Contains(page, "<script>") {
			t.Errorf("%s?%s: a slot or foreign markup is in the page", x.path, x.query)
		}
	}
	for path, query := range map[string]string{exports.PathMapPage: "readiness=none-such", exports.PathOffersPage: "payment=gold", exports.PathPublishersPage: "verified=perhaps", exports.PathDemandPage: "sort=price", exports.PathCatalogPage: "q=tide&sort=best", exports.PathLedgerLog: "q=%ff"} {
		if r := w.read(path, query, browser); r.Status != 400 {
			t.Errorf("%s?%s: %d", path, query, r.Status)
		}
	}
	if r := w.read(exports.PathMapPage, "q=&category=", browser); r.Status != 200 || !strings.Contains(string(r.Body), "At a glance") {
		t.Errorf("without a question: %d", r.Status)
	}
}

// TestQuestionPagesAreAnswered checks that the pages which hosts leave to the
// worker differ from the published ones.
func TestQuestionPagesAreAnswered(t *testing.T) {
	w := newRightsWorld(t)
	for _, e := range exports.Pages {
		if e.Made != exports.Listed {
			continue
		}
		path := strings.ReplaceAll(e.Path, "{site_id}", "harbor-ledger")
		if r := w.read(path, "q=harbor", browser); r.Status != 200 || r.Header.Get("x-robots-tag") != "noindex" {
			t.Errorf("%s?q=harbor: %d, as if nothing had been asked", path, r.Status)
		}
	}
}
