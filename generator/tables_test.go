package generator

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/release"
)

// listOf verifies and returns the signed list of the release in a folder.
func listOf(t *testing.T, dir string) *release.List {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(release.ListKey)))
	must(t, err)
	list, err := release.ParseList(data, testOptions(t, 1).Keys)
	must(t, err)
	return list
}

// TestReleaseWithoutTables makes a build unable to write the tables. It checks
// that the release is published and sound without tables, that no table of the
// earlier release stays, and that the next build writes the same tables as a
// build in a fresh folder. A build that is stopped then publishes nothing.
func TestReleaseWithoutTables(t *testing.T) {
	for _, form := range bothForms {
		t.Run(string(form), func(t *testing.T) {
			store, root := newStore(t), t.TempDir()
			populate(t, store, 12)
			dir := filepath.Join(root, "dist")
			opt := crashOptions(t, form)
			first, err := Build(t.Context(), store, dir, opt)
			must(t, err)
			if list := listOf(t, dir); list.Tables != first.Release.Root || list.Catalog.Root != first.Release.Root {
				t.Errorf("the list has the tables of %q, the release is %q", list.Tables, first.Release.Root)
			}

			addPage(t, store, "alpha", 700, func(p *origin.Page) { p.ChangedAt = "2026-10-01T00:00:00Z" })
			ctx, cancel := context.WithCancel(t.Context())
			atStep(t, "signed", cancel)
			if _, err := Build(ctx, store, dir, opt); errors.Is(err, ErrPublished) || !errors.Is(err, context.Canceled) {
				t.Fatalf("a build that is stopped ends with %v", err)
			}
			if list := listOf(t, dir); list.Tables != first.Release.Root || list.Catalog.Root != first.Release.Root {
				t.Errorf("after a build that was stopped the list has the tables of %q, the release is %q", list.Tables, list.Catalog.Root)
			}
			atStep(t, "signed", func() { // a file takes the place of the folder for the tables of entries
				path := filepath.Join(root, ".dist.next", filepath.FromSlash(release.Folder), "entries")
				must(t, os.MkdirAll(filepath.Dir(path), 0o755))
				must(t, os.WriteFile(path, nil, 0o600))
			})
			if _, err := Build(t.Context(), store, dir, opt); !errors.Is(err, ErrPublished) || !strings.Contains(err.Error(), "cannot publish the tables") {
				t.Fatalf("the build ends with %v", err)
			}
			reached = func(string) {}
			wantSound(t, dir)
			list := listOf(t, dir)
			if list.Tables != "" || list.Catalog.Root == first.Release.Root {
				t.Errorf("the list has the tables of %q, the release is %q", list.Tables, list.Catalog.Root)
			}
			for name := range readTree(t, dir) {
				if isTable(name) {
					t.Errorf("%s is published", name)
				}
			}

			again, err := Build(t.Context(), store, dir, opt)
			must(t, err)
			wantSound(t, dir)
			if list := listOf(t, dir); again.Unchanged || list.Tables != list.Catalog.Root {
				t.Errorf("the next build leaves the tables of %q, the release is %q", list.Tables, list.Catalog.Root)
			}
			fresh := filepath.Join(root, "fresh")
			_, err = Build(t.Context(), store, fresh, opt)
			must(t, err)
			want := readTree(t, fresh)
			for name, data := range readTree(t, dir) {
				if isTable(name) && !bytes.Equal(data, want[name]) {
					t.Errorf("%s differs from that of a fresh folder", name)
				}
			}
		})
	}
}
