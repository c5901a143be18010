//go:build js && wasm

package edgejs

import (
	"context"
	"errors"
	"strconv"

	"colophon/worker/edge"
)

// Fetch asks a server outside and returns its status and up to FetchLimit
// bytes of its answer. Redirects are not followed, and it gives up after five
// seconds. An answer that is longer is cut.
func Fetch(_ context.Context, method, url string, header edge.Header, body []byte) (status int, answer []byte, err error) {
	head := appendBlock([]byte(method+"\n"+url+"\n"), header)
	arg := append(strconv.AppendInt(nil, int64(len(head)), 10), '\n')
	b, _, err := ask(opFetch, append(append(arg, head...), body...))
	if err != nil {
		return 0, nil, err
	}
	if len(b) < 3 {
		return 0, nil, errors.New("fetch: no answer")
	}
	status, err = strconv.Atoi(string(b[:3]))
	return status, b[3:], err
}

// FetchLimit bounds what Fetch reads, in bytes.
const FetchLimit = 64<<10 + 1
