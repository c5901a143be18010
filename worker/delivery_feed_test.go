package worker_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/mirror"
	"colophon/internal/origin"
	"colophon/worker"
)

// cutting cuts a number of answers after a random number of bytes.
type cutting struct {
	base http.RoundTripper
	rand *rand.Rand
	left int
	most int
	cuts int
}

func (c *cutting) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := c.base.RoundTrip(r)
	if err == nil && c.left > 0 {
		c.left--
		res.Body = &cutBody{res.Body, c.rand.IntN(c.most), c}
	}
	return res, err
}

type cutBody struct {
	io.ReadCloser
	left int
	of   *cutting
}

func (b *cutBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.of.cuts++
		return 0, errors.New("connection reset")
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// stock adds n pages of the given size to one site, and a grant that covers it;
// it returns the credential.
func (m *market) stock(n, size int) string {
	m.Helper()
	secret := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
	filler := strings.Repeat("Harbour light. ", size/15+1)
	for i := range n {
		id := fmt.Sprintf("ent_%06d", i)
		text := filler[:size] + token(id, 1)
		must(m, m.store.PutPage(context.Background(), origin.Page{EntryID: id, SiteID: "site-a", CanonicalURL: "https://site-a.example/p/" + id, Title: "Page " + id,
			ContentFormat: "html", WordCount: 3, PublishedAt: seedTime, RegisteredAt: seedTime, ChangedAt: seedTime, State: "active"},
			&origin.Body{Text: text, Markdown: text, SHA256: credential.Digest(text), ChangedAt: seedTime}))
	}
	return secret
}

// TestFeedResumesAfterCuts checks that a feed which is cut fifty times at
// random bytes, and resumed at the cursor of its last complete line, has every
// item once.
func TestFeedResumesAfterCuts(t *testing.T) {
	m := newMarket(t)
	feedAfterCuts(m, m.server().URL)
}

func feedAfterCuts(t *market, base string) {
	secret := t.stock(600, 700)
	cutter := &cutting{base: http.DefaultTransport, rand: rand.New(rand.NewPCG(1, 2)), left: 55, most: 15_000}
	client := &http.Client{Transport: cutter}
	var got []string
	cursor, ended := "", false
	for requests := 0; !ended; requests++ {
		if requests > 200 {
			t.Fatal("no end")
		}
		req, err := http.NewRequest("GET", base+exports.PathDeliveryFeed+"?limit=250&cursor="+url.QueryEscape(cursor), nil)
		must(t, err)
		req.Header.Set("Authorization", "Bearer "+secret)
		res, err := client.Do(req)
		must(t, err)
		lines := bufio.NewReader(res.Body)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				break
			}
			var l struct {
				Type       string
				Cursor     string
				ItemID     string `json:"item_id"`
				NextCursor string `json:"next_cursor"`
			}
			must(t, json.Unmarshal([]byte(line), &l))
			if l.Type == "end" {
				cursor, ended = l.NextCursor, l.NextCursor == ""
				break
			}
			got, cursor = append(got, l.ItemID), l.Cursor
		}
		res.Body.Close()
	}
	if cutter.cuts < 50 {
		t.Errorf("cut only %d times", cutter.cuts)
	}
	if len(got) != 600 {
		t.Fatalf("%d items", len(got))
	}
	for i, id := range got {
		if id != fmt.Sprintf("itm_%06d", i) {
			t.Fatalf("item %d is %s", i, id)
		}
	}
}

// TestMirrorResumesAfterCuts checks that the mirror also continues after cuts
// in snapshot and delta, and after being stopped and started again.
func TestMirrorResumesAfterCuts(t *testing.T) {
	m := newMarket(t)
	secret := m.stock(400, 300)
	cutter := &cutting{base: http.DefaultTransport, rand: rand.New(rand.NewPCG(3, 4)), left: 60, most: 9_000}
	dir := t.TempDir()
	consumer := func() *mirror.Folder {
		return &mirror.Folder{Dir: dir, Base: m.server().URL, Credential: secret, Client: &http.Client{Transport: cutter}, Retries: 3, Wait: noWait}
	}
	base := consumer().Base
	pull := func() mirror.Report {
		for range 60 {
			x := consumer()
			x.Base = base
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			report, err := x.Pull(ctx)
			cancel()
			if err == nil {
				return report
			}
		}
		t.Fatal("the mirror never came to an end")
		return mirror.Report{}
	}
	if r := pull(); r.Items != 400 || !r.Verified {
		t.Fatalf("%+v", r)
	}
	for i := range 200 {
		id := fmt.Sprintf("ent_%06d", i*2)
		state := []string{"withdrawn", "active"}[i%2]
		m.page("site-a", id, "/p/"+id, state, 2)
	}
	cutter.left = 60
	if r := pull(); r.Items != 300 || !r.Verified {
		t.Fatalf("%+v", r)
	}
	if cutter.cuts < 50 {
		t.Errorf("cut only %d times", cutter.cuts)
	}
	// Foreign changes to the files are noticed and repaired.
	entries, err := os.ReadDir(dir + "/items")
	must(t, err)
	must(t, os.Remove(dir+"/items/"+entries[0].Name()))
	must(t, os.Remove(dir+"/items/"+entries[1].Name()))
	if r := pull(); r.Items != 300 || !r.Verified || r.Resyncs != 1 {
		t.Fatalf("%+v", r)
	}
}

// TestMirrorWithoutSnapshot checks that the mirror begins with the delta if a
// snapshot cannot list that many items.
func TestMirrorWithoutSnapshot(t *testing.T) {
	m := newMarket(t, func(d *worker.Deps) { d.Budget.Leaves = 20 })
	secret := m.stock(30, 100)
	consumer := &mirror.Folder{Dir: t.TempDir(), Base: m.server().URL, Credential: secret, Client: http.DefaultClient, Wait: noWait}
	for _, left := range []int64{30, 18} {
		r, err := consumer.Pull(context.Background())
		if err != nil || r.Items != left || r.Resyncs > 0 || r.Verified != (left <= 20) {
			t.Fatalf("%+v %v", r, err)
		}
		for i := range 12 {
			id := fmt.Sprintf("ent_%06d", i)
			m.page("site-a", id, "/p/"+id, "withdrawn", 1)
		}
	}
}

// TestBigFeed measures a feed, a first comparison and deltas: make
// bench-delivery. COLOPHON_DELIVERY_ITEMS sets the number of items.
func TestBigFeed(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("COLOPHON_DELIVERY_ITEMS"))
	if n == 0 {
		t.Skip("COLOPHON_DELIVERY_ITEMS is not set")
	}
	m := newMarket(t)
	start := time.Now()
	secret := m.stock(n, 3000)
	t.Logf("stocked %d items in %v", n, time.Since(start).Round(time.Millisecond))
	start = time.Now()
	items, cursor, bytes, peak := 0, "", 0, uint64(0)
	var heap runtime.MemStats
	for {
		out := &lastLine{}
		r := m.stream(secret, exports.PathDeliveryFeed+"?limit=1000&cursor="+cursor)
		must(t, r(out))
		runtime.ReadMemStats(&heap)
		peak = max(peak, heap.HeapAlloc)
		var end exports.FeedEnd
		var l struct {
			Count int64
			Next  string `json:"next_cursor"`
		}
		must(t, json.Unmarshal([]byte(out.line()), &l))
		end.Count, end.NextCursor = l.Count, l.Next
		items, bytes = items+int(end.Count), bytes+out.bytes
		if cursor = end.NextCursor; cursor == "" {
			break
		}
	}
	took := time.Since(start)
	t.Logf("feed: %d items, %d MB in %v: %.0f items/s; peak heap %d MB", items, bytes>>20, took.Round(time.Millisecond), float64(items)/took.Seconds(), peak>>20)
	if items != n {
		t.Errorf("%d items", items)
	}
	timed := func(what string, f func()) {
		start := time.Now()
		f()
		t.Logf("%s: %v", what, time.Since(start).Round(time.Millisecond))
	}
	var snapshot struct {
		ID    string `json:"snapshot_id"`
		Items int64  `json:"item_count"`
	}
	timed("snapshot with the first comparison", func() {
		a := m.send("POST", secret, exports.PathDeliverySnapshots, `{}`)
		must(t, json.Unmarshal([]byte(a.body), &snapshot))
	})
	if snapshot.Items != int64(n) {
		t.Errorf("snapshot of %d items", snapshot.Items)
	}
	delta := func() answer { return m.get(secret, exports.PathDeliveryDelta+"?since="+snapshot.ID) }
	timed("delta, nothing changed", func() { delta() })
	m.page("site-a", "ent_000007", "/p/ent_000007", "withdrawn", 1)
	timed("delta after one change", func() {
		if a := delta(); !strings.Contains(a.body, "tombstone") {
			t.Errorf("%.300s", a.body)
		}
	})
	m.state("grt_1", "revoked")
	timed("delta after a revocation", func() { delta() })
}

// stream sends a request, and returns the function that streams the answer.
func (m *market) stream(secret, target string) func(*lastLine) error {
	r := newRequest(secret, target)
	resp := m.handle(context.Background(), r)
	if resp.Status != 200 {
		m.Fatalf("%d %s", resp.Status, resp.Body)
	}
	return func(out *lastLine) error { return resp.Stream(out) }
}

// lastLine keeps the end of what is written and counts the rest.
type lastLine struct {
	tail  []byte
	bytes int
}

func (l *lastLine) Write(p []byte) (int, error) {
	l.bytes += len(p)
	l.tail = append(l.tail, p...)
	if keep := 64 << 10; len(l.tail) > keep {
		l.tail = append(l.tail[:0], l.tail[len(l.tail)-keep:]...)
	}
	return len(p), nil
}

func (l *lastLine) line() string {
	text := strings.TrimSuffix(string(l.tail), "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}
