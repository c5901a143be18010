//go:build js && wasm

package edgejs

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"time"

	"colophon/worker/edge"
)

// Fetched is the answer of an outside server.
type Fetched struct {
	Status     int
	RetryAfter time.Duration // from the header Retry-After, 0 without one
	Body       []byte        // at most 64 KiB and one byte; a longer one is cut
}

var errFetched = errors.New("fetch: no answer")

// Fetch sends a request to an outside server. It does not follow redirects and
// gives up after five seconds.
func Fetch(_ context.Context, method, url string, header edge.Header, body []byte) (Fetched, error) {
	head := appendBlock([]byte(method+"\n"+url+"\n"), header)
	arg := append(strconv.AppendInt(nil, int64(len(head)), 10), '\n')
	b, _, err := ask(opFetch, append(append(arg, head...), body...))
	if err != nil {
		return Fetched{}, err
	}

	line, rest, found := bytes.Cut(b, []byte("\n"))
	status, seconds, both := bytes.Cut(line, []byte(" "))
	if !found || !both {
		return Fetched{}, errFetched
	}
	code, err := strconv.Atoi(string(status))
	if err != nil {
		return Fetched{}, errFetched
	}
	wait, err := strconv.Atoi(string(seconds))
	if err != nil {
		return Fetched{}, errFetched
	}
	return Fetched{Status: code, RetryAfter: time.Duration(wait) * time.Second, Body: rest}, nil
}
