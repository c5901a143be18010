package d1test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
)

// maxParameter is how many bytes a parameter, such as a text or a row, may
// have: https://developers.cloudflare.com/d1/platform/limits/
const maxParameter = 2_000_000

// What a client needs to connect.
const (
	Path  = "/d1/database/x" // below the URL of the server
	Token = "secret"
)

// Server is Cloudflare's API of D1. It accepts only texts as parameters, counts
// requests, and can refuse them. It also refuses a parameter that is too large
// for D1.
type Server struct {
	*httptest.Server
	Before func(n int) // called before the n-th request is answered, from 1; may be nil

	inner http.Handler

	mu         sync.Mutex
	requests   int
	statements int
	refuse     int // how many requests are still to be refused with 429
	retryAfter int // seconds
	breakAfter int // requests after which the API is down, 0 for never
}

// NewServer serves db.
func NewServer(db *sql.DB) *Server {
	s := &Server{inner: NewBinding(db)}
	s.Server = httptest.NewServer(s)
	return s
}

// Counts returns how many requests were answered, and how many statements were
// in them, since the last call.
func (s *Server) Counts() (requests, statements int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests = s.requests
	statements = s.statements
	s.requests = 0
	s.statements = 0
	return requests, statements
}

// Refuse makes the server answer the next n requests with 429 and a Retry-After
// in seconds.
func (s *Server) Refuse(n, retryAfter int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = n
	s.retryAfter = retryAfter
}

// BreakAfter makes the server answer n more requests, and all later ones with
// 503; 0 ends that.
func (s *Server) BreakAfter(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.breakAfter = n
	s.requests = 0
}

type query struct {
	SQL    string   `json:"sql"`
	Params []string `json:"params"`
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Header.Get("Authorization") != "Bearer "+Token || r.URL.Path != Path+"/raw" {
		fail(w, http.StatusForbidden, 10000, "Authentication error")
		return
	}
	if status := s.admit(); status != http.StatusOK {
		if status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", strconv.Itoa(s.retryAfter))
		}
		fail(w, status, 971, "refused")
		return
	}

	list, err := readQueries(r.Body)
	if err != nil {
		fail(w, http.StatusBadRequest, 7400, err.Error())
		return
	}
	for _, q := range list {
		if slices.ContainsFunc(q.Params, func(p string) bool { return len(p) > maxParameter }) {
			fail(w, http.StatusBadRequest, 7500, "string or blob too big: SQLITE_TOOBIG")
			return
		}
	}
	s.mu.Lock()
	s.statements += len(list)
	n := s.requests
	s.mu.Unlock()
	if s.Before != nil {
		s.Before(n)
	}

	body, _ := json.Marshal(list)
	rec := httptest.NewRecorder()
	s.inner.ServeHTTP(rec, httptest.NewRequest(http.MethodPost, "/query", bytes.NewReader(body)))
	answer := rec.Body.Bytes()
	if bytes.HasPrefix(answer, []byte("[")) {
		_, _ = io.WriteString(w, `{"success":true,"errors":[],"messages":[],"result":`+string(answer)+`}`)
		return
	}
	var f struct{ Error string }
	_ = json.Unmarshal(answer, &f) // shows as an empty message
	fail(w, http.StatusBadRequest, 7500, f.Error)
}

func (s *Server) admit() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse > 0 {
		s.refuse--
		return http.StatusTooManyRequests
	}
	if s.breakAfter > 0 && s.requests >= s.breakAfter {
		return http.StatusServiceUnavailable
	}
	s.requests++
	return http.StatusOK
}

// readQueries takes one statement or a batch of them.
func readQueries(body io.Reader) ([]query, error) {
	var q struct {
		query
		Batch []query `json:"batch"`
	}
	dec := json.NewDecoder(body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&q); err != nil {
		return nil, err
	}
	if q.Batch != nil {
		return q.Batch, nil
	}
	return []query{q.query}, nil
}

func fail(w http.ResponseWriter, status, code int, message string) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"success": false, "errors": []any{map[string]any{"code": code, "message": message}}, "messages": []any{}, "result": nil,
	})
}
