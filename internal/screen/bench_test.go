package screen

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"colophon/internal/iscc"
	"colophon/internal/provenance"
	"colophon/internal/release"
	"colophon/internal/rights"
)

// benchEntries is how many entries the benches have.
func benchEntries(b *testing.B) int {
	n, err := strconv.Atoi(os.Getenv("COLOPHON_SCREEN_ENTRIES"))
	if err != nil {
		n = 100_000
	}
	b.ReportMetric(float64(n), "entries")
	return n
}

// invented is a release of n entries at n/100 sites, in memory.
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
		row.URLSHA256 = provenance.LookupKey(provenance.LookupURL, row.URL)
		own := sha256.Sum256([]byte(row.URL))
		row.EntryOwn = [6]byte(own[:])
		if err := l.addEntry(&row); err != nil {
			panic(err)
		}
	}
	r.urls, r.loose, r.texts, r.near = newTable(l.strict), newTable(l.loose), newTable(nil), newNearIndex(nil, nil)
	return r
}

func inventedURL(i int) string {
	return fmt.Sprintf("https://site-%d.example/section/%d/article-about-something-%d", i%max(1, inventedSites), i%17, i)
}

var inventedSites = 1000

// dirtied writes a URL as it stands in the wild.
func dirtied(r *rand.Rand, url string) string {
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "https://"), "/")
	switch r.IntN(8) {
	case 0:
		return "https://" + host + ":443/" + path
	case 1:
		return "HTTPS://" + strings.ToUpper(host) + "/" + path
	case 2:
		return url + "#comments"
	case 3:
		return strings.Replace(url, "article", "%61rticle", 1)
	}
	return url
}

// dirtyList invents URLs as they stand in the wild, of which one in fifty is
// registered, and tells which.
func dirtyList(n, count int) (list []Row, registered []bool) {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 1, uint64(50*inventedSites))
	list, registered = make([]Row, count), make([]bool, count)
	for i := range list {
		if registered[i] = r.IntN(50) == 0; registered[i] {
			list[i].URL = dirtied(r, inventedURL(r.IntN(n)))
			continue
		}
		list[i].URL = dirtied(r, fmt.Sprintf("https://host-%d.example/page/%d", zipf.Uint64(), r.IntN(1<<30)))
	}
	return list, registered
}

// benchURLs is how many URLs are looked up.
func benchURLs() int {
	n, err := strconv.Atoi(os.Getenv("COLOPHON_SCREEN_URLS"))
	if err != nil {
		return 1 << 19
	}
	return n
}

// BenchmarkURLs looks dirty URLs up with two goroutines, and counts those that
// were answered wrongly: what is right is known, since the URLs are made.
func BenchmarkURLs(b *testing.B) {
	n := benchEntries(b)
	inventedSites = max(1, n/100)
	rel := invented(n)
	list, want := dirtyList(n, benchURLs())
	var wrong atomic.Int64
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ResetTimer()
	begun := cpuSeconds()
	for b.Loop() {
		var group sync.WaitGroup
		half := len(list) / 2
		for _, part := range [][2]int{{0, half}, {half, len(list)}} {
			group.Go(func() {
				m := &Matcher{Release: rel, Uses: []string{"training"}}
				var out Result
				for i := part[0]; i < part[1]; i++ {
					if err := m.Match(b.Context(), &list[i], &out); err != nil || (out.MatchedBy == ByURL) != want[i] {
						wrong.Add(1)
					}
				}
			})
		}
		group.Wait()
	}
	b.ReportMetric(float64(b.N)*float64(len(list))/b.Elapsed().Seconds(), "URLs/s")
	b.ReportMetric(float64(b.N)*float64(len(list))/(cpuSeconds()-begun), "URLs/CPU-s")
	b.ReportMetric(float64(wrong.Load()), "wrong")
	b.ReportMetric(float64(memory.HeapAlloc)/(1<<20), "MiB") // tables, and the list of the bench
}

// cpuSeconds is the CPU time of the process so far: on a machine that does
// other work too, wall time tells of that.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkDuckDB joins the same URLs by keys that were made before.
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
			rows[i].URLSHA256 = provenance.LookupKey(provenance.LookupURL, url(i))
		}
		data, err := release.Write(rows)
		if err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(b.TempDir(), name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			b.Fatal(err)
		}
		return path
	}
	list, registered := dirtyList(n, benchURLs())
	corpus := write("corpus.parquet", len(list), func(i int) string {
		canonical, _ := CanonicalURL(list[i].URL)
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
		if err != nil {
			b.Fatal(err)
		}
	}
	want := 0
	for _, is := range registered {
		if is {
			want++
		}
	}
	b.ReportMetric(float64(len(list))/got.Seconds, "URLs/s")
	b.ReportMetric(float64(len(list))/got.CPU, "URLs/CPU-s")
	b.ReportMetric(got.Rows-float64(want), "wrong")
}

// BenchmarkTexts looks texts of 4 KB up by digest and by similarity.
func BenchmarkTexts(b *testing.B) {
	n := benchEntries(b)
	r := rand.New(rand.NewPCG(3, 4))
	codes, rows := make([]iscc.Code, n), make([]uint32, n)
	for i := range codes {
		for k := range codes[i] {
			codes[i][k] = byte(r.Uint32())
		}
		rows[i] = uint32(i)
	}
	rel := invented(100)
	rel.near = newNearIndex(codes, rows)
	texts := make([]Row, 256)
	for i := range texts {
		var t strings.Builder
		for t.Len() < 4096 {
			fmt.Fprintf(&t, "%x ", r.Uint32()>>r.IntN(24))
		}
		texts[i].Text = t.String()
	}
	found := 0
	b.ResetTimer()
	begun := cpuSeconds()
	for b.Loop() {
		m := &Matcher{Release: rel, Uses: []string{"training"}}
		var out Result
		for i := range texts {
			if err := m.Match(b.Context(), &texts[i], &out); err != nil {
				b.Fatal(err)
			}
			if out.MatchedBy == ByNear {
				found++
			}
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
	b.ReportMetric(float64(b.N*len(texts))/(cpuSeconds()-begun), "texts/CPU-s")
	b.ReportMetric(float64(found), "unrelated-found")
}

// BenchmarkTable writes the table of entries and reports what one takes.
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
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size)/float64(len(rows)), "bytes/entry")
}

// TestUnrelatedCodesAreNotFound holds the threshold: no unrelated text is told
// as a near duplicate, and of texts that share most of their wording nearly all
// are.
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
		edited := iscc.Sum(all[i] + words(20)) // .9 in common
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

func TestLooseURL(t *testing.T) {
	for given, want := range map[string]string{
		"https://www.a.example/b/?utm_source=x&id=3&gclid=9": "a.example/b?id=3", "http://a.example/": "a.example",
		"https://a.example/b?UTM_Medium=x": "a.example/b", "https://a.example:8443/b/": "a.example:8443/b", "https://wwwa.example/": "wwwa.example",
		"https://a.example/?ref=x": "a.example?ref=x",
	} {
		if got := LooseURL(given); got != want {
			t.Errorf("%s gives %s, want %s", given, got, want)
		}
	}
	if got, ok := CanonicalURL(" https://bücher.example/Ü "); !ok || got != "https://xn--bcher-kva.example/%C3%9C" {
		t.Errorf("IDN: %q %t", got, ok)
	}
}
