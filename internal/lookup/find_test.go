package lookup_test

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
)

// files are published files in memory that count reads.
type files struct {
	all   map[string][]byte
	reads int
}

func (f *files) Read(_ context.Context, key string) ([]byte, error) {
	f.reads++
	if b, ok := f.all[key]; ok {
		return b, nil
	}
	return nil, fs.ErrNotExist
}

func randomCode(r *rand.Rand) (c iscc.Code) {
	for i := range c {
		c[i] = byte(r.Uint32())
	}
	return c
}

// alike changes minima of a code, each with the probability that texts of the
// given similarity differ in it. Two minima of 4 bits agree if the texts share
// the feature, or by chance.
func alike(r *rand.Rand, c iscc.Code, similarity float64) iscc.Code {
	for i := range iscc.Minima {
		if r.Float64() < similarity {
			continue
		}
		nibble := r.Uint32()
		for plane := range 4 {
			mask := byte(1) << (7 - i%8)
			c[plane*8+i/8] &^= mask
			if nibble>>plane&1 == 1 {
				c[plane*8+i/8] |= mask
			}
		}
	}
	return c
}

// buildSimilar builds an index of codes; entry n has code n.
func buildSimilar(t *testing.T, codes []iscc.Code) *files {
	t.Helper()
	f := &files{all: map[string][]byte{}}
	entries := iter.Seq2[indexbuild.Entry, error](func(yield func(indexbuild.Entry, error) bool) {
		for i, c := range codes {
			e := indexbuild.Entry{ISCC: c.String(), LedgerIndex: -1, Withdrawn: true} // withdrawn: only looked up
			e.EntryID, e.SiteID, e.URL = entryNumber(i), "a-site", fmt.Sprintf("https://a.example/%d", i)
			e.RightsVector = "UUUUUUUU"
			if !yield(e, nil) {
				return
			}
		}
	})
	src := corpus.Source{Release: exports.Release{Name: "r", GeneratedAt: "2026-11-23T00:00:00Z"}, Entries: entries}
	_, err := catalogtest.BuildIndex(context.Background(), src, indexbuild.Options{Temp: t.TempDir(), Put: func(key exports.Key, data []byte) error {
		f.all[string(key)] = data
		return nil
	}})
	must(t, err)
	return f
}

// entryNumber returns an id; the ids are spread like digests.
func entryNumber(i int) string { return fmt.Sprintf("ent_%024x", uint64(i)*0x9e3779b97f4a7c15) }

// TestSimilarFindsAllThatAFullScanFinds looks up texts of known similarity and
// compares each answer with a scan of all codes.
func TestSimilarFindsAllThatAFullScanFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	codes := make([]iscc.Code, 20_000)
	for i := range codes {
		codes[i] = randomCode(r)
	}
	for i := 100; i < 110; i++ {
		codes[i] = alike(r, codes[100], .9) // several texts with similar wording
	}
	f := buildSimilar(t, codes)
	published := catalog.New(f, time.Now)

	bytes := 0
	for name, data := range f.all {
		if strings.Contains(name, "/b/") || strings.Contains(name, "/y/") {
			bytes += len(data)
		}
	}
	if bytes > 80*len(codes) {
		t.Errorf("%d bytes for %d entries, more than 80 for each", bytes, len(codes))
	}
	asked := 1500
	if testing.Short() {
		asked = 600
	}
	found, reads := 0, 0
	for n := range asked {
		target := n % len(codes)
		code := alike(r, codes[target], .8)
		f.reads = 0
		answer, err := published.Similar(context.Background(), code, 667)
		must(t, err)
		reads = max(reads, f.reads)
		got := map[string]int64{}
		for _, c := range answer.Candidates {
			got[c.Candidate.EntryID] = c.Equal
		}
		if _, ok := got[entryNumber(target)]; ok || codes[target].Equal(&code) < 44 {
			found++
		}
		if n%100 != 0 {
			continue
		}
		for i := range codes { // the lookup finds what a scan finds, except codes that share no band
			if codes[i].Equal(&code) < 44 && got[entryNumber(i)] == 0 {
				continue
			}
			equal, shares := codes[i].Equal(&code), false
			for band := range lookup.SimilarBands {
				shares = shares || codes[i].Band(5*band, 5) == code.Band(5*band, 5)
			}
			if _, ok := got[entryNumber(i)]; ok != (shares && equal >= 44) || ok && got[entryNumber(i)] != int64(equal) {
				t.Fatalf("entry %d agrees in %d minima, shares a band: %v, found: %v", i, equal, shares, ok)
			}
		}
	}
	t.Logf("recall %.4f at a similarity of .8, at most %d files read", float64(found)/float64(asked), reads)
	if found < asked*99/100 {
		t.Errorf("recall %d of %d", found, asked)
	}
	if reads > 60 {
		t.Errorf("%d files are read for one answer", reads)
	}
}

func TestSimilarRefusesWhatIsTooMany(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	codes := make([]iscc.Code, 600)
	codes[0] = randomCode(r)
	for i := range codes {
		codes[i] = codes[0]
	}
	f := buildSimilar(t, codes)
	_, err := catalog.New(f, time.Now).Similar(context.Background(), codes[0], 900)
	if err == nil || !strings.Contains(err.Error(), "more than 128 entries") {
		t.Errorf("600 entries of one text: %v", err)
	}
	f = buildSimilar(t, codes[:3])
	answer, err := catalog.New(f, time.Now).Similar(context.Background(), codes[0], 1000)
	if err != nil || len(answer.Candidates) != 3 || answer.Candidates[2].Similarity != 1000 || answer.Recall != 1000 {
		t.Errorf("%+v, %v", answer, err)
	}
	f = buildSimilar(t, nil)
	answer, err = catalog.New(f, time.Now).Similar(context.Background(), codes[0], 800)
	if err != nil || len(answer.Candidates) != 0 || answer.Recall != 991 {
		t.Errorf("%+v, %v", answer, err)
	}
}

// TestSimilarInFewAsInMany checks that the lookup finds the same among few
// codes, which are all compared, as among many, of which only those that share
// a band are.
func TestSimilarInFewAsInMany(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	codes := make([]iscc.Code, 3000)
	for i := range codes {
		codes[i] = randomCode(r)
	}
	inFew := map[string]bool{}
	for i := range 300 {
		inFew[entryNumber(i)] = true
	}
	few := buildSimilar(t, codes[:300])
	many := buildSimilar(t, codes)
	find := func(f *files, code iscc.Code) []string {
		answer, err := catalog.New(f, time.Now).Similar(context.Background(), code, 0)
		must(t, err)
		var out []string
		for _, c := range answer.Candidates {
			if id := c.Candidate.EntryID; inFew[id] {
				out = append(out, id)
			}
		}
		return out
	}
	found := 0
	for i := range 200 {
		code := alike(r, codes[i], .4)
		one, two := find(few, code), find(many, code)
		if !slices.Equal(one, two) {
			t.Fatalf("of few %q, of many %q", one, two)
		}
		found += len(one)
	}
	if found < 20 || found > 150 {
		t.Errorf("%d were found of 200: all or hardly any share a band", found)
	}
}
