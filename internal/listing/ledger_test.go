package listing_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/ledgerlog"
	"colophon/internal/record"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/internal/withdrawn"
)

// loggedWorld is a catalog with a ledger: the leaves of all pages by number, of
// which page 5 has two further versions at the end, and others between.
type loggedWorld struct {
	catalogtest.Files
	corpus *corpus.Generator
	*catalog.Reader
	fifth  indexbuild.Entry
	places map[int64]int64 // of the versions of the fifth page before the present one
	leaves [][]byte
}

const loggedPages = 600

func newLoggedWorld(t *testing.T) *loggedWorld {
	t.Helper()
	w := &loggedWorld{Files: catalogtest.Files{}, corpus: corpus.New(corpus.Options{Publishers: 4, Pages: loggedPages, Seed: 3})}
	for i := range loggedPages {
		w.addRecord(w.corpus.Page(i), 1, record.OpIssue)
	}
	w.fifth = w.corpus.Page(5)
	w.leaves = append(w.leaves, wire.Append(nil, &record.PolicyLeaf{SiteID: w.fifth.SiteID, Version: 1, PolicySHA256: strings.Repeat("a", 64), EffectiveFrom: "2026-01-01T00:00:00Z"}))
	w.leaves = append(w.leaves, wire.Append(nil, &record.PolicyLeaf{SiteID: "site-gone", Version: 1, PolicySHA256: strings.Repeat("b", 64), EffectiveFrom: "2026-01-02T00:00:00Z"}))
	w.leaves = append(w.leaves, wire.Append(nil, &record.KeyLeaf{KeyID: "key", Op: record.OpAdd, NotBefore: 86400, NotAfter: 1 << 32, TrustedTreeSize: -1}))
	w.leaves = append(w.leaves, wire.Append(nil, &record.KeyLeaf{KeyID: "key", Op: record.OpRevoke, NotBefore: 86400, NotAfter: 1 << 32, TrustedTreeSize: 600}))
	w.leaves = append(w.leaves, wire.Append(nil, &record.IndexLeaf{ManifestSHA256: strings.Repeat("c", 64)}))
	gone := w.fifth
	gone.EntryID, gone.SiteID = "ent_0123456789abcdef01234567", "site-gone"
	w.addRecord(gone, 1, record.OpIssue)
	elsewhere := w.fifth
	elsewhere.SiteID = "site-gone"
	w.addRecord(elsewhere, 1, record.OpIssue)
	w.places = map[int64]int64{}
	w.supersede()
	w.supersede()
	w.publish(t, false)
	w.Reader = catalog.New(w.Files, time.Now)
	return w
}

func (w *loggedWorld) addRecord(e indexbuild.Entry, version int64, op string) {
	w.leaves = append(w.leaves, record.LeafBytes(record.RecordLeaf{EntryID: e.EntryID, Fingerprint: e.Digest, IssuedAt: "2026-01-03T00:00:00Z", Op: op,
		RecordSHA256: fmt.Sprintf("%064x", len(w.leaves)), RecordVersion: version, SiteID: e.SiteID, URLKey: strings.Repeat("0", 64)}))
}

// supersede adds a version of the fifth page.
func (w *loggedWorld) supersede() {
	e := &w.fifth
	w.places[e.RecordVersion] = e.LedgerIndex
	e.RecordVersion, e.LedgerIndex = e.RecordVersion+1, int64(len(w.leaves))
	w.addRecord(*e, e.RecordVersion, record.OpSupersede)
}

// publish publishes the catalog, in which the fifth page may be withdrawn, and the log.
func (w *loggedWorld) publish(t *testing.T, withdrawn bool) {
	t.Helper()
	src := w.corpus.Source()
	all := src.Entries
	w.fifth.Withdrawn = withdrawn
	src.Entries = func(yield func(indexbuild.Entry, error) bool) {
		for e, err := range all {
			if e.EntryID == w.fifth.EntryID {
				e = w.fifth
			}
			if !yield(e, err) {
				return
			}
		}
	}
	clear(w.Files)
	catalogtest.Build(t, w.Files, src)
	size := int64(len(w.leaves))
	prefix := exports.PathLedgerLog[1:]
	for n := int64(0); n<<ledgerlog.TileHeight < size; n++ {
		tile, _ := ledgerlog.TileAt(size, ledgerlog.EntriesLevel, n)
		var bundle []byte
		for _, leaf := range w.leaves[n<<ledgerlog.TileHeight:][:tile.W] {
			var err error
			if bundle, err = ledgerlog.AppendEntry(bundle, leaf); err != nil {
				t.Fatal(err)
			}
		}
		w.Files[prefix+ledgerlog.TilePath(tile)] = bundle
	}
	w.Files[prefix+ledgerlog.CheckpointPath] = fmt.Appendf(nil, "registry.example/ledger\n%d\n%s\n\n— registry.example/ledger AAAA\n", size, base64.StdEncoding.EncodeToString(make([]byte, 32)))
	for version, place := range w.places {
		w.put(exports.PlacePath(w.fifth.EntryID, version), &exports.LedgerPlace{Origin: "registry.example/ledger", Index: place})
	}
	for version := int64(1); version <= w.fifth.RecordVersion; version++ {
		path := exports.RecordVersionPath(w.fifth.EntryID, version)
		if version == w.fifth.RecordVersion {
			path = exports.RecordPath(w.fifth.EntryID)
		}
		r := exports.Record{EntryID: w.fifth.EntryID, Version: version}
		r.Proof.Created, r.Passport.AsOf, r.Passport.HolderBasis = "2026-01-03T00:00:00Z", "2026-01-03T00:00:00Z", exports.PassportBases[0]
		r.Source.Extraction = fmt.Sprint("service.main-text.v", min(version, 2))
		w.put(path, &r)
	}
}

func (w *loggedWorld) put(path string, r wire.Record) {
	w.Files[string(exports.KeyOf(path))] = wire.Append(nil, r)
}

// asked returns the leaves of a question.
func (w *loggedWorld) asked(t *testing.T, a staticindex.Ask) ([]exports.LedgerRow, exports.Page) {
	t.Helper()
	l, err := w.LedgerSearch(t.Context(), a)
	if err != nil {
		t.Fatalf("%+v: %v", a, err)
	}
	return l.Data, l.Page
}

func indexesOf(rows []exports.LedgerRow) (list []int64) {
	for i := range rows {
		list = append(list, rows[i].Index)
	}
	return list
}

// TestLedgerIsListed checks that the list of the ledger has every leaf once, the
// newest first, whatever page size it is walked with, and goes on where it was when
// leaves are added.
func TestLedgerIsListed(t *testing.T) {
	w := newLoggedWorld(t)
	pages := func(a staticindex.Ask) (ids []string, p exports.Page, err error) {
		rows, p := w.asked(t, a)
		for _, index := range indexesOf(rows) {
			ids = append(ids, strconv.FormatInt(index, 10))
		}
		return ids, p, nil
	}
	var want []string
	for i := len(w.leaves) - 1; i >= 0; i-- {
		want = append(want, strconv.Itoa(i))
	}
	for _, limit := range []int{7, 100} {
		assert.EqualSlices(t, walk(t, pages, "*", limit, func() {}), want, "pages of %d", limit)
	}
	got := walk(t, pages, "*", 90, func() {
		w.addRecord(w.corpus.Page(9), 2, record.OpSupersede)
		w.publish(t, false)
	})
	assert.EqualSlices(t, got, want, "while leaves are added")
	if rows, p := w.asked(t, staticindex.Ask{Limit: "3", Offset: "10000"}); len(rows) != 0 || p.Total != int64(len(w.leaves)) {
		t.Errorf("after the end: %d leaves of %d", len(rows), p.Total)
	}
}

// TestLeavesAreNamed checks what a row says of each form of leaf: that of an entry
// or publisher which is not public names neither.
func TestLeavesAreNamed(t *testing.T) {
	w := newLoggedWorld(t)
	rows, _ := w.asked(t, staticindex.Ask{Limit: "9"})
	fifth := exports.LedgerRow{
		Event: exports.LedgerUpdated, EntryID: w.fifth.EntryID, SiteID: w.fifth.SiteID, Publisher: w.fifth.Publisher, Title: w.fifth.Title,
		CanonicalURL: w.fifth.URL, Portable: w.fifth.Digest, At: "2026-01-03T00:00:00Z",
	}
	want := []exports.LedgerRow{
		fifth, fifth, {Event: exports.LedgerRegistered, At: fifth.At}, {Event: exports.LedgerRegistered, At: fifth.At}, {Event: exports.LedgerIndexPublished}, {Event: exports.LedgerKeyRevoked},
		{Event: exports.LedgerKeyAdded, At: "1970-01-02T00:00:00Z"},
		{Event: exports.LedgerPolicyChanged, RecordDigest: strings.Repeat("b", 64), At: "2026-01-02T00:00:00Z"},
		{Event: exports.LedgerPolicyChanged, SiteID: w.fifth.SiteID, RecordDigest: strings.Repeat("a", 64), At: "2026-01-01T00:00:00Z"},
	}
	want[1].Reason = exports.ReasonExtractionImproved
	for i := range want {
		want[i].Index = int64(len(w.leaves) - 1 - i)
		if i < 4 {
			want[i].RecordDigest = fmt.Sprintf("%064x", want[i].Index)
		}
		assert.Equal(t, rows[i], want[i], "leaf %d", want[i].Index)
	}
}

// TestLeavesAreFound checks that an entry id and a fingerprint find the leaves of
// all versions, and words that of the present one; of a withdrawn entry, those that
// name it find its leaves without its title.
func TestLeavesAreFound(t *testing.T) {
	w := newLoggedWorld(t)
	last := int64(len(w.leaves) - 1)
	versions := []int64{last, last - 1, 5}
	for _, q := range []string{w.fifth.EntryID, w.fifth.Digest, w.fifth.Registry} {
		rows, p := w.asked(t, staticindex.Ask{Q: q})
		if !slices.Equal(indexesOf(rows), versions) || p.Total != 3 || rows[0].Title != w.fifth.Title {
			t.Errorf("%s finds %v of %d", q, indexesOf(rows), p.Total)
		}
		if rows, _ := w.asked(t, staticindex.Ask{Q: q, Limit: "1", Offset: "1"}); !slices.Equal(indexesOf(rows), versions[1:2]) {
			t.Errorf("%s: the second is %v", q, indexesOf(rows))
		}
	}
	if rows, p := w.asked(t, staticindex.Ask{Q: "ent_0123456789abcdef01234567"}); len(rows) != 0 || p.Total != 0 {
		t.Errorf("an entry that is not registered: %v of %d", indexesOf(rows), p.Total)
	}
	hits, err := w.SearchCatalog(context.Background(), staticindex.Ask{Q: w.fifth.Title, Limit: "100"})
	must(t, err)
	rows, p := w.asked(t, staticindex.Ask{Q: w.fifth.Title, Limit: "100"})
	if p.Total != hits.Page.Total || len(rows) != len(hits.Data) || !slices.Contains(indexesOf(rows), last) {
		t.Errorf("words find %v of %d, a search %d", indexesOf(rows), p.Total, hits.Page.Total)
	}
	for i := range rows {
		if rows[i].EntryID != hits.Data[i].EntryID {
			t.Errorf("leaf %d is of %s, the hit is %s", i, rows[i].EntryID, hits.Data[i].EntryID)
		}
	}
	check := func(name string) {
		for _, q := range []string{w.fifth.EntryID, w.fifth.Digest} {
			rows, _ := w.asked(t, staticindex.Ask{Q: q})
			if !slices.Equal(indexesOf(rows), versions) || rows[0].Title != "" || rows[0].CanonicalURL != "" || rows[0].EntryID != w.fifth.EntryID {
				t.Errorf("%s: %s finds %+v", name, q, rows)
			}
		}
	}
	w.Files[withdrawn.Key] = []byte(`{"entries":["` + w.fifth.EntryID + `"]}`)
	check("withdrawn since the release")
	w.publish(t, true)
	w.Reader = catalog.New(w.Files, time.Now)
	check("withdrawn")
}

// TestVersionsGoOn walks through the leaves of an entry while its record gets further
// versions, and asks for them when the last one is not logged.
func TestVersionsGoOn(t *testing.T) {
	w := newLoggedWorld(t)
	last := len(w.leaves) - 1
	ask := func(a staticindex.Ask) (ids []string, p exports.Page, err error) {
		a.Q = w.fifth.EntryID
		rows, p := w.asked(t, a)
		for _, index := range indexesOf(rows) {
			ids = append(ids, strconv.FormatInt(index, 10))
		}
		return ids, p, nil
	}
	got := walk(t, ask, "*", 1, func() {
		w.supersede()
		w.publish(t, false)
		w.Reader = catalog.New(w.Files, time.Now)
	})
	want := []string{strconv.Itoa(last), strconv.Itoa(last - 1), "5"}
	assert.EqualSlices(t, got, want, "a walk finds")
	w.fifth.LedgerIndex = record.NotLogged
	w.publish(t, false)
	w.Reader = catalog.New(w.Files, time.Now)
	if rows, p := w.asked(t, staticindex.Ask{Q: w.fifth.EntryID}); int64(len(rows)) != p.Total-1 || rows[len(rows)-1].Index != 5 {
		t.Errorf("without the last version: %v of %d", indexesOf(rows), p.Total)
	}
}

// TestWordsFindLeaves checks that an entry without a leaf is neither listed nor
// counted where words match it.
func TestWordsFindLeaves(t *testing.T) {
	w := newLoggedWorld(t)
	ask := staticindex.Ask{Q: w.fifth.Title, Limit: "100"}
	before, p := w.asked(t, ask)
	if int64(len(before)) != p.Total {
		t.Fatalf("%d of %d leaves", len(before), p.Total)
	}
	w.fifth.LedgerIndex = record.NotLogged
	w.publish(t, false)
	w.Reader = catalog.New(w.Files, time.Now)
	if after, p := w.asked(t, ask); len(after) != len(before)-1 || p.Total != int64(len(after)) {
		t.Errorf("%d of %d leaves, and %d before", len(after), p.Total, len(before))
	}
}

// TestLedgerWithoutLog checks that a release without a log has an empty list, and
// that a damaged log is an outage.
func TestLedgerWithoutLog(t *testing.T) {
	w := newLoggedWorld(t)
	log := maps.Clone(w.Files)
	maps.DeleteFunc(w.Files, func(name string, _ []byte) bool { return strings.HasPrefix(name, exports.PathLedgerLog[1:]) })
	for _, q := range []string{"", w.fifth.EntryID, w.fifth.Title} {
		if rows, p := w.asked(t, staticindex.Ask{Q: q}); len(rows) != 0 || q == "" && p.Total != 0 {
			t.Errorf("%q: %v of %d", q, indexesOf(rows), p.Total)
		}
	}
	var unknown []byte
	for range 97 {
		unknown, _ = ledgerlog.AppendEntry(unknown, []byte("{}"))
	}
	for name, harm := range map[string][]byte{"checkpoint": []byte("none"), "tile/entries/002.p/97": unknown[:4]} {
		clear(w.Files)
		maps.Copy(w.Files, log)
		key := exports.PathLedgerLog[1:] + name
		if w.Files[key] == nil {
			t.Fatalf("there is no %s", key)
		}
		w.Files[key] = harm
		assert.Fails(t, assert.Err(w.LedgerSearch(t.Context(), staticindex.Ask{})), "%s is damaged, and the list is answered", name)
	}
	w.Files[exports.PathLedgerLog[1:]+"tile/entries/002.p/97"] = unknown
	if _, err := w.LedgerSearch(t.Context(), staticindex.Ask{}); catalogtest.CodeOf(err) != "index_unavailable" {
		t.Errorf("leaves of an unknown form: %v", err)
	}
}
