package d1rest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/d1test"
)

var must = assert.NoError

func named(values ...driver.Value) (out []driver.NamedValue) {
	for i, v := range values {
		out = append(out, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return out
}

func TestMarked(t *testing.T) {
	for _, c := range []struct {
		text   string
		args   []driver.NamedValue
		want   string
		params []string
	}{
		{"SELECT 1", nil, "SELECT 1", []string{}},
		{"a = ?1 AND b = ?2", named("x", "y"), "a = ?1 AND b = ?2", []string{"x", "y"}},
		{"a = ?1 LIMIT ?2", named("x", int64(5)), "a = ?1 LIMIT (5)", []string{"x"}},
		{"a = ?2 LIMIT ?1", named(int64(-5), "x"), "a = ?2 LIMIT (-5)", []string{"", "x"}},
		{"?1, ?1, ?10", named(int64(1), "", "", "", "", "", "", "", "", int64(7)), "(1), (1), (7)", []string{}},
		{"VALUES (?1, ?2, ?3)", named(nil, 0.5, []byte{0, 255}), "VALUES (NULL, (5e-01), x'00ff')", []string{}},
		{"'?1' \"?1\" `?1` ?1", named(int64(3)), "'?1' \"?1\" `?1` (3)", []string{}},
		{"'it''s ?1' ?1", named(int64(3)), "'it''s ?1' (3)", []string{}},
		{"-- ?1\n?1 /* ?1 */ 'open ?1", named(int64(3)), "-- ?1\n(3) /* ?1 */ 'open ?1", []string{}},
	} {
		got := inlineMarks(c.text, c.args)
		if got.SQL != c.want || !reflect.DeepEqual(got.Params, c.params) {
			t.Errorf("%q: %q %q", c.text, got.SQL, got.Params)
		}
	}
}

func api(t *testing.T) (*Database, *sql.DB) {
	t.Helper()
	d, db, _ := serve(t)
	return d, db
}

// serve serves a new database through the API.
func serve(t *testing.T) (*Database, *sql.DB, *d1test.Server) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "t.db")+"?_pragma=foreign_keys(1)")
	must(t, err)
	t.Cleanup(func() { db.Close() })
	srv := d1test.NewServer(db)
	t.Cleanup(srv.Close)
	return New(srv.URL+d1test.Path+"/", d1test.Token), db, srv
}

func TestStore(t *testing.T) {
	d, db := api(t)
	ctx := context.Background()
	must(t, originsql.Migrate(ctx, db))
	s := originsql.Over(d)
	hook := origin.Webhook{WebhookID: "whk_1", URL: "https://x.example/?a='b'", Secret: "ß ?1", State: "active", CreatedAt: "2026-01-01T00:00:00Z", ChangedAt: "2026-01-01T00:00:00Z"}
	must(t, s.PutWebhook(ctx, hook))
	if got, err := s.Webhook(ctx, "whk_1"); err != nil || got != hook {
		t.Errorf("%+v %v", got, err)
	}
	assert.ErrorIs(t, assert.Err(s.Webhook(ctx, "whk_2")), origin.ErrNotFound, "a webhook that is not there")
	now, err := s.Bump(ctx, []origin.Counter{{Name: "a", ResetsAt: "2026-01-02T00:00:00Z"}})
	if err != nil || len(now) != 1 || now[0].Count != 1 {
		t.Errorf("%+v %v", now, err)
	}
}

// TestRecordsInBatches adds more records at once than one parameter holds: it
// takes a few statements, none of which is too large.
func TestRecordsInBatches(t *testing.T) {
	ctx := t.Context()
	d, db, server := serve(t)
	must := func(err error) {
		t.Helper()
		must(t, err)
	}
	must(originsql.Migrate(ctx, db))
	s := originsql.Over(d)
	must(s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_1"}))
	must(s.PutSite(ctx, origin.Site{SiteID: "a-site", PublisherID: "pub_1"}))
	must(s.PutPage(ctx, origin.Page{EntryID: "ent_1", SiteID: "a-site", CanonicalURL: "https://a.example/"}, nil))

	records := make([]origin.Record, 40)
	for i := range records {
		records[i] = origin.Record{EntryID: "ent_1", Version: int64(i + 1), SHA256: strconv.Itoa(i), JSON: `"` + strings.Repeat("x", 100_000) + `"`}
	}
	server.Counts()
	must(s.AddRecords(ctx, records))
	_, statements := server.Counts()
	if statements < 2 || statements > 8 {
		t.Errorf("4 MB of records in %d statements", statements)
	}
	got, err := s.Versions(ctx, "ent_1")
	if err != nil || !slices.Equal(got, records) {
		t.Errorf("%d of %d records were added, %v", len(got), len(records), err)
	}
}

func TestErrors(t *testing.T) {
	d, _ := api(t)
	ctx := context.Background()
	for _, c := range []struct{ text, want string }{
		{"SELEC 1", "syntax error"},
		{"SELECT * FROM none", "no such table: none"},
	} {
		assert.ErrorContains(t, assert.Err(d.runStatement(ctx, c.text, nil)), c.text, c.want)
	}
	d.Token = "other"
	assert.ErrorContains(t, assert.Err(d.runStatement(ctx, "SELECT 1", nil)), "a wrong token", "Authentication error (code 10000)")
}

func TestRead(t *testing.T) {
	good := `{"success":true,"result":[{"success":true,"results":{"columns":["a","b","c","d"],"rows":[[9007199254740991,0.5,[0,255],null]]}}]}`
	found, err := parseResults(200, []byte(good), 1)
	must(t, err)
	r, got := rows{results: found[0]}, make([]driver.Value, 4)
	if err := r.Next(got); err != nil || !reflect.DeepEqual(got, []driver.Value{int64(9007199254740991), 0.5, []byte{0, 255}, nil}) {
		t.Errorf("%v %v", got, err)
	}
	assert.Equal(t, r.Next(got), io.EOF, "after the last row")
	for _, c := range []struct {
		status int
		raw    string
	}{
		{200, `nonsense`}, {502, `<html>`}, {200, `{}`}, {200, `{"success":true,"result":[]}`}, {500, good},
		{200, `{"success":true,"result":[{"success":false,"error":"D1_ERROR: broken"}]}`},
		{429, `{"success":false,"errors":[{"code":971,"message":"throttled"}]}`},
	} {
		assert.Fails(t, assert.Err(parseResults(c.status, []byte(c.raw), 1)), "%d %s is taken", c.status, c.raw)
	}
}

// TestThrottling checks that the client waits as long as the API says before it
// repeats a refused request, and repeats nothing else.
func TestThrottling(t *testing.T) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "t.db"))
	must(t, err)
	defer db.Close()
	srv := d1test.NewServer(db)
	defer srv.Close()
	var sent atomic.Int64 // including refused ones
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent.Add(1)
		srv.ServeHTTP(w, r)
	}))
	defer front.Close()
	d := New(front.URL+d1test.Path, d1test.Token)

	srv.Refuse(1, 1)
	start := time.Now()
	must(t, assert.Err(d.runStatement(context.Background(), "SELECT 1", nil)))
	if waited := time.Since(start); waited < time.Second {
		t.Errorf("a refusal for one second was waited out in %v", waited)
	}
	if requests, _ := srv.Counts(); requests != 1 {
		t.Errorf("%d requests were answered", requests)
	}

	srv.BreakAfter(1)
	must(t, assert.Err(d.runStatement(context.Background(), "CREATE TABLE t (a TEXT)", nil)))
	before := sent.Load()
	if _, err := d.runStatement(context.Background(), "SELECT 1", nil); err == nil || sent.Load() != before+1 {
		t.Errorf("a request that was perhaps done is repeated %d times: %v", sent.Load()-before-1, err)
	}
}

func TestLongestWait(t *testing.T) {
	res := &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"86400"}}}
	assert.Equal(t, newClient().Backoff(time.Second, 30*time.Second, 0, res), maxWait, "an answer that says to wait a day is waited out for")
}

func TestBatch(t *testing.T) {
	d, db := api(t)
	ctx := context.Background()
	must(t, assert.Err(db.Exec("CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER, b BLOB) STRICT")))
	const insert = "INSERT INTO t VALUES (?1, ?2, ?3)"
	got, err := d.Batch(ctx, []Statement{
		{SQL: insert, Args: []any{"a", int64(9007199254740991), []byte{0, 255}}},
		{SQL: insert, Args: []any{"b", nil, nil}},
		{SQL: "SELECT id, n, b FROM t ORDER BY id"},
	})
	want := [][]any{{"a", int64(9007199254740991), []byte{0, 255}}, {"b", nil, nil}}
	if err != nil || len(got) != 3 || !reflect.DeepEqual(got[2], want) {
		t.Fatalf("%v %v", got, err)
	}

	_, err = d.Batch(ctx, []Statement{{SQL: insert, Args: []any{"c", nil, nil}}, {SQL: insert, Args: []any{"a", nil, nil}}})
	assert.ErrorContains(t, err, "a batch with a conflict", "UNIQUE constraint failed")
	if got, err := d.Batch(ctx, []Statement{{SQL: "SELECT count(*) FROM t"}}); err != nil || got[0][0][0] != int64(2) {
		t.Errorf("after a batch that failed: %v %v", got, err)
	}
}
