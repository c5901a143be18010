package catalog_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// registry is an invented state of a registry.
type registry struct {
	corpus  *corpus.Corpus
	entries map[string]*indexbuild.Entry
	events  []event
}

// event is a leaf of the ledger; one without an entry is of the index, and shown by
// no list.
type event struct{ entryID string }

func newRegistry(publishers, pages int, seed uint64) *registry {
	r := &registry{corpus: corpus.New(corpus.Options{Publishers: publishers, Pages: pages, Seed: seed}), entries: map[string]*indexbuild.Entry{}}
	for i := range pages / 2 {
		r.addPage(i)
	}
	return r
}

// addPage registers page i of the corpus.
func (r *registry) addPage(i int) *indexbuild.Entry {
	e := r.corpus.Page(i)
	if i%3 > 0 {
		e.ISCC = codeLike(i / 7)
	}
	if i%11 < 2 { // many entries of one text
		e.Digest = fmt.Sprintf("%064x", i%11)
	}
	r.entries[e.EntryID] = &e
	r.logEntry(&e)
	return &e
}

// codeLike is the code of a text, of which seven are alike.
func codeLike(text int) string {
	var code iscc.Code
	random := rand.New(rand.NewPCG(uint64(text), 1))
	for i := range code {
		code[i] = byte(random.Uint32())
	}
	return code.String()
}

func (r *registry) logEntry(e *indexbuild.Entry) {
	if len(r.events)%5 == 4 {
		r.events = append(r.events, event{})
	}
	e.LedgerIndex = int64(len(r.events))
	r.events = append(r.events, event{e.EntryID})
}

// change changes, withdraws, erases and adds entries, and returns the ids of all
// that did.
func (r *registry) change(random *rand.Rand, n, next int) map[string]bool {
	changed := map[string]bool{}
	ids := slices.Sorted(maps.Keys(r.entries))
	for range n {
		id := ids[random.IntN(len(ids))]
		e := r.entries[id]
		if e == nil {
			continue
		}
		changed[id] = true
		switch random.IntN(6) {
		case 0:
			e.Withdrawn = !e.Withdrawn
		case 1:
			delete(r.entries, id)
		case 2:
			e.RegisteredAt = "2026-01-01T00:00:00Z"
			r.logEntry(e)
		default:
			e.Title = "Lighthouse " + e.Title
			e.Digest = fmt.Sprintf("%064x", random.IntN(4))
			e.RecordVersion++
			r.logEntry(e)
		}
	}
	for i := range n / 2 {
		changed[r.addPage(next+i).EntryID] = true
	}
	return changed
}

// source is what an index is made of: with a set of entries, only the ledger entries
// that are of these, or new since a state of the ledger.
func (r *registry) source(only map[string]bool, since int64) indexbuild.Source {
	src := r.corpus.Source()
	src.LedgerSize = int64(len(r.events))
	bySite := func(a, b string) int {
		x, y := r.entries[a], r.entries[b]
		return strings.Compare(x.SiteID+" "+a, y.SiteID+" "+b)
	}
	src.Entries = func(yield func(indexbuild.Entry, error) bool) {
		for _, id := range slices.SortedFunc(maps.Keys(r.entries), bySite) {
			if !yield(*r.entries[id], nil) {
				return
			}
		}
	}
	src.Ledger = func(yield func(exports.LedgerRow, error) bool) {
		for i := len(r.events) - 1; i >= 0; i-- {
			id := r.events[i].entryID
			if id == "" || only != nil && int64(i) < since && !only[id] {
				continue
			}
			row := exports.LedgerRow{Index: int64(i), Event: exports.LedgerRegistered, At: "2026-01-01T00:00:00Z"}
			if e := r.entries[id]; e != nil {
				row.EntryID, row.SiteID, row.Title, row.CanonicalURL = id, e.SiteID, e.Title, e.URL
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	return src
}

// buildIndex builds an index into files and returns its first file, and the facts of one
// that has all records.
func buildIndex(t *testing.T, files catalogtest.Files, src indexbuild.Source, opt indexbuild.Options) (staticindex.Index, *indexbuild.Facts) {
	t.Helper()
	var mu sync.Mutex
	opt.Put = func(key exports.Key, data []byte) error {
		mu.Lock()
		defer mu.Unlock()
		files[string(key)] = data
		return nil
	}
	var facts *indexbuild.Facts
	opt.KeepFacts = func(gen string, f *indexbuild.Facts) error {
		var written bytes.Buffer
		if err := f.WriteFacts(&written, gen); err != nil {
			return err
		}
		read, err := indexbuild.ReadFacts(written.Bytes(), gen)
		facts = read
		return err
	}
	x, _, err := indexbuild.Build(t.Context(), src, opt)
	if err != nil {
		t.Fatal(err)
	}
	return x, facts
}

// TestLaidOverABase holds an index that is laid over another one against one that has
// all records: they answer alike.
func TestLaidOverABase(t *testing.T) {
	for seed := range uint64(2) {
		random := rand.New(rand.NewPCG(seed, 3))
		r := newRegistry(5, 1200, seed)
		files := catalogtest.Files{}
		base, facts := buildIndex(t, files, r.source(nil, 0), indexbuild.Options{})
		since := int64(len(r.events))
		changed := map[string]bool{}
		for step := range 3 {
			maps.Copy(changed, r.change(random, 20, 600+40*step))
			over := &indexbuild.Base{Generation: *base.Current.AsBase(), Facts: facts, Changed: slices.Sorted(maps.Keys(changed))}
			x, _ := buildIndex(t, files, r.source(changed, since), indexbuild.Options{Base: over})
			if x.Current.Base == nil {
				t.Fatal("the index is laid over nothing")
			}
			whole := catalogtest.Files{}
			buildIndex(t, whole, r.source(nil, 0), indexbuild.Options{})
			n := catalogtest.CompareAnswers(t, catalog.New(files, time.Now), catalog.New(whole, time.Now), r.questions(t, random))
			if n < 25 {
				t.Errorf("only %d searches were compared", n)
			}
		}
	}
}

// questions are about all pages that were or are, and words of some.
func (r *registry) questions(t *testing.T, random *rand.Rand) catalogtest.Questions {
	q := catalogtest.Questions{
		Words:   []string{"lighthouse", "lighthou", "report"},
		Filters: []query.PageFilter{{Category: corpus.Categories[random.IntN(4)]}, {Use: exports.UseWords()[0]}},
	}
	for i := range 700 {
		e := r.corpus.Page(i)
		if now := r.entries[e.EntryID]; now != nil {
			e.Digest, e.ISCC = now.Digest, now.ISCC
		}
		q.Lookups = append(q.Lookups, lookup.Lookup{URL: e.URL}, lookup.Lookup{EntryID: e.EntryID}, lookup.Lookup{Fingerprint: e.Digest}, lookup.Lookup{Fingerprint: e.Registry})
		if i%40 == 0 && e.ISCC != "" {
			code, err := iscc.Parse(e.ISCC)
			if err != nil {
				t.Fatal(err)
			}
			q.Codes = append(q.Codes, code)
		}
	}
	for i := range 4 { // many entries of one digest
		q.Lookups = append(q.Lookups, lookup.Lookup{Fingerprint: fmt.Sprintf("%064x", i)})
	}
	for p := range 5 {
		q.Sites = append(q.Sites, r.corpus.Publisher(p).SiteID)
	}
	for range 20 {
		words := strings.Fields(r.corpus.Page(random.IntN(700)).Title)
		q.Words = append(q.Words, words[random.IntN(len(words))], words[0]+" "+words[len(words)-1])
	}
	return q
}

// TestLaidOverUnchanged lays the longest pages over a base again, as they are: hits come
// in the same order, with the same scores.
func TestLaidOverUnchanged(t *testing.T) {
	r := newRegistry(5, 1600, 9)
	files := catalogtest.Files{}
	base, facts := buildIndex(t, files, r.source(nil, 0), indexbuild.Options{})
	ids := slices.SortedFunc(maps.Keys(r.entries), func(a, b string) int { return len(r.entries[b].Title) - len(r.entries[a].Title) })
	changed := ids[:40]
	having := map[string][]string{}
	for _, id := range ids[40:] {
		for _, w := range searchindex.Words(r.entries[id].Title) {
			having[w] = append(having[w], id)
		}
	}
	word := "" // of which every page is laid over the base
	for w, list := range having {
		if len(list) < 120 && (len(list) > len(having[word]) || len(list) == len(having[word]) && w < word) {
			word = w
		}
	}
	changed = append(changed, having[word]...)
	slices.Sort(changed)
	changed = slices.Compact(changed)
	only := map[string]bool{}
	for _, id := range changed {
		only[id] = true
	}
	laid := maps.Clone(files)
	over := &indexbuild.Base{Generation: *base.Current.AsBase(), Facts: facts, Changed: changed}
	buildIndex(t, laid, r.source(only, int64(len(r.events))), indexbuild.Options{Base: over})

	was, is := catalog.New(files, time.Now), catalog.New(laid, time.Now)
	q := r.questions(t, rand.New(rand.NewPCG(5, 5)))
	for _, id := range changed {
		q.Words = append(q.Words, word+" "+strings.Fields(r.entries[id].Title)[0])
	}
	for _, words := range q.Words {
		for _, f := range append(q.Filters, query.PageFilter{}) {
			ask := staticindex.Ask{Q: words, Limit: "100", Either: true}
			one, err := is.SearchPages(t.Context(), ask, f)
			two, wantErr := was.SearchPages(t.Context(), ask, f)
			if err != nil || wantErr != nil {
				t.Fatal(err, wantErr)
			}
			if x, y := fmt.Sprintf("%+v", one.Data), fmt.Sprintf("%+v", two.Data); one.Page.Total != two.Page.Total || x != y {
				t.Fatalf("%q %+v finds\n%s\nwant\n%s", words, f, x, y)
			}
		}
	}
}

// layChanges publishes a registry, changes it with new pages from a number on, and lays
// the changes over what was published. It returns the index, its base, and what it was
// made of.
func (r *registry) layChanges(t *testing.T, files catalogtest.Files, next int) (staticindex.Index, *indexbuild.Base, indexbuild.Source) {
	t.Helper()
	base, facts := buildIndex(t, files, r.source(nil, 0), indexbuild.Options{})
	since := int64(len(r.events))
	changed := r.change(rand.New(rand.NewPCG(4, 4)), 20, next)
	over := &indexbuild.Base{Generation: *base.Current.AsBase(), Facts: facts, Changed: slices.Sorted(maps.Keys(changed))}
	changes := r.source(changed, since)
	x, _ := buildIndex(t, files, changes, indexbuild.Options{Base: over})
	return x, over, changes
}

// TestForeignBase names another generation as the base: what is asked of it is an outage,
// and never an answer.
func TestForeignBase(t *testing.T) {
	r := newRegistry(5, 1200, 4)
	files := catalogtest.Files{}
	x, over, changes := r.layChanges(t, files, 700)
	foreign, _ := buildIndex(t, files, r.source(nil, 0), indexbuild.Options{})

	another := *over
	another.Generation.Gen = foreign.Current.Gen
	if y, _ := buildIndex(t, catalogtest.Files{}, changes, indexbuild.Options{Base: &another}); y.Current.Gen == x.Current.Gen {
		t.Error("an index has the same name over another base")
	}

	e := r.corpus.Page(5)
	for name, ask := range map[string]func(*catalog.Catalog) error{
		"search": func(c *catalog.Catalog) error {
			_, err := c.SearchPages(t.Context(), staticindex.Ask{Q: "lighthouse"}, query.PageFilter{})
			return err
		},
		"feed": func(c *catalog.Catalog) error { _, err := c.Feed(t.Context(), staticindex.Ask{}, false); return err },
		"look-up": func(c *catalog.Catalog) error {
			_, err := c.Find(t.Context(), lookup.Lookup{EntryID: e.EntryID})
			return err
		},
		"similar": func(c *catalog.Catalog) error { _, err := c.Similar(t.Context(), iscc.Code{}, 800); return err },
	} {
		harmed := maps.Clone(files)
		if err := ask(catalog.New(harmed, time.Now)); err != nil {
			t.Errorf("%s of a sound index: %v", name, err)
		}
		named := x
		named.Current.Base = foreign.Current.AsBase()
		harmed[string(staticindex.IndexKey)] = wire.Append(nil, &named)
		if err := ask(catalog.New(harmed, time.Now)); catalogtest.CodeOf(err) != "index_unavailable" {
			t.Errorf("%s over a foreign base: %v", name, err)
		}
		named.Current.Base = nil
		harmed[string(staticindex.IndexKey)] = wire.Append(nil, &named)
		if err := ask(catalog.New(harmed, time.Now)); name == "search" && catalogtest.CodeOf(err) != "index_unavailable" {
			t.Errorf("%s over no base: %v", name, err)
		}
	}
}

// renamedFirst publishes pages of some titles, of which the first is then called "omega": as
// an index that is laid over another, and as a whole one.
func renamedFirst(t *testing.T, pages int, title func(i int) string) (laid, whole *catalog.Catalog) {
	r := &registry{corpus: corpus.New(corpus.Options{Publishers: 2, Pages: pages, Seed: 1}), entries: map[string]*indexbuild.Entry{}}
	var first *indexbuild.Entry
	for i := range pages {
		e := r.corpus.Page(i)
		e.Title, e.Terms, e.Section, e.Byline = title(i), nil, "", nil
		r.entries[e.EntryID] = &e
		r.logEntry(&e)
		if i == 0 {
			first = &e
		}
	}
	files, all := catalogtest.Files{}, catalogtest.Files{}
	base, facts := buildIndex(t, files, r.source(nil, 0), indexbuild.Options{})
	since := int64(len(r.events))
	first.Title = "omega"
	over := &indexbuild.Base{Generation: *base.Current.AsBase(), Facts: facts, Changed: []string{first.EntryID}}
	buildIndex(t, files, r.source(map[string]bool{first.EntryID: true}, since), indexbuild.Options{Base: over})
	buildIndex(t, all, r.source(nil, 0), indexbuild.Options{})
	return catalog.New(files, time.Now), catalog.New(all, time.Now)
}

// TestWordOfNoPage: a word that no page has any more is none. It makes no other word too
// frequent to be asked for, and what it begins is found as for any other beginning.
func TestWordOfNoPage(t *testing.T) {
	for name, c := range map[string]struct {
		pages int
		title func(i int) string
		ask   staticindex.Ask
	}{
		"beside a frequent word": {8300, func(i int) string {
			if i == 0 {
				return "unicorn"
			}
			return "common tale"
		}, staticindex.Ask{Q: "unicorn common", Either: true}},
		"that others begin with": {4400, func(i int) string {
			if i == 0 {
				return "alpha"
			}
			return []string{"alphabet", "alphazoo"}[i%2]
		}, staticindex.Ask{Q: "alpha"}},
	} {
		t.Run(name, func(t *testing.T) {
			laid, whole := renamedFirst(t, c.pages, c.title)
			one, err := laid.SearchPages(t.Context(), c.ask, query.PageFilter{})
			two, wantErr := whole.SearchPages(t.Context(), c.ask, query.PageFilter{})
			if err != nil || wantErr != nil {
				t.Fatal(err, wantErr)
			}
			if one.Page.Total != two.Page.Total || two.Page.Total < 4000 {
				t.Errorf("%d pages, want %d", one.Page.Total, two.Page.Total)
			}
		})
	}
}

// TestRootWithoutOverlay: the root of a part without its overlay is never taken for that
// of all pages.
func TestRootWithoutOverlay(t *testing.T) {
	r := newRegistry(5, 400, 4)
	files := catalogtest.Files{}
	x, _, _ := r.layChanges(t, files, 300)
	key := string(searchindex.RootKey(x.Current.Gen, searchindex.Entries))
	root, err := searchindex.DecodeRoot(files[key])
	if err != nil {
		t.Fatal(err)
	}
	root.Over = nil
	files[key] = root.Append(nil)
	_, err = catalog.New(files, time.Now).SearchPages(t.Context(), staticindex.Ask{Q: "lighthouse"}, query.PageFilter{})
	if catalogtest.CodeOf(err) != "index_unavailable" {
		t.Errorf("a part without its overlay: %v", err)
	}
}
