package screen

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/idna"

	"colophon/internal/assert"
	"colophon/internal/iscc"
	"colophon/internal/processcost"
	"colophon/internal/release"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
)

var must = assert.NoError

// benchEntries returns the number of entries of the benchmarks.
func benchEntries(b *testing.B) int {
	n, err := strconv.Atoi(os.Getenv("COLOPHON_SCREEN_ENTRIES"))
	if err != nil {
		n = 100_000
	}
	b.ReportMetric(float64(n), "entries")
	return n
}

// invented returns a release of n entries at n/100 sites, in memory.
func invented(n int) *Release {
	r := &Release{hosts: map[string][]uint32{}, known: map[string]bool{}}
	l := &loading{Release: r, siteOf: map[string]uint32{}}
	for s := range max(1, n/100) {
		id := fmt.Sprintf("site-%d", s)
		l.siteOf[id] = uint32(s)
		r.sites = append(r.sites, site{id: id, name: id})
		r.sites[s].once.Do(func() {})
		r.sites[s].judge = rights.NewJudge(&rights.RightsDocument{SiteID: id, SiteURL: "https://" + id + ".example/"}, "2026-11-23T00:00:00Z")
	}
	for i := range n {
		row := entryRow{URL: inventedURL(i), Site: r.sites[i%len(r.sites)].id, RightsVector: "UUUUUUUU"}
		row.URLSHA256 = urlkey.LookupKey(urlkey.LookupURL, row.URL)
		own := sha256.Sum256([]byte(row.URL))
		row.EntryOwn = [6]byte(own[:])
		if err := l.addEntry(&row); err != nil {
			panic(err)
		}
	}
	r.urls, r.texts, r.near = newTable(l.strict), newTable(nil), newNearIndex(nil, nil)
	return r
}

// inventedURL returns the address of entry i in its canonical form. A tenth of
// the hosts have letters outside ASCII.
func inventedURL(i int) string {
	url := fmt.Sprintf("https://%s/section/%d/article-about-something-%d", inventedHost(i%max(1, inventedSites)), i%17, i)
	canonical, err := urlkey.Address(url)
	if err != nil {
		panic(err)
	}
	return canonical
}

func inventedHost(site int) string {
	if site%10 == 7 {
		return fmt.Sprintf("b\u00fccher-%d.example", site)
	}
	return fmt.Sprintf("site-%d.example", site)
}

var inventedSites = 1000

// dirtied returns a URL as it is found in data sets, and how a registered one
// must be matched.
func dirtied(r *rand.Rand, url string) (string, MatchedBy) {
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "https://"), "/")
	switch r.IntN(10) {
	case 0:
		return "https://" + host + ":443/" + path, ByURL
	case 1:
		return "HTTPS://" + strings.ToUpper(host) + "/" + path, ByURL
	case 2:
		return url + "#comments", ByURL
	case 3:
		return strings.Replace(url, "article", "%61rticle", 1), ByURL
	case 4:
		if letters, err := idna.ToUnicode(host); err == nil {
			host = letters
		}
		return "https://" + host + "/" + path, ByURL
	case 5:
		return url + "?utm_source=letter&utm_medium=email", BySamePage
	case 6:
		return "http://www." + host + "/" + path + "/", BySamePage
	}
	return url, ByURL
}

// dirtyURLs makes URLs as they are found in data sets, of which one in fifty is
// registered.
type dirtyURLs struct {
	random  *rand.Rand
	hosts   *rand.Zipf
	entries int
}

func newDirtyURLs(entries int) *dirtyURLs {
	r := rand.New(rand.NewPCG(1, 2))
	return &dirtyURLs{r, rand.NewZipf(r, 1.1, 1, uint64(50*inventedSites)), entries}
}

// next returns a URL and how it must be matched.
func (d *dirtyURLs) next() (string, MatchedBy) {
	if d.random.IntN(50) == 0 {
		return dirtied(d.random, inventedURL(d.random.IntN(d.entries)))
	}
	url, _ := dirtied(d.random, fmt.Sprintf("https://host-%d.example/page/%d", d.hosts.Uint64(), d.random.IntN(1<<30)))
	return url, ByNothing
}

// benchURLs returns the number of URLs to look up.
func benchURLs() int {
	n, err := strconv.Atoi(os.Getenv("COLOPHON_SCREEN_URLS"))
	if err != nil {
		return 1 << 19
	}
	return n
}

// BenchmarkURLs looks up dirty URLs with two goroutines, and counts wrong
// answers: the right ones are known, since the URLs are made up. They are made
// in batches, between the measured times.
func BenchmarkURLs(b *testing.B) {
	const piece = 1 << 18
	n, count := benchEntries(b), benchURLs()
	inventedSites = max(1, n/100)
	rel := invented(n)
	urls := newDirtyURLs(n)
	rows, want := make([]Row, piece), make([]MatchedBy, piece)
	matchers := [2]*Matcher{{Release: rel, Uses: []string{"training"}}, {Release: rel, Uses: []string{"training"}}}
	var wrong atomic.Int64
	var wall time.Duration
	var cpu float64
	match := func(m *Matcher, rows []Row, want []MatchedBy) {
		var out Result
		for i := range rows {
			if err := m.Match(b.Context(), &rows[i], &out); err != nil || out.MatchedBy != want[i] {
				wrong.Add(1)
			}
		}
	}
	for b.Loop() {
		for left := count; left > 0; left -= piece {
			size := min(left, piece)
			for i := range size {
				rows[i].URL, want[i] = urls.next()
			}
			begun, used := time.Now(), processcost.CPU()
			var group sync.WaitGroup
			half := size / 2
			group.Go(func() { match(matchers[0], rows[:half], want[:half]) })
			group.Go(func() { match(matchers[1], rows[half:size], want[half:size]) })
			group.Wait()
			wall += time.Since(begun)
			cpu += (processcost.CPU() - used).Seconds()
		}
	}
	all := float64(b.N) * float64(count)
	b.ReportMetric(all/wall.Seconds(), "URLs/s")
	b.ReportMetric(all/cpu, "URLs/CPU-s")
	b.ReportMetric(float64(wrong.Load()), "wrong")
	b.ReportMetric(processcost.PeakMiB(), "MiB")
}

// BenchmarkDuckDB joins the same URLs by keys that were computed before.
func BenchmarkDuckDB(b *testing.B) {
	node := os.Getenv("COLOPHON_NODE")
	if node == "" {
		b.Skip("COLOPHON_NODE names no node")
	}
	n := benchEntries(b)
	inventedSites = max(1, n/100)
	type keyRow struct {
		URLSHA256 [32]byte `parquet:"url_sha256"`
	}
	write := func(name string, count int, url func(i int) string) string {
		rows := make([]keyRow, count)
		for i := range rows {
			rows[i].URLSHA256 = urlkey.LookupKey(urlkey.LookupURL, url(i))
		}
		data, err := release.Write(rows)
		must(b, err)
		path := filepath.Join(b.TempDir(), name)
		must(b, os.WriteFile(path, data, 0o644))
		return path
	}
	urls, count, want := newDirtyURLs(n), benchURLs(), 0
	corpus := write("corpus.parquet", count, func(int) string {
		url, by := urls.next()
		if by == ByURL {
			want++
		}
		canonical, _ := urlkey.Address(url)
		return canonical
	})
	entries := write("entries.parquet", n, inventedURL)
	var got struct{ Rows, Seconds, CPU float64 }
	b.ResetTimer()
	for b.Loop() {
		cmd := exec.Command(node, "../../tools/screen/join.mjs", corpus, entries)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(out, &got)
		}
		must(b, err)
	}
	b.ReportMetric(float64(count)/got.Seconds, "URLs/s")
	b.ReportMetric(float64(count)/got.CPU, "URLs/CPU-s")
	b.ReportMetric(got.Rows-float64(want), "wrong")
}

// benchTexts returns the number of texts to look up, which is also the number
// in the release.
func benchTexts() int {
	n, err := strconv.Atoi(os.Getenv("COLOPHON_SCREEN_TEXTS"))
	if err != nil {
		return 10_000
	}
	return n
}

// inventedText returns a text of 4 KB whose word frequencies are as uneven as
// in a natural language. Texts with different numbers are unrelated.
func inventedText(number uint64) string {
	r := rand.New(rand.NewPCG(3, number))
	zipf := rand.NewZipf(r, 1.05, 8, 40_000)
	var t strings.Builder
	for t.Len() < 4096 {
		word := zipf.Uint64()
		t.WriteString(strconv.FormatUint((word+7)*0x9e3779b1%(1<<(15+word%20)), 36))
		t.WriteByte(' ')
	}
	return t.String()
}

// eachHalf runs f for 0 to n-1 in two goroutines; part is 0 or 1.
func eachHalf(n int, f func(part, i int)) {
	var group sync.WaitGroup
	for part := range 2 {
		group.Go(func() {
			for i := part; i < n; i += 2 {
				f(part, i)
			}
		})
	}
	group.Wait()
}

// BenchmarkTexts looks up texts by digest and by similarity, with two
// goroutines, in a release of as many unrelated texts.
func BenchmarkTexts(b *testing.B) {
	n := benchTexts()
	codes, rows := make([]iscc.Code, n), make([]uint32, n)
	coders := [2]iscc.Coder{}
	eachHalf(n, func(part, i int) {
		codes[i], _ = coders[part].Sum(inventedText(uint64(i)))
		rows[i] = uint32(i)
	})
	rel := invented(100)
	rel.near = newNearIndex(codes, rows)
	const piece = 1 << 14
	texts := make([]Row, piece)
	matchers := [2]*Matcher{{Release: rel, Uses: []string{"training"}}, {Release: rel, Uses: []string{"training"}}}
	var found, failed atomic.Int64
	var wall time.Duration
	var cpu float64
	for b.Loop() {
		for done := 0; done < n; done += piece {
			size := min(n-done, piece)
			eachHalf(size, func(_, i int) { texts[i].Text = inventedText(uint64(n + done + i)) })
			begun, used := time.Now(), processcost.CPU()
			eachHalf(size, func(part, i int) {
				var out Result
				if err := matchers[part].Match(b.Context(), &texts[i], &out); err != nil {
					failed.Add(1)
				}
				if out.MatchedBy == ByNear {
					found.Add(1)
				}
			})
			wall += time.Since(begun)
			cpu += (processcost.CPU() - used).Seconds()
		}
	}
	if failed.Load() > 0 {
		b.Fatalf("%d texts failed", failed.Load())
	}
	all := float64(b.N) * float64(n)
	b.ReportMetric(all/wall.Seconds(), "texts/s")
	b.ReportMetric(all/cpu, "texts/CPU-s")
	b.ReportMetric(float64(found.Load()), "unrelated-found")
	b.ReportMetric(processcost.PeakMiB(), "MiB")
}

// BenchmarkTable writes the table of entries and reports the bytes of one
// entry.
func BenchmarkTable(b *testing.B) {
	n := benchEntries(b)
	inventedSites = max(1, n/100)
	r := rand.New(rand.NewPCG(5, 6))
	random := func(size int) []byte {
		out := make([]byte, size)
		for i := range out {
			out[i] = byte(r.Uint32())
		}
		return out
	}
	bits := release.FileBits(int64(n))
	rows := make([]release.Entry, n>>bits)
	for i := range rows {
		e := &rows[i]
		e.URLSHA256, e.EntryOwn, e.Portable, e.ISCC = [32]byte(random(32)), [6]byte(random(6)), random(32), random(32)
		at := r.IntN(n)
		e.URL, e.Site, e.Language, e.ContentFormat = inventedURL(at), fmt.Sprintf("site-%d", at%inventedSites), "en", "html"
		e.PublishedAt, e.RightsVector, e.RecordVersion, e.LedgerIndex = int64(1_600_000_000+r.IntN(1<<27))*1000, []string{"DDDlDDUL", "UUUUUUUU", "LDDSLLLU"}[at%3], 1, int64(at)
	}
	var size int
	b.ResetTimer()
	for b.Loop() {
		data, err := release.Write(rows, "url_sha256", "entry_own")
		must(b, err)
		size = len(data)
	}
	b.ReportMetric(float64(size)/float64(len(rows)), "bytes/entry")
}

// TestUnrelatedCodesAreNotFound checks the threshold: no unrelated text may be
// reported as a near duplicate, and nearly all texts that share most of their
// wording must be.
func TestUnrelatedCodesAreNotFound(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "w%x ", r.IntN(1<<20))
		}
		return b.String()
	}
	const texts = 300
	all := make([]string, texts)
	codes, rows := make([]iscc.Code, texts), make([]uint32, texts)
	for i := range all {
		all[i] = words(200)
		codes[i], rows[i] = iscc.Sum(all[i]), uint32(i)
	}
	x := newNearIndex(codes, rows)
	found := 0
	for i := range all {
		edited := iscc.Sum(all[i] + words(20)) // 90 % in common
		for _, n := range x.find(&edited, NearMinima) {
			if int(n.row) != i {
				t.Errorf("text %d is told to be like %d, by %d minima", i, n.row, n.equal)
			} else {
				found++
			}
		}
		other := iscc.Sum(words(200))
		if list := x.find(&other, NearMinima); len(list) > 0 {
			t.Errorf("an unrelated text is like %v", list)
		}
	}
	if found < texts*99/100 {
		t.Errorf("%d of %d edited texts were found", found, texts)
	}
}
