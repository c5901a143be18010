package main

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/worker/query"
)

// reference is a search by full scan, written from the description in the
// packages' comments.
type reference struct {
	docs   []exports.Doc
	words  []map[string]int // word -> weight
	length []int
	counts map[string]int
	mean   int // in quarters
}

func newReference(docs []exports.Doc) *reference {
	r := &reference{docs: docs, counts: map[string]int{}}
	sum := 0
	for i := range docs {
		d := &docs[i]
		w := map[string]int{}
		n := 0
		for _, f := range []struct {
			weight int
			text   string
		}{{4, d.Title}, {3, strings.Join(d.Terms, "\n")}, {2, d.Section}} {
			for _, x := range exports.Words(f.text) {
				w[x] += f.weight
				n++
			}
		}
		for _, x := range exports.Words(d.Publisher) {
			w[x]++
		}
		for x := range w {
			r.counts[x]++
		}
		r.words, r.length = append(r.words, w), append(r.length, n)
		sum += n
	}
	r.mean = sum * 4 / len(docs)
	return r
}

// rank finds the pages that have all words, in order, with their steps.
func (r *reference) rank(words []string, keep func(*exports.Doc) bool) (docs []int, steps []int64) {
	scores := map[int]uint64{}
	top := uint64(1)
next:
	for i := range r.docs {
		var score uint64
		for _, w := range words {
			weight := r.words[i][w]
			if weight == 0 {
				continue next
			}
			rarity := math.Floor(256 * math.Log2(float64(2*len(r.docs)+2)/float64(2*r.counts[w]+1)))
			x := float64(weight)
			impact := math.Floor(15*x/(x+1.2+0.8*4*float64(r.length[i])/float64(r.mean)) + 0.5)
			score += uint64(max(1, rarity)) * uint64(max(1, impact)) * 4
		}
		if keep != nil && !keep(&r.docs[i]) {
			continue
		}
		docs = append(docs, i)
		scores[i] = score
		top = max(top, score)
	}
	step := func(i int) int64 { return int64(scores[i] * exports.Steps / top) }
	crowd := map[[2]int64]int{}
	for _, i := range docs {
		crowd[[2]int64{int64(i / 48), step(i)}]++
	}
	slices.SortFunc(docs, func(a, b int) int {
		return cmp.Or(cmp.Compare(step(b), step(a)), cmp.Compare(crowd[[2]int64{int64(b / 48), step(b)}], crowd[[2]int64{int64(a / 48), step(a)}]), cmp.Compare(a, b))
	})
	for _, i := range docs {
		steps = append(steps, max(1, (step(i)*1000+exports.Steps/2)/exports.Steps))
	}
	return docs, steps
}

func TestNumbersAreAPermutation(t *testing.T) {
	w := newWorld(t, 20, 1500, 3)
	var got, want []string
	for _, d := range w.numbered(t) {
		got = append(got, d.EntryID)
	}
	for i := range 1500 {
		want = append(want, w.corpus.Page(i).EntryID)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Error("the pages of the index are not those of the corpus")
	}
}

// TestSearchEqualsScan asks 2,000 random questions, a third of them within
// one site, and compares totals, hits, order and scores with a full scan.
func TestSearchEqualsScan(t *testing.T) {
	w := newWorld(t, 30, 6000, 1)
	docs := w.numbered(t)
	ref := newReference(docs)
	rng := rand.New(rand.NewPCG(1, 2))
	asked, hits := 0, 0
	for k := 0; asked < 2000; k++ {
		words := slices.Compact(slices.Sorted(slices.Values(exports.Words(question(rng, docs)))))
		if len(words) == 0 || len(words) > 10 || ref.counts[words[len(words)-1]] == 0 {
			continue
		}
		asked++
		site := ""
		var keep func(*exports.Doc) bool
		if k%3 == 0 {
			site = docs[rng.IntN(len(docs))].SiteID
			keep = func(d *exports.Doc) bool { return d.SiteID == site }
		}
		want, steps := ref.rank(words, keep)
		if len(want) == 0 {
			continue // guesses are another test's
		}
		hits += len(want)
		limit, offset := rng.IntN(40), rng.IntN(min(len(want)+3, 200))
		got, scores, total := ask1(t, w, strings.Join(words, " "), site, limit, offset)
		if total != len(want) {
			t.Fatalf("%q in %q: total %d, want %d", words, site, total, len(want))
		}
		lo, hi := min(offset, len(want)), min(offset+limit, len(want))
		if len(got) != hi-lo {
			t.Fatalf("%q: %d hits, want %d", words, len(got), hi-lo)
		}
		for i, at := range want[lo:hi] {
			if got[i] != docs[at].EntryID || scores[i] != steps[lo+i] {
				t.Fatalf("%q in %q, hit %d: %s %d, want %s %d", words, site, lo+i, got[i], scores[i], docs[at].EntryID, steps[lo+i])
			}
		}
	}
	if hits < 20000 {
		t.Errorf("only %d hits: the questions are too narrow to show anything", hits)
	}
}

// question makes words of a page, or of several.
func question(rng *rand.Rand, docs []exports.Doc) string {
	d := &docs[rng.IntN(len(docs))]
	all := exports.Words(d.Title + " " + strings.Join(d.Terms, " ") + " " + d.Section + " " + d.Publisher)
	var out []string
	for range 1 + rng.IntN(4) {
		if rng.IntN(12) == 0 {
			all = exports.Words(docs[rng.IntN(len(docs))].Title)
		}
		out = append(out, all[rng.IntN(len(all))])
	}
	return strings.Join(out, " ")
}

func ask1(t *testing.T, w *world, q, site string, limit, offset int) (ids []string, scores []int64, total int) {
	t.Helper()
	a := query.Ask{Q: q, Limit: strconv.Itoa(limit), Offset: strconv.Itoa(offset)}
	if site == "" {
		r, err := w.SearchCatalog(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Data {
			ids, scores = append(ids, r.Data[i].EntryID), append(scores, r.Data[i].Match.Score)
		}
		return ids, scores, int(r.Page.Total)
	}
	r, err := w.Inventory(context.Background(), site, a)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Data {
		ids, scores = append(ids, r.Data[i].EntryID), append(scores, r.Data[i].Match.Score)
	}
	return ids, scores, int(r.Page.Total)
}
