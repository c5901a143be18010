package query_test

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
)

// reference is a search by full scan, written from the descriptions in the
// packages' comments.
type reference struct {
	docs   []searchindex.Doc
	words  []map[string]int // word -> weight
	length []int
	counts map[string]int
	begun  []string // words that begin longer ones
	root   *searchindex.Root
}

func newReference(docs []searchindex.Doc, root *searchindex.Root) *reference {
	r := &reference{docs: docs, counts: map[string]int{}, root: root}
	for i := range docs {
		d := &docs[i]
		w := map[string]int{}
		n := 0
		for _, f := range []struct {
			weight int
			text   string
		}{{4, d.Title}, {3, strings.Join(d.Terms, "\n")}, {2, d.Section}} {
			for _, x := range searchindex.Words(f.text) {
				w[x] += f.weight
				n++
			}
		}
		for _, x := range searchindex.Words(d.Publisher) {
			w[x]++
		}
		for x := range w {
			r.counts[x]++
		}
		r.words, r.length = append(r.words, w), append(r.length, n)
	}
	all := slices.Sorted(maps.Keys(r.counts))
	for i, w := range all[:len(all)-1] {
		if len(w) > 2 && strings.HasPrefix(all[i+1], w) {
			r.begun = append(r.begun, w)
		}
	}
	return r
}

// weighted is a word that may stand for a word of the query, with its weight in
// quarters.
type weighted struct {
	word   string
	weight uint64
}

// search returns the pages that have all words, in order, with their scores. If
// there are none, or fewer than ten for a single word, pages with words that
// begin with the last word follow.
func (r *reference) search(words []string, keep func(*searchindex.Doc) bool) (docs []int, scores []int64) {
	groups := alone(words)
	docs, scores = r.rank(groups, keep, nil)
	last := words[len(words)-1]
	if len(docs) >= 10 || len(docs) > 0 && len(words) > 1 || len(last) < 3 {
		return docs, scores
	}
	wide := 0
	if len(docs) == 0 {
		wide = 1
	} else if r.counts[last] >= searchindex.CommonFrom {
		return docs, scores
	}
	var longer []weighted
	for _, w := range catalogtest.Endings(r.counts, r.root, last, wide) {
		longer = append(longer, weighted{w, 1})
	}
	if longer == nil {
		return docs, scores
	}
	favourite := 0
	for i, x := range longer {
		if r.counts[x.word] > r.counts[longer[favourite].word] {
			favourite = i
		}
	}
	longer[favourite].weight = 3
	least := int64(1000)
	if len(scores) > 0 {
		least = scores[len(scores)-1]
	}
	more, steps := r.rank(append(groups[:len(groups)-1:len(groups)-1], longer), keep, docs)
	for i, d := range more {
		docs, scores = append(docs, d), append(scores, max(1, steps[i]*least/1000))
	}
	return docs, scores
}

// perBlock is the number of pages in a block of the index.
const perBlock = 64

// rank returns the pages that have a word of each group, in order, with their
// scores; it leaves out those in without.
func (r *reference) rank(groups [][]weighted, keep func(*searchindex.Doc) bool, without []int) (docs []int, steps []int64) {
	sums := map[int]uint64{}
	top := uint64(1)
next:
	for i := range r.docs {
		var sum uint64
		for _, g := range groups {
			best := uint64(0)
			for _, w := range g {
				weight := r.words[i][w.word]
				if weight == 0 {
					continue
				}
				rarity := math.Floor(256 * math.Log2(float64(2*len(r.docs)+2)/float64(2*r.counts[w.word]+1)))
				x := float64(weight)
				impact := math.Floor(1500*x/(100*x+120+8*float64(r.length[i])) + 0.5)
				best = max(best, uint64(max(1, rarity))*uint64(max(1, impact))*w.weight)
			}
			if best == 0 {
				continue next
			}
			sum += best
		}
		if keep != nil && !keep(&r.docs[i]) || slices.Contains(without, i) {
			continue
		}
		docs = append(docs, i)
		sums[i] = sum
		top = max(top, sum)
	}
	step := func(i int) int64 { return int64(sums[i] * searchindex.Steps / top) }
	crowd := map[[2]int64]int{}
	for _, i := range docs {
		crowd[[2]int64{int64(i / perBlock), step(i)}]++
	}
	slices.SortFunc(docs, func(a, b int) int {
		return cmp.Or(cmp.Compare(step(b), step(a)), cmp.Compare(crowd[[2]int64{int64(b / perBlock), step(b)}], crowd[[2]int64{int64(a / perBlock), step(a)}]), cmp.Compare(a, b))
	})
	for _, i := range docs {
		steps = append(steps, max(1, (step(i)*1000+searchindex.Steps/2)/searchindex.Steps))
	}
	return docs, steps
}

func TestNumbersAreAPermutation(t *testing.T) {
	w := catalogtest.NewWorld(t, 20, 1500, 3)
	var got, want []string
	for _, d := range w.Numbered(t) {
		got = append(got, d.EntryID)
	}
	for i := range 1500 {
		want = append(want, w.Corpus.Page(i).EntryID)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Error("the pages of the index are not those of the corpus")
	}
}

// TestSearchEqualsScan runs 2,000 random queries, a third of them within one
// site and a third with random filters by category and use, and compares
// totals, hits, order and scores with a full scan.
func TestSearchEqualsScan(t *testing.T) {
	w := catalogtest.NewWorld(t, 30, 6000, 1)
	docs := w.Numbered(t)
	ref := newReference(docs, w.Root(t, searchindex.Entries))
	publishers := map[string]exports.Publisher{}
	for _, p := range w.Corpus.Source().Publishers {
		publishers[p.SiteID] = p
	}
	rng := rand.New(rand.NewPCG(1, 2))
	questions := 2000
	if testing.Short() {
		questions = 400
	}
	asked, hits, longer := 0, 0, 0
	for k := 0; asked < questions; k++ {
		words := slices.Compact(slices.Sorted(slices.Values(searchindex.Words(question(rng, docs)))))
		if rng.IntN(6) == 0 { // a word that begins another one
			words = []string{ref.begun[rng.IntN(len(ref.begun))]}
		}
		if len(words) == 0 || len(words) > 10 || ref.counts[words[len(words)-1]] == 0 {
			continue
		}
		asked++
		site := ""
		var filter query.PageFilter
		var keep func(*searchindex.Doc) bool
		switch k % 3 {
		case 0:
			site = docs[rng.IntN(len(docs))].SiteID
			keep = func(d *searchindex.Doc) bool { return d.SiteID == site }
		case 1:
			p := publishers[docs[rng.IntN(len(docs))].SiteID]
			filter.Category = p.Categories[rng.IntN(len(p.Categories))]
			if rng.IntN(2) == 0 {
				filter.Use = exports.UseWords()[rng.IntN(8)]
			}
			keep = func(d *searchindex.Doc) bool {
				p := publishers[d.SiteID]
				return slices.Contains(p.Categories, filter.Category) && (filter.Use == "" || exports.WelcomesInquiry(p.Preferences, exports.Use(filter.Use)))
			}
		}
		want, scores := ref.search(words, keep)
		if len(want) == 0 {
			continue // another test is about guesses
		}
		hits += len(want)
		if exact, _ := ref.rank(alone(words), keep, nil); len(exact) < len(want) {
			longer++
		}
		limit, offset := rng.IntN(40), rng.IntN(min(len(want)+3, 200))
		got, gotScores, total := ask1(t, w, strings.Join(words, " "), site, filter, limit, offset)
		if total != len(want) {
			t.Fatalf("%q in %q %+v: total %d, want %d", words, site, filter, total, len(want))
		}
		lo, hi := min(offset, len(want)), min(offset+limit, len(want))
		if len(got) != hi-lo {
			t.Fatalf("%q: %d hits, want %d", words, len(got), hi-lo)
		}
		for i, at := range want[lo:hi] {
			if got[i] != docs[at].EntryID || gotScores[i] != scores[lo+i] {
				t.Fatalf("%q in %q %+v, hit %d: %s %d, want %s %d", words, site, filter, lo+i, got[i], gotScores[i], docs[at].EntryID, scores[lo+i])
			}
		}
	}
	if hits < 10*questions || longer < questions/25 {
		t.Errorf("only %d hits, %d questions with longer words: the questions are too narrow to show anything", hits, longer)
	}
}

func alone(words []string) (groups [][]weighted) {
	for _, w := range words {
		groups = append(groups, []weighted{{w, 4}})
	}
	return groups
}

// question returns words of one page or of several.
func question(rng *rand.Rand, docs []searchindex.Doc) string {
	d := &docs[rng.IntN(len(docs))]
	all := searchindex.Words(d.Title + " " + strings.Join(d.Terms, " ") + " " + d.Section + " " + d.Publisher)
	var out []string
	for range 1 + rng.IntN(4) {
		if rng.IntN(12) == 0 {
			all = searchindex.Words(docs[rng.IntN(len(docs))].Title)
		}
		out = append(out, all[rng.IntN(len(all))])
	}
	return strings.Join(out, " ")
}

func ask1(t *testing.T, w *catalogtest.World, q, site string, f query.PageFilter, limit, offset int) (ids []string, scores []int64, total int) {
	t.Helper()
	a := staticindex.Ask{Q: q, Limit: strconv.Itoa(limit), Offset: strconv.Itoa(offset)}
	if site == "" {
		r, err := w.SearchPages(context.Background(), a, f)
		must(t, err)
		for i := range r.Data {
			ids, scores = append(ids, r.Data[i].EntryID), append(scores, r.Data[i].Match.Score)
		}
		return ids, scores, int(r.Page.Total)
	}
	r, err := w.Inventory(context.Background(), site, a)
	must(t, err)
	for i := range r.Data {
		ids, scores = append(ids, r.Data[i].EntryID), append(scores, r.Data[i].Match.Score)
	}
	return ids, scores, int(r.Page.Total)
}
