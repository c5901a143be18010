package d1test

import (
	"database/sql"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
)

func serve(t *testing.T) http.Handler {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "t.db")+"?_pragma=foreign_keys(1)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	h := NewBinding(db)
	if got := post(h, `{"sql":"CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER, b BLOB)"}`); !strings.Contains(got, `"success":true`) {
		t.Fatal(got)
	}
	return h
}

func post(h http.Handler, body string) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/query?resultsFormat=ROWS_AND_COLUMNS", strings.NewReader(body)))
	return strings.TrimSpace(w.Body.String())
}

var resultsOf = regexp.MustCompile(`"results":(\{.*?\}),"meta"`)

func TestStatements(t *testing.T) {
	h := serve(t)
	for _, c := range []struct{ name, body, want string }{
		{"insert", `{"sql":"INSERT INTO t VALUES (?1, ?2, ?3)","params":["a",1,[0,1,255]]}`, `{"columns":[],"rows":[]}`},
		{"select", `{"sql":"SELECT id, n, b FROM t","params":[]}`, `{"columns":["id","n","b"],"rows":[["a",1,[0,1,255]]]}`},
		{"returning", `{"sql":"UPDATE t SET n = n + 1 WHERE id = ?1 RETURNING n","params":["a"]}`, `{"columns":["n"],"rows":[[2]]}`},
		{"condition not met", `{"sql":"UPDATE t SET n = 9 WHERE n = 1 RETURNING n"}`, `{"columns":["n"],"rows":[]}`},
		{"numbers are real", `{"sql":"SELECT typeof(?1), ?2, ?3","params":[42,null,true]}`, `{"columns":["typeof(?1)","?2","?3"],"rows":[["real",null,1]]}`},
		{"an empty list of rows", `{"sql":"SELECT id FROM t WHERE 0"}`, `{"columns":["id"],"rows":[]}`},
	} {
		m := resultsOf.FindStringSubmatch(post(h, c.body))
		if m == nil || m[1] != c.want {
			t.Errorf("%s: got %v, want %s", c.name, m, c.want)
		}
	}
}

func TestMeta(t *testing.T) {
	h := serve(t)
	for _, c := range []struct{ body, want string }{
		{`{"sql":"INSERT INTO t VALUES ('a', 1, NULL), ('b', 2, NULL)"}`, `"changes":2,"last_row_id":2,"changed_db":true`},
		{`{"sql":"SELECT * FROM t"}`, `"changes":0,"last_row_id":2,"changed_db":false`},
		{`{"sql":"INSERT INTO t VALUES ('a', 1, NULL) ON CONFLICT DO NOTHING"}`, `"changes":0,`},
	} {
		if got := post(h, c.body); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s lacks %s", c.body, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	h := serve(t)
	post(h, `{"sql":"INSERT INTO t VALUES ('a', 1, NULL)"}`)
	for _, c := range []struct{ name, body, want string }{
		{"constraint", `{"sql":"INSERT INTO t VALUES ('a', 1, NULL)"}`, `{"success":false,"error":"UNIQUE constraint failed: t.id: SQLITE_CONSTRAINT"}`},
		{"syntax", `{"sql":"SELEC 1"}`, `syntax error`},
		{"no such table", `{"sql":"SELECT * FROM none"}`, `no such table: none`},
		{"not JSON", `nonsense`, `"success":false`},
		{"empty", ``, `"success":false`},
		{"object as parameter", `{"sql":"SELECT ?1","params":[{}]}`, `parameter 1: an object cannot be bound`},
		{"blob with a broken byte", `{"sql":"SELECT ?1","params":[[1,256]]}`, `byte 1 of a blob is 256`},
		{"blob with a fraction", `{"sql":"SELECT ?1","params":[[1.5]]}`, `byte 0 of a blob is 1.5`},
	} {
		if got := post(h, c.body); !strings.Contains(got, c.want) || !strings.Contains(got, `"success":false`) {
			t.Errorf("%s: %s lacks %s", c.name, got, c.want)
		}
	}
	assert.Contains(t, "after the errors", post(h, `{"sql":"SELECT count(*) FROM t"}`), `"rows":[[1]]`)
}

func TestListIsOneTransaction(t *testing.T) {
	h := serve(t)
	got := post(h, `[{"sql":"INSERT INTO t VALUES ('a', 1, NULL)"},{"sql":"SELECT n FROM t WHERE id = ?1","params":["a"]}]`)
	if strings.Count(got, `"success":true`) != 2 || !strings.Contains(got, `"rows":[[1]]`) {
		t.Errorf("two statements: %s", got)
	}
	got = post(h, `[{"sql":"INSERT INTO t VALUES ('b', 1, NULL)"},{"sql":"INSERT INTO t VALUES ('a', 1, NULL)"}]`)
	assert.Contains(t, "a failing list", got, "UNIQUE constraint failed")
	assert.Contains(t, "the failing list left something", post(h, `{"sql":"SELECT group_concat(id) FROM t"}`), `"rows":[["a"]]`)
}

// TestFailedCommitIsAnError makes SQLite refuse a commit by a foreign key that
// it checks only then, for one statement and for a list.
func TestFailedCommitIsAnError(t *testing.T) {
	h := serve(t)
	post(h, `{"sql":"CREATE TABLE child (id TEXT PRIMARY KEY, parent TEXT REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED)"}`)
	const child = `{"sql":"INSERT INTO child VALUES ('c', 'nobody') RETURNING id"}`
	for _, body := range []string{child, "[" + child + `,{"sql":"SELECT 1"}]`} {
		assert.Contains(t, body, post(h, body), "FOREIGN KEY constraint failed")
	}

	// Later statements are not lost, and are not in a transaction that stayed
	// open.
	if got := post(h, `{"sql":"INSERT INTO t VALUES ('later', 1, NULL)"}`); !strings.Contains(got, `"success":true`) {
		t.Error(got)
	}
	other := NewBinding(h.(*server).db)
	assert.Contains(t, "another connection sees", post(other, `{"sql":"SELECT (SELECT count(*) FROM child), (SELECT count(*) FROM t)"}`), `"rows":[[0,1]]`)
}

// TestFailedRollbackGivesTheConnectionUp ends the transaction of a list from
// within, so that the server's own ROLLBACK fails.
func TestFailedRollbackGivesTheConnectionUp(t *testing.T) {
	h := serve(t)
	if got := post(h, `[{"sql":"ROLLBACK"},{"sql":"SELEC 1"}]`); !strings.Contains(got, "syntax error") {
		t.Error(got)
	}
	if h.(*server).conn != nil {
		t.Error("the connection is kept")
	}
	if got := post(h, `{"sql":"SELECT count(*) FROM t"}`); !strings.Contains(got, `"rows":[[0]]`) {
		t.Error(got)
	}
}

func TestConditionalWriteIsWonOnce(t *testing.T) {
	h := serve(t)
	var won sync.Map
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			if got := post(h, `{"sql":"INSERT INTO t VALUES ('k', 1, NULL) ON CONFLICT DO NOTHING RETURNING id"}`); strings.Contains(got, `[["k"]]`) {
				won.Store(i, true)
			}
		})
	}
	wg.Wait()
	n := 0
	won.Range(func(any, any) bool { n++; return true })
	assert.Equal(t, n, 1, "of 32 inserted the same key")
}

func TestOtherRequests(t *testing.T) {
	h := serve(t)
	for _, c := range []struct{ method, path string }{{"GET", "/query"}, {"POST", "/"}, {"POST", "/query/x"}} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		assert.Equal(t, w.Code, 404, "%s %s", c.method, c.path)
	}
}
