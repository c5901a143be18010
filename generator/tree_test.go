package generator

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/generator/target"
	"colophon/internal/origin"
)

// TestAssetSiblings checks that each asset has the compressed form of its own
// content, both when it is made and when it comes from the cache.
func TestAssetSiblings(t *testing.T) {
	t.Parallel()
	for range 2 {
		for _, name := range []string{"assets/one.0000000001.js", "assets/two.0000000002.js"} {
			want := []byte(strings.Repeat(name+"\n", 1000))
			z, err := gzip.NewReader(bytes.NewReader(siblingOf(name, want)))
			must(t, err)
			got, err := io.ReadAll(z)
			must(t, err)
			if !bytes.Equal(got, want) {
				t.Errorf("%s has a sibling of %.30q", name, got)
			}
		}
	}
}

// TestWholeBuildRemovesStrays checks that a build that writes everything removes
// the files that no list names, also from the folder of notes. A build writes
// everything if it is asked to, if the list is damaged, or if another version of
// the program wrote the notes. Files in their grace period stay.
func TestWholeBuildRemovesStrays(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, dir string, opt *Options){
		"asked for": func(_ *testing.T, _ string, opt *Options) { opt.Whole = true },
		"a damaged list": func(t *testing.T, dir string, _ *Options) {
			damageList(t, dir)
		},
		"another version": func(t *testing.T, dir string, _ *Options) {
			former := `{"catalog":{"name":"2026-01-01.9"},"changes":99999,"latest_change":"2999-01-01T00:00:00Z","sites":["gone"]}`
			must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(NotesFile)), []byte(former), 0o600))
			if _, err := ReadPublished(dir); !errors.Is(err, errOtherVersion) {
				t.Errorf("a note of another version: %v", err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, dir := populated(t, 2)
			opt := testOptions(t, 2)
			opt.Form = FormFiles
			build := func() {
				_, err := Build(t.Context(), store, dir, opt)
				must(t, err)
			}
			build()
			strays := []string{filepath.Join(dir, "publishers", "stray.html"), filepath.Join(dir, target.NotesDir, "inputs.json")}
			for _, stray := range strays {
				must(t, os.WriteFile(stray, nil, 0o600))
			}
			waiting := filepath.Join(dir, "assets", "old.0000000001.js")
			must(t, os.WriteFile(waiting, nil, 0o600))
			note := filepath.Join(dir, filepath.FromSlash(target.WaitingFile))
			must(t, os.WriteFile(note, []byte("- 32472144000 "+strings.Repeat("0", 64)+" 0 - assets/old.0000000001.js\n"), 0o600))
			prepare(t, dir, &opt)
			suspendSite(t, store, "beta", origin.Suspended)
			build()
			for _, stray := range strays {
				if _, err := os.Stat(stray); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the stray file: %v", err)
				}
			}
			if _, err := os.Stat(waiting); err != nil {
				t.Errorf("the file that waits: %v", err)
			}
			wantSound(t, dir)
		})
	}
}
