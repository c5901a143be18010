package edgehttp

import (
	"net/http"
	"slices"
	"strings"

	"colophon/worker/edge"
)

func (s *server) toEdgeRequest(r *http.Request, id string) *edge.Request {
	req := &edge.Request{
		Method: r.Method,
		Path:   r.URL.EscapedPath(),
		Query:  r.URL.RawQuery,
		Header: orderHeader(r),
		Remote: s.Remote(r),
		ID:     id,
	}
	if r.Method == http.MethodHead {
		req.Method = http.MethodGet
	}
	return req
}

// orderHeader orders the fields by name, one a name: net/http does not keep their
// order, and repeated lines are one list. A value that is not UTF-8 arrives with
// the bad bytes replaced. All as in the Workers runtime.
func orderHeader(r *http.Request) edge.Header {
	names := make([]string, 0, len(r.Header))
	for name := range r.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	h := make(edge.Header, 0, len(names)+1)
	for _, name := range names {
		h.Add(strings.ToLower(name), string([]rune(strings.Join(r.Header[name], ", "))))
	}
	h.Add("host", r.Host)
	return h
}
