//go:build js && wasm

// Command edgelab runs the lab's handlers (worker/edgelab) as a Wasm worker, on
// which the bridge is tested and measured.
package main

import (
	"database/sql"
	"time"

	"colophon/worker/edgejs"
	"colophon/worker/edgelab"
)

func main() {
	origin := edgejs.Database("ORIGIN")
	lab := &edgelab.Lab{
		DB:     sql.OpenDB(origin),
		Driver: origin,
		Read:   edgejs.Assets{}.Read,
		Body:   edgejs.Bodies{}.Read,
		Limit:  edgejs.Limit,
		Verify: edgejs.Verify,
		Random: edgejs.Random{},
		Getenv: edgejs.Getenv,
		Sleep:  time.Sleep,
	}
	edgejs.Serve(edgejs.Worker{Handler: lab.Handle, Cron: lab.Cron})
}
