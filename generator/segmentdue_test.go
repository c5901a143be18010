package generator

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"colophon/generator/target"
	"colophon/internal/origin"
	"colophon/internal/release"
	"colophon/internal/segment"
)

// TestSegmentsOfHistories changes an origin in every way that operators and
// imports do. Upon each round, a build in segments that renders what is due
// answers as a build does that renders everything into files.
func TestSegmentsOfHistories(t *testing.T) {
	limitSitemaps(t, 50_000, 2, 4)
	const perHistory = 12
	for seed := range (rounds(t) + perHistory - 1) / perHistory {
		h := newHistory(t, uint64(100+seed))
		profile := []segment.Profile{segment.Pages, segment.Packs}[seed%2]
		root := t.TempDir()
		files, dir := filepath.Join(root, "files"), filepath.Join(root, "segments")
		reused, entries := 0, 0
		for round := range min(perHistory, rounds(t)-seed*perHistory) {
			var steps []string
			for range 1 + h.rnd.IntN(4) {
				steps = append(steps, h.step())
			}
			before := len(h.pages)
			opt := h.opt
			opt.Form, opt.Profile = FormSegments, profile
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
			t.Logf("history %d, round %d (%v): %d of %d due, %d layers", seed, round, steps, r.Due, before, len(readRoot(t, dir).Layers))
			dropExpired(t, dir)
			entries += compareAnswers(t, files, dir)
			if t.Failed() {
				return
			}
		}
		if entries == 0 {
			t.Errorf("history %d: no entry was ever public", seed)
		}
		if reused == 0 {
			t.Errorf("history %d: every build rendered everything", seed)
		}
	}
}

// dropExpired deletes what waits for the end of its grace period: no answer may
// need it.
func dropExpired(t *testing.T, dir string) {
	t.Helper()
	expired, err := target.Expired(dir)
	must(t, err)
	for name := range expired {
		must(t, os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))))
	}
}

// wantSameBase compares a build that went on from others with the first build of
// another folder.
func wantSameBase(t *testing.T, store origin.Catalog, dir string, profile segment.Profile) {
	t.Helper()
	other := filepath.Join(t.TempDir(), "other")
	buildForm(t, store, other, FormSegments, profile)
	have, want := onlySegments(readTree(t, dir)), onlySegments(readTree(t, other))
	if len(want) < 2 {
		t.Fatalf("a first build has only %d files of segments", len(want))
	}
	for name, data := range want {
		if !bytes.Equal(have[name], data) {
			t.Errorf("%s is not as in a first build", name)
		}
	}
}

// TestMergedBaseIsThatOfAFirstBuild changes more than a delta may have, out of
// which a build that renders only what is due makes a base: from the published
// one, byte for byte what rendering everything gives.
func TestMergedBaseIsThatOfAFirstBuild(t *testing.T) {
	allowDeltas(t, 22)
	for _, profile := range []segment.Profile{segment.Pages, segment.Packs} {
		t.Run(string(profile), func(t *testing.T) {
			store := newStore(t)
			h := newEntryHistory(t, store, 5, 120)
			dir := filepath.Join(t.TempDir(), "out")
			buildForm(t, store, dir, FormSegments, profile)
			merged := 0
			for round := range 5 {
				for range 2 + 5*round {
					h.step()
				}
				if r := buildForm(t, store, dir, FormSegments, profile); int(r.Due) >= 120 || r.Damage != nil {
					t.Fatalf("%d entries were due of %d (%v)", r.Due, len(h.pages), r.Damage)
				}
				if len(readRoot(t, dir).Layers) > 1 {
					continue
				}
				merged++
				wantSameBase(t, store, dir, profile)
			}
			if merged == 0 || merged == 5 {
				t.Errorf("%d of 5 builds wrote a base", merged)
			}
		})
	}
}

// TestSmallChangeLeavesTheBase withdraws one entry: objects that stay are not
// written again, those that the new root does not name wait for their end.
func TestSmallChangeLeavesTheBase(t *testing.T) {
	allowDeltas(t, 80)
	store := newStore(t)
	h := newEntryHistory(t, store, 6, 150)
	dir := filepath.Join(t.TempDir(), "out")
	buildForm(t, store, dir, FormSegments, segment.Pages)
	first := modTimes(t, dir)
	edit := func(n int) Report {
		p := h.pages[n]
		p.State, p.ChangedAt = "withdrawn", fmt.Sprintf("2026-09-01T00:00:%02dZ", n)
		must(t, store.PutPage(t.Context(), p, nil))
		return buildForm(t, store, dir, FormSegments, segment.Pages)
	}
	if r := edit(1); r.Due != 1 {
		t.Errorf("%d entries were due", r.Due)
	}
	delta := modTimes(t, dir)
	edit(2) // merges the delta with that of the first change
	now := modTimes(t, dir)
	expired, err := target.Expired(dir)
	must(t, err)
	for name, at := range first {
		if strings.HasPrefix(name, segment.ObjectPrefix) && now[name] != at {
			t.Errorf("%s was written again", name)
		}
	}
	waiting := 0
	for name := range delta {
		if _, old := first[name]; old || !strings.HasPrefix(name, segment.ObjectPrefix) {
			continue
		}
		if _, waits := expired[name]; waits {
			waiting++
		}
		if now[name] == 0 {
			t.Errorf("%s is gone, though the root before names it", name)
		}
	}
	if waiting == 0 {
		t.Error("no object of the delta that was merged waits for its end")
	}
}

// TestDamageIsNotPublished harms what a small change goes on from: a build
// renders everything again, says why, and what it publishes is whole.
func TestDamageIsNotPublished(t *testing.T) {
	allowDeltas(t, 80)
	object := func(t *testing.T, dir string, layer int) string {
		root := readRoot(t, dir)
		return filepath.Join(dir, filepath.FromSlash(segment.ObjectKey(root.Layers[layer].Entries.Objects[0])))
	}
	for name, harm := range map[string]func(t *testing.T, dir string){
		"a missing object": func(t *testing.T, dir string) { must(t, os.Remove(object(t, dir, 1))) },
		"a cut object":     func(t *testing.T, dir string) { must(t, os.Truncate(object(t, dir, 1), 100)) },
		"a missing delta":  func(t *testing.T, dir string) { must(t, os.Remove(object(t, dir, 0))) },
		"another delta":    func(t *testing.T, dir string) { flipByte(t, object(t, dir, 0)) },
		"a missing root":   func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, segment.RootKey))) },
		"a root of others": func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, segment.RootKey), []byte("{}"), 0o600))
		},
		"a missing item": func(t *testing.T, dir string) { removeShared(t, dir) },
		"a list that has not the object": func(t *testing.T, dir string) {
			rel, err := filepath.Rel(dir, object(t, dir, 1))
			must(t, err)
			relist(t, dir, func(files []release.File) []release.File {
				return slices.DeleteFunc(files, func(f release.File) bool { return f.Name == filepath.ToSlash(rel) })
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			h := newEntryHistory(t, store, 7, 20)
			root := t.TempDir()
			dir, files := filepath.Join(root, "out"), filepath.Join(root, "files")
			build := func() Report {
				buildForm(t, store, files, FormFiles, "")
				return buildForm(t, store, dir, FormSegments, segment.Pages)
			}
			build()
			change(t, store, h.pages[3], "One", "2026-09-01T00:00:00Z")
			build()
			harm(t, dir)
			change(t, store, h.pages[4], "Two", "2026-09-01T00:00:01Z")
			if r := build(); !errors.Is(r.Damage, errSegments) || r.Due < 40 {
				t.Errorf("damage %v, %d entries were due", r.Damage, r.Due)
			}
			compareForms(t, files, dir)
			if r := build(); !r.Unchanged || r.Damage != nil {
				t.Errorf("the next build is %+v", r)
			}
		})
	}
}

func flipByte(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)-1] ^= 1
	must(t, os.WriteFile(path, data, 0o600))
}

func removeShared(t *testing.T, dir string) {
	t.Helper()
	root := readRoot(t, dir)
	shared := root.Layers[len(root.Layers)-1].Shared
	must(t, os.Remove(filepath.Join(dir, filepath.FromSlash(segment.ObjectKey(shared.Objects[0])))))
}

// TestDamageIsFoundWhereTheBaseIsRead harms a byte of the base, which a build
// that merges reads.
func TestDamageIsFoundWhereTheBaseIsRead(t *testing.T) {
	store := newStore(t)
	h := newEntryHistory(t, store, 8, 60)
	dir := filepath.Join(t.TempDir(), "out")
	buildForm(t, store, dir, FormSegments, segment.Pages)
	flipByte(t, filepath.Join(dir, filepath.FromSlash(segment.ObjectKey(readRoot(t, dir).Layers[0].Entries.Objects[0]))))
	for n := range 20 {
		change(t, store, h.pages[n], "Edited", "2026-09-01T00:00:00Z")
	}
	if r := buildForm(t, store, dir, FormSegments, segment.Pages); !errors.Is(r.Damage, errSegments) {
		t.Errorf("damage %v", r.Damage)
	}
	wantSameBase(t, store, dir, segment.Pages)
}

// TestRootOfSegmentsComesBetween holds the order of a publication: objects and
// new files, the root that names them, then pages that name its entries.
func TestRootOfSegmentsComesBetween(t *testing.T) {
	for _, known := range []bool{false, true} {
		c := target.Changes{Added: []target.Object{{Key: "_seg/1"}, {Key: "w"}}, Changed: []target.Object{{Key: "a"}, {Key: "z"}}}
		list := &c.Added
		if known {
			list = &c.Changed
		}
		*list = slices.Insert(*list, 1, target.Object{Key: segment.RootKey})
		c.Changed = leadWithSegments(&c)
		var keys []string
		for _, o := range slices.Concat(c.Added, c.Changed) {
			keys = append(keys, o.Key)
		}
		if want := []string{"_seg/1", "w", segment.RootKey, "a", "z"}; !slices.Equal(keys, want) {
			t.Errorf("the order is %q, want %q", keys, want)
		}
	}
}

// TestSegmentsSurviveKills kills a build in segments at every step from the
// first leaf on, over small changes and over those that make a new base. Each kill
// leaves a whole release, and the next build goes on from it.
func TestSegmentsSurviveKills(t *testing.T) {
	allowDeltas(t, 80)
	root := t.TempDir()
	dir := filepath.Join(root, "dist")
	store := openStore(t, filepath.Join(root, "origin.db"))
	h := newEntryHistory(t, store, 9, 15)
	opt := crashOptions(t, FormSegments)
	_, err := Build(t.Context(), store, dir, opt)
	must(t, err)
	deltas := 0
	for n, step := range []string{"append", "signed", "segments", "rendered", "sealed", "published", "tables"} {
		for _, edits := range []int{1, 9} {
			at := fmt.Sprintf("2026-09-01T00:%02d:%02dZ", n, edits)
			for i := range edits {
				change(t, store, h.pages[i], "Edited before a kill at "+step, at)
			}
			addPage(t, store, "beta", 9000+10*n+edits)
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "COLOPHON_TEST_KILL="+dir, testForm+"="+string(FormSegments), "COLOPHON_TEST_STEP="+step+":1")
			out, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("the build was not killed at %q: %v %s", step, err, out)
			}
			must(t, target.Recover(dir))
			wantSound(t, dir)

			r, err := Build(t.Context(), store, dir, opt)
			must(t, err)
			// A kill right after the publication loses the rows, which are kept after it.
			if r.Damage != nil || int(r.Due) >= 30 && step != "published" {
				t.Errorf("after a kill at %q %d entries are due: %v", step, r.Due, r.Damage)
			}
			wantSound(t, dir)
			if len(readRoot(t, dir).Layers) > 1 {
				deltas++
			}
		}
	}
	if deltas == 0 {
		t.Error("no build wrote a delta")
	}
}

func wantSound(t *testing.T, dir string) {
	t.Helper()
	a, err := Verify(dir)
	must(t, err)
	if len(a.Findings) > 0 {
		t.Fatalf("findings %q", a.Findings)
	}
}
