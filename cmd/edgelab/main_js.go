//go:build js && wasm

// Command edgelab is the lab's handlers (worker/edgelab) as a Wasm worker, with
// the whole product beside them: what the tests and measurements of the edge
// run on.
package main

import (
	"database/sql"
	"time"

	"colophon/cmd/edge/service"
	"colophon/worker/edgejs"
	"colophon/worker/edgelab"
)

func main() {
	origin := edgejs.Database("ORIGIN")
	lab := &edgelab.Lab{
		DB:         sql.OpenDB(origin),
		Driver:     origin,
		Product:    service.New().Handler,
		Read:       edgejs.Assets{}.Read,
		Body:       edgejs.Bodies{}.Read,
		Limit:      edgejs.Limit,
		Verify:     edgejs.Verify,
		Random:     edgejs.Random{},
		Getenv:     edgejs.Getenv,
		Background: edgejs.Background,
		Sleep:      time.Sleep,
	}
	edgejs.Serve(edgejs.Worker{Handler: lab.Handle, Cron: lab.Cron})
}
