package acceptance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/origin"
	"colophon/worker"
	"colophon/worker/edge"
)

func batchRequest(body string) *edge.Request {
	return &edge.Request{
		Method: "POST", Path: exports.PathRightsBatch, Body: []byte(body), ID: "rid_x", Header: edge.Header{{Name: "content-type", Value: "application/json"}},
	}
}

func (w *rightsWorld) batch(body string) (int, map[string]any) {
	w.t.Helper()
	r := w.handle(context.Background(), batchRequest(body))
	var doc map[string]any
	if err := json.Unmarshal(r.Body, &doc); err != nil {
		w.t.Fatalf("%v in %s", err, r.Body)
	}
	return r.Status, doc
}

// TestBatchAnswersAsSingleChecks asks about every key separately too, and about
// all uses: entry, site, vector and verdicts must be the same.
func TestBatchAnswersAsSingleChecks(t *testing.T) {
	w := newRightsWorld(t)
	w.shareHost("a-second-site")
	for _, page := range []string{"https://harbor-ledger.example/x", "http://www.harbor-ledger.example/x/", "https://www.harbor-ledger.example/x/"} {
		w.register(page)
	}
	private := origin.Page{EntryID: "ent_private", SiteID: "hidden", CanonicalURL: "https://harbor-ledger.example/hidden", State: "active"}
	must(t, w.store.PutSite(context.Background(), origin.Site{SiteID: "hidden", PublisherID: "pub_harbor-ledger", Name: "Hidden", SiteURL: "https://hidden.example/", State: origin.Approved, Visibility: "private"}))
	must(t, w.store.PutPage(context.Background(), private, nil))
	keys := [][2]string{
		{"url", pageURL}, {"url", "HTTPS://Harbor-Ledger.example:443/plain#top"}, {"url", "https://harbor-ledger.example/elsewhere"}, {"url", private.CanonicalURL},
		{"url", "https://nobody.example/"}, {"url", "http://harbor-ledger.example/x"}, {"fingerprint", strings.ToUpper(w.digest)}, {"fingerprint", strings.Repeat("0", 64)},
		{"entry_id", w.entry}, {"entry_id", "ent_private"}, {"entry_id", "ent_none"},
	}
	lists := map[string][]string{}
	for _, k := range keys {
		lists[k[0]] = append(lists[k[0]], k[1])
	}
	body, err := json.Marshal(map[string]any{"urls": lists["url"], "fingerprints": lists["fingerprint"], "entry_ids": lists["entry_id"]})
	must(t, err)
	status, doc := w.batch(string(body))
	if status != 200 || len(doc["results"].([]any)) != len(keys) || doc["grants_rights"] != false || doc["answered_by"] != "origin" {
		t.Fatalf("%d %v", status, doc)
	}
	for i, k := range keys {
		result := doc["results"].([]any)[i]
		_, single := w.check(k[0] + "=" + k[1])
		want(t, result, "key", k[0], "value", k[1], "normalized", get(single, "query.normalized"), "basis", get(single, "match.basis"))
		if got, expect := verdictLines(result), verdictLines(single); !reflect.DeepEqual(got, expect) {
			t.Errorf("%s %s:\n%v\nalone\n%v", k[0], k[1], got, expect)
		} else if !slices.IsSorted(got) {
			t.Errorf("%s %s: candidates are not in the order of their ids: %v", k[0], k[1], got)
		}
	}
}

// verdictLines returns entry, site, vector and verdicts of an answer or a
// result.
func verdictLines(doc any) (out []string) {
	of := func(name string, x any) {
		line := fmt.Sprint(name, get(x, "entry_id"), get(x, "site_id"), get(x, "rights_vector"))
		uses, _ := get(x, "uses").([]any)
		for _, u := range uses {
			line += fmt.Sprint(" ", get(u, "use"), get(u, "verdict"), get(u, "reason"), get(u, "depends_on"))
		}
		out = append(out, line)
	}
	list := get(doc, "candidates").([]any)
	if site := get(doc, "website"); site != nil {
		list = []any{site}
	}
	for _, x := range list {
		of("candidate", x)
	}
	if len(list) == 0 {
		of("unknown", doc)
	}
	return out
}

func TestBatchTakesFewStatements(t *testing.T) {
	w := newRightsWorld(t)
	database, store := w.countStatements()
	deps := w.deps
	deps.Origin = store
	edgeLike := worker.New(deps)
	var urls []string
	for i := range 990 {
		urls = append(urls, fmt.Sprintf("https://harbor-ledger.example/page/%d", i))
	}
	body, err := json.Marshal(map[string]any{
		"urls": append(urls, pageURL), "fingerprints": []string{w.digest}, "entry_ids": []string{w.entry}, "uses": []string{"train", "rag"},
	})
	must(t, err)
	database.Statements = 0
	r := edgeLike(context.Background(), batchRequest(string(body)))
	if r.Status != 200 || database.Statements != 6 {
		t.Errorf("%d after %d statements, want 6", r.Status, database.Statements)
	}
	var doc map[string]any
	must(t, json.Unmarshal(r.Body, &doc))
	want(t, doc, "uses.0", "rag", "uses.1", "training", "results.0.basis", "website", "results.0.candidates.0.uses.1.verdict", "declined")
	if n := len(doc["results"].([]any)); n != 993 {
		t.Errorf("%d results", n)
	}
}

// TestBatchWithoutOrigin compares the answers from published files with those
// from the origin.
func TestBatchWithoutOrigin(t *testing.T) {
	w := newRightsWorld(t)
	body := `{"urls":["` + pageURL + `","https://harbor-ledger.example/elsewhere","https://nobody.example/"],"fingerprints":["` + w.digest + `"],"entry_ids":["` + w.entry + `"]}`
	_, live := w.batch(body)
	for name, r := range map[string]worker.Origin{"none": nil, "away": away{w.store}} {
		deps := w.deps
		deps.Origin = r
		w.handle = openapitest.Handler(t, worker.New(deps))
		status, doc := w.batch(body)
		if status != 200 || doc["answered_by"] != "static" {
			t.Errorf("%s: %d by %v", name, status, doc["answered_by"])
		}
		doc["answered_by"] = "origin"
		if !reflect.DeepEqual(doc, live) {
			t.Errorf("%s: %v\nwant %v", name, doc, live)
		}
	}
}

func (away) RightsPages(context.Context, origin.RightsKeys) (origin.RightsPages, error) {
	return origin.RightsPages{}, errAway
}

func TestBatchRefusals(t *testing.T) {
	w := newRightsWorld(t)
	many := strings.Repeat(`"https://a.example/",`, exports.MaxBatch)
	for body, code := range map[string]string{
		`{}`:          "validation_failed",
		`{"urls":[]}`: "validation_failed",
		`{"urls":[` + many + `"https://b.example/"]}`:         "validation_failed",
		`{"urls":["https://a.example/"],"uses":["to steal"]}`: "unsupported_use",
		`{"urls":["https://a.example/"],"site_id":"x"}`:       "unknown_member",
		`{"urls":"https://a.example/"}`:                       "validation_failed",
		`[`:                                                   "malformed_json",
	} {
		status, doc := w.batch(body)
		if status < 400 || status > 422 || doc["code"] != code {
			t.Errorf("%.60s: %d %v, want %s", body, status, doc["code"], code)
		}
	}
	// A key that cannot be looked up is reported, and the others are answered.
	status, doc := w.batch(`{"urls":["not an address","` + pageURL + `"],"fingerprints":["12"],"entry_ids":["harbor ledger"],"uses":["rag"]}`)
	if status != 200 {
		t.Fatalf("%d %v", status, doc)
	}
	want(t, doc, "results.0.basis", "none", "results.0.uses.0.verdict", "unknown", "results.0.normalized", nil, "results.1.basis", "canonical_url",
		"results.2.fault", "must be 64 hex digits", "results.3.fault", "is not an entry id")
	if fault, _ := get(doc, "results.0.fault").(string); !strings.HasPrefix(fault, "cannot be used: ") {
		t.Errorf("the fault of what is no address: %q", fault)
	}
}
