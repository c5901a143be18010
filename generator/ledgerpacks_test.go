package generator

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/generator/ledger"
	"colophon/generator/verify"
	"colophon/internal/assert"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/ledgerlog"
)

// readsLog returns a function that reads files of the log of a build as a
// service does.
func readsLog(t *testing.T, dir string) ledgerlog.ReadTile {
	files := document.Files{Source: newFolderSource(dir)}
	return func(path string) ([]byte, error) { return files.Read(t.Context(), ledgerPrefix+path) }
}

// namesOfLog returns the names of the files of the log, both those in the
// folder and those in packs.
func namesOfLog(t *testing.T, dir string) []string {
	t.Helper()
	names, err := ledger.FilesOf(filepath.Join(dir, "ledger"))
	must(t, err)
	packed, err := PackedFiles(dir, ledgerPrefix)
	must(t, err)
	for _, name := range packed {
		names = append(names, strings.TrimPrefix(name, ledgerPrefix))
	}
	return names
}

func wantSoundLog(t *testing.T, dir string) ledger.Report {
	t.Helper()
	r, err := ledger.Audit(ledger.Question{Read: readsLog(t, dir), Files: namesOfLog(t, dir)})
	must(t, err)
	if len(r.Findings) > 0 {
		t.Fatalf("findings %q", r.Findings)
	}
	return r
}

// TestLedgerInPacks grows a log beyond a full tile in both forms. At each size
// both must answer every file of the log with the same bytes, including partial
// tiles of earlier sizes, and in packs no tile may be a file.
func TestLedgerInPacks(t *testing.T) {
	t.Parallel()
	for packSize, grows := range map[int64][]int{SmallPacks: {5, 250, 10}, LargePacks: {260, 10}} {
		t.Run(fmt.Sprint(packSize), func(t *testing.T) {
			store := newStore(t)
			addSite(t, store, "alpha")
			root := t.TempDir()
			files, dir := filepath.Join(root, "files"), filepath.Join(root, "packs")
			pages := 0
			var last []byte
			for round, more := range grows {
				for range more {
					addPage(t, store, "alpha", pages)
					pages++
				}
				r := buildForm(t, store, dir, FormPacks, packSize)
				buildForm(t, store, files, FormFiles, 0)
				if r.Damage != nil || round > 0 && int(r.Due) >= pages {
					t.Errorf("round %d: %d entries were due, %v", round, r.Due, r.Damage)
				}
				assert.ErrorIs(t, assert.Err(os.Stat(filepath.Join(dir, "ledger", "tile"))), fs.ErrNotExist, "round %d: tiles are files", round)
				read := readsLog(t, dir)
				want := readTree(t, filepath.Join(files, "ledger"))
				for name, data := range want {
					if got, err := read(name); err != nil || !bytes.Equal(got, data) {
						t.Errorf("round %d: %s is %d bytes, %v; the file has %d", round, name, len(got), err, len(data))
					}
				}
				if names := namesOfLog(t, dir); len(names) != len(want) {
					t.Errorf("round %d: %d files of the log, want %d", round, len(names), len(want))
				}
				if got := wantSoundLog(t, dir); got.Checkpoint.Size != r.LedgerSize || bytes.Equal(got.Note, last) {
					t.Errorf("round %d: %d leaves, want %d", round, got.Checkpoint.Size, r.LedgerSize)
				}
				last = want["checkpoint"]
				assert.ErrorIs(t, assert.Err(read("tile/0/099")), fs.ErrNotExist, "a tile that the log has not")
			}
			if packSize == SmallPacks { // TestPacksOfHistories compares both
				compareForms(t, files, dir)
			}
			wantSameTable(t, store, dir, packSize)
		})
	}
}

// TestFullTilesAreNotWrittenAgain appends one leaf to a log of three tiles:
// only the partial tiles of the new size may be written, and the leaves of the
// full tiles must not be read.
func TestFullTilesAreNotWrittenAgain(t *testing.T) {
	store := newStore(t)
	populate(t, store, 260)
	dir := filepath.Join(t.TempDir(), "out")
	buildForm(t, store, dir, FormPacks, SmallPacks)
	full, partial := map[string]blob.Location{}, 0
	for key := range valuesIn(t, dir) {
		full[key] = blobOf(t, dir, key)
	}
	addPage(t, store, "alpha", 4000)
	usualBatch, usualReached := ledgerBatch, reached
	t.Cleanup(func() { ledgerBatch, reached = usualBatch, usualReached })
	ledgerBatch = 64
	batches := 0
	reached = func(step string) {
		if step == "tiles" {
			batches++
		}
	}
	buildForm(t, store, dir, FormPacks, SmallPacks)
	if batches == 0 || batches > 4 {
		t.Errorf("%d batches of leaves were read", batches)
	}

	for key := range valuesIn(t, dir) {
		tile, isTile := ledgerlog.ParseTilePath(strings.TrimPrefix(key, document.FileKey(ledgerPrefix)))
		if now := blobOf(t, dir, key); isTile && tile.W == ledgerlog.TileWidth && now != full[key] {
			t.Errorf("%s was written again", key)
		} else if isTile && full[key] == (blob.Location{}) {
			partial++
		}
	}
	if partial == 0 {
		t.Error("there is no new partial tile")
	}
}

// blobOf returns the location of the blob that begins with the value under
// key, or the zero Location if there is none.
func blobOf(t *testing.T, dir, key string) blob.Location {
	t.Helper()
	rows := tableOf(t, dir).Below(key)
	if len(rows) == 0 || rows[0].Key != key {
		return blob.Location{}
	}
	return *rows[0].At
}

// TestLedgerChangesItsForm publishes a log as files, then in packs, then as
// files again: each release must be sound.
func TestLedgerChangesItsForm(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	populate(t, store, 90)
	dir := filepath.Join(t.TempDir(), "out")
	for round, form := range []Form{FormFiles, FormPacks, FormFiles} {
		addPage(t, store, "alpha", 2000+round)
		buildForm(t, store, dir, form, 0)
		wantSoundLog(t, dir)
		wantSound(t, dir)
		_, err := os.Stat(filepath.Join(dir, "ledger", "tile", "0", "000"))
		assert.Equal(t, err == nil, (form == FormFiles), "round %d: the tile is a file", round)
	}
}

// TestHarmedTilesInPacks damages the pack that holds a bundle: the bundle must
// not be reported as missing, and an audit must find the damage. A build that
// misses the pack, and a whole build that finds it damaged, write everything
// again.
func TestHarmedTilesInPacks(t *testing.T) {
	t.Parallel()
	const bundle = "tile/entries/000"
	sound := t.TempDir()
	store := openStore(t, filepath.Join(sound, "origin.db"))
	populate(t, store, 90)
	buildForm(t, store, filepath.Join(sound, "out"), FormPacks, SmallPacks)
	must(t, store.DB().Close())
	for name, harm := range map[string]func(path string, at int64){
		"missing": func(path string, _ int64) { must(t, os.Remove(path)) },
		"flipped": func(path string, at int64) { flipByte(t, path, at) },
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			must(t, os.CopyFS(root, os.DirFS(sound)))
			store, dir := openStore(t, filepath.Join(root, "origin.db")), filepath.Join(root, "out")
			at := blobOf(t, dir, document.FileKey(ledgerPrefix+bundle))
			harm(filepath.Join(dir, filepath.FromSlash(blob.PackKey(at.Pack))), at.Offset)

			if data, err := readsLog(t, dir)(bundle); err == nil || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the bundle reads %d bytes, %v", len(data), err)
			}
			a, err := verify.Release(dir)
			must(t, err)
			if !strings.Contains(strings.Join(a.Findings, "\n"), ledgerPrefix+": "+bundle) {
				t.Errorf("findings %q", a.Findings)
			}
			addPage(t, store, "alpha", 3000)
			opt := testOptions(t, 3)
			opt.Form, opt.PackSize, opt.Whole = FormPacks, SmallPacks, name == "flipped"
			r, err := Build(t.Context(), store, dir, opt)
			must(t, err)
			if name == "missing" && !errors.Is(r.Damage, errPacks) {
				t.Errorf("damage %v", r.Damage)
			}
			wantSoundLog(t, dir)
			wantSound(t, dir)
		})
	}
}
