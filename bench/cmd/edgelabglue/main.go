//go:build js && wasm

// Command edgelabglue runs the lab's handlers with the glue of
// github.com/syumai/workers and net/http, compiled by the standard Go
// toolchain. It is one side of the comparison that edgebench prints.
package main

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"database/sql"
	"io/fs"
	"time"

	"github.com/syumai/workers"
	_ "github.com/syumai/workers/cloudflare/d1" // the driver "d1"

	"colophon/worker/edgehttp"
	"colophon/worker/edgelab"
)

func main() {
	db, err := sql.Open("d1", "ORIGIN")
	if err != nil {
		panic(err)
	}
	lab := &edgelab.Lab{
		DB:   db,
		Read: func(_ context.Context, key string) ([]byte, error) { return nil, fs.ErrNotExist },
		Verify: func(_ context.Context, public, message, signature []byte) (bool, error) {
			return ed25519.Verify(public, message, signature), nil
		},
		Random: rand.Reader,
		Sleep:  time.Sleep,
	}
	workers.Serve(edgehttp.New(lab.Handle, edgehttp.Options{}))
}
