package s3test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
)

// Fault spoils one request. forward sends it to the server and returns the
// answer.
type Fault func(w http.ResponseWriter, r *http.Request, forward func() *httptest.ResponseRecorder)

// Proxy stands before an S3 server.
type Proxy struct {
	Endpoint string

	fault atomic.Pointer[func(*http.Request) Fault]
	count atomic.Int64 // requests that were spoiled
}

// StartProxy starts a proxy before a server. It ends with the test.
func StartProxy(t testing.TB, endpoint string) *Proxy {
	t.Helper()
	to, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{}
	next := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // it is signed
	}, ErrorLog: log.New(io.Discard, "", 0)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if choose := p.fault.Load(); choose != nil {
			if fault := (*choose)(r); fault != nil {
				p.count.Add(1)
				fault(w, r, func() *httptest.ResponseRecorder {
					answer := httptest.NewRecorder()
					next.ServeHTTP(answer, r)
					return answer
				})
				return
			}
		}
		next.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p.Endpoint = server.URL
	return p
}

// Spoil sets which requests get a fault; choose returns nil for the others, and
// nil itself ends all faults. It may be called from several goroutines.
func (p *Proxy) Spoil(choose func(*http.Request) Fault) {
	if choose == nil {
		p.fault.Store(nil)
		return
	}
	p.fault.Store(&choose)
}

// Spoiled returns how many requests had a fault.
func (p *Proxy) Spoiled() int64 { return p.count.Load() }

// Lost does what was asked for and loses the answer.
func Lost(_ http.ResponseWriter, _ *http.Request, forward func() *httptest.ResponseRecorder) {
	forward()
	panic(http.ErrAbortHandler)
}

// Truncated cuts the answer off in its middle.
func Truncated(w http.ResponseWriter, _ *http.Request, forward func() *httptest.ResponseRecorder) {
	answer := forward()
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2]) // the client may have gone
	panic(http.ErrAbortHandler)
}

// Silent never answers.
func Silent(_ http.ResponseWriter, r *http.Request, _ func() *httptest.ResponseRecorder) {
	_, _ = io.Copy(io.Discard, r.Body) // only then is the end of the connection seen
	<-r.Context().Done()
}

// Refuse answers with a status and an S3 error code.
func Refuse(status int, code string) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ func() *httptest.ResponseRecorder) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "<Error><Code>"+code+"</Code><Message>"+code+" it is</Message></Error>")
	}
}
