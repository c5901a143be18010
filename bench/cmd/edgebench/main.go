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

const (
	roundTime = 400 * time.Millisecond // of one measurement
	rounds    = 5                      // of measurements, which all count
	requests  = 200_000                // over which memory is watched
	soakTime  = time.Minute            // for which 64 connections are kept busy
)

func main() {
	demo := flag.String("product", "", "measure the product over the demo in this folder beside Hono and plain JavaScript, and nothing else")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *demo); err != nil {
		fmt.Fprintln(os.Stderr, "edgebench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, demo string) error {
	dir, err := os.MkdirTemp("", "edgebench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if demo != "" {
		return measureProduct(ctx, w, dir, demo)
	}
	sides, err := startSides(ctx, dir)
	defer sides.stop()
	if err != nil {
		return err
	}
	t, err := measureAll(ctx, sides)
	if err != nil {
		return err
	}
	t.print(w)
	t.ratios(w)
	if err := measureGuard(ctx, w, dir); err != nil {
		return err
	}
	return endure(ctx, w, sides)
}
