//go:build js && wasm

// Command edge is the whole service as a Wasm worker.
package main

import (
	"colophon/cmd/edge/service"
	"colophon/worker/edgejs"
)

func main() { edgejs.Serve(service.New()) }
