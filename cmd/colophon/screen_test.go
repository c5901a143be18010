package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/registrydir"
	"colophon/internal/screen"
	"colophon/worker/edge"
	"colophon/worker/edgehttp"
)

// corpusRow is a row of the test's data set, and how it must be matched.
type corpusRow struct {
	URL  string `json:"url" parquet:"url"`
	Text string `json:"text" parquet:"text"`

	want  string
	entry string
}

// screenFixture is a demo with a data set that has some of its pages.
type screenFixture struct {
	dir, dist string
	rows      []corpusRow
}

func newScreenFixture(t *testing.T) screenFixture {
	t.Helper()
	f := screenFixture{dir: filepath.Join(t.TempDir(), "reg")}
	f.dist = filepath.Join(f.dir, "dist")
	fixtures.demo.copyTo(t, f.dir)
	db, err := registrydir.OpenPlain(filepath.Join(f.dir, "origin.db"))
	must(t, err)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT p.canonical_url, p.entry_id, b.text FROM pages p JOIN bodies b ON b.entry_id = p.entry_id
		WHERE p.state = 'active' AND p.portable <> '' AND p.site_id IN ('harbor-ledger', 'alpenwarte', 'nisiotika') ORDER BY p.entry_id`)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var canonical, entry, text string
		must(t, rows.Scan(&canonical, &entry, &text))
		f.rows = append(f.rows, disguised(len(f.rows), canonical, entry, text))
	}
	must(t, rows.Err())
	if len(f.rows) < 40 {
		t.Fatalf("%d rows", len(f.rows))
	}
	return f
}

// disguised returns a page as a data set may have it.
func disguised(n int, canonical, entry, text string) corpusRow {
	host := strings.SplitN(canonical, "/", 4)[2]
	path := strings.SplitN(canonical, "/", 4)[3]
	switch n % 7 {
	case 0:
		return corpusRow{URL: "HTTPS://" + strings.ToUpper(host) + ":443/" + path + "#top", want: "url", entry: entry}
	case 1:
		return corpusRow{URL: "http://www." + host + "/" + path + "/?utm_source=x&fbclid=1", want: "same_page", entry: entry}
	case 2:
		return corpusRow{URL: "https://elsewhere.example/1", Text: " " + strings.ReplaceAll(text, " ", "\n") + "\u200b", want: "fingerprint", entry: entry}
	case 3:
		words := strings.Split(text, " ")
		words[len(words)/2] = "changed"
		return corpusRow{URL: "https://elsewhere.example/2", Text: strings.Join(words, " "), want: "near_duplicate", entry: entry}
	case 4:
		return corpusRow{URL: "https://" + host + "/not/registered", want: "host_policy"}
	case 5:
		return corpusRow{URL: "https://nobody.example/", Text: "too short", want: "nothing"}
	}
	return corpusRow{URL: canonical, Text: text, want: "url", entry: entry}
}

func (f *screenFixture) write(t *testing.T, name string) string {
	t.Helper()
	var b bytes.Buffer
	switch {
	case strings.Contains(name, ".jsonl"):
		for _, r := range f.rows {
			line, _ := json.Marshal(r)
			b.Write(append(line, '\n'))
		}
	case strings.Contains(name, ".csv"):
		w := csv.NewWriter(&b)
		w.Write([]string{"id", "text", "url"}) //nolint:errcheck // a buffer never fails
		for i, r := range f.rows {
			w.Write([]string{fmt.Sprint(i), r.Text, r.URL}) //nolint:errcheck
		}
		w.Flush()
	case strings.Contains(name, ".wet"):
		for _, r := range f.rows {
			fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", r.URL, len(r.Text), r.Text)
		}
	case strings.Contains(name, ".parquet"):
		must(t, parquet.Write(&b, f.rows, parquet.MaxRowsPerRowGroup(16)))
	}
	data := b.Bytes()
	if strings.HasSuffix(name, ".gz") {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		w.Write(data) //nolint:errcheck
		w.Close()     //nolint:errcheck
		data = z.Bytes()
	}
	if strings.HasSuffix(name, ".zst") {
		w, _ := zstd.NewWriter(nil)
		data = w.EncodeAll(data, nil)
	}
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, data, 0o644))
	return path
}

func readCSV(t *testing.T, path string) (rows []map[string]string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	all, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	must(t, err)
	for _, fields := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = fields[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestScreen screens one data set in every form of input, and compares what is
// found and every verdict with the rights check over the same files.
func TestScreen(t *testing.T) {
	t.Parallel()
	f := newScreenFixture(t)
	out := t.TempDir()
	const at = "2026-11-23T12:00:00Z"
	for _, name := range []string{"c.jsonl", "c.jsonl.gz", "c.csv", "c.csv.zst", "c.wet", "c.wet.gz", "c.parquet"} {
		to := filepath.Join(out, name+".csv")
		code, _, stderr := call("screen", f.write(t, name), "--release", f.dist, "--out", to, "--use", "training", "--use", "rag", "--at", at)
		if code != 0 {
			t.Fatalf("%s: %s", name, stderr)
		}
		rows := readCSV(t, to)
		if len(rows) != len(f.rows) {
			t.Fatalf("%s: %d rows of %d", name, len(rows), len(f.rows))
		}
		for i, got := range rows {
			want := &f.rows[i]
			if got["matched_by"] != want.want || want.entry != "" && !slices.Contains(strings.Fields(got["entry_id"]), want.entry) {
				t.Errorf("%s, row %d %s: %s %s, want %s %s", name, i+1, want.URL, got["matched_by"], got["entry_id"], want.want, want.entry)
			}
		}
	}
	t.Run("dry run", func(t *testing.T) { f.screenWithoutWriting(t) })
	t.Run("dry run of mirror", func(t *testing.T) { f.mirrorWithoutWriting(t) })
	t.Run("demo", func(t *testing.T) { f.screenDemoCorpus(t) })
	t.Run("verdicts", func(t *testing.T) { f.compareVerdicts(t, readCSV(t, filepath.Join(out, "c.jsonl.csv")), at) })
	t.Run("workers", func(t *testing.T) { f.compareWorkers(t, at) })
	t.Run("address", func(t *testing.T) { f.screenOverHTTP(t, filepath.Join(out, "c.parquet.csv"), at) })
	t.Run("packs", func(t *testing.T) { f.screenPacks(t, filepath.Join(out, "c.parquet.csv"), at) })
	t.Run("private", func(t *testing.T) { f.screenPrivately(t, filepath.Join(out, "c.jsonl.csv"), at) })
	t.Run("site", func(t *testing.T) { f.screenSite(t) })
	t.Run("receipt", func(t *testing.T) { f.verifyReceipt(t) })
	t.Run("summary", func(t *testing.T) { f.summarize(t, at) })
	t.Run("faults", func(t *testing.T) { f.screenDamaged(t) })
	t.Run("release", func(t *testing.T) { f.damagedRelease(t) })
}

// screenWithoutWriting checks that a dry run leaves no file.
func (f *screenFixture) screenWithoutWriting(t *testing.T) {
	to := filepath.Join(t.TempDir(), "dry.csv")
	if code, _, stderr := call("screen", f.write(t, "c.csv"), "--release", f.dist, "--out", to, "--dry-run"); code != 0 {
		t.Fatal(stderr)
	}
	if _, err := os.Stat(to); !os.IsNotExist(err) {
		t.Errorf("a dry run wrote %s: %v", to, err)
	}
}

// mirrorWithoutWriting checks that a dry run of mirror leaves no folder.
func (f *screenFixture) mirrorWithoutWriting(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(f.dist, string(exports.KeyOf(r.URL.Path))))
	}))
	defer server.Close()
	to := filepath.Join(t.TempDir(), "mirror")
	if code, _, stderr := call("mirror", server.URL, to, "--dry-run"); code != 0 {
		t.Fatal(stderr)
	}
	if _, err := os.Stat(to); !os.IsNotExist(err) {
		t.Errorf("a dry run wrote %s: %v", to, err)
	}
}

// screenDemoCorpus screens the data set that comes with the demo: some rows are
// matched in each way that an address can be.
func (f *screenFixture) screenDemoCorpus(t *testing.T) {
	to := filepath.Join(t.TempDir(), "out.csv")
	if code, _, stderr := call("screen", filepath.Join(f.dir, "corpus.jsonl"), "--release", f.dist, "--out", to); code != 0 {
		t.Fatal(stderr)
	}
	found := map[string]int{}
	for _, r := range readCSV(t, to) {
		found[r["matched_by"]]++
	}
	if found["url"] == 0 || found["same_page"] == 0 || found["host_policy"] == 0 || found["nothing"] == 0 {
		t.Errorf("found by %v", found)
	}
}

// compareVerdicts compares every row that matches one page with the rights
// check.
func (f *screenFixture) compareVerdicts(t *testing.T, rows []map[string]string, at string) {
	service := serviceAt(f.dist, at)
	compared := 0
	for i, got := range rows {
		query := "url=" + url.QueryEscape(f.rows[i].URL)
		if id := got["entry_id"]; id != "" {
			query = "entry_id=" + id
		}
		if strings.Contains(got["entry_id"], " ") {
			continue
		}
		r := &edge.Request{Method: "GET", Path: "/v1/public/rights/check", Query: query + "&use=training,rag"}
		var answer struct {
			Candidates []struct {
				Uses []struct{ Verdict, Reason string }
			}
			Website *struct {
				Uses []struct{ Verdict, Reason string }
			}
			Uses []struct{ Verdict, Reason string }
		}
		resp := service(t.Context(), r)
		if err := json.Unmarshal(resp.Body, &answer); err != nil || resp.Status != 200 {
			t.Fatalf("%s: %d %s", query, resp.Status, resp.Body)
		}
		uses := answer.Uses
		if len(answer.Candidates) > 0 {
			uses = answer.Candidates[0].Uses
		} else if answer.Website != nil {
			uses = answer.Website.Uses
		}
		if got["matched_by"] == "host_policy" && answer.Website == nil {
			continue // published files know only the hosts of home pages
		}
		verdicts, reasons := []string{}, []string{}
		for _, u := range uses {
			verdicts, reasons = append(verdicts, u.Verdict), append(reasons, u.Reason)
		}
		if strings.Join(verdicts, " ") != got["verdict"] || strings.Join(reasons, " ") != got["reason"] {
			t.Errorf("row %d %s: %s (%s), the rights check says %v %v", i+1, query, got["verdict"], got["reason"], verdicts, reasons)
		}
		compared++
	}
	if compared < len(rows)/2 {
		t.Errorf("%d of %d verdicts compared", compared, len(rows))
	}
}

func (f *screenFixture) compareWorkers(t *testing.T, at string) {
	in := f.write(t, "c.jsonl")
	for _, ending := range []string{".csv", ".jsonl", ".parquet"} {
		var first []byte
		for _, workers := range []string{"1", "5"} {
			to := filepath.Join(t.TempDir(), "out"+ending)
			if code, _, stderr := call("screen", in, "--release", f.dist, "--out", to, "--workers", workers, "--at", at); code != 0 {
				t.Fatal(stderr)
			}
			data, err := os.ReadFile(to)
			must(t, err)
			if first != nil && !bytes.Equal(first, data) {
				t.Errorf("%s differs with %s workers", ending, workers)
			}
			first = data
		}
	}
}

// screenOverHTTP screens against an address, and must get the same as from the
// folder.
func (f *screenFixture) screenOverHTTP(t *testing.T, want, at string) {
	var parts int
	handler := edgehttp.New(serviceAt(f.dist, at), edgehttp.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") != "" {
			parts++
		} else if strings.HasSuffix(r.URL.Path, ".parquet") {
			t.Errorf("%s was read whole", r.URL.Path)
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	in := f.write(t, "c.parquet")
	to := filepath.Join(t.TempDir(), "out.csv")
	if code, _, stderr := call("screen", in, "--release", server.URL, "--out", to, "--use", "training", "--use", "rag", "--at", at); code != 0 {
		t.Fatal(stderr)
	}
	got, wanted := readCSV(t, to), readCSV(t, want)
	for i := range got {
		if got[i]["source"] = wanted[i]["source"]; fmt.Sprint(got[i]) != fmt.Sprint(wanted[i]) {
			t.Errorf("row %d: %v, want %v", i+1, got[i], wanted[i])
		}
	}
	if parts == 0 {
		t.Error("no part of a table was asked for")
	}
}

// screenPacks screens against the folder of a build in packs, and must get the
// same as from files.
func (f *screenFixture) screenPacks(t *testing.T, want, at string) {
	packs := filepath.Join(t.TempDir(), "packs")
	if code, _, stderr := call("build", "--dir", f.dir, "--out", packs, "--form", "packs"); code != 0 {
		t.Fatal(stderr)
	}
	to := filepath.Join(t.TempDir(), "out.csv")
	if code, _, stderr := call("screen", f.write(t, "c.parquet"), "--release", packs, "--out", to, "--use", "training", "--use", "rag", "--at", at); code != 0 {
		t.Fatal(stderr)
	}
	got, wanted := readCSV(t, to), readCSV(t, want)
	for i := range got {
		if got[i]["source"] = wanted[i]["source"]; fmt.Sprint(got[i]) != fmt.Sprint(wanted[i]) {
			t.Errorf("row %d: %v, want %v", i+1, got[i], wanted[i])
		}
	}
}

// screenPrivately reads only the list, the publishers, the reservations and the files for private
// look-ups, and must get the same pages and publishers as far as these files
// can find them.
func (f *screenFixture) screenPrivately(t *testing.T, want, at string) {
	handler := edgehttp.New(serviceAt(f.dist, at), edgehttp.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := r.URL.Path
		if !strings.HasPrefix(p, "/v1/public/range/") && !strings.HasPrefix(p, "/v1/public/release/files/") && p != "/v1/public/release.json" &&
			p != "/v1/public/release/publishers.parquet" && p != "/v1/public/release/reservations.parquet" && p != "/.well-known/service-provenance-keys.json" {
			t.Errorf("%s was asked for", p)
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	to := filepath.Join(t.TempDir(), "out.csv")
	args := []string{"screen", f.write(t, "c.jsonl"), "--release", server.URL, "--private", "--out", to, "--use", "training", "--use", "rag", "--at", at}
	if code, _, stderr := call(args...); code != 0 {
		t.Fatal(stderr)
	}
	wanted := readCSV(t, want)
	for i, got := range readCSV(t, to) {
		by := wanted[i]["matched_by"]
		if by == "near_duplicate" || by == "same_page" {
			continue
		}
		if got["matched_by"] != by || got["site"] != wanted[i]["site"] || by == "url" && got["entry_id"] != wanted[i]["entry_id"] {
			t.Errorf("row %d: %s %s %s, want %s %s %s", i+1, got["matched_by"], got["site"], got["entry_id"], by, wanted[i]["site"], wanted[i]["entry_id"])
		}
	}
}

func (f *screenFixture) screenSite(t *testing.T) {
	to := filepath.Join(t.TempDir(), "mine.csv")
	if code, _, stderr := call("screen", f.write(t, "c.jsonl"), "--release", f.dist, "--out", to, "--site", "alpenwarte"); code != 0 {
		t.Fatal(stderr)
	}
	rows := readCSV(t, to)
	for _, r := range rows {
		assert.Equal(t, r["site"], "alpenwarte", "%v is not of the site", r)
	}
	if len(rows) < 5 || len(rows) >= len(f.rows) {
		t.Errorf("%d rows of %d", len(rows), len(f.rows))
	}
	kept := filepath.Join(t.TempDir(), "kept.csv")
	if code, _, stderr := call("screen", f.write(t, "c.jsonl"), "--release", f.dist, "--out", kept, "--keep", "unknown"); code != 0 {
		t.Fatal(stderr)
	}
	rows = readCSV(t, kept)
	for _, r := range rows {
		assert.Equal(t, r["verdict"], "unknown", "%v was kept", r)
	}
	if len(rows) == 0 {
		t.Error("nothing was kept")
	}
}

func (f *screenFixture) verifyReceipt(t *testing.T) {
	in, to, report := f.write(t, "c.jsonl"), filepath.Join(t.TempDir(), "receipt.json"), filepath.Join(t.TempDir(), "report.html")
	if code, _, stderr := call("screen", in, "--release", f.dist, "--receipt", to, "--report", report, "--dir", f.dir); code != 0 {
		t.Fatal(stderr)
	}
	html, err := os.ReadFile(report)
	if err != nil || !bytes.Contains(html, []byte("Nothing is allowed because")) || bytes.Contains(html, []byte("http://cdn")) {
		t.Errorf("the report: %v %.200s", err, html)
	}
	if code, _, stderr := call("verify", to, "--dir", f.dir, "--input", in); code != 0 {
		t.Error(stderr)
	}
	if code, _, _ := call("verify", to, "--dir", f.dir, "--input", f.write(t, "c.csv")); code != 1 {
		t.Error("a receipt about another input is valid")
	}
	data, _ := os.ReadFile(to)
	forged := bytes.Replace(data, []byte(`"rows":`), []byte(`"rows":1`), 1)
	if err := os.WriteFile(to, forged, 0o644); err != nil || bytes.Equal(data, forged) {
		t.Fatal(err)
	}
	if code, _, _ := call("verify", to, "--dir", f.dir); code != 1 {
		t.Error("a forged receipt is valid")
	}
}

// screenDamaged screens damaged input: the damage must be reported, the rest
// screened, and the exit code be 1.
func (f *screenFixture) screenDamaged(t *testing.T) {
	whole := func(name string) []byte {
		data, err := os.ReadFile(f.write(t, name))
		must(t, err)
		return data
	}
	cut := func(data []byte) []byte { return data[:len(data)*2/3] }
	wet := whole("c.wet")
	for name, x := range map[string]struct {
		data  []byte
		least int // rows that must be screened nevertheless
		named string
	}{
		"cut.parquet":   {cut(whole("c.parquet")), 0, "cut.parquet"},
		"noise.parquet": {bytes.Repeat([]byte("PAR1"), 50), 0, "noise.parquet"},
		"cut.jsonl.gz":  {cut(whole("c.jsonl.gz")), 0, "cut.jsonl.gz"},
		"bad.jsonl":     {append([]byte("{\n\xff\n"), whole("c.jsonl")...), len(f.rows), "row 1"},
		"cut.wet":       {cut(wet), 5, "cut.wet"},
		"length.wet":    {bytes.Replace(wet, []byte("Content-Length: "), []byte("Content-Length: 1"), 1), len(f.rows), "row 1: the record is broken"},
		"long.jsonl":    {slices.Concat(bytes.Repeat([]byte("x"), 17<<20), []byte("\n"), whole("c.jsonl")), len(f.rows), "row 1: the line is longer"},
		"long.csv":      {slices.Concat([]byte("url\n"), bytes.Repeat([]byte("x"), 40<<20)), 0, "long.csv"},
		"text.jsonl":    {[]byte(`{"url":"https://nobody.example/"}` + "\n"), 1, ""},
	} {
		path := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(path, x.data, 0o644))
		folder := t.TempDir()
		to := filepath.Join(folder, "out.csv")
		code, stdout, stderr := call("screen", path, f.write(t, "c.csv"), "--release", f.dist, "--out", to)
		rows := readCSV(t, to)
		if want := min(1, len(x.named)); code != want || !strings.Contains(stdout, x.named) {
			t.Errorf("%s: exit code %d, %q not named\n%.500s\n%s", name, code, x.named, stdout, stderr)
		}
		if len(rows) < x.least+len(f.rows) {
			t.Errorf("%s: %d rows, want %d and more", name, len(rows), x.least+len(f.rows))
		}
		if left, _ := os.ReadDir(folder); len(left) != 1 {
			t.Errorf("%s: %d files are left", name, len(left))
		}
	}
}

// damagedRelease screens against a changed release: there must be no verdict.
func (f *screenFixture) damagedRelease(t *testing.T) {
	name := filepath.Join(f.dist, "v1/public/release/hosts.parquet")
	data, err := os.ReadFile(name)
	must(t, err)
	data[len(data)/2] ^= 1
	must(t, os.WriteFile(name, data, 0o644))
	to := filepath.Join(t.TempDir(), "out.csv")
	code, _, stderr := call("screen", f.write(t, "c.csv"), "--release", f.dist, "--out", to)
	if code != 1 || !strings.Contains(stderr, "hosts.parquet") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	assert.Fails(t, assert.Err(os.Stat(to)), "something was written")
}

// serviceAt returns the service over published files without an origin, at an
// instant.
func serviceAt(dir, at string) edge.Handler {
	now, _ := time.Parse(time.RFC3339, at)
	return serviceOverAt(dir, func() time.Time { return now })
}

// summarize screens the fixture's data set with a summary in all forms, and
// computes what it must say from the rows that were written.
func (f *screenFixture) summarize(t *testing.T, at string) {
	in, dir := f.write(t, "c.jsonl"), t.TempDir()
	name := func(ending string) string { return filepath.Join(dir, "summary"+ending) }
	args := []string{"screen", in, "--release", f.dist, "--use", "training", "--at", at, "--dir", f.dir, "--summary", name(".json"), "--summary", name(".html"), "--summary", name(".csv")}
	all, kept := filepath.Join(dir, "all.csv"), filepath.Join(dir, "kept.csv")
	if code, _, stderr := call(append(args, "--out", all)...); code != 0 {
		t.Fatal(stderr)
	}
	if code, _, stderr := call(append(args, "--out", kept, "--keep", "signal_allow,unknown")...); code != 0 {
		t.Fatal(stderr)
	}
	reservedRows, bytesOfTexts := int64(0), int64(0)
	for i, row := range readCSV(t, all) {
		bytesOfTexts += int64(len(f.rows[i].Text))
		if row["verdict"] == "declined" || row["verdict"] == "license_required" {
			reservedRows++
		}
	}
	data, err := os.ReadFile(name(".json"))
	must(t, err)
	var doc struct {
		Document string
		Summary  screen.Summary
	}
	if err := json.Unmarshal(data, &doc); err != nil || doc.Document != "training_content_summary" {
		t.Fatalf("%v in %.200s", err, data)
	}
	s := doc.Summary
	if written := int64(len(readCSV(t, kept))); s.Rows != int64(len(f.rows)) || s.Bytes != bytesOfTexts || s.Written != written || written == s.Rows {
		t.Errorf("%d rows, %d bytes, %d written; there are %d, %d and %d", s.Rows, s.Bytes, s.Written, len(f.rows), bytesOfTexts, written)
	}
	most, channels := int64(0), map[string]bool{}
	for _, r := range s.Reservations {
		if r.Rows != r.LeftOut || r.Rows == 0 || r.Use != "training" || strings.Compare(r.FirstRead, r.LastRead) > 0 {
			t.Errorf("%+v", r)
		}
		most, channels[r.Channel] = max(most, r.Rows), true
	}
	if reservedRows == 0 || most != reservedRows || len(channels) < 2 { // these publishers state everything that they reserve
		t.Errorf("%d rows are reserved, and the summary says %+v", reservedRows, s.Reservations)
	}
	if len(s.Largest) == 0 || len(s.Largest) != (s.Domains+9)/10 || len(s.Open) == 0 {
		t.Errorf("%d of %d domains, %d open matters", len(s.Largest), s.Domains, len(s.Open))
	}
	f.verifySummary(t, data, in)
	if code, _, stderr := call(append(args, "--workers", "5", "--keep", "signal_allow,unknown", "--out", filepath.Join(dir, "again.csv"))...); code != 0 {
		t.Fatal(stderr)
	}
	if again, err := os.ReadFile(name(".json")); err != nil || !bytes.Equal(data, again) {
		t.Errorf("another run gives another summary: %v", err)
	}
}

// verifySummary verifies the summary as a receipt is verified, and one that was
// changed.
func (f *screenFixture) verifySummary(t *testing.T, data []byte, input string) {
	for want, text := range map[int][]byte{0: data, 1: bytes.Replace(data, []byte(`"rows":`), []byte(`"rows":1`), 1)} {
		name := filepath.Join(t.TempDir(), "summary.json")
		must(t, os.WriteFile(name, text, 0o600))
		if code, _, stderr := call("verify", name, "--input", input, "--dir", f.dir); code != want {
			t.Errorf("verify ends with %d, not %d: %s", code, want, stderr)
		}
	}
}

func TestSummaryIsRefused(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"--summary a.txt", "--small-provider", "--summary a.csv --private", "--summary a.csv --site harbor-ledger"} {
		code, _, stderr := call(append([]string{"screen", "a.csv", "--release", "mirror"}, strings.Fields(args)...)...)
		if code != 2 || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s ends with %d: %s", args, code, stderr)
		}
	}
}
