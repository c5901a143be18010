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

// orderHeader returns the fields ordered by name, one for each name: net/http
// does not keep their order, and repeated lines form one list. Invalid UTF-8 in
// a value is replaced. All this matches the Workers runtime.
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
