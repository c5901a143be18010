package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/demo/guests"
)

// verified posts to the verification endpoint and returns its ledger check.
func verified(t *testing.T, base string, body map[string]any) map[string]any {
	t.Helper()
	data, err := json.Marshal(body)
	must(t, err)
	resp, err := http.Post(base+exports.PathVerify, "application/json", strings.NewReader(string(data)))
	must(t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s %s", resp.Status, answer)
	}
	var v struct {
		Valid  bool             `json:"valid"`
		Checks []map[string]any `json:"checks"`
	}
	must(t, json.Unmarshal(answer, &v))
	for _, c := range v.Checks {
		if c["check"] == "ledger_inclusion" {
			return c
		}
	}
	t.Fatalf("no ledger check in %s", answer)
	return nil
}

// walkLedger audits the demo's log over HTTP, and asks the worker whether a
// record is in it.
func walkLedger(t *testing.T, f guests.Facts) {
	for path, want := range map[string][2]string{
		exports.PathLedgerCheckpoint: {"text/plain; charset=utf-8", "public, max-age=5"}, exports.PathLedgerPolicy: {"text/plain; charset=utf-8", ""},
		exports.PathLedgerLog + "ledger.vkey": {"text/plain; charset=utf-8", ""}, "/ledger/tile/entries/000": {"application/octet-stream", "public, max-age=31536000, immutable"},
		"/ledger/tile/0/000": {"application/octet-stream", "public, max-age=31536000, immutable"},
	} {
		r := sendRequest(t, "GET", f.BaseURL+path)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != want[0] || want[1] != "" && r.Header.Get("Cache-Control") != want[1] || len(r.body) == 0 {
			t.Errorf("%s: %s %q %q", path, r.Status, r.Header.Get("Content-Type"), r.Header.Get("Cache-Control"))
		}
	}
	dir := t.TempDir()
	var stdout, stderr strings.Builder
	for range 2 {
		if code := runProgram(context.Background(), []string{"ledger", "verify", f.BaseURL, "--dir", dir}, nil, &stdout, &stderr, os.Getenv); code != 0 {
			t.Fatalf("the audit ends with %d: %s%s", code, stdout.String(), stderr.String())
		}
	}
	if strings.Count(stdout.String(), " 0 findings") != 2 || strings.Count(stdout.String(), "seen for the first time") != 1 {
		t.Errorf("the audits say %s", stdout.String())
	}

	var record, citation map[string]any
	for path, into := range map[string]any{exports.RecordPath(f.EntryID): &record, exports.CitationPath(f.EntryID): &citation} {
		if err := json.Unmarshal(sendRequest(t, "GET", f.BaseURL+path).body, into); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	log, ok := citation["ledger"].(map[string]any)
	if !ok {
		t.Fatalf("the citation names no place: %v", citation)
	}
	by := verified(t, f.BaseURL, map[string]any{"record": record})
	if by["result"] != "pass" || by["index"] != log["leaf_index"] || by["tree_size"].(float64) < 1 {
		t.Errorf("the record of the citation: %v", by)
	}
	record["source"].(map[string]any)["title"] = "Another title"
	if by := verified(t, f.BaseURL, map[string]any{"record": record}); by["result"] != "warn" || by["code"] != "not_logged" {
		t.Errorf("a record that is not logged: %v", by)
	}
	found := sendRequest(t, "GET", f.BaseURL+exports.PathLedgerSearch+"?q="+f.EntryID)
	if found.StatusCode != 200 || !strings.Contains(string(found.body), `"entry_id":"`+f.EntryID+`"`) || strings.Contains(string(found.body), `"data":[]`) {
		t.Errorf("the ledger search does not find the entry: %s", found.body)
	}
	manifest := sendRequest(t, "GET", f.BaseURL+exports.PathLedgerManifest)
	assert.Contains(t, "the manifest", string(manifest.body), `"state":"published"`, `"vkey":"`, `"log_origin":"`, `"prefix":"`+f.BaseURL+`/ledger/"`, `"witnesses":[]`)
	if page := sendRequest(t, "GET", f.BaseURL+"/ledger/"); !strings.Contains(string(page.body), log["origin"].(string)) {
		t.Error("the page of the ledger does not name the log")
	}
}
