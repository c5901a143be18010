package generator

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/catalog"
	"colophon/internal/staticindex"
)

// builtFiles are the files of a build, as the worker reads them.
type builtFiles string

func (dir builtFiles) Read(_ context.Context, key string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(dir), filepath.FromSlash(key)))
}

// TestInventoryWithoutPages checks that a publisher without pages has an empty
// inventory, with any parameter.
func TestInventoryWithoutPages(t *testing.T) {
	t.Parallel()
	for _, pages := range []int{0, 2} { // of another publisher
		store, dir := newRegistry(t)
		addSite(t, store, "empty-site")
		addSite(t, store, "full-site")
		for n := range pages {
			addPage(t, store, "full-site", n)
		}
		build1(t, store, dir, 1)
		published := catalog.New(builtFiles(dir), time.Now)
		for _, ask := range []staticindex.Ask{{}, {Limit: "5"}, {Q: "harbour"}, {Cursor: "*"}} {
			list, err := published.Inventory(context.Background(), "empty-site", ask)
			if err != nil {
				t.Fatalf("%d pages elsewhere, %+v: %v", pages, ask, err)
			}
			if len(list.Data) != 0 || list.Page.Total != 0 || list.Page.NextCursor != "" {
				t.Errorf("%+v: %+v", ask, list.Page)
			}
		}
		assert.Fails(t, assert.Err(published.Inventory(context.Background(), "no-site", staticindex.Ask{})), "a site that is not there has an inventory")
		full, err := published.Inventory(context.Background(), "full-site", staticindex.Ask{Limit: "5"})
		if err != nil || len(full.Data) != pages {
			t.Errorf("the other publisher: %v", err)
		}
	}
}

// TestReleaseOfNothing checks that the release of an empty origin is dated by
// its first key, and is reproducible.
func TestReleaseOfNothing(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	var releases []exports.Release
	for range 2 {
		releases = append(releases, build1(t, store, filepath.Join(t.TempDir(), "dist"), 1).Release)
	}
	if r := releases[0]; r.Name != "2024-01-01.0" || r.GeneratedAt != "2024-01-01T00:00:00Z" || releases[1] != r {
		t.Errorf("%+v", releases)
	}
}

// TestBoundaries checks that the manifests repeat all nine boundaries of the
// specification.
func TestBoundaries(t *testing.T) {
	t.Parallel()
	want := []string{
		"access_is_not_permission", "inquiry_only", "metadata_only", "private_stays_private", "signals_are_not_permission", "agents_do_not_bind",
		"integrity_is_not_ownership", "sandbox_is_not_privileged", "live_state_wins",
	}
	for i, b := range exports.Boundaries {
		if i >= len(want) || b.ID != want[i] || b.Text == "" {
			t.Errorf("boundary %d is %q", i, b.ID)
		}
	}
	assert.Equal(t, len(exports.Boundaries), len(want), "boundaries")
}
