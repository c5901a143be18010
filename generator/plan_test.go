package generator

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/internal/assert"
	"colophon/internal/origin"
)

// modTimes returns when each file below a folder was last written.
func modTimes(tb testing.TB, dir string) map[string]int64 {
	tb.Helper()
	out := map[string]int64{}
	for name := range readTree(tb, dir) {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		must(tb, err)
		out[name] = info.ModTime().UnixNano()
	}
	return out
}

func TestNothingChanged(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 5)
	first := build1(t, store, dir, 2)
	before := modTimes(t, dir)
	again := build1(t, store, dir, 2)
	if first.Service == 0 || first.Service >= first.Files {
		t.Errorf("%d of %d files are the service's own", first.Service, first.Files)
	}
	if first.Unchanged || !again.Unchanged {
		t.Errorf("unchanged: %v, then %v", first.Unchanged, again.Unchanged)
	}
	for name, at := range modTimes(t, dir) {
		assert.Equal(t, before[name], at, "%s was written", name)
	}
	if again.Release != first.Release || again.Pages != first.Pages || again.Files != first.Files || again.LedgerSize != first.LedgerSize {
		t.Errorf("told %+v, then %+v", first, again)
	}
}

// TestUnknownProgramBuildsAll checks that a program that cannot read itself
// renders everything, because it cannot know whether it made the published
// build.
func TestUnknownProgramBuildsAll(t *testing.T) {
	known := programDigest
	t.Cleanup(func() { programDigest = known })
	programDigest = func() (string, error) { return "", errors.New("there is no /proc") }
	store, dir := populated(t, 2)
	first := build1(t, store, dir, 2)
	again := build1(t, store, dir, 2)
	if again.Unchanged || again.Due != first.Due {
		t.Errorf("unchanged %v, %d pages due, want all %d", again.Unchanged, again.Due, first.Due)
	}
}

// TestNotUnchanged checks that a build does not end early after a change of
// the origin, of the options or of the published notes.
func TestNotUnchanged(t *testing.T) {
	t.Parallel()
	built := t.TempDir()
	first := openStore(t, filepath.Join(built, "origin.db"))
	addSite(t, first, "alpha")
	addPage(t, first, "alpha", 1)
	build1(t, first, filepath.Join(built, "dist"), 2)
	must(t, first.DB().Close())
	for name, change := range map[string]func(t *testing.T, store origin.Catalog, dir string, opt *Options){
		"a page": func(t *testing.T, store origin.Catalog, _ string, _ *Options) { addPage(t, store, "alpha", 77) },
		"an observation, looked at again": func(t *testing.T, store origin.Catalog, _ string, _ *Options) {
			must(t, store.PutObservation(context.Background(), origin.Observation{SiteID: "alpha", Channel: "robots", URL: "https://alpha.example/robots.txt", Status: 404, FetchedAt: "2026-01-01T00:00:00Z"}))
		},
		"the name of the service": func(_ *testing.T, _ origin.Catalog, _ string, opt *Options) { opt.Name = "Another" },
		"the address":             func(_ *testing.T, _ origin.Catalog, _ string, opt *Options) { opt.BaseURL = "https://other.example" },
		"the form":                func(_ *testing.T, _ origin.Catalog, _ string, opt *Options) { opt.Form = FormPacks },
		"a whole build":           func(_ *testing.T, _ origin.Catalog, _ string, opt *Options) { opt.Whole = true },
		"leaves of another build": func(t *testing.T, store origin.Catalog, _ string, _ *Options) {
			size, err := store.LedgerSize(context.Background())
			must(t, err)
			must(t, store.AppendLedger(context.Background(), []origin.LedgerEvent{{Position: size, Kind: origin.LedgerIndex, Event: "index_published", Digest: "x", At: "2026-08-01T00:00:00Z", Leaf: "{}"}}))
		},
		"notes of another program": func(t *testing.T, _ origin.Catalog, dir string, _ *Options) {
			path := filepath.Join(dir, filepath.FromSlash(NotesFile))
			data, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, []byte(strings.Replace(string(data), `"settings":"`, `"settings":"0`, 1)), 0o644))
		},
		"another checkpoint elsewhere": func(_ *testing.T, _ origin.Catalog, _ string, opt *Options) {
			opt.Ledger.Remembered = func() ([]byte, error) { return nil, errors.New("cannot be read") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			must(t, os.CopyFS(root, os.DirFS(built)))
			store, dir := openStore(t, filepath.Join(root, "origin.db")), filepath.Join(root, "dist")
			opt := testOptions(t, 2)
			change(t, store, dir, &opt)
			r, err := Build(context.Background(), store, dir, opt)
			if err == nil && r.Unchanged {
				t.Error("the build ended early")
			}
		})
	}
}

// TestRestoredOriginBuildsAnew restores a backup of the origin and makes more
// changes than were published since the backup: no output from before the
// restore may stay.
func TestRestoredOriginBuildsAnew(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "dist")
	store := openStore(t, filepath.Join(root, "origin.db"))
	addSite(t, store, "alpha")
	left, kept := addPage(t, store, "alpha", 1), addPage(t, store, "alpha", 2)
	opt := testOptions(t, 2)
	opt.Ledger = nil // with a log, the build would refuse the restored origin
	build := func(s origin.Catalog) {
		t.Helper()
		_, err := Build(context.Background(), s, dir, opt)
		must(t, err)
	}
	build(store)
	backup := copyStore(t, store, filepath.Join(root, "backup.db"))
	change(t, store, left, "Left behind", "2026-09-01T00:00:00Z")
	build(store)
	for _, title := range []string{"One", "Two", "Three"} {
		change(t, backup, kept, title, "2026-09-02T00:00:00Z")
	}
	build(backup)
	page, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(exports.KeyOf(exports.CitationPath(left.EntryID))))))
	must(t, err)
	assert.Lacks(t, "a page is published as the origin no longer has it", string(page), "Left behind")
}

// TestCutRows truncates the rows of the published build: everything must be
// rendered again.
func TestCutRows(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addSite(t, store, "alpha")
	for n := range 3 {
		addPage(t, store, "alpha", n)
	}
	root := t.TempDir()
	dir := filepath.Join(root, "dist")
	build1(t, store, dir, 2)
	rows, err := os.ReadFile(rowsPath(dir))
	must(t, err)
	must(t, os.WriteFile(rowsPath(dir), rows[:len(rowsHeader(noToken))], 0o600))
	addPage(t, store, "alpha", 9)
	if r := build1(t, store, dir, 2); r.Due != 4 || r.Pages != 4 {
		t.Errorf("built %+v", r)
	}
}

func TestDryRunTellsWhatIsDue(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addSite(t, store, "alpha")
	for n := range 5 {
		addPage(t, store, "alpha", n)
	}
	root := t.TempDir()
	dir := filepath.Join(root, "dist")
	dry := func() Report {
		t.Helper()
		before, times := readTree(t, root), modTimes(t, root)
		r, err := DryRun(context.Background(), store, dir, testOptions(t, 2))
		must(t, err)
		if !maps.EqualFunc(readTree(t, root), before, bytes.Equal) || !maps.Equal(modTimes(t, root), times) {
			t.Error("a dry run wrote")
		}
		return r
	}
	if r := dry(); r.Due != 5 || r.Issued != 5 {
		t.Errorf("before the first build %+v", r)
	}
	if left, _ := os.ReadDir(root); len(left) > 0 {
		t.Errorf("a dry run left %v", left)
	}
	if r := build1(t, store, dir, 2); r.Issued != 5 {
		t.Errorf("the build after a dry run issues %d records: the dry run wrote to the origin", r.Issued)
	}
	if r := dry(); !r.Unchanged || r.Due != 0 {
		t.Errorf("after it %+v", r)
	}
	addPage(t, store, "alpha", 9)
	if r := dry(); r.Due != 1 || r.Issued != 1 {
		t.Errorf("with one page more %+v", r)
	}
}

// TestTwoBuildsOfOneOrigin checks that a build returns an error if another
// build has issued the same record, or is using the same folder.
func TestTwoBuildsOfOneOrigin(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	store := openStore(t, filepath.Join(root, "origin.db"))
	addSite(t, store, "alpha")
	addPage(t, store, "alpha", 1)
	once := false
	meet := meeting{Catalog: store, meet: func() {
		if !once {
			once = true
			build1(t, store, filepath.Join(root, "two"), 2)
		}
	}}
	_, err := Build(context.Background(), meet, filepath.Join(root, "one"), testOptions(t, 2))
	assert.ErrorIs(t, err, ErrOtherBuild, "a build beside another one")
	build1(t, store, filepath.Join(root, "one"), 2)

	lock, err := target.OpenFolder(filepath.Join(root, "one"))
	must(t, err)
	defer lock.Close()
	assert.ErrorIs(t, assert.Err(Build(context.Background(), store, filepath.Join(root, "one"), testOptions(t, 2))), target.ErrBusy, "a build into the same folder")
}

// meeting is an origin that calls meet before it adds records.
type meeting struct {
	origin.Catalog
	meet func()
}

func (m meeting) AddRecords(ctx context.Context, records []origin.Record) error {
	m.meet()
	return m.Catalog.AddRecords(ctx, records)
}

// TestErrorAfterPublishing checks that a build that fails after it published
// the release returns ErrPublished, and that the next build continues.
func TestErrorAfterPublishing(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	entries := addEntries(t, store, 10)
	build1(t, store, dir, 1)
	must(t, os.Remove(rowsPath(dir)))
	must(t, os.MkdirAll(filepath.Join(rowsPath(dir), "in the way"), 0o755))
	change(t, store, entries[0], "Changed", "2026-09-01T00:00:00Z")
	if _, err := Build(t.Context(), store, dir, testOptions(t, 1)); !errors.Is(err, ErrPublished) {
		t.Fatalf("rows that cannot be kept: %v", err)
	}
	page := filepath.Join(dir, filepath.FromSlash(string(exports.KeyOf(exports.CitationPath(entries[0].EntryID)))))
	if data, err := os.ReadFile(page); err != nil || !bytes.Contains(data, []byte("Changed")) {
		t.Errorf("the change is not published: %v", err)
	}

	must(t, os.RemoveAll(rowsPath(dir)))
	build1(t, store, dir, 1)
	wantSound(t, dir)
}

// TestDryRunOfADamagedFolder checks that a dry run ignores a damaged list of
// files, as a build does, and requires a key.
func TestDryRunOfADamagedFolder(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	addEntries(t, store, 10)
	build1(t, store, dir, 1)
	damageList(t, dir)
	addPage(t, store, "alpha", 900)
	r, err := DryRun(t.Context(), store, dir, testOptions(t, 1))
	if err != nil || r.Due == 0 {
		t.Errorf("%d entries are due, %v", r.Due, err)
	}
	opt := testOptions(t, 1)
	opt.Signer = nil
	if _, err := DryRun(t.Context(), store, dir, opt); !errors.Is(err, errNoSigner) {
		t.Errorf("without a key: %v", err)
	}
}
