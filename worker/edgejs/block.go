package edgejs

import (
	"strings"

	"colophon/worker/edge"
)

// A header crosses the border between Go and the script as one string: name,
// line feed, value, line feed, for each field in order. Neither names nor
// values contain line feeds.

// appendBlock appends the valid fields of h; others are dropped.
func appendBlock(b []byte, h edge.Header) []byte {
	for _, f := range h {
		if !f.Valid() {
			continue
		}
		b = append(b, f.Name...)
		b = append(b, '\n')
		b = append(b, f.Value...)
		b = append(b, '\n')
	}
	return b
}

// parseBlock parses a header written by the script. The fields share s.
func parseBlock(s string) edge.Header {
	h := make(edge.Header, 0, strings.Count(s, "\n")/2)
	for s != "" {
		var f edge.Field
		f.Name, s, _ = strings.Cut(s, "\n")
		f.Value, s, _ = strings.Cut(s, "\n")
		h = append(h, f)
	}
	return h
}

// parseHead parses the head of a request: method, path, query, client address
// and request id, one per line, then the header block.
func parseHead(s string) *edge.Request {
	r := new(edge.Request)
	for _, part := range []*string{&r.Method, &r.Path, &r.Query, &r.Remote, &r.ID} {
		*part, s, _ = strings.Cut(s, "\n")
	}
	r.Header = parseBlock(s)
	return r
}
