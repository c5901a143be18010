package generator

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/assert"
	entrydoc "colophon/internal/blob/document"
	"colophon/internal/catalog"
	"colophon/internal/listing"
	"colophon/internal/origin"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// recordIDs returns the entry ids of a list of records.
func recordIDs(list *listing.SiteRecords) (ids []string) {
	for i := range list.Data {
		ids = append(ids, list.Data[i].EntryID)
	}
	return ids
}

// publishedRecords returns the first page of a site's list of records, which is a
// published file.
func publishedRecords(t *testing.T, dir, site string) *listing.SiteRecords {
	t.Helper()
	data, err := entrydoc.Files{Source: newFolderSource(dir)}.Read(t.Context(), string(exports.KeyOf(exports.SiteRecordsPath(site))))
	must(t, err)
	list := new(listing.SiteRecords)
	must(t, wire.Decode(data, list, wire.Trusted))
	return list
}

// walkRecords returns the entry ids of a list of records from a cursor to the end.
func walkRecords(t *testing.T, c *catalog.Reader, site, limit, cursor string) (ids []string) {
	t.Helper()
	for {
		list, err := c.SiteRecords(context.Background(), site, staticindex.Ask{Limit: limit, Cursor: cursor, Path: exports.SiteRecordsPath(site)})
		must(t, err)
		ids = append(ids, recordIDs(list)...)
		if list.Page.NextCursor == "" {
			assert.Equal(t, list.Links.Next, "", "the end leads on to")
			return ids
		}
		if list.Page.NextOffset >= 0 {
			t.Errorf("offset %d is offered, which the list does not take", list.Page.NextOffset)
		}
		cursor = list.Page.NextCursor
	}
}

// TestRecordsOfSiteGoOn checks, in both forms, that a walk yields all records of a
// site if there are more than fit into one answer: from the published file and
// from the start, in pages of several sizes. The walk skips pages without a record
// and the pages of other sites.
func TestRecordsOfSiteGoOn(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addSite(t, store, "alpha")
	addSite(t, store, "beta")
	var pages []origin.Page
	for n := range 333 {
		p := addPage(t, store, "alpha", n, func(p *origin.Page) {
			if n%20 == 7 {
				p.Portable, p.Registry = "", ""
			}
			if n == 5 {
				p.State = "withdrawn"
			}
		})
		if p.Portable != "" && p.State == "active" {
			pages = append(pages, p)
		}
		addPage(t, store, "beta", n)
	}
	slices.SortFunc(pages, func(a, b origin.Page) int {
		return cmp.Or(strings.Compare(b.RegisteredAt, a.RegisteredAt), strings.Compare(a.EntryID, b.EntryID))
	})
	var want []string
	for i := range pages {
		want = append(want, pages[i].EntryID)
	}
	if len(want) < 300 {
		t.Fatalf("only %d records", len(want))
	}

	for _, form := range []Form{FormFiles, FormPacks} {
		dir := filepath.Join(t.TempDir(), "dist")
		buildForm(t, store, dir, form, SmallPacks)
		c := catalog.New(entrydoc.Files{Source: newFolderSource(dir)}, time.Now)
		first := publishedRecords(t, dir, "alpha")
		if first.Page.Total != int64(len(want)) || first.Page.NextCursor == "" || first.Links.Next == "" {
			t.Errorf("%s: the file is not the first page of %d records: %+v", form, len(want), first.Page)
		}
		if got := append(recordIDs(first), walkRecords(t, c, "alpha", "", first.Page.NextCursor)...); !slices.Equal(got, want) {
			t.Errorf("%s: from the file %d records, want %d", form, len(got), len(want))
		}
		for _, limit := range []string{"1", "", "100"} {
			if got := walkRecords(t, c, "alpha", limit, "*"); !slices.Equal(got, want) {
				t.Errorf("%s: %d records in pages of %q, want %d", form, len(got), limit, len(want))
			}
		}
		computed, err := c.SiteRecords(context.Background(), "alpha", staticindex.Ask{Path: exports.SiteRecordsPath("alpha")})
		must(t, err)
		computed.Links.Next = first.Links.Next // a link of its own limit
		assert.Equal(t, string(wire.Append(nil, computed)), string(wire.Append(nil, first)), "%s: the file and the answer differ", form)
	}
}

// TestRecordsOfSiteAcrossReleases checks that a walk continues from a cursor of an
// earlier release, and that it skips records of that release whose files are gone.
// In the current release a missing file is the error index_unavailable.
func TestRecordsOfSiteAcrossReleases(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	addSite(t, store, "alpha")
	for n := range 140 {
		addPage(t, store, "alpha", n)
	}
	build1(t, store, dir, 1)
	clock := time.Now()
	c := catalog.New(builtFiles(dir), func() time.Time { return clock })
	all := walkRecords(t, c, "alpha", "", "*")
	cursor := publishedRecords(t, dir, "alpha").Page.NextCursor

	addPage(t, store, "alpha", 500, func(p *origin.Page) { p.RegisteredAt = "2026-12-01T00:00:00Z" })
	build1(t, store, dir, 1)
	if got := walkRecords(t, c, "alpha", "", cursor); !slices.Equal(got, all[render.RecordsOnPage:]) {
		t.Errorf("%d records after a release, want %d", len(got), len(all)-render.RecordsOnPage)
	}

	for _, at := range []int{30, render.RecordsOnPage + 10} {
		must(t, os.Remove(filepath.Join(dir, filepath.FromSlash(string(exports.KeyOf(exports.RecordPath(all[at])))))))
	}
	if got := walkRecords(t, c, "alpha", "", cursor); !slices.Equal(got, slices.Delete(slices.Clone(all[render.RecordsOnPage:]), 10, 11)) {
		t.Errorf("%d records of an earlier release, want all but the one that is gone", len(got))
	}
	clock = clock.Add(time.Hour)
	_, err := c.SiteRecords(context.Background(), "alpha", staticindex.Ask{Limit: "100"})
	var e *staticindex.Error
	if !errors.As(err, &e) || e.Code != "index_unavailable" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a record is lost, and the answer is %v", err)
	}
	if _, err := c.SiteRecords(context.Background(), "nobody", staticindex.Ask{}); !errors.As(err, &e) || e.Code != "site_not_found" {
		t.Errorf("an unknown site: %v", err)
	}
}
