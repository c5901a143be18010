package generator

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/generator/verify"
	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql/schematest"
	"colophon/internal/release"
	"colophon/internal/wire"
	"colophon/internal/withdrawn"
)

func build1(tb testing.TB, store origin.Catalog, dir string, workers int) Report {
	tb.Helper()
	r, err := Build(context.Background(), store, dir, testOptions(tb, workers))
	must(tb, err)
	return r
}

// readTree returns every file of a folder, except the list of withdrawals since the
// release, which is not part of it.
func readTree(tb testing.TB, dir string) map[string][]byte {
	tb.Helper()
	out := map[string][]byte{}
	must(tb, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		if name := filepath.ToSlash(rel); name != withdrawn.Key {
			out[name] = data
		}
		return err
	}))
	return out
}

func TestTwoBuildsAreByteIdentical(t *testing.T) {
	t.Parallel()
	a, b := newStore(t), newStore(t)
	populate(t, a, 40)
	populate(t, b, 40)
	root := t.TempDir()
	first := build1(t, a, filepath.Join(root, "one"), 1)
	again := build1(t, a, filepath.Join(root, "two"), 7)
	other := build1(t, b, filepath.Join(root, "three"), 3)
	if first.Issued == 0 || again.Issued != 0 || other.Issued != first.Issued {
		t.Errorf("issued %d, then %d, elsewhere %d", first.Issued, again.Issued, other.Issued)
	}
	one := readTree(t, filepath.Join(root, "one"))
	for _, dir := range []string{"two", "three"} {
		tree := readTree(t, filepath.Join(root, dir))
		if len(tree) != len(one) {
			t.Errorf("%s has %d files, want %d", dir, len(tree), len(one))
		}
		for name, data := range one {
			if !bytes.Equal(data, tree[name]) {
				t.Errorf("%s: %s differs", dir, name)
			}
		}
	}
	if len(one) < 3*40*3 {
		t.Errorf("only %d files", len(one))
	}
}

func TestBuildVerifies(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 30)
	report := build1(t, store, dir, 2)
	a := verified(t, dir)
	if a.Records < 90 || a.Links < 90 || report.Pages != 90 || report.Publishers != 3 {
		t.Errorf("audit %+v of %+v", a, report)
	}
}

// TestVerifyFinds damages a build in every way that Verify must find.
func TestVerifyFinds(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	populate(t, store, 3)
	pristine := filepath.Join(t.TempDir(), "dist")
	build1(t, store, pristine, 2)
	entry := addPageID(t, store)
	record := string(exports.KeyOf(exports.RecordPath(entry)))
	citation := string(exports.KeyOf(exports.CitationPath(entry)))
	forgeList := func(dir string) { // as somebody who has the key would
		relist(t, dir, func([]release.File) (files []release.File) {
			tree := readTree(t, dir)
			for _, name := range slices.Sorted(maps.Keys(tree)) {
				if !target.IsNote(name) && release.Listed(name) {
					files = append(files, release.FileOf(name, tree[name]))
				}
			}
			return files
		})
	}
	edit := func(dir, name, from, to string) {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		must(t, err)
		if !strings.Contains(string(data), from) {
			t.Fatalf("%s has no %q: %s", name, from, data)
		}
		must(t, os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o644))
	}
	for _, tc := range []struct {
		name, finding string
		damage        func(dir string)
	}{
		{"a changed byte", "not as it was published", func(d string) { edit(d, record, "Data desk", "Data Desk") }},
		{"a file removed", "missing", func(d string) { must(t, os.Remove(filepath.Join(d, citation))) }},
		{"a file added", "not in the build's list", func(d string) { must(t, os.WriteFile(filepath.Join(d, "extra.html"), nil, 0o644)) }},
		{"a record changed and relisted", "signature_invalid", func(d string) { edit(d, record, "Data desk", "Data Desk"); forgeList(d) }},
		{"a record of another entry", "is the record of", func(d string) {
			other := readTree(t, d)[record]
			must(t, os.WriteFile(filepath.Join(d, strings.Replace(record, "ent_", "ent_0", 1)), other, 0o644))
			forgeList(d)
		}},
		{"a citation that differs", "differs from its provenance record", func(d string) {
			edit(d, citation, `"digest":"`, `"digest":"0`)
			forgeList(d)
		}},
		{"white space", "not canonical", func(d string) { edit(d, citation, `{"`, `{ "`); forgeList(d) }},
		{"an address that leads nowhere, in a channel pack", "names " + testBase + "/publishers/alpha/reporting/, at which nothing", func(d string) {
			edit(d, "publishers/alpha/pack/license.xml", "/publishers/alpha/request/", "/publishers/alpha/reporting/")
			forgeList(d)
		}},
		{"a dead link", "at which nothing is published or answered", func(d string) {
			must(t, os.Remove(filepath.Join(d, filepath.FromSlash(record))))
			forgeList(d)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "dist")
			must(t, os.CopyFS(dir, os.DirFS(pristine)))
			tc.damage(dir)
			a, err := verify.Release(dir)
			must(t, err)
			if !strings.Contains(strings.Join(a.Findings, "\n"), tc.finding) {
				t.Errorf("findings %q do not say %q", a.Findings, tc.finding)
			}
		})
	}
}

// addPageID returns the id of a page that populate registers.
func addPageID(t *testing.T, store origin.Catalog) string {
	t.Helper()
	pages, err := store.PagesOf(context.Background(), "alpha", "", 1)
	must(t, err)
	return pages[0].EntryID
}

func TestOnlyPublicPublishersAppear(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 5)
	build1(t, store, dir, 2)
	for name, data := range readTree(t, dir) {
		for _, id := range []string{"hidden", "waiting", "stopped"} {
			if strings.Contains(name, id) || bytes.Contains(data, []byte(id+".example")) || bytes.Contains(data, []byte("Site "+id)) {
				t.Errorf("%s shows the publisher %q", name, id)
			}
		}
	}
}

// TestCanaries stores a mark in every private column, and checks that no
// published file contains it.
func TestCanaries(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	populate(t, store, 5)
	added, err := store.AddUseReports(context.Background(), []origin.UseReport{{
		ReporterKind: "partner", ReporterID: "PRIVATE-reporter", EventKey: "PRIVATE-key", EntryID: addPageID(t, store), SiteID: "alpha",
		Event: "PRIVATE-event", Agent: "PRIVATE-agent", OccurredAt: "private-instant", ReportedAt: "private-instant",
	}})
	must(t, err)
	build1(t, store, dir, 2)
	files := readTree(t, dir)
	for name, data := range files {
		if bytes.Contains(data, []byte("PRIVATE-")) || bytes.Contains(data, []byte("private-")) {
			t.Errorf("%s has a private text", name)
		}
	}
	body, err := schematest.RawBody(context.Background(), store.DB(), addPageID(t, store))
	must(t, err)
	if !strings.HasPrefix(body.Text, "PRIVATE-") || len(added) != 1 || len(files) < 50 {
		t.Fatal("the canaries were not planted")
	}
}

func TestUnsafeBuildsAreRefused(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 3)
	plain := testOptions(t, 2)
	plain.Ledger = nil // a log is never rolled back: see TestLedgerIsNeverRolledBack
	_, err := Build(context.Background(), store, dir, plain)
	must(t, err)
	before := readTree(t, dir)

	vanished := newStore(t)
	addSite(t, vanished, "alpha")
	addSite(t, vanished, "beta")
	for n := range 200 { // as many changes as before, so that only the publisher is missing
		addPage(t, vanished, "alpha", n)
	}
	_, err = Build(context.Background(), vanished, dir, plain)
	if !errors.Is(err, ErrUnsafe) || !strings.Contains(err.Error(), `"gamma"`) {
		t.Errorf("a vanished publisher: %v", err)
	}
	old := newStore(t)
	addSite(t, old, "alpha")
	_, err = Build(context.Background(), old, dir, plain)
	if !errors.Is(err, ErrUnsafe) || !strings.Contains(err.Error(), "rollback") {
		t.Errorf("time that ran backwards: %v", err)
	}
	after := readTree(t, dir)
	assert.Equal(t, len(after), len(before), "a refused build changed the previous one")
	for name, data := range before {
		if !bytes.Equal(after[name], data) {
			t.Errorf("a refused build changed %s", name)
		}
	}
	opt := plain
	opt.Accept = map[string]bool{"vanished": true, "rollback": true}
	if _, err := Build(context.Background(), old, dir, opt); err != nil {
		t.Errorf("accepted findings: %v", err)
	}
	suspended := newStore(t)
	populate(t, suspended, 30)
	s, err := suspended.Site(context.Background(), "gamma")
	must(t, err)
	s.State = origin.Suspended
	must(t, suspended.PutSite(context.Background(), s))
	if _, err := Build(context.Background(), suspended, dir, plain); err != nil {
		t.Errorf("a publisher that was suspended may go: %v", err)
	}
}

func TestForeignFolderIsRefused(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	populate(t, store, 1)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "letter.txt"), []byte("dear"), 0o644))
	if _, err := Build(context.Background(), store, dir, testOptions(t, 1)); err == nil {
		t.Fatal("a folder with something else in it was replaced")
	}
	if data, err := os.ReadFile(filepath.Join(dir, "letter.txt")); err != nil || string(data) != "dear" {
		t.Errorf("the letter is gone: %v", err)
	}
}

// TestRecordsSupersede follows one page through an edit, a change of policy
// and a withdrawal.
func TestRecordsSupersede(t *testing.T) {
	t.Parallel()
	ctx, store := context.Background(), newStore(t)
	addSite(t, store, "alpha")
	p := addPage(t, store, "alpha", 1)
	dir := filepath.Join(t.TempDir(), "dist")
	current := func() exports.Record {
		t.Helper()
		build1(t, store, dir, 2)
		data, err := os.ReadFile(filepath.Join(dir, string(exports.KeyOf(exports.RecordPath(p.EntryID)))))
		must(t, err)
		var r exports.Record
		must(t, wire.Decode(data, &r, wire.Trusted))
		return r
	}
	if r := current(); r.Version != 1 || r.Supersedes != "" || r.Passport.RightsVector != "LUUUUUUU" {
		t.Fatalf("first record: %+v", r)
	}
	addPage(t, store, "alpha", 1, func(p *origin.Page) { p.Title, p.ChangedAt = "Edited", "2026-08-01T00:00:00Z" })
	if r := current(); r.Version != 2 || r.Source.Title != "Edited" || r.Proof.Created != "2026-08-01T00:00:00Z" {
		t.Errorf("after an edit: %+v", r)
	}
	must(t, store.PutPreference(ctx, origin.Preference{SiteID: "alpha", Use: "training", Inquiry: "not_offered", Declared: "disallow", Source: "publisher", ChangedAt: "2026-09-01T00:00:00Z"}))
	if r := current(); r.Version != 3 || r.Passport.RightsVector != "LDUUUUUU" || r.Proof.Created != "2026-09-01T00:00:00Z" {
		t.Errorf("after a change of policy: %+v", r)
	}
	addPage(t, store, "alpha", 1, func(p *origin.Page) {
		p.Title, p.State, p.ChangedAt = "Edited", "withdrawn", "2026-10-01T00:00:00Z"
	})
	if r := current(); r.Version != 4 || !r.Withdrawn {
		t.Errorf("after withdrawal: %+v", r)
	}
	assert.ErrorIs(t, assert.Err(os.Stat(filepath.Join(dir, string(exports.KeyOf(exports.CitationPath(p.EntryID)))))), fs.ErrNotExist, "the citation of a withdrawn page is still published")
	a, err := verify.Release(dir)
	must(t, err)
	if len(a.Findings) > 0 || a.Records != 5 {
		t.Errorf("%+v", a)
	}
}
