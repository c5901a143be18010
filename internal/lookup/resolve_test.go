package lookup_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/listing"
	"colophon/internal/lookup"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
)

func entry(site, url, digest string) indexbuild.Entry {
	var e indexbuild.Entry
	e.SiteID, e.URL, e.Title, e.Publisher, e.RegisteredAt, e.RightsVector = site, url, "A page", site, "2026-01-01T00:00:00Z", "UUUUUUUU"
	e.EntryID, e.Digest, e.LedgerIndex = urlkey.EntryID(site, url), digest, -1
	return e
}

func sequence[T any](list ...T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, x := range list {
			if !yield(x, nil) {
				return
			}
		}
	}
}

var nowhere = exports.Release{Name: "test", GeneratedAt: "2026-01-01T00:00:00Z"}

// TestAllCandidates checks that every match is returned, whatever its kind;
// none is preferred, and withdrawn entries are found but not listed.
func TestAllCandidates(t *testing.T) {
	same, registry := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	one, two := entry("a-site", "https://shared.example/x", same), entry("b-site", "https://shared.example/x", "")
	three := entry("b-site", "https://b.example/copy", same)
	four := entry("c-site", "https://c.example/gone", "")
	four.Withdrawn, four.Registry = true, registry
	five := entry("d-site", "https://d.example/", registry)
	five.EntryID = "legacy_5"
	six := entry("d-site", "https://d.example/self", strings.Repeat("ee", 32))
	six.Registry = six.Digest // found once, not twice
	published := catalogtest.Files{}
	catalogtest.Build(t, published, corpus.Source{Release: nowhere, Source: indexbuild.Source{LedgerSize: 12}, Entries: sequence(one, two, three, four, five, six)})
	c := catalog.New(published, time.Now)
	for _, x := range []struct {
		name string
		l    lookup.Query
		want []string
	}{
		{"a URL of two sites", lookup.Query{URL: one.URL}, []string{one.EntryID, two.EntryID}},
		{"a digest of two pages", lookup.Query{Fingerprint: same}, []string{one.EntryID, three.EntryID}},
		{"portable here, registry there", lookup.Query{Fingerprint: registry}, []string{four.EntryID, five.EntryID}},
		{"both digests of one entry", lookup.Query{Fingerprint: six.Digest}, []string{six.EntryID}},
		{"an id", lookup.Query{EntryID: two.EntryID}, []string{two.EntryID}},
		{"an older id", lookup.Query{EntryID: "legacy_5"}, []string{"legacy_5"}},
		{"an entry that was withdrawn", lookup.Query{URL: four.URL}, []string{four.EntryID}},
	} {
		r, err := c.Resolve(context.Background(), x.l)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		var got []string
		for i := range r.Candidates {
			got = append(got, r.Candidates[i].EntryID)
			if r.Candidates[i].Withdrawn != (r.Candidates[i].EntryID == four.EntryID) {
				t.Errorf("%s: state of %s", x.name, got[i])
			}
		}
		slices.Sort(got)
		slices.Sort(x.want)
		assert.EqualSlices(t, got, x.want, "%s", x.name)
	}
	f, err := c.Feed(context.Background(), staticindex.Ask{}, false)
	if err != nil || f.Page.Total != 5 {
		t.Errorf("feed: %v, total %d", err, f.Page.Total)
	}
	if _, err := c.Inventory(context.Background(), "c-site", staticindex.Ask{}); catalogtest.CodeOf(err) != "site_not_found" {
		t.Errorf("a site without a listed page: %v", err)
	}
}

// TestEntriesOfOneDigest checks that up to lookup.MaxReferences entries of a
// digest are looked up one by one, and that more stand beside it; all are
// found, in the same order and with the same facts, and no more files are read
// than that.
func TestEntriesOfOneDigest(t *testing.T) {
	same := strings.Repeat("ab", 32)
	for _, n := range []int{1, lookup.MaxReferences, lookup.MaxReferences + 1, 40} {
		var entries []indexbuild.Entry
		var want []string
		for i := range n {
			e := entry("a-site", fmt.Sprintf("https://a.example/%d", i), same)
			e.RecordSHA256, e.RecordVersion = strings.Repeat(fmt.Sprintf("%02x", i), 32), int64(i+1)
			entries, want = append(entries, e), append(want, e.EntryID)
		}
		slices.Sort(want)
		published := &files{all: catalogtest.Files{}}
		catalogtest.Build(t, published.all, corpus.Source{Release: nowhere, Source: indexbuild.Source{LedgerSize: 12}, Entries: sequence(entries...)})
		c := catalog.New(published, time.Now)
		if _, err := c.Resolve(context.Background(), lookup.Query{EntryID: want[0]}); err != nil { // reads the first file of the index
			t.Fatal(err)
		}
		published.reads = 0
		r, err := c.Resolve(context.Background(), lookup.Query{Fingerprint: same})
		must(t, err)
		var got []string
		for _, x := range r.Candidates {
			got = append(got, x.EntryID)
			e := entries[slices.IndexFunc(entries, func(e indexbuild.Entry) bool { return e.EntryID == x.EntryID })]
			if x.Basis != exports.BasisPortable || x.CanonicalURL != e.URL || x.RecordSHA256 != e.RecordSHA256 || x.RecordVersion != e.RecordVersion {
				t.Errorf("%d entries: %+v", n, x)
			}
		}
		assert.EqualSlices(t, got, want, "%d entries", n)
		if most := 2 + lookup.MaxReferences; published.reads > most { // including the list of withdrawals
			t.Errorf("%d entries: %d files were read, at most %d should be", n, published.reads, most)
		}
		if n > lookup.MaxReferences && published.reads != 2 {
			t.Errorf("%d entries: %d files were read for facts that stand beside the digest", n, published.reads)
		}
	}
}

// TestReferenceToNothing checks that a bucket which refers to a missing entry
// is damaged, and never means that nothing matches.
func TestReferenceToNothing(t *testing.T) {
	same := strings.Repeat("ab", 32)
	published := catalogtest.Files{}
	x := catalogtest.Build(t, published, corpus.Source{Release: nowhere, Entries: sequence(entry("a-site", "https://a.example/", same))})
	gen := x.Current.Gen
	other := catalogtest.Files{}
	y := catalogtest.Build(t, other, corpus.Source{Release: nowhere, Entries: sequence(entry("b-site", "https://b.example/", same))})
	key := lookup.BucketKey(gen, lookup.LookupPrimary, 0)
	published[string(key)] = other[string(lookup.BucketKey(y.Current.Gen, lookup.LookupPrimary, 0))]
	_, err := catalog.New(published, time.Now).Resolve(context.Background(), lookup.Query{Fingerprint: same})
	assert.Equal(t, catalogtest.CodeOf(err), "index_unavailable", "%v", err)
}

// TestFailedBuilds checks that what cannot be built is refused with a reason,
// and that no temporary file is left.
func TestFailedBuilds(t *testing.T) {
	a, b := entry("a-site", "https://a.example/", ""), entry("b-site", "https://b.example/", "")
	bad := a
	bad.RegisteredAt = "yesterday"
	badID := a
	badID.EntryID = "no id"
	badDigest := a
	badDigest.Registry = "xyz"
	broken := errors.New("the disk is full")
	failing := func(yield func(indexbuild.Entry, error) bool) { yield(a, broken) }
	for name, c := range map[string]struct {
		entries iter.Seq2[indexbuild.Entry, error]
		put     error
		want    string
	}{
		"pages of a site apart": {sequence(a, b, a), nil, "not together"},
		"a bad time":            {sequence(bad), nil, "no public form"},
		"a bad id":              {sequence(badID), nil, "id is not valid"},
		"a bad digest":          {sequence(badDigest), nil, "malformed"},
		"a source that fails":   {failing, nil, "disk is full"},
		"a sink that fails":     {sequence(a), broken, "disk is full"},
	} {
		dir := t.TempDir()
		_, err := catalogtest.BuildIndex(context.Background(), corpus.Source{Release: nowhere, Entries: c.entries}, indexbuild.Options{Temp: dir, Put: func(exports.Key, []byte) error { return c.put }})
		assert.ErrorContains(t, err, name, c.want)
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%s leaves %v", name, left)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, assert.Err(catalogtest.BuildIndex(ctx, corpus.Source{Release: nowhere, Entries: sequence(a)}, indexbuild.Options{Put: func(exports.Key, []byte) error { return nil }})), context.Canceled, "a build that is called off")
}

// TestNothingPublished checks that an empty catalog answers with empty lists.
func TestNothingPublished(t *testing.T) {
	published := catalogtest.Files{}
	catalogtest.Build(t, published, corpus.Source{Release: nowhere})
	c := catalog.New(published, time.Now)
	ctx := context.Background()
	if r, err := c.SearchCatalog(ctx, staticindex.Ask{Q: "tide"}); err != nil || r.Page.Total != 0 {
		t.Error(err)
	}
	if r, err := c.Feed(ctx, staticindex.Ask{Cursor: "*"}, true); err != nil || r.Page.Total != 0 || r.Page.NextCursor != "" {
		t.Error(err)
	}
	if r, err := c.LicenseCatalog(ctx, staticindex.Ask{Q: "x"}, listing.OfferFilter{Territory: "NL"}); err != nil || r.Page.Total != 0 {
		t.Error(err)
	}
	if r, err := c.PartnerCatalog(ctx, staticindex.Ask{}, listing.PublisherFilter{MinRegisteredPages: "3"}); err != nil || r.Page.Total != 0 {
		t.Error(err)
	}
}
