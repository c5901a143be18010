package edgehttp

import (
	"context"
	"net/http"

	"colophon/worker/edge"
)

// Guard returns a handler that answers a request with the result of check, or
// passes it on to next unchanged, its body unread, if check returns nil.
func Guard(check func(context.Context, *edge.Request) *edge.Response, next http.Handler, o Options) http.Handler {
	s := New(nil, o).(*server)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := requestID()
		req := &edge.Request{Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Header: orderHeader(r), Remote: s.Remote(r), ID: id}
		if resp := check(r.Context(), req); resp != nil {
			s.sendResponse(w, r, resp, id)
			return
		}
		next.ServeHTTP(w, r)
	})
}
