package generator

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/internal/origin"
	"colophon/internal/release"
	"colophon/internal/release/mirror"
	"colophon/internal/segment"
	"colophon/internal/segment/document"
	"colophon/templates/entrypage"
)

// atStep calls do once, when the builds of a test reach a step.
func atStep(t *testing.T, step string, do func()) {
	t.Helper()
	usual, done := reached, false
	t.Cleanup(func() { reached = usual })
	reached = func(s string) {
		if s == step && !done {
			done = true
			do()
		}
	}
	t.Cleanup(func() {
		if !done {
			t.Errorf("no build reached the step %q", step)
		}
	})
}

// withdrawPage withdraws a page, or gives it another state.
func withdrawPage(tb testing.TB, store origin.Catalog, p origin.Page, change ...func(*origin.Page)) {
	tb.Helper()
	p.State, p.ChangedAt = "withdrawn", "2026-09-01T00:00:00Z"
	for _, c := range change {
		c(&p)
	}
	must(tb, store.PutPage(tb.Context(), p, nil))
}

// suspendSite takes a publisher out, or changes it otherwise.
func suspendSite(tb testing.TB, store origin.Catalog, id string, state origin.SiteState) {
	tb.Helper()
	site, err := store.Site(tb.Context(), id)
	must(tb, err)
	site.State, site.ChangedAt = state, "2026-09-01T00:00:01Z"
	must(tb, store.PutSite(tb.Context(), site))
}

// answers tells which keys are answered over a build.
func answers(t *testing.T, dir string, keys []string) (found, missing []string) {
	t.Helper()
	files := document.Files{Source: newFolderSource(dir), SpellPage: entrypage.Spell}
	for _, key := range keys {
		switch _, err := files.Read(t.Context(), key); {
		case err == nil:
			found = append(found, key)
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, key)
		default:
			t.Fatalf("%s: %v", key, err)
		}
	}
	return found, missing
}

func wantAnswered(t *testing.T, dir, when string, keys ...string) {
	t.Helper()
	if _, missing := answers(t, dir, keys); len(missing) > 0 {
		t.Errorf("%s: %q is not answered", when, missing)
	}
}

func wantMissing(t *testing.T, dir, when string, keys ...string) {
	t.Helper()
	if found, _ := answers(t, dir, keys); len(found) > 0 {
		t.Errorf("%s: %q is answered", when, found)
	}
}

// currentDocuments are the documents of an entry that tell of it as it is.
func currentDocuments(id string) []string {
	return []string{string(exports.KeyOf(exports.RecordPath(id))), string(exports.KeyOf(exports.CitationPath(id))), string(exports.KeyOf(exports.CitationPage(id)))}
}

func versionKey(id string, n int64) string {
	return string(exports.KeyOf(exports.RecordVersionPath(id, n)))
}

// wantListed checks the signed list of a build: its tiles are as it says, and name the
// files of the folder and those in segments, with their digests.
func wantListed(t *testing.T, dir string) {
	t.Helper()
	opt := testOptions(t, 1)
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(release.ListKey)))
	must(t, err)
	list, err := release.ParseList(data, opt.Keys)
	must(t, err)
	listed := map[string]fileNote{}
	files, size := int64(0), int64(0)
	for i := range list.Tiles {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(list.Tiles[i].Name)))
		must(t, err)
		if fmt.Sprintf("%x", sumSHA256(text)) != list.Tiles[i].SHA256 {
			t.Errorf("%s is not what the list says", list.Tiles[i].Name)
		}
		part, err := release.ParseFiles(text)
		must(t, err)
		if int64(len(part)) != list.Tiles[i].Count || int64(len(text)) != list.Tiles[i].Size {
			t.Errorf("%s has %d files, the list says %d", list.Tiles[i].Name, len(part), list.Tiles[i].Count)
		}
		for _, f := range part {
			listed[f.Name] = fileNote{sum: f.SHA256, size: f.Size}
			files++
			size += f.Size
		}
	}
	if files != list.Files || size != list.Bytes {
		t.Errorf("the tiles name %d files of %d bytes, the list says %d of %d", files, size, list.Files, list.Bytes)
	}
	published, err := readFileList(dir)
	must(t, err)
	for _, row := range published.rows {
		if !release.Listed(row.name) {
			continue
		}
		note := row.fileNote
		note.packed = false
		if listed[row.name] != note {
			t.Errorf("the signed list does not have %s as it is published", row.name)
		}
		delete(listed, row.name)
	}
	for name := range listed {
		t.Errorf("the signed list names %s, which is not published", name)
	}
}

// wantMirrored copies what is published as mirrors do, from a server that reads it.
func wantMirrored(t *testing.T, dir string) {
	t.Helper()
	files := document.Files{Source: newFolderSource(dir), SpellPage: entrypage.Spell}
	var mu sync.Mutex // the source counts its reads
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		key := strings.TrimPrefix(r.URL.Path, "/")
		data, err := files.Read(r.Context(), key)
		if err != nil {
			data, err = files.Read(r.Context(), string(exports.KeyOf(r.URL.Path)))
		}
		if err != nil {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Write(data) //nolint:errcheck // the client sees it
	}))
	defer server.Close()
	report, err := mirror.Copy(t.Context(), mirror.Options{Base: server.URL, Dir: filepath.Join(t.TempDir(), "mirror"), Client: server.Client(), Workers: 2, Keep: 1})
	if err != nil || report.Files == 0 {
		t.Errorf("the mirror has %d files: %v", report.Files, err)
	}
}

// TestWithdrawalsComeFirst looks at what is published after the first step of a
// build: what was taken out is not answered, all else is, and the release is whole.
// What follows is as if the step had not been.
func TestWithdrawalsComeFirst(t *testing.T) {
	for _, profile := range []segment.Profile{segment.Pages, segment.Packs} {
		t.Run(string(profile), func(t *testing.T) { withdrawalsComeFirst(t, profile) })
	}
}

func withdrawalsComeFirst(t *testing.T, profile segment.Profile) {
	allowDeltas(t, 80)
	store := newStore(t)
	h := newEntryHistory(t, store, 11, 30)
	root := t.TempDir()
	files, dir := filepath.Join(root, "files"), filepath.Join(root, "segments")
	build := func() Report {
		buildForm(t, store, files, FormFiles, "")
		return buildForm(t, store, dir, FormSegments, profile)
	}
	build()
	gone, twice, moved, edited := h.pages[1], h.pages[2], h.pages[3], h.pages[4]
	change(t, store, twice, "A second version", "2026-08-30T00:00:00Z")
	build()

	withdrawPage(t, store, gone)
	withdrawPage(t, store, twice)
	withdrawPage(t, store, moved, func(p *origin.Page) { p.Successor, p.SuccessorURL = h.pages[5].EntryID, h.pages[5].CanonicalURL })
	change(t, store, edited, "Edited", "2026-09-01T00:00:00Z")

	before := readTree(t, dir)
	atStep(t, "withdrawn", func() {
		when := "between the steps"
		wantMissing(t, dir, when, currentDocuments(gone.EntryID)...)
		wantMissing(t, dir, when, currentDocuments(twice.EntryID)...)
		wantMissing(t, dir, when, versionKey(twice.EntryID, 2))
		wantAnswered(t, dir, when, versionKey(twice.EntryID, 1)) // which stays published
		for _, p := range slices.Concat([]origin.Page{moved, edited}, h.pages[5:]) {
			wantAnswered(t, dir, when, currentDocuments(p.EntryID)...)
		}
		a, err := Verify(dir)
		must(t, err)
		if len(a.Findings) > 0 || a.Withdrawn != 2 {
			t.Errorf("findings %q, %d entries are taken out", a.Findings, a.Withdrawn)
		}
		wantListed(t, dir)
		wantMirrored(t, dir)
		differ := differentFiles(before, readTree(t, dir))
		if len(differ) > 12 {
			t.Errorf("%d files differ: %q", len(differ), differ)
		}
	})
	r := build()
	if r.Withdrawn.Entries != 2 || r.Withdrawn.Publishers != 0 || r.Withdrawn.LeftOut != nil || r.Due != 4 {
		t.Errorf("the report is %+v", r)
	}
	wantAnswered(t, dir, "after the build", string(exports.KeyOf(exports.RecordPath(gone.EntryID))), versionKey(twice.EntryID, 2))
	wantListed(t, dir)
	dropExpired(t, dir)
	compareForms(t, files, dir)
	if r := build(); !r.Unchanged || r.Withdrawn.Entries != 0 {
		t.Errorf("the next build is %+v", r)
	}
	withdrawPage(t, store, gone, func(p *origin.Page) { p.Title, p.ChangedAt = "Another", "2026-09-02T00:00:00Z" })
	if r := build(); r.Unchanged || r.Withdrawn.Entries != 0 {
		t.Errorf("after a change of what was withdrawn before: %+v", r)
	}
	if in := readInputs(dir); in.TakenOut != nil {
		t.Errorf("the notes still have %+v", in.TakenOut)
	}
}

// differentFiles are the names of files that differ between two folders.
func differentFiles(before, after map[string][]byte) (names []string) {
	for name, data := range after {
		if old, ok := before[name]; !ok || !bytes.Equal(old, data) {
			names = append(names, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestPublishersThatLeaveComeFirst suspends a publisher: all that it has is gone
// with the first step, offers and all versions too. Restored between the steps and
// after, all of it is back.
func TestPublishersThatLeaveComeFirst(t *testing.T) {
	allowDeltas(t, 400)
	store := newStore(t)
	h := newEntryHistory(t, store, 12, 30)
	must(t, store.PutOffer(t.Context(), origin.Offer{LicenseID: "lic_beta1", SiteID: "beta", Slug: "one", Kind: "custom", Status: "offered", Title: "Some",
		ScopeType: "site", Permits: []string{"training"}, PaymentModel: "use", ValidFrom: "2026-01-01T00:00:00Z", ChangedAt: "2026-01-02T00:00:00Z"}))
	root := t.TempDir()
	files, dir := filepath.Join(root, "files"), filepath.Join(root, "segments")
	build := func() Report {
		buildForm(t, store, files, FormFiles, "")
		return buildForm(t, store, dir, FormSegments, segment.Pages)
	}
	build()
	alpha, beta := h.pages[0].EntryID, h.pages[30]
	change(t, store, beta, "A second version", "2026-08-30T00:00:00Z")
	build()
	packed, err := readRows(dir, packedFile)
	must(t, err)
	var own, others []string
	for _, row := range packed.rows {
		if strings.Contains(row.name, "beta") {
			own = append(own, row.name)
		} else {
			others = append(others, row.name)
		}
	}
	if len(own) < 20 || !slices.Contains(own, "v1/public/license-catalog/lic_beta1.json") {
		t.Fatalf("the publisher has %q", own)
	}
	own = append(own, currentDocuments(beta.EntryID)...)
	own = append(own, versionKey(beta.EntryID, 1), versionKey(beta.EntryID, 2))
	others = append(others, currentDocuments(alpha)...)

	site, err := store.Site(t.Context(), "beta")
	must(t, err)
	suspendSite(t, store, "beta", origin.Suspended)
	r, err := PublishWithdrawals(t.Context(), store, dir, segmentOptions(t))
	must(t, err)
	if r.Withdrawn.Entries != 30 || r.Withdrawn.Publishers != 1 {
		t.Errorf("the report is %+v", r.Withdrawn)
	}
	wantMissing(t, dir, "between the steps", own...)
	wantAnswered(t, dir, "between the steps", others...)
	wantSound(t, dir)
	wantListed(t, dir)
	wantMirrored(t, dir)
	if r, err = PublishWithdrawals(t.Context(), store, dir, segmentOptions(t)); err != nil || r.Withdrawn.Entries != 0 {
		t.Errorf("the same again: %+v, %v", r.Withdrawn, err)
	}

	// Restored with the very facts that it had, as by a backup.
	must(t, store.PutSite(t.Context(), site))
	wantMissing(t, dir, "before the build", own...)
	build()
	wantAnswered(t, dir, "after the build", own...)
	dropExpired(t, dir)
	compareForms(t, files, dir)

	suspendSite(t, store, "beta", origin.Suspended)
	if r := build(); r.Withdrawn.Publishers != 1 {
		t.Errorf("the report is %+v", r.Withdrawn)
	}
	wantMissing(t, dir, "after the second build", own...)
	dropExpired(t, dir)
	compareForms(t, files, dir)
}

func segmentOptions(t *testing.T) Options {
	opt := testOptions(t, 2)
	opt.Form, opt.Profile = FormSegments, segment.Pages
	return opt
}

// TestWithdrawalsThatAreTakenBack restores an entry between the steps, by a change
// and by a backup of the origin that never heard of the withdrawal: the next build
// publishes it again, with the version that was taken out.
func TestWithdrawalsThatAreTakenBack(t *testing.T) {
	allowDeltas(t, 80)
	for _, backup := range []bool{false, true} {
		root := t.TempDir()
		path := filepath.Join(root, "origin.db")
		store := openStore(t, path)
		h := newEntryHistory(t, store, 13, 20)
		files, dir := filepath.Join(root, "files"), filepath.Join(root, "segments")
		p := h.pages[7]
		change(t, store, p, "A second version", "2026-08-30T00:00:00Z")
		buildForm(t, store, files, FormFiles, "")
		buildForm(t, store, dir, FormSegments, segment.Pages)
		copied := copyOrigin(t, path, filepath.Join(root, "copy.db"))

		withdrawPage(t, store, p)
		r, err := PublishWithdrawals(t.Context(), store, dir, segmentOptions(t))
		must(t, err)
		if r.Withdrawn.Entries != 1 {
			t.Fatalf("the report is %+v", r.Withdrawn)
		}
		wantMissing(t, dir, "between the steps", currentDocuments(p.EntryID)...)
		if backup {
			store = copied
		} else {
			change(t, store, p, "A second version", "2026-09-01T00:00:01Z")
		}
		if r := buildForm(t, store, dir, FormSegments, segment.Pages); r.Unchanged || r.Due != 1 || r.Withdrawn.Entries != 0 {
			t.Errorf("backup %t: the next build is %+v", backup, r)
		}
		wantAnswered(t, dir, "after the build", currentDocuments(p.EntryID)...)
		buildForm(t, store, files, FormFiles, "")
		dropExpired(t, dir)
		compareForms(t, files, dir)
	}
}

// TestErasedEntriesComeFirst deletes a page and its records from the origin, which
// nothing but the published release then knows.
func TestErasedEntriesComeFirst(t *testing.T) {
	allowDeltas(t, 80)
	root := t.TempDir()
	path := filepath.Join(root, "origin.db")
	store := openStore(t, path)
	h := newEntryHistory(t, store, 14, 20)
	dir := filepath.Join(root, "segments")
	p := h.pages[9]
	for n := range 3 {
		buildForm(t, store, dir, FormSegments, segment.Pages)
		change(t, store, p, fmt.Sprint("Version ", n), fmt.Sprintf("2026-08-30T00:00:0%dZ", n))
	}
	buildForm(t, store, dir, FormSegments, segment.Pages)
	all := append(currentDocuments(p.EntryID), versionKey(p.EntryID, 1), versionKey(p.EntryID, 3), versionKey(p.EntryID, 4))
	wantAnswered(t, dir, "before", all...)

	change(t, store, h.pages[10], "Newer than all that is erased", "2026-08-31T00:00:00Z")
	erasePage(t, path, p.EntryID)
	r, err := PublishWithdrawals(t.Context(), store, dir, segmentOptions(t))
	must(t, err)
	if r.Withdrawn.Entries != 1 {
		t.Errorf("the report is %+v", r.Withdrawn)
	}
	wantMissing(t, dir, "between the steps", all...)
	wantSound(t, dir)
	buildForm(t, store, dir, FormSegments, segment.Pages)
	wantMissing(t, dir, "after the build", all...)
	wantSound(t, dir)
}

// TestWithdrawalsThatMustWait wants no step of its own where it would be wrong, and
// says why to who asks for that step alone.
func TestWithdrawalsThatMustWait(t *testing.T) {
	allowDeltas(t, 4)
	store := newStore(t)
	h := newEntryHistory(t, store, 15, 60)
	dir := filepath.Join(t.TempDir(), "segments")
	ask := func(opt Options) error {
		_, err := PublishWithdrawals(t.Context(), store, dir, opt)
		return err
	}
	if err := ask(segmentOptions(t)); !errors.Is(err, ErrNotAhead) {
		t.Errorf("before the first build: %v", err)
	}
	buildForm(t, store, dir, FormSegments, segment.Pages)
	for _, p := range h.pages[:50] {
		withdrawPage(t, store, p)
	}
	before := readTree(t, dir)
	opt := segmentOptions(t)
	opt.Name = "Another name"
	if err := ask(opt); !errors.Is(err, ErrNotAhead) {
		t.Errorf("with other settings: %v", err)
	}
	opt = testOptions(t, 2)
	if err := ask(opt); !errors.Is(err, ErrNotAhead) {
		t.Errorf("as files: %v", err)
	}
	if err := ask(segmentOptions(t)); !errors.Is(err, errManyChanges) || !errors.Is(err, ErrNotAhead) {
		t.Errorf("of 50 of 120 entries: %v", err)
	}
	if differ := differentFiles(before, readTree(t, dir)); len(differ) > 0 {
		t.Errorf("written though refused: %q", differ)
	}
	r := buildForm(t, store, dir, FormSegments, segment.Pages)
	if !errors.Is(r.Withdrawn.LeftOut, errManyChanges) || r.Withdrawn.Entries > 0 || r.Damage != nil {
		t.Errorf("the build says %+v", r.Withdrawn)
	}
	wantMissing(t, dir, "after the build", string(exports.KeyOf(exports.CitationPath(h.pages[3].EntryID))))
}

// TestWithdrawalsOverDamage harms what the first step reads: the build renders
// everything anew and leaves nothing of the step behind.
func TestWithdrawalsOverDamage(t *testing.T) {
	allowDeltas(t, 400)
	for name, harm := range map[string]func(t *testing.T, dir string){
		"the root": func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, segment.RootKey))) },
		"the delta": func(t *testing.T, dir string) {
			flipByte(t, filepath.Join(dir, filepath.FromSlash(segment.ObjectKey(readRoot(t, dir).Layers[0].Entries.Objects[0]))))
		},
		"the signed list": func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(release.ListKey)), []byte("{}"), 0o600))
		},
		"the signed list and that of files in segments": func(t *testing.T, dir string) {
			for _, name := range []string{release.ListKey, packedFile} {
				must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte("what is this\n"), 0o600))
			}
		},
		"the list of files": func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(target.ListFile)), []byte("what is this\n"), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			h := newEntryHistory(t, store, 16, 12)
			dir := filepath.Join(t.TempDir(), "segments")
			buildForm(t, store, dir, FormSegments, segment.Pages)
			change(t, store, h.pages[2], "Edited", "2026-08-30T00:00:00Z")
			buildForm(t, store, dir, FormSegments, segment.Pages)
			harm(t, dir)
			withdrawPage(t, store, h.pages[3])
			r := buildForm(t, store, dir, FormSegments, segment.Pages)
			if r.Withdrawn.Entries > 0 || r.Withdrawn.LeftOut == nil {
				t.Errorf("the report is %+v", r.Withdrawn)
			}
			dropExpired(t, dir)
			wantSound(t, dir)
			wantListed(t, dir)
			if name != "the signed list" { // which no other step reads
				wantSameBase(t, store, dir, segment.Pages)
			}
			if left := staleFiles(t, dir); len(left) > 0 {
				t.Errorf("files that nothing lists: %q", left)
			}
		})
	}
}

// staleFiles are the files of a folder that its list does not have.
func staleFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := readRows(dir, target.ListFile)
	must(t, err)
	for name := range readTree(t, dir) {
		if _, listed := list.findRow(name); !listed && !target.IsNote(name) {
			names = append(names, name)
		}
	}
	return names
}

// TestSmallFilesHaveNoSibling writes a file that was large before: the compressed
// sibling of that is no part of the release any more, those of others are.
func TestSmallFilesHaveNoSibling(t *testing.T) {
	tree, err := newTree(filepath.Join(t.TempDir(), "dist"))
	must(t, err)
	defer tree.discardStage()
	for _, name := range []string{"a.json", "a.json.gz", "b.json", "b.json.gz"} {
		tree.before.rows = append(tree.before.rows, fileRow{name: name})
	}
	must(t, tree.putFile("a.json", []byte("{}")))
	var names []string
	for _, row := range tree.mergeLists(func(name string) bool { return !tree.isStaleSibling(name) }).rows {
		names = append(names, row.name)
	}
	if want := []string{"a.json", "b.json", "b.json.gz"}; !slices.Equal(names, want) {
		t.Errorf("the release has %q, want %q", names, want)
	}
}

// TestDryRunCountsWithdrawals tells what would be taken out, and writes nothing.
func TestDryRunCountsWithdrawals(t *testing.T) {
	allowDeltas(t, 80)
	store := newStore(t)
	h := newEntryHistory(t, store, 17, 30)
	dir := filepath.Join(t.TempDir(), "segments")
	buildForm(t, store, dir, FormSegments, segment.Pages)
	withdrawPage(t, store, h.pages[3])
	before := readTree(t, dir)
	for name, tell := range map[string]func() (Report, error){
		"of a build":  func() (Report, error) { return DryRun(t.Context(), store, dir, segmentOptions(t)) },
		"of the step": func() (Report, error) { return CountWithdrawals(t.Context(), store, dir, segmentOptions(t)) },
		"of the step, with a slash": func() (Report, error) {
			return CountWithdrawals(t.Context(), store, dir+"/", segmentOptions(t))
		},
	} {
		if r, err := tell(); err != nil || r.Withdrawn.Entries != 1 {
			t.Errorf("the dry run %s is %+v, %v", name, r.Withdrawn, err)
		}
	}
	if differ := differentFiles(before, readTree(t, dir)); len(differ) > 0 {
		t.Errorf("a dry run wrote %q", differ)
	}
}

// TestWithdrawalsSurviveKills kills builds that withdraw, at each step of theirs: what
// is published is the release before, the one between or the next, and the next build
// goes on to it.
func TestWithdrawalsSurviveKills(t *testing.T) {
	allowDeltas(t, 80)
	root := t.TempDir()
	dir, files := filepath.Join(root, "dist"), filepath.Join(root, "files")
	store := openStore(t, filepath.Join(root, "origin.db"))
	h := newEntryHistory(t, store, 18, 20)
	opt := crashOptions(t, FormSegments)
	for form, dir := range map[Form]string{FormSegments: dir, FormFiles: files} {
		_, err := Build(t.Context(), store, dir, crashOptions(t, form))
		must(t, err)
	}
	for n, step := range []string{"withdrawn", "append", "segments", "rendered", "sealed", "published"} {
		p := h.pages[n]
		withdrawPage(t, store, p, func(p *origin.Page) { p.ChangedAt = fmt.Sprintf("2026-09-01T00:%02d:00Z", n) })
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "COLOPHON_TEST_KILL="+dir, testForm+"="+string(FormSegments), "COLOPHON_TEST_STEP="+step+":1", testMergePercent+"=80")
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("the build was not killed at %q: %v %s", step, err, out)
		}
		must(t, target.Recover(dir))
		wantSound(t, dir)
		wantListed(t, dir)
		wantMissing(t, dir, "after a kill at "+step, string(exports.KeyOf(exports.CitationPath(p.EntryID))))

		r, err := Build(t.Context(), store, dir, opt)
		must(t, err)
		if r.Damage != nil || r.Withdrawn.Entries > 0 {
			t.Errorf("after a kill at %q: %+v", step, r)
		}
		_, err = Build(t.Context(), store, files, crashOptions(t, FormFiles))
		must(t, err)
		dropExpired(t, dir)
		compareForms(t, files, dir)
	}
}
