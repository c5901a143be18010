package generator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/internal/origin"
	"colophon/internal/segment"
)

// watchClosely has builds look at the origin all the time.
func watchClosely(t *testing.T) {
	t.Helper()
	usual := watchEvery
	t.Cleanup(func() { watchEvery = usual })
	watchEvery = time.Millisecond
}

// whileBuilding calls do once, when a build reaches a step. await waits until that build
// has published what it took out.
func whileBuilding(t *testing.T, step string, do func(await func())) {
	t.Helper()
	watchClosely(t)
	took := make(chan bool, 1000)
	await := func() {
		t.Helper()
		select {
		case <-took:
		case <-time.After(time.Minute):
			t.Fatal("the build took nothing out meanwhile")
		}
	}
	atStep(t, step, func() { do(await) })
	usual := reached
	reached = func(s string) {
		if s == "meanwhile" {
			took <- true
			return
		}
		usual(s)
	}
}

// twoForms builds one origin in both forms.
type twoForms struct {
	*testing.T
	store      origin.Catalog
	files, dir string
	opt        Options
}

func newTwoForms(t *testing.T, store origin.Catalog, profile segment.Profile) *twoForms {
	root := t.TempDir()
	opt := testOptions(t, 2)
	opt.Profile = profile
	return &twoForms{t, store, filepath.Join(root, "files"), filepath.Join(root, "segments"), opt}
}

func (f *twoForms) build(form Form, dir string) Report {
	f.Helper()
	opt := f.opt
	opt.Form = form
	r, err := Build(context.Background(), f.store, dir, opt)
	must(f.T, err)
	return r
}

func (f *twoForms) segments() Report { return f.build(FormSegments, f.dir) }

func (f *twoForms) both() Report {
	f.Helper()
	f.build(FormFiles, f.files)
	return f.segments()
}

// wantWhole checks what is published by itself.
func (f *twoForms) wantWhole() {
	f.Helper()
	wantSound(f.T, f.dir)
	wantListed(f.T, f.dir)
	wantMirrored(f.T, f.dir)
}

// wantSettled builds until nothing is due, and wants what a first build gives.
func (f *twoForms) wantSettled() {
	f.Helper()
	f.opt.Whole = false
	if r := f.both(); r.Unchanged || r.Meanwhile.Any() || r.Damage != nil {
		f.Errorf("the next build is %+v", r)
	}
	if in := readInputs(f.dir); in.TakenOut != nil {
		f.Errorf("the notes still have %+v", in.TakenOut)
	}
	if r := f.segments(); !r.Unchanged {
		f.Errorf("the build after it is %+v", r)
	}
	dropExpired(f.T, f.dir)
	compareForms(f.T, f.files, f.dir)
	f.wantWhole()
	if left := staleFiles(f.T, f.dir); len(left) > 0 {
		f.Errorf("files that nothing lists: %q", left)
	}
}

// TestWithdrawnWhileABuildRuns withdraws an entry when the build has read it and did not
// spell it yet: it is gone before the build ends, and stays away when it has ended.
func TestWithdrawnWhileABuildRuns(t *testing.T) {
	for name, change := range map[string]func(opt *Options){
		"it goes on":  func(*Options) {},
		"in packs":    func(opt *Options) { opt.Profile = segment.Packs },
		"it is whole": func(opt *Options) { opt.Whole = true },
	} {
		t.Run(name, func(t *testing.T) {
			allowDeltas(t, 80)
			store := newStore(t)
			h := newEntryHistory(t, store, 21, 10)
			f := newTwoForms(t, store, segment.Pages)
			if name == "in packs" {
				change(&f.opt)
			}
			f.both()
			gone, twice, edited := h.pages[3], h.pages[4], h.pages[5]
			change(&f.opt)
			editPage(t, store, twice, "A second version")
			f.both()
			editPage(t, store, gone, "A title that is read before it is withdrawn")
			editPage(t, store, edited, "Edited")
			f.build(FormFiles, f.files)

			whileBuilding(t, "signed", func(await func()) {
				withdrawPage(t, store, gone)
				withdrawPage(t, store, twice)
				for !isAway(t, f.dir, gone) || !isAway(t, f.dir, twice) {
					await()
				}
				when := "while the build runs"
				wantMissing(t, f.dir, when, versionKey(twice.EntryID, 2))
				wantAnswered(t, f.dir, when, append(currentDocuments(edited.EntryID), versionKey(twice.EntryID, 1))...)
				f.wantWhole()
			})
			r := f.segments()
			if r.Meanwhile.Entries != 2 || r.Withdrawn.Any() || r.Meanwhile.LeftOut != nil {
				t.Errorf("the report is %+v and %+v", r.Meanwhile, r.Withdrawn)
			}
			when := "after the build"
			wantMissing(t, f.dir, when, append(currentDocuments(gone.EntryID), currentDocuments(twice.EntryID)...)...)
			wantAnswered(t, f.dir, when, append(currentDocuments(edited.EntryID), versionKey(twice.EntryID, 1))...)
			f.wantWhole()
			if data, err := os.ReadFile(filepath.Join(f.dir, string(exports.KeyOf(exports.CitationPath(gone.EntryID))))); err == nil {
				t.Errorf("a file tells of it: %s", data)
			}

			f.wantSettled()
			wantAnswered(t, f.dir, "after the next build", string(exports.KeyOf(exports.RecordPath(gone.EntryID))), versionKey(gone.EntryID, 2))
			wantMissing(t, f.dir, "after the next build", string(exports.KeyOf(exports.CitationPath(gone.EntryID))))
		})
	}
}

// TestWholeBuildsTakeOutFirst withdraws before a build that does not go on from what is
// published: that is taken out too before it ends, and its record comes with it.
func TestWholeBuildsTakeOutFirst(t *testing.T) {
	for name, change := range map[string]func(opt *Options){
		"it is whole":    func(opt *Options) { opt.Whole = true },
		"other settings": func(opt *Options) { opt.Name = "Another name" },
	} {
		t.Run(name, func(t *testing.T) {
			allowDeltas(t, 400)
			store := newStore(t)
			h := newEntryHistory(t, store, 30, 10)
			f := newTwoForms(t, store, segment.Pages)
			f.both()
			withdrawPage(t, store, h.pages[3])
			suspendSite(t, store, "beta", origin.Suspended)
			change(&f.opt)
			f.build(FormFiles, f.files)
			gone := append(currentDocuments(h.pages[3].EntryID), currentDocuments(h.pages[12].EntryID)...)
			gone = append(gone, "publishers/beta/index.html")
			whileBuilding(t, "signed", func(await func()) {
				await()
				wantMissing(t, f.dir, "while the build runs", gone...)
				f.wantWhole()
			})
			r := f.segments()
			if r.Meanwhile.Entries != 11 || r.Meanwhile.Publishers != 1 {
				t.Errorf("the report is %+v", r.Meanwhile)
			}
			wantAnswered(t, f.dir, "after the build", gone[0])
			wantMissing(t, f.dir, "after the build", gone[1:]...)
			f.opt.Whole = false
			if r := f.segments(); !r.Unchanged {
				t.Errorf("the next build is %+v", r)
			}
			dropExpired(t, f.dir)
			compareForms(t, f.files, f.dir)
		})
	}
}

func isAway(t *testing.T, dir string, p origin.Page) bool {
	found, _ := answers(t, dir, currentDocuments(p.EntryID))
	return len(found) == 0
}

// editPage changes the title of a page.
func editPage(tb testing.TB, store origin.Catalog, p origin.Page, title string) {
	tb.Helper()
	change(tb, store, p, title, "2026-08-30T00:00:00Z")
}

// TestWithdrawnAtAnyStep withdraws an entry at each step of a build: when it has ended,
// the entry is gone, also where the root was written before. Whole builds are withdrawn
// from at each step where COLOPHON_SEGMENT_ROUNDS is set (make test-histories-segments),
// else at the first and the last.
func TestWithdrawnAtAnyStep(t *testing.T) {
	for _, step := range []string{"signed", "segments", "rendered", "sealed", "published"} {
		for _, whole := range []bool{false, true} {
			if whole && step != "signed" && step != "published" && os.Getenv("COLOPHON_SEGMENT_ROUNDS") == "" {
				continue
			}
			t.Run(fmt.Sprint(step, whole), func(t *testing.T) {
				allowDeltas(t, 80)
				store := newStore(t)
				h := newEntryHistory(t, store, 22, 10)
				f := newTwoForms(t, store, segment.Pages)
				f.both()
				gone := h.pages[7]
				editPage(t, store, gone, "Edited")
				editPage(t, store, h.pages[8], "Edited too")
				f.build(FormFiles, f.files)
				whileBuilding(t, step, func(func()) { withdrawPage(t, store, gone) })
				f.opt.Whole = whole
				before := readInputs(f.dir)
				f.segments()
				if in := readInputs(f.dir); in.Sequence == before.Sequence || in.Token == before.Token || in.TakenOut == nil {
					t.Errorf("the notes are of another build: %+v", in)
				}
				wantMissing(t, f.dir, "after the build", currentDocuments(gone.EntryID)...)
				wantAnswered(t, f.dir, "after the build", currentDocuments(h.pages[8].EntryID)...)
				f.wantWhole()
				f.wantSettled()
			})
		}
	}
}

// TestWithdrawnWhileTheFirstBuildRuns withdraws what was never published: it never is.
func TestWithdrawnWhileTheFirstBuildRuns(t *testing.T) {
	store := newStore(t)
	h := newEntryHistory(t, store, 23, 20)
	f := newTwoForms(t, store, segment.Pages)
	f.build(FormFiles, f.files)
	whileBuilding(t, "signed", func(func()) {
		withdrawPage(t, store, h.pages[3])
		suspendSite(t, store, "beta", origin.Suspended)
	})
	if r := f.segments(); r.Meanwhile.Any() {
		t.Errorf("the report is %+v", r.Meanwhile)
	}
	wantMissing(t, f.dir, "after the build", append(currentDocuments(h.pages[3].EntryID), currentDocuments(h.pages[25].EntryID)...)...)
	wantAnswered(t, f.dir, "after the build", currentDocuments(h.pages[4].EntryID)...)
	f.wantWhole()
	wantNamed(t, f.dir)
	if root := readRoot(t, f.dir); len(root.Layers) != 1 {
		t.Errorf("half of all is too much for a delta, and the root has %d layers", len(root.Layers))
	}
	f.wantSettled()
}

// TestSuspendedWhileABuildRuns suspends a publisher, which takes all away that it has; what
// is published of others is as it was.
func TestSuspendedWhileABuildRuns(t *testing.T) {
	for _, percent := range []int64{400, 8} { // all of it in a delta, or only in a base
		for _, whole := range []bool{false, true} {
			t.Run(fmt.Sprint(percent, whole), func(t *testing.T) { suspendWhileBuilding(t, percent, whole) })
		}
	}
}

func suspendWhileBuilding(t *testing.T, percent int64, whole bool) {
	allowDeltas(t, percent)
	store := newStore(t)
	h := newEntryHistory(t, store, 24, 20)
	f := newTwoForms(t, store, segment.Pages)
	f.both()
	alpha, beta := h.pages[0], h.pages[20]
	editPage(t, store, alpha, "Edited")
	if whole { // else all files of the publisher stay as they are
		editPage(t, store, beta, "A second version")
	}
	packed, err := readRows(f.dir, packedFile)
	must(t, err)
	own := append(currentDocuments(beta.EntryID), versionKey(beta.EntryID, 1))
	for _, row := range packed.rows {
		if owner, ok := exports.PackedOwner(exports.Key(row.name)); ok && owner == "beta" {
			own = append(own, row.name)
		}
	}
	others := append(currentDocuments(alpha.EntryID), "publishers/alpha/index.html")
	wantAnswered(t, f.dir, "before", append(others, own[:3]...)...)

	f.build(FormFiles, f.files)
	whileBuilding(t, "signed", func(await func()) {
		suspendSite(t, store, "beta", origin.Suspended)
		if percent < 100 { // which keeps no entry waiting
			withdrawPage(t, store, h.pages[1])
			await()
			wantMissing(t, f.dir, "while the build runs", currentDocuments(h.pages[1].EntryID)...)
			wantAnswered(t, f.dir, "while the build runs", own[:3]...)
			return
		}
		await()
		wantMissing(t, f.dir, "while the build runs", own...)
		wantAnswered(t, f.dir, "while the build runs", others...)
		f.wantWhole()
	})
	f.opt.Whole = whole
	r := f.segments()
	if ahead := percent > 100; (r.Meanwhile.Publishers == 1) != ahead {
		t.Errorf("the report is %+v", r.Meanwhile)
	}
	wantMissing(t, f.dir, "after the build", own...)
	if ahead := errors.Is(r.Meanwhile.LeftOut, errManyChanges); ahead != (percent < 100) {
		t.Errorf("the report is %+v", r.Meanwhile)
	}
	wantAnswered(t, f.dir, "after the build", others...)
	f.wantWhole()
	if whole {
		dropExpired(t, f.dir)
		if left := staleFiles(t, f.dir); len(left) > 0 {
			t.Errorf("files that nothing lists: %q", left)
		}
	}
	wantNamed(t, f.dir)
	if n := len(readRoot(t, f.dir).Layers); percent < 100 && n != 1 {
		t.Errorf("the root has %d layers", n)
	}
	f.wantSettled()
	wantMissing(t, f.dir, "after the next build", own...)
}

// TestErasedWhileABuildRuns deletes an entry from the origin while a build runs, and when
// it only has to put its files in place.
func TestErasedWhileABuildRuns(t *testing.T) {
	for _, step := range []string{"signed", "sealed"} {
		t.Run(step, func(t *testing.T) {
			allowDeltas(t, 80)
			path := filepath.Join(t.TempDir(), "origin.db")
			store := openStore(t, path)
			h := newEntryHistory(t, store, 25, 20)
			f := newTwoForms(t, store, segment.Pages)
			p := h.pages[9]
			f.segments()
			editPage(t, store, p, "A second version")
			f.segments()
			change(t, store, h.pages[10], "Newer than what is erased", "2026-08-31T00:00:00Z")
			all := append(currentDocuments(p.EntryID), versionKey(p.EntryID, 1), versionKey(p.EntryID, 2))
			wantAnswered(t, f.dir, "before", all...)
			whileBuilding(t, step, func(await func()) {
				execOrigin(t, path, "DELETE FROM pages WHERE entry_id = ?", p.EntryID)
				if step == "signed" {
					await()
					wantMissing(t, f.dir, "while the build runs", all...)
				}
			})
			f.segments()
			wantMissing(t, f.dir, "after the build", all...)
			wantSound(t, f.dir)
			erasePage(t, path, p.EntryID) // its records too
			f.segments()
			wantMissing(t, f.dir, "after the next build", all...)
			wantSound(t, f.dir)
		})
	}
}

// TestRestoredWhileABuildRuns withdraws and suspends, and takes that back before the
// build ends: all is published again by the next build.
func TestRestoredWhileABuildRuns(t *testing.T) {
	allowDeltas(t, 400)
	store := newStore(t)
	h := newEntryHistory(t, store, 26, 20)
	f := newTwoForms(t, store, segment.Pages)
	f.both()
	p, other, beta := h.pages[2], h.pages[3], h.pages[22]
	editPage(t, store, other, "Edited")
	site, err := store.Site(t.Context(), "beta")
	must(t, err)
	f.build(FormFiles, f.files)
	whileBuilding(t, "signed", func(await func()) {
		withdrawPage(t, store, p)
		await()
		suspendSite(t, store, "beta", origin.Suspended)
		await()
		change(t, store, p, "Restored", "2026-09-02T00:00:00Z")
		must(t, store.PutSite(t.Context(), site))
	})
	f.segments()
	wantMissing(t, f.dir, "after the build", append(currentDocuments(p.EntryID), currentDocuments(beta.EntryID)...)...)
	f.wantWhole()
	f.wantSettled()
	for _, p := range []origin.Page{p, other, beta} {
		wantAnswered(t, f.dir, "after the next build", currentDocuments(p.EntryID)...)
	}
}

// TestManyWithdrawalsWhileABuildRuns withdraws one entry after the other: each is gone
// at once, the deltas stay few, and nothing keeps the build from ending.
func TestManyWithdrawalsWhileABuildRuns(t *testing.T) {
	allowDeltas(t, 400)
	store := newStore(t)
	h := newEntryHistory(t, store, 27, 40)
	f := newTwoForms(t, store, segment.Pages)
	f.both()
	for n := range 3 { // some deltas to go on from
		editPage(t, store, h.pages[60+n], fmt.Sprint("Edited ", n))
		f.both()
	}
	editPage(t, store, h.pages[70], "Edited")
	begun := rootObjects(t, f.dir)
	withdrawn := 0
	f.build(FormFiles, f.files)
	whileBuilding(t, "signed", func(await func()) {
		for range 40 { // more than the deltas have
			withdrawPage(t, store, h.pages[withdrawn])
			await()
			wantMissing(t, f.dir, "while the build runs", currentDocuments(h.pages[withdrawn].EntryID)...)
			withdrawn++
		}
		f.wantWhole()
		wantKept(t, f.dir, begun)
		go func() { // without an end
			for n := withdrawn; n < 60; n++ {
				p := h.pages[n]
				p.State, p.ChangedAt = "withdrawn", "2026-09-01T00:00:00Z"
				if store.PutPage(context.Background(), p, nil) != nil {
					return
				}
			}
		}()
	})
	f.segments()
	for _, p := range h.pages[:withdrawn] {
		wantMissing(t, f.dir, "after the build", currentDocuments(p.EntryID)...)
	}
	f.wantWhole()
}

// rootObjects are the objects that the root of a build names.
func rootObjects(t *testing.T, dir string) (keys []string) {
	t.Helper()
	r := readSegments(t.Context(), dir, readRoot(t, dir).Profile)
	must(t, r.Objects(t.Context(), func(d segment.Digest) error {
		keys = append(keys, segment.ObjectKey(d))
		return nil
	}))
	return keys
}

// wantNamed wants no object listed that the root does not name.
func wantNamed(t *testing.T, dir string) {
	t.Helper()
	list, err := readRows(dir, target.ListFile)
	must(t, err)
	named := rootObjects(t, dir)
	for _, row := range list.rowsBelow(segment.ObjectPrefix) {
		if !slices.Contains(named, row.name) {
			t.Errorf("the root does not name %s", row.name)
		}
	}
}

// wantKept wants files listed that a build goes on from, and none of them expired.
func wantKept(t *testing.T, dir string, keys []string) {
	t.Helper()
	list, err := readRows(dir, target.ListFile)
	must(t, err)
	expired, err := target.Expired(dir)
	must(t, err)
	for _, key := range keys {
		if _, listed := list.findRow(key); !listed {
			t.Errorf("%s is not listed any more", key)
		}
		if _, gone := expired[key]; gone {
			t.Errorf("%s is to be deleted", key)
		}
	}
}

// failingStore fails to tell the change sequence after so many times.
type failingStore struct {
	origin.Catalog
	left int
}

var errFailing = errors.New("the store fails")

func (s *failingStore) Sequence(ctx context.Context) (int64, error) {
	if s.left--; s.left < 0 {
		return 0, errFailing
	}
	return s.Catalog.Sequence(ctx)
}

// TestWatchThatFails wants the error of a look from the build, and the release before.
func TestWatchThatFails(t *testing.T) {
	watchClosely(t)
	store := newStore(t)
	h := newEntryHistory(t, store, 28, 10)
	dir := filepath.Join(t.TempDir(), "segments")
	buildForm(t, store, dir, FormSegments, segment.Pages)
	editPage(t, store, h.pages[2], "Edited")
	before := readTree(t, dir)
	for _, looks := range []int{0, 1, 2} {
		_, err := Build(t.Context(), &failingStore{store, 1 + looks}, dir, segmentOptions(t))
		if !errors.Is(err, errFailing) {
			t.Errorf("after %d looks: %v", looks, err)
		}
		if differ := differentFiles(before, readTree(t, dir)); len(differ) > 0 {
			t.Errorf("after %d looks: %q differ", looks, differ)
		}
	}
	buildForm(t, store, dir, FormSegments, segment.Pages)
	wantSound(t, dir)
}

// testWithdraw names the variable that tells a build which is to be killed which entry is
// withdrawn when it has read it.
const testWithdraw = "COLOPHON_TEST_WITHDRAW"

// TestKilledAfterItTookOut kills builds that took an entry out meanwhile, at each step from
// then on: readers never see it again, and the next build goes on.
func TestKilledAfterItTookOut(t *testing.T) {
	allowDeltas(t, 80)
	root := t.TempDir()
	store := openStore(t, filepath.Join(root, "origin.db"))
	h := newEntryHistory(t, store, 29, 10)
	f := &twoForms{t, store, filepath.Join(root, "files"), filepath.Join(root, "dist"), testOptions(t, 2)}
	f.both()
	for n, step := range []string{"meanwhile", "segments", "rendered", "sealed", "published"} {
		gone, edited := h.pages[n], h.pages[10+n]
		change(t, store, edited, "Edited", fmt.Sprintf("2026-09-01T00:%02d:00Z", n))
		if step == "published" { // with an index, which is kept
			f.build(FormFiles, f.files)
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "COLOPHON_TEST_KILL="+f.dir, testForm+"="+string(FormSegments), "COLOPHON_TEST_STEP="+step+":1", testMergePercent+"=80", testWithdraw+"="+gone.EntryID)
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("the build was not killed at %q: %v %s", step, err, out)
		}
		must(t, target.Recover(f.dir))
		wantMissing(t, f.dir, "after a kill at "+step, currentDocuments(gone.EntryID)...)
		wantAnswered(t, f.dir, "after a kill at "+step, currentDocuments(edited.EntryID)...)
		f.wantWhole()
		f.wantSettled()
	}
}

// withdrawWhenRead withdraws an entry once a build has read it, and waits until it took
// that out.
func withdrawWhenRead(tb testing.TB, store origin.Catalog, entryID string) {
	watchEvery = time.Millisecond
	usual := reached
	took := make(chan bool, 1)
	reached = func(step string) {
		usual(step)
		switch step {
		case "meanwhile":
			took <- true
		case "signed":
			p, err := store.Page(context.Background(), entryID)
			must(tb, err)
			p.State, p.ChangedAt = "withdrawn", "2026-09-01T01:00:00Z"
			must(tb, store.PutPage(context.Background(), p, nil))
			<-took
		}
	}
}

// TestValuesOver finds newer values first, tombstones among them.
func TestValuesOver(t *testing.T) {
	keys := []segment.Key{segment.KeyOf("a"), segment.KeyOf("b"), segment.KeyOf("c")}
	older := valuesOver{newer: []segment.Value{}, older: noValues{}}
	for _, k := range keys {
		older.newer = append(older.newer, segment.Value{Key: k, Data: []byte("older")})
	}
	slices.SortFunc(older.newer, compareValues)
	newer := []segment.Value{{Key: keys[0]}, {Key: keys[1], Data: []byte("newer")}}
	slices.SortFunc(newer, compareValues)
	for n, want := range []string{"", "newer", "older"} {
		if got, err := (valuesOver{newer, older}).Entry(t.Context(), keys[n]); err != nil || string(got) != want {
			t.Errorf("value %d is %q, %v", n, got, err)
		}
	}
}

type noValues struct{}

func (noValues) Entry(context.Context, segment.Key) ([]byte, error) { return nil, nil }
