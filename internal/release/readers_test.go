package release_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/release"
	"colophon/internal/urlkey"
)

var must = assert.NoError

// tableRelease is a folder of invented tables, and the result of the documented
// join on them.
type tableRelease struct {
	dir, corpus string
	pages       map[string]int
	joined      [][3]string // URL, site and vector of the corpus's rows, by URL
	key         string      // key of the entry joined[0], in hex
	bytes       int64
}

func (r *tableRelease) put(t *testing.T, name string, data []byte) {
	t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, data, 0o644))
}

type corpusRow struct {
	URL string `parquet:"url"`
}

// newTableRelease writes tables of n entries without titles, a hundred at each
// site.
func newTableRelease(t *testing.T, n int) *tableRelease {
	t.Helper()
	r := &tableRelease{dir: t.TempDir(), pages: map[string]int{}}
	random := rand.New(rand.NewPCG(1, uint64(n)))
	digest := func() []byte {
		b := make([]byte, 32)
		for i := 0; i < len(b); i += 8 {
			binary.BigEndian.PutUint64(b[i:], random.Uint64())
		}
		return b
	}
	rows := make([]release.Entry, n)
	var corpus []corpusRow
	for i := range rows {
		e := &rows[i]
		site := i % max(1, n/100)
		e.URL = fmt.Sprintf("https://site-%d.example/section/%d/article-about-something-%d", site, i%17, i)
		e.URLSHA256, e.EntryOwn = urlkey.LookupKey(urlkey.LookupURL, e.URL), [6]byte(digest())
		e.Site, e.Language, e.ContentFormat, e.Portable, e.ISCC = fmt.Sprintf("site-%d", site), "en", "html", digest(), digest()
		e.PublishedAt, e.RightsVector = int64(1_600_000_000+random.IntN(1<<27))*1000, []string{"DDDlDDUL", "UUUUUUUU", "LDDSLLLU"}[site%3]
		e.RecordVersion, e.LedgerIndex = 1, int64(i)
		r.pages[e.Site]++
		if i%(n/50) == 0 {
			corpus = append(corpus, corpusRow{e.URL}, corpusRow{"https://nobody.example/" + strconv.Itoa(i)})
			r.joined = append(r.joined, [3]string{e.URL, e.Site, e.RightsVector})
		}
	}
	slices.SortFunc(r.joined, func(a, b [3]string) int { return strings.Compare(a[0], b[0]) })
	key := urlkey.LookupKey(urlkey.LookupURL, r.joined[0][0])
	r.key = hex.EncodeToString(key[:])
	slices.SortFunc(rows, func(a, b release.Entry) int { return bytes.Compare(a.URLSHA256[:], b.URLSHA256[:]) })
	bits := release.FileBits(int64(n))
	for part := range 1 << bits {
		end, _ := slices.BinarySearchFunc(rows, part+1, func(e release.Entry, part int) int { return cmp.Compare(urlkey.Part(e.URLSHA256[:], bits), part) })
		data, err := release.Write(rows[:end], "url_sha256", "entry_own")
		must(t, err)
		r.put(t, release.EntriesKey(part, bits), data)
		r.bytes += int64(len(data))
		rows = rows[end:]
	}
	var publishers []release.Publisher
	for site := range r.pages {
		publishers = append(publishers, release.Publisher{Site: site, Name: "The " + site})
	}
	slices.SortFunc(publishers, func(a, b release.Publisher) int { return strings.Compare(a.Site, b.Site) })
	data, err := release.Write(publishers, "site")
	must(t, err)
	r.put(t, release.PublishersKey, data)
	if data, err = release.Write(corpus); err != nil {
		t.Fatal(err)
	}
	r.put(t, "corpus.parquet", data)
	r.corpus = filepath.Join(r.dir, "corpus.parquet")
	return r
}

// serve serves the folder and counts the bytes of bodies.
func (r *tableRelease) serve(t *testing.T, sent *atomic.Int64) string {
	files := http.FileServer(http.Dir(r.dir))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { files.ServeHTTP(&countedWriter{w, sent}, q) }))
	t.Cleanup(s.Close)
	return s.URL
}

type countedWriter struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (w *countedWriter) Write(p []byte) (int, error) {
	w.sent.Add(int64(len(p)))
	return w.ResponseWriter.Write(p)
}

// TestOthersReadTables runs the documentation's SQL in DuckDB, and the same
// count over HTTP with hyparquet; "make test-mirror" installs both. It checks
// how many bytes an entry, a count and a key take. COLOPHON_TABLE_ENTRIES sets
// the number of entries.
func TestOthersReadTables(t *testing.T) {
	node := os.Getenv("COLOPHON_NODE")
	if node == "" {
		t.Skip("COLOPHON_NODE names no node")
	}
	n := 1 << 19
	if text := os.Getenv("COLOPHON_TABLE_ENTRIES"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	r := newTableRelease(t, n)
	if r.bytes > 130*int64(n) {
		t.Errorf("%d bytes for %d entries", r.bytes, n)
	}
	var sent atomic.Int64
	cmd := exec.Command(node, "../../tools/screen/tables.mjs", "../../site/docs/screening.md", r.dir, r.corpus, r.serve(t, &sent), r.key)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	must(t, err)
	var got struct {
		Joined []struct {
			URL, Site string
			Vector    string `json:"rights_vector"`
		}
		Named []struct {
			Name, Site string
			Pages      json.Number
		}
		Counted struct {
			Pages           map[string]int
			Bytes, Requests int64
		}
		Found struct {
			Row             *struct{ Site any }
			Bytes, Requests int64
		}
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %.300s", err, out)
	}
	if len(got.Joined) != len(r.joined) {
		t.Fatalf("the documented join gives %d rows, want %d", len(got.Joined), len(r.joined))
	}
	for i, row := range got.Joined {
		if want := r.joined[i]; [3]string{row.URL, row.Site, row.Vector} != want {
			t.Errorf("row %d is %v, want %v", i, row, want)
		}
	}
	if len(got.Named) != len(r.pages) || len(got.Counted.Pages) != len(r.pages) {
		t.Fatalf("%d publishers in DuckDB, %d over HTTP, want %d", len(got.Named), len(got.Counted.Pages), len(r.pages))
	}
	for _, row := range got.Named {
		want := r.pages[row.Site]
		if row.Pages.String() != strconv.Itoa(want) || got.Counted.Pages[row.Site] != want || row.Name != "The "+row.Site {
			t.Errorf("%s: %s in DuckDB, %d over HTTP, want %d", row.Site, row.Pages, got.Counted.Pages[row.Site], want)
		}
	}
	if got.Found.Row == nil || fmt.Sprint(got.Found.Row.Site) == "" {
		t.Error("the key was not found")
	}
	share := func(bytes int64) float64 { return 100 * float64(bytes) / float64(r.bytes) }
	t.Logf("%d entries: %.1f bytes each; a count reads %.2f %% in %d requests, a key %.2f %% in %d", n, float64(r.bytes)/float64(n),
		share(got.Counted.Bytes), got.Counted.Requests, share(got.Found.Bytes), got.Found.Requests)
	if share(got.Counted.Bytes) > 3 || share(got.Found.Bytes) > 1 || sent.Load() > got.Counted.Bytes+got.Found.Bytes {
		t.Errorf("too many bytes are read: %d, %d; %d were sent", got.Counted.Bytes, got.Found.Bytes, sent.Load())
	}
}
