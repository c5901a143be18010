package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/blob"
	entrydoc "colophon/internal/blob/document"
	"colophon/internal/blob/entryfacts"
	"colophon/internal/published"
	"colophon/internal/release"
	"colophon/worker"
	"colophon/worker/edge"
)

// TestDemoInPacks builds the demo in both forms and requests every published
// address from a service over each: the answers must have the same status,
// headers and bytes. In the short form it requests some addresses of each
// folder; TestPacksAnswerAsFiles of the generator compares the bytes of all.
func TestDemoInPacks(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "reg")
	fixtures.demo.copyTo(t, dir)
	packs := filepath.Join(t.TempDir(), "packs")
	for _, args := range [][]string{
		{"build", "--dir", dir, "--form", "packs", "--out", packs},
		{"verify", packs},
	} {
		if code, stdout, stderr := call(args...); code != 0 {
			t.Fatalf("%q: exit code %d\n%s\n%s", args, code, stdout, stderr)
		}
	}
	files := filepath.Join(dir, "dist")
	verifyOneRecord(t, files, packs)
	overFiles, overPacks := serviceOver(files), serviceOver(packs)
	spelled, asked := 0, map[string]int{}
	for _, key := range publishedKeys(t, files) {
		if !release.Listed(key) { // it lists other files
			continue
		}
		if _, err := os.Stat(filepath.Join(packs, filepath.FromSlash(key))); err != nil {
			spelled++
		}
		folder := kindOfKey(key)
		if asked[folder]++; testing.Short() && asked[folder] > 12 {
			continue
		}
		for _, r := range questionsOf(key) {
			want, got := overFiles(t.Context(), r), overPacks(t.Context(), r)
			if want.Status >= 400 && r.Header.Get("accept") == "" {
				t.Fatalf("%s %s is answered %d over files", r.Method, r.Path, want.Status)
			}
			if want.Status != got.Status || !bytes.Equal(want.Body, got.Body) || !slices.Equal(want.Header, got.Header) {
				t.Errorf("%s %s: %d %v %.200q, want %d %v %.200q", r.Method, r.Path, got.Status, got.Header, got.Body, want.Status, want.Header, want.Body)
			}
			tag := got.Header.Get("etag")
			if tag == "" {
				continue
			}
			known := *r
			known.Header = append(slices.Clone(r.Header), edge.Field{Name: "if-none-match", Value: tag})
			if again := overPacks(t.Context(), &known); again.Status != 304 || len(again.Body) > 0 {
				t.Errorf("%s %s with its tag: %d", r.Method, r.Path, again.Status)
			}
		}
	}
	if spelled < 100 {
		t.Errorf("only %d documents of the demo are in packs", spelled)
	}
	const nobody = "ent_000000000000000000000000"
	for _, path := range []string{exports.RecordPath(nobody), exports.CitationPath(nobody), exports.CitationPage(nobody)} {
		if got := overPacks(t.Context(), &edge.Request{Method: "GET", Path: path}); got.Status != 404 {
			t.Errorf("%s: %d, want 404", path, got.Status)
		}
	}
}

// kindOfKey returns the folder of a key, without the ids of entries in it.
func kindOfKey(key string) string {
	if d, ok := entrydoc.ParseKey(key); ok {
		return fmt.Sprint("document ", d.Kind)
	}
	return path.Dir(key)
}

// verifyOneRecord verifies a record's place in the ledger with a build in
// packs, where its proof is not a file.
func verifyOneRecord(t *testing.T, files, packs string) {
	t.Helper()
	records, err := filepath.Glob(filepath.Join(files, "v1", "public", "contentdna-provenance", "*.json"))
	if err != nil || len(records) == 0 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	args := []string{"verify", records[0], "--ledger", packs, "--keys", filepath.Join(files, filepath.FromSlash(string(exports.KeyOf(exports.WellKnownKeys))))}
	if code, stdout, stderr := call(args...); code != 0 || !strings.Contains(stdout, "ledger") {
		t.Errorf("%q: exit code %d\n%s\n%s", args, code, stdout, stderr)
	}
}

// serviceOver returns the service over a build without an origin.
func serviceOver(dir string) edge.Handler { return serviceOverAt(dir, time.Now) }

func serviceOverAt(dir string, now func() time.Time) edge.Handler {
	return worker.New(worker.Deps{BaseURL: "https://demo.example", Assets: published.Files(blob.Folder(dir)), Now: now, Log: func(string) {}})
}

// publishedKeys returns the keys of all files with an address, except those of
// only one form and a build's notes.
func publishedKeys(t *testing.T, dir string) (keys []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		key := filepath.ToSlash(rel)
		if !strings.HasPrefix(key, "_") && !strings.HasPrefix(key, ".") && !strings.HasSuffix(key, ".gz") {
			keys = append(keys, key)
		}
		return err
	})
	must(t, err)
	return keys
}

// questionsOf returns requests for a file by its address; for a citation, in
// all of its forms.
func questionsOf(key string) []*edge.Request {
	path := "/" + key
	path = strings.TrimSuffix(path, "index.html")
	if exports.KeyOf(strings.TrimSuffix(path, ".json")) == exports.Key(key) {
		path = strings.TrimSuffix(path, ".json")
	}
	forms := []string{""}
	if d, ok := entrydoc.ParseKey(key); ok && d.Kind == entryfacts.DocCitation {
		path = exports.CitationPath(d.EntryID)
		forms = append(forms, "application/x-bibtex", "application/vnd.citationstyles.csl+json", "text/html", "text/plain")
	}
	var out []*edge.Request
	if d, ok := entrydoc.ParseKey(key); ok && d.Kind == entryfacts.DocPage {
		out = append(out, &edge.Request{Method: "HEAD", Path: path}, &edge.Request{Method: "GET", Path: strings.TrimSuffix(path, "/")})
		for _, header := range []edge.Field{{Name: "accept-encoding", Value: "gzip"}, {Name: "accept", Value: "application/json"}} {
			out = append(out, &edge.Request{Method: "GET", Path: path, Header: edge.Header{header}})
		}
	}
	for _, form := range forms {
		r := &edge.Request{Method: "GET", Path: path}
		if form != "" {
			r.Header = edge.Header{{Name: "accept", Value: form}}
		}
		out = append(out, r)
	}
	return out
}
