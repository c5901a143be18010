//go:build js && wasm

package edgejs

import (
	"context"
	"strconv"

	"colophon/worker/edge"
)

// Where a document is asked for.
const (
	Outside  = ""         // its own address
	Registry = "REGISTRY" // the service binding of that name; its own address where there is none
)

// Document gets a document of at most that many bytes by GET. The script keeps
// it and asks again only when it is older than fresh, in seconds; while that
// fails, the kept one stays. found is false for a document that is not there.
func Document(_ context.Context, via, url string, fresh, most int64) (body []byte, found bool, err error) {
	arg := append([]byte(via), '\n')
	arg = append(strconv.AppendInt(arg, fresh, 10), '\n')
	arg = append(strconv.AppendInt(arg, most, 10), '\n')
	return ask(opDocument, append(arg, url...))
}

// statusPass tells the script of a guard to hand the request on.
const statusPass = 100

// Pass returns the answer of a guard's handler to a request that may pass.
func Pass() *edge.Response { return &edge.Response{Status: statusPass} }
