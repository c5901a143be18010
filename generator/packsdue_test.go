package generator

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator/ledger"
	"colophon/generator/target"
	"colophon/generator/verify"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/origin"
)

// TestPacksOfHistories changes an origin at random, as operators and imports
// do. After each round, a build in packs that renders what is due must give
// the same answers as a build that renders everything into files.
func TestPacksOfHistories(t *testing.T) {
	limitSitemaps(t, 50_000, 2, 4)
	perHistory := min(12, (rounds(t)+1)/2) // so that there are packs of each size
	for seed := range (rounds(t) + perHistory - 1) / perHistory {
		h := newHistory(t, uint64(100+seed))
		packSize := []int64{SmallPacks, LargePacks}[seed%2]
		root := t.TempDir()
		files, dir := filepath.Join(root, "files"), filepath.Join(root, "packs")
		reused, entries := 0, 0
		for round := range min(perHistory, rounds(t)-seed*perHistory) {
			var steps []string
			for range 1 + h.rnd.IntN(4) {
				steps = append(steps, h.step())
			}
			before := len(h.pages)
			opt := h.opt
			opt.Form, opt.PackSize = FormPacks, packSize
			r, err := Build(t.Context(), h.store, dir, opt)
			must(t, err)
			if r.Damage != nil {
				t.Fatalf("history %d, round %d: %v", seed, round, r.Damage)
			}
			if int(r.Due) < before && !r.Unchanged {
				reused++
			}
			whole := h.opt
			whole.Whole = true
			_, err = Build(t.Context(), h.store, files, whole)
			must(t, err)
			t.Logf("history %d, round %d (%v): %d of %d due", seed, round, steps, r.Due, before)
			dropExpired(t, dir)
			entries += compareAnswers(t, files, dir)
			if t.Failed() {
				return
			}
			wantSameTable(t, h.store, dir, packSize, h.opt)
		}
		if entries == 0 {
			t.Errorf("history %d: no entry was ever public", seed)
		}
		if reused == 0 {
			t.Errorf("history %d: every build rendered everything", seed)
		}
	}
}

// dropExpired deletes the files that wait to be deleted, so that a test fails
// if an answer needs one.
func dropExpired(t *testing.T, dir string) {
	t.Helper()
	expired, err := target.ReadWaiting(dir)
	must(t, err)
	for name := range expired {
		must(t, os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))))
	}
}

// wantSameTable compares the blobs of an incremental build with those of a
// first build in another folder: all must have the same bytes, wherever they
// are stored.
func wantSameTable(t *testing.T, store origin.Catalog, dir string, packSize int64, opt ...Options) {
	t.Helper()
	o := testOptions(t, 3)
	if len(opt) > 0 {
		o = opt[0]
	}
	o.Form, o.PackSize = FormPacks, packSize
	other := filepath.Join(t.TempDir(), "other")
	_, err := Build(t.Context(), store, other, o)
	must(t, err)
	have, want := digestsOf(t, dir), digestsOf(t, other)
	if len(want) < 2 {
		t.Fatalf("a first build has only %d blobs", len(want))
	}
	for key, digest := range want {
		if have[key] != digest {
			t.Errorf("the blob at %s is not as in a first build", key)
		}
	}
	for key := range have {
		if _, ok := want[key]; !ok {
			t.Errorf("a first build has no blob at %s", key)
		}
	}
}

// digestsOf returns the digests of the blobs of a build, by key.
func digestsOf(t *testing.T, dir string) map[string]blob.ID {
	t.Helper()
	out := map[string]blob.ID{}
	for _, row := range tableOf(t, dir).Rows {
		out[row.Key] = row.At.Digest
	}
	return out
}

// TestEmptiedPacksWait changes entries repeatedly: packs of which little is
// still in use must no longer be named, and must wait to be deleted.
func TestEmptiedPacksWait(t *testing.T) {
	t.Parallel()
	store, dir, entries := inPacks(t, 30, LargePacks)
	for round := range 3 {
		for n := range entries {
			change(t, store, entries[n], fmt.Sprint("Edited ", round), fmt.Sprintf("2026-09-01T00:00:0%dZ", round))
		}
		buildForm(t, store, dir, FormPacks, LargePacks)
	}
	expired, err := target.ReadWaiting(dir)
	must(t, err)
	waiting := 0
	for name := range expired {
		if strings.HasPrefix(name, exports.PackPrefix) {
			waiting++
		}
	}
	if waiting == 0 {
		t.Errorf("no pack waits for its end: %v", expired)
	}
	dropExpired(t, dir)
	wantSound(t, dir)
	wantSameTable(t, store, dir, LargePacks)
}

// TestDamageIsNotPublished damages the files from which a small change
// continues: the build must render everything again and say why, and the result
// must be whole.
func TestDamageIsNotPublished(t *testing.T) {
	t.Parallel()
	sound := t.TempDir()
	store := openStore(t, filepath.Join(sound, "origin.db"))
	pages := addEntries(t, store, 10)
	buildForm(t, store, filepath.Join(sound, "out"), FormPacks, SmallPacks)
	change(t, store, pages[3], "One", "2026-09-01T00:00:00Z")
	buildForm(t, store, filepath.Join(sound, "out"), FormPacks, SmallPacks)
	must(t, store.DB().Close())
	var want map[string]blob.ID // the blobs of every build after the damage

	pack := func(t *testing.T, dir string) string {
		return filepath.Join(dir, filepath.FromSlash(blob.PackKey(tableOf(t, dir).Below(document.SitePrefix)[0].At.Pack)))
	}
	for name, harm := range map[string]func(t *testing.T, dir string){
		"a missing pack": func(t *testing.T, dir string) { must(t, os.Remove(pack(t, dir))) },
		"a cut pack":     func(t *testing.T, dir string) { must(t, os.Truncate(pack(t, dir), 100)) },
		"another index": func(t *testing.T, dir string) {
			path := filepath.Join(dir, filepath.FromSlash(blob.RootKey))
			text, err := os.ReadFile(path)
			must(t, err)
			flipByte(t, path, int64(strings.Index(string(text), `"page":"`)+10))
		},
		"a missing root": func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, blob.RootKey))) },
		"a root of others": func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, blob.RootKey), []byte("{}"), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			must(t, os.CopyFS(root, os.DirFS(sound)))
			store, dir := openStore(t, filepath.Join(root, "origin.db")), filepath.Join(root, "out")
			harm(t, dir)
			change(t, store, pages[4], "Two", "2026-09-01T00:00:01Z")
			if r := buildForm(t, store, dir, FormPacks, SmallPacks); !errors.Is(r.Damage, errPacks) || r.Due < 20 {
				t.Errorf("damage %v, %d entries were due", r.Damage, r.Due)
			}
			wantSound(t, dir)
			if want == nil {
				wantSameTable(t, store, dir, SmallPacks)
				want = digestsOf(t, dir)
			}
			if !maps.Equal(digestsOf(t, dir), want) {
				t.Error("the blobs are not those of a first build")
			}
			if r := buildForm(t, store, dir, FormPacks, SmallPacks); !r.Unchanged || r.Damage != nil {
				t.Errorf("the next build is %+v", r)
			}
		})
	}
}

// TestMissingPacksAreNotNamed removes packs that a build wrote: the root that
// names them must not be published.
func TestMissingPacksAreNotNamed(t *testing.T) {
	t.Parallel()
	out, err := newTree(filepath.Join(t.TempDir(), "dist"))
	must(t, err)
	defer out.discardStage()
	packs := []blob.ID{{1}, {2}}
	for _, pack := range packs {
		must(t, out.writeFile(blob.PackKey(pack), []byte("the text of a pack")))
	}
	form := &packForm{out: out}
	must(t, form.keepPacks(packs))
	path := out.currentPath(blob.PackKey(packs[1]))
	for name, harm := range map[string]func() error{
		"cut":     func() error { return os.Truncate(path, 3) },
		"removed": func() error { return os.Remove(path) },
	} {
		must(t, harm())
		if err := form.keepPacks(packs); !errors.Is(err, errPacks) || !strings.Contains(err.Error(), blob.PackKey(packs[1])+" is listed but missing") {
			t.Errorf("%s: %v", name, err)
		}
		must(t, os.WriteFile(path, []byte("the text of a pack"), 0o600))
	}
	if err := form.keepPacks([]blob.ID{{3}}); !errors.Is(err, errPacks) || !strings.Contains(err.Error(), "is not in the list of files") {
		t.Errorf("a pack of nobody: %v", err)
	}
}

func flipByte(t *testing.T, path string, at int64) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	data[at] ^= 1
	must(t, os.WriteFile(path, data, 0o600))
}

// TestDamageIsFoundWhereBlobsAreRead damages a byte of a blob that a change
// affects: the build must report the damage and write sound blobs.
func TestDamageIsFoundWhereBlobsAreRead(t *testing.T) {
	t.Parallel()
	store, dir, entries := inPacks(t, 60, LargePacks)
	at := tableOf(t, dir).Below(document.SitePrefix)[0].At
	flipByte(t, filepath.Join(dir, filepath.FromSlash(blob.PackKey(at.Pack))), at.Offset)
	for n := range 20 {
		change(t, store, entries[n], "Edited", "2026-09-01T00:00:00Z")
	}
	if r := buildForm(t, store, dir, FormPacks, LargePacks); !errors.Is(r.Damage, errPacks) {
		t.Errorf("damage %v", r.Damage)
	}
	wantSameTable(t, store, dir, LargePacks)
}

// TestPacksOfAnotherVersion publishes packs of another version of the program,
// or with a damaged root: the next builds must be whole.
func TestPacksOfAnotherVersion(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(root *blob.Root){
		"other facts": func(root *blob.Root) { root.Facts++ },
		"no levels":   func(root *blob.Root) { root.Levels = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			store, dir, entries := inPacks(t, 10, LargePacks)
			root := readRoot(t, dir)
			harm(root)
			must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(blob.RootKey)), root.Append(nil), 0o600))
			change(t, store, entries[3], "Another", "2026-09-01T00:00:00Z")
			opt := testOptions(t, 3)
			opt.Form = FormPacks // without a size, which cannot be read from a damaged root
			r, err := Build(t.Context(), store, dir, opt)
			must(t, err)
			// Without levels the size of the packs is unknown too, which alone
			// makes everything due.
			if r.Due != 20 || name == "other facts" && !errors.Is(r.Damage, errPacks) {
				t.Errorf("damage %v, %d entries were due, want all 20", r.Damage, r.Due)
			}
			wantSound(t, dir)
			buildForm(t, store, dir, FormPacks, LargePacks)
			wantSound(t, dir)
			wantSameTable(t, store, dir, LargePacks)
		})
	}
}

// TestRootOfPacksComesBetween checks the order of a publication: packs and new
// files, then the root that names them, then pages that name its entries.
func TestRootOfPacksComesBetween(t *testing.T) {
	t.Parallel()
	for _, known := range []bool{false, true} {
		c := target.Changes{Added: []target.Object{{Key: "_packs/1"}, {Key: "w"}}, Changed: []target.Object{{Key: "a"}, {Key: "z"}}}
		list := &c.Added
		if known {
			list = &c.Changed
		}
		*list = slices.Insert(*list, 1, target.Object{Key: blob.RootKey})
		c.Changed = leadWithPacks(&c)
		var keys []string
		for _, o := range slices.Concat(c.Added, c.Changed) {
			keys = append(keys, o.Key)
		}
		if want := []string{"_packs/1", "w", blob.RootKey, "a", "z"}; !slices.Equal(keys, want) {
			t.Errorf("the order is %q, want %q", keys, want)
		}
	}
}

// TestPacksSurviveKills withdraws an entry, makes small and larger changes, and
// kills the build in packs at every step. Each kill must leave a whole release
// that no longer answers the citation of the entry, and from which the next
// build continues with the same log.
func TestPacksSurviveKills(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "dist")
	store := openStore(t, filepath.Join(root, "origin.db"))
	entries := addEntries(t, store, 15)
	build := func() Report {
		t.Helper()
		r, err := Build(t.Context(), store, dir, crashOptions(t, FormPacks))
		must(t, err)
		return r
	}
	build()
	log := wantSoundLog(t, dir)
	for n, step := range []string{"published", "withdrawn", "append", "tiles", "witnessed", "signed", "packs", "tables", "rendered", "sealed"} {
		for k, edits := range []int{1, 9} {
			if testing.Short() && k != n%2 {
				continue // each step is reached by one of the changes
			}
			at := fmt.Sprintf("2026-09-01T00:%02d:%02dZ", n, edits)
			for i := range edits {
				change(t, store, entries[i], "Edited before a kill at "+step, at)
			}
			addPage(t, store, "beta", 9000+10*n+edits)
			gone := entries[9+2*n+k]
			withdrawPage(t, store, gone, func(p *origin.Page) { p.ChangedAt = at })
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "COLOPHON_TEST_KILL="+dir, testForm+"="+string(FormPacks), "COLOPHON_TEST_STEP="+step+":1")
			out, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("the build was not killed at %q: %v %s", step, err, out)
			}
			must(t, target.Recover(dir))
			wantSound(t, dir)
			wantMissing(t, dir, "after a kill at "+step, string(exports.KeyOf(exports.CitationPath(gone.EntryID))))

			r := build()
			// A kill right after the publication loses the rows, because a build keeps
			// them only after it has published. So the next change renders everything.
			if r.Damage != nil || int(r.Due) >= 30 && step != "withdrawn" {
				t.Errorf("after a kill at %q %d entries are due: %v", step, r.Due, r.Damage)
			}
			wantAnswered(t, dir, "after a kill at "+step, string(exports.KeyOf(exports.RecordPath(gone.EntryID))))
			next, err := ledger.Audit(ledger.Question{Read: readsLog(t, dir), Files: namesOfLog(t, dir), Known: log.Note, KnownKey: &log.Key})
			must(t, err)
			if len(next.Findings) > 0 || next.Checkpoint.Size <= log.Checkpoint.Size {
				t.Errorf("after a kill at %q: %d leaves, then %d: %q", step, log.Checkpoint.Size, next.Checkpoint.Size, next.Findings)
			}
			log = next
		}
	}
	files := filepath.Join(root, "files")
	buildForm(t, store, files, FormFiles, 0)
	dropExpired(t, dir)
	compareForms(t, files, dir)
}

func wantSound(t *testing.T, dir string) {
	t.Helper()
	a, err := verify.Release(dir)
	must(t, err)
	if len(a.Findings) > 0 {
		t.Fatalf("findings %q", a.Findings)
	}
}
