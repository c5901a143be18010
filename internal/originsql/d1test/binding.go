// Package d1test replaces D1 in tests and measurements, in front of any SQLite
// behind database/sql: NewBinding implements the protocol of the D1 binding, so
// that the unchanged worker runs under plain workerd, and NewServer implements
// Cloudflare's API. No service may run on it, because it has no authentication.
//
// The binding is declared in the configuration of workerd as
//
//	(name = "ORIGIN", wrapped = (moduleName = "cloudflare-internal:d1-api",
//	  innerBindings = [(name = "fetcher", service = "origin")]))
//
// where origin is this server. A request posts one statement, or a list that
// is run as one transaction:
//
//	POST /query?resultsFormat=ROWS_AND_COLUMNS
//	{"sql": "SELECT state FROM t WHERE id = ?1", "params": ["a"]}
//
//	[{"success": true, "results": {"columns": ["state"], "rows": [["open"]]}, "meta": {…}}]
//	{"success": false, "error": "UNIQUE constraint failed: t.id: SQLITE_CONSTRAINT"}
//
// As on D1, every number is bound as a REAL, a blob travels as a list of byte
// values, statements run strictly one after another, and no transaction
// outlives its request. Because the protocol is foreign, its JSON is read and
// written by encoding/json rather than in the dialect of internal/wire.
package d1test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

const maxRequest = 16 << 20 // bytes

// NewBinding returns the server of a binding to db. It keeps one connection for itself.
func NewBinding(db *sql.DB) http.Handler { return &server{db: db} }

type server struct {
	db   *sql.DB
	mu   sync.Mutex // D1 runs one statement at a time
	conn *sql.Conn
}

type statement struct {
	SQL    string `json:"sql"`
	Params []any  `json:"params"`
}

type failure struct {
	Success bool   `json:"success"`
	Error   string `json:"error"`
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || (r.URL.Path != "/query" && r.URL.Path != "/execute") {
		http.Error(w, "POST /query or /execute", http.StatusNotFound)
		return
	}
	w.Header().Set("content-type", "application/json")
	list, err := readStatements(http.MaxBytesReader(w, r.Body, maxRequest))
	if err == nil {
		var results []result
		if results, err = s.runTransaction(r.Context(), list); err == nil {
			_ = json.NewEncoder(w).Encode(results) // an error means that the worker has gone
			return
		}
	}
	_ = json.NewEncoder(w).Encode(failure{Error: errorMessage(err)})
}

// readStatements takes one statement or a list of them.
func readStatements(body io.Reader) ([]statement, error) {
	raw, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(strings.TrimLeft(string(raw), " \t\r\n"), "[") {
		var list []statement
		err := json.Unmarshal(raw, &list)
		return list, err
	}
	list := make([]statement, 1)
	return list, json.Unmarshal(raw, &list[0])
}

// runTransaction runs the list as one transaction.
func (s *server) runTransaction(ctx context.Context, list []statement) ([]result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	conn, err := s.openConnection(ctx)
	if err != nil {
		return nil, err
	}
	if len(list) == 1 { // one statement is a transaction by itself
		res, err := list[0].runStatement(ctx, conn)
		return []result{res}, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return nil, err
	}
	results, err := runAll(ctx, conn, list)
	if err == nil {
		_, err = conn.ExecContext(context.WithoutCancel(ctx), "COMMIT")
	}
	if err != nil {
		s.rollBack(ctx)
		return nil, err
	}
	return results, nil
}

// rollBack ends a failed transaction. SQLite may have ended it by itself, and
// then answers with an error. The connection is then closed, because a
// transaction that stayed open would swallow all later statements.
func (s *server) rollBack(ctx context.Context) {
	if _, err := s.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); err == nil {
		return
	}
	_ = s.conn.Raw(func(any) error { return driver.ErrBadConn }) // closes it instead of returning it to the pool
	_ = s.conn.Close()
	s.conn = nil
}

func runAll(ctx context.Context, conn *sql.Conn, list []statement) ([]result, error) {
	results := make([]result, 0, len(list))
	for _, st := range list {
		res, err := st.runStatement(ctx, conn)
		if err != nil {
			return nil, err
		}
		results = append(results, res)
	}
	return results, nil
}

// openConnection returns the one connection, opening it again if it was lost.
func (s *server) openConnection(ctx context.Context) (*sql.Conn, error) {
	if s.conn != nil && s.conn.PingContext(ctx) == nil {
		return s.conn, nil
	}
	conn, err := s.db.Conn(context.WithoutCancel(ctx))
	if err == nil {
		s.conn = conn
	}
	return conn, err
}

// errorMessage words an error as D1 would: SQLite's own words and, for a
// violated constraint, the name of its kind, which callers look for.
func errorMessage(err error) string {
	s := strings.TrimPrefix(err.Error(), "SQL logic error: ")
	if rest, ok := strings.CutPrefix(s, "constraint failed: "); ok {
		if end := strings.LastIndex(rest, " ("); end > 0 { // the driver's number
			rest = rest[:end]
		}
		return rest + ": SQLITE_CONSTRAINT"
	}
	return s
}
