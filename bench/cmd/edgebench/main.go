// Command edgebench measures the bridge under plain workerd beside other ways
// to run the same handlers, all in one run on one machine:
//
//	edge    the lab in this worker: pooled instances
//	plain   the same handlers written by hand in JavaScript
//	fork    this worker with a new instance for each request, forked from the
//	        boot image
//	fresh   the same, each instance started from nothing, as other glue does
//	glue    with another library's glue, compiled by the standard Go toolchain
//
// and, in a second table, the guard in front of a publisher's site.
//
// It prints one table, the ratios that matter, and how the worker behaves over
// many requests: tail, memory, and 64 connections at once. Run it with "make
// bench-edge", which builds what it needs.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

const allSides = "edge,plain,fork,fresh,glue"

type options struct {
	round    time.Duration // of one measurement
	rounds   int           // number of rounds, which all count
	requests int           // for the memory of the process
	soak     time.Duration
	only     string // name of a handler, "" for all; with a name only the table is printed
	sides    string // the same for sides
	demo     string // folder of a demo: measure the product
}

func main() {
	var o options
	flag.DurationVar(&o.round, "round", 400*time.Millisecond, "length of one measurement")
	flag.IntVar(&o.rounds, "rounds", 5, "measurements of each, in turns; all of them count")
	flag.IntVar(&o.requests, "requests", 200_000, "requests over which memory is watched")
	flag.DurationVar(&o.soak, "soak", time.Minute, "how long 64 connections are kept busy")
	flag.StringVar(&o.only, "handler", "", "measure this handler only, and nothing else; \"guard\" is the guard of a site")
	flag.StringVar(&o.sides, "sides", allSides, "what is measured")
	flag.StringVar(&o.demo, "product", "", "measure the product over the demo in this folder beside Hono and plain JavaScript, and nothing else")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "edgebench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, o options) error {
	dir, err := os.MkdirTemp("", "edgebench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.demo != "" {
		return measureProduct(ctx, w, dir, o.demo, o)
	}
	if o.only == "guard" {
		return measureGuard(ctx, w, dir, o)
	}
	sides, err := startSides(ctx, dir, o.sides)
	defer sides.stop()
	if err != nil {
		return err
	}
	t, err := measureAll(ctx, sides, o)
	if err != nil {
		return err
	}
	t.print(w)
	if o.only != "" || o.sides != allSides {
		return nil
	}
	t.ratios(w)
	if err := measureGuard(ctx, w, dir, o); err != nil {
		return err
	}
	return endure(ctx, w, sides, o)
}
