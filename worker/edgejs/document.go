//go:build js && wasm

package edgejs

import (
	"context"
	"strconv"

	"colophon/worker/edge"
)

// The places from which a document is fetched.
const (
	Outside  = ""         // its own address
	Registry = "REGISTRY" // the service binding of that name, or the document's own address without it
)

// Document fetches a document of at most most bytes by GET. The script caches
// it and fetches it again only if it is older than fresh seconds; if that
// fails, the cached one stays. found is false for a document that does not
// exist.
func Document(_ context.Context, via, url string, fresh, most int64) (body []byte, found bool, err error) {
	arg := append([]byte(via), '\n')
	arg = append(strconv.AppendInt(arg, fresh, 10), '\n')
	arg = append(strconv.AppendInt(arg, most, 10), '\n')
	return ask(opDocument, append(arg, url...))
}

// statusPass tells a guard's script to pass the request on.
const statusPass = 100

// Pass returns the answer of a guard's handler to a request that may pass.
func Pass() *edge.Response { return &edge.Response{Status: statusPass} }
