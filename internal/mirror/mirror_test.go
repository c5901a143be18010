package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/delivery"
)

var must = assert.NoError

// service answers a mirror from a script: snapshot requests with an id, the
// feed and the delta with the next of their answers, the last of which it
// repeats.
type service struct {
	*httptest.Server
	feed, delta []answer
	snapshots   []answer
	keys        []string // idempotency keys of snapshot requests
	asked       []string // paths and queries of the other requests
}

type answer struct {
	status int // 0 means 200
	after  string
	body   string
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{snapshots: []answer{{body: `{"snapshot_id":"snp_1"}`}}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/v1/rag-delivery/snapshots":
		s.keys = append(s.keys, r.Header.Get("Idempotency-Key"))
		sendNext(w, &s.snapshots)
	case "/v1/rag-delivery/feed.ndjson":
		s.asked = append(s.asked, "feed "+r.URL.Query().Get("cursor"))
		sendNext(w, &s.feed)
	case "/v1/rag-delivery/delta.ndjson":
		s.asked = append(s.asked, "delta "+r.URL.Query().Get("since"))
		sendNext(w, &s.delta)
	default:
		http.NotFound(w, r)
	}
}

func sendNext(w http.ResponseWriter, list *[]answer) {
	a := (*list)[0]
	if len(*list) > 1 {
		*list = (*list)[1:]
	}
	if a.after != "" {
		w.Header().Set("Retry-After", a.after)
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	fmt.Fprint(w, a.body)
}

func (s *service) mirror(dir string) *Folder {
	return &Folder{Dir: dir, Base: s.URL, Credential: "byr_test_x", Client: s.Client(), Wait: func(context.Context, time.Duration) error { return nil }}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func itemLine(id, text, cursor string) string {
	return fmt.Sprintf(`{"type":"item","item_id":%q,"version":1,"content":{"format":"markdown","text":%q,"sha256":%q},"cursor":%q}`, id, text, digest(text), cursor) + "\n"
}

const endLine = `{"type":"end","next_cursor":""}` + "\n"

// checkpointLine returns a complete checkpoint over items with version 1.
func checkpointLine(texts map[string]string) string {
	var ids []string
	for id := range texts {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var root delivery.Root
	for _, id := range ids {
		root.Add(id, 1, digest(texts[id]))
	}
	return fmt.Sprintf(`{"type":"checkpoint","complete":true,"root":%q,"cursor":"c9"}`, root.String()) + "\n"
}

func TestPullHoldsWhatTheServiceSays(t *testing.T) {
	s := newService(t)
	s.feed = []answer{{body: itemLine("itm_a", "Ebb.", "f1") + itemLine("itm_b", "Flow.", "f2") + endLine}}
	s.delta = []answer{{body: `{"type":"tombstone","item_id":"itm_a","cursor":"c1"}` + "\n" + checkpointLine(map[string]string{"itm_b": "Flow."})}}
	dir := t.TempDir()

	report, err := s.mirror(dir).Pull(context.Background())
	must(t, err)
	if !report.Verified || report.Items != 1 || report.Upserts != 2 || report.Deleted != 1 || report.Cursor != "c9" {
		t.Errorf("report %+v", report)
	}
	files, err := filepath.Glob(filepath.Join(dir, "items", "*"))
	must(t, err)
	if len(files) != 2 || filepath.Base(files[0]) != "itm_b.json" || filepath.Base(files[1]) != "itm_b.md" {
		t.Errorf("files %q", files)
	}
	text, err := os.ReadFile(files[1])
	if err != nil || string(text) != "Flow." {
		t.Errorf("text %q, %v", text, err)
	}
}

func TestPullTakesWholeLinesOnly(t *testing.T) {
	s := newService(t)
	second := itemLine("itm_b", "Flow.", "f2")
	s.feed = []answer{
		{body: itemLine("itm_a", "Ebb.", "f1") + strings.TrimSuffix(second, "\n")},
		{body: second + endLine},
	}
	s.delta = []answer{{body: checkpointLine(map[string]string{"itm_a": "Ebb.", "itm_b": "Flow."})}}

	report, err := s.mirror(t.TempDir()).Pull(context.Background())
	must(t, err)
	if want := []string{"feed ", "feed f1", "delta snp_1"}; !slices.Equal(s.asked, want) {
		t.Errorf("asked %q, want %q", s.asked, want)
	}
	if report.Resumed != 1 || report.Upserts != 2 || !report.Verified {
		t.Errorf("report %+v", report)
	}
}

func TestPullRefusesWhatIsNotAnItem(t *testing.T) {
	for name, line := range map[string]string{
		"another digest":    strings.Replace(itemLine("itm_a", "Ebb.", "f1"), digest("Ebb."), digest("Flow."), 1),
		"a path":            itemLine("itm_../../x", "Ebb.", "f1"),
		"another kind":      itemLine("ent_a", "Ebb.", "f1"),
		"a path to delete":  `{"type":"tombstone","item_id":"../state","cursor":"f1"}` + "\n",
		"a line of no JSON": "items\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			s.feed = []answer{{body: line + endLine}}
			s.delta = []answer{{body: checkpointLine(nil)}}
			dir := t.TempDir()
			assert.Fails(t, assert.Err(s.mirror(dir).Pull(context.Background())), "no error")
			entries, err := os.ReadDir(filepath.Join(dir, "items"))
			if err != nil || len(entries) > 0 {
				t.Errorf("%d files, %v", len(entries), err)
			}
			if _, err := os.Stat(filepath.Join(dir, "state.json")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestPullBeginsAnewWhenTheCursorIsGone(t *testing.T) {
	s := newService(t)
	s.feed = []answer{{body: itemLine("itm_a", "Ebb.", "f1") + endLine}, {body: itemLine("itm_b", "Flow.", "f1") + endLine}}
	s.delta = []answer{{status: http.StatusGone, body: `{"code":"cursor_expired"}`}, {body: checkpointLine(map[string]string{"itm_b": "Flow."})}}
	m := s.mirror(t.TempDir())

	report, err := m.Pull(context.Background())
	must(t, err)
	ids, err := m.Items()
	must(t, err)
	if report.Resyncs != 1 || !slices.Equal(ids, []string{"itm_b"}) {
		t.Errorf("report %+v, items %q", report, ids)
	}
	if len(s.keys) != 2 || s.keys[0] == s.keys[1] {
		t.Errorf("keys %q: another snapshot has another", s.keys)
	}
}

func TestPullEndsWhenTheRootIsAnother(t *testing.T) {
	s := newService(t)
	s.feed = []answer{{body: itemLine("itm_a", "Ebb.", "f1") + endLine}}
	s.delta = []answer{{body: checkpointLine(map[string]string{"itm_a": "Flow."})}}

	report, err := s.mirror(t.TempDir()).Pull(context.Background())
	assert.ErrorIs(t, err, ErrRoot, "error")
	if report.Verified || report.Resyncs != 1 {
		t.Errorf("report %+v", report)
	}
}

func TestLostAnswerIsAskedForWithTheSameKey(t *testing.T) {
	s := newService(t)
	s.snapshots = []answer{{status: http.StatusBadGateway}, {status: http.StatusUnauthorized}, {body: `{"snapshot_id":"snp_1"}`}}
	s.feed = []answer{{body: endLine}}
	s.delta = []answer{{body: checkpointLine(nil)}}
	dir := t.TempDir()
	if _, err := s.mirror(dir).Pull(context.Background()); err == nil {
		t.Fatal("no error without a right")
	}
	must(t, assert.Err(s.mirror(dir).Pull(context.Background())))
	if len(s.keys) != 3 || s.keys[0] == "" || s.keys[0] != s.keys[1] || s.keys[0] != s.keys[2] {
		t.Errorf("keys %q", s.keys)
	}
}

func TestPullWaitsAsLongAsItIsTold(t *testing.T) {
	s := newService(t)
	s.snapshots = []answer{{status: http.StatusTooManyRequests, after: "7"}, {status: http.StatusServiceUnavailable, after: "900"}, {body: `{"snapshot_id":"snp_1"}`}}
	s.feed = []answer{{body: endLine}}
	s.delta = []answer{{body: checkpointLine(nil)}}
	var waits []time.Duration
	m := s.mirror(t.TempDir())
	m.Wait = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}
	must(t, assert.Err(m.Pull(context.Background())))
	if want := []time.Duration{7 * time.Second, time.Minute}; !slices.Equal(waits, want) {
		t.Errorf("waited %v, want %v", waits, want)
	}
}

func TestRefusalSaysWhatFollows(t *testing.T) {
	s := newService(t)
	s.snapshots = []answer{{status: http.StatusForbidden, body: `{"code":"no_active_grant","title":"No grant is in force"}`}}
	_, err := s.mirror(t.TempDir()).Pull(context.Background())
	var refused *Refused
	if !errors.As(err, &refused) || refused.Code != "no_active_grant" {
		t.Fatalf("error %v", err)
	}
	if !strings.Contains(err.Error(), "must not be used") {
		t.Errorf("error %q", err)
	}
}

func TestFolderOfAnotherService(t *testing.T) {
	s := newService(t)
	s.feed = []answer{{body: endLine}}
	s.delta = []answer{{body: checkpointLine(nil)}}
	m := s.mirror(t.TempDir())
	must(t, assert.Err(m.Pull(context.Background())))
	another := newService(t)
	another.feed = s.feed
	another.delta = s.delta
	assert.Fails(t, assert.Err(another.mirror(m.Dir).Pull(context.Background())), "no error")
	if len(another.keys) > 0 || len(another.asked) > 0 {
		t.Errorf("asked for %q", another.asked)
	}
}
