package request

import (
	"strconv"
	"strings"

	"colophon/worker/edge"
)

// Ranged answers with the requested part of a file (RFC 9110, section 14). It
// answers requests for several parts, or in units other than bytes, with the
// whole file, as the standard allows.
func Ranged(r *edge.Request, resp *edge.Response, tag string) *edge.Response {
	resp.Header.Set("accept-ranges", "bytes")
	asked := r.Header.Get("range")
	if condition := r.Header.Get("if-range"); r.Method != "GET" || resp.Status != 200 || asked == "" || condition != "" && condition != tag {
		return resp
	}
	size := len(resp.Body)
	from, to, ok := parseRange(asked, size)
	if !ok {
		return resp
	}
	if from >= size {
		resp.Status, resp.Body = 416, nil
		resp.Header.Set("content-range", "bytes */"+strconv.Itoa(size))
		return resp
	}
	resp.Status, resp.Body = 206, resp.Body[from:to]
	resp.Header.Set("content-range", "bytes "+strconv.Itoa(from)+"-"+strconv.Itoa(to-1)+"/"+strconv.Itoa(size))
	return resp
}

// parseRange parses "bytes=2-5", "bytes=2-" and "bytes=-5" into a half-open
// range; from is size if the range is beyond the file.
func parseRange(header string, size int) (from, to int, ok bool) {
	spec, ok := strings.CutPrefix(header, "bytes=")
	first, last, found := strings.Cut(spec, "-")
	if !ok || !found {
		return 0, 0, false
	}
	if first == "" {
		n, err := strconv.ParseUint(last, 10, 31)
		if err != nil {
			return 0, 0, false
		}
		if n == 0 {
			return size, size, true
		}
		return max(0, size-int(n)), size, true
	}
	a, err := strconv.ParseUint(first, 10, 31)
	if err != nil {
		return 0, 0, false
	}
	b := uint64(size) - 1
	if last != "" {
		if b, err = strconv.ParseUint(last, 10, 31); err != nil || b < a {
			return 0, 0, false
		}
	}
	return min(int(a), size), min(int(b), size-1) + 1, true
}
