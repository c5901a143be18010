// Command serversoak puts the service under load and checks its bounds: the
// native server, started from bin/colophon over its own demo, or with --workerd
// the worker under plain workerd over the same demo (make soak).
//
//	checks   64 connections send rights checks for 60 s: no error, the 99th
//	         percentile at most ten times the median, memory and descriptors flat
//	bodies   1,500 connections send half of a body: memory stays bounded and
//	         others are answered
//	slow     10,000 connections send the head of a request byte by byte:
//	         at most 200 MB, and others are answered
//
// It exits with 1 if a bound is exceeded.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

const (
	checkTime   = 60 * time.Second
	connections = 64 // that ask for rights checks
	bodies      = 1500
	slow        = 10_000
	holdTime    = 20 * time.Second // for which bodies and slow connections are kept
	program     = "bin/colophon"
)

func main() {
	workerd := flag.Bool("workerd", false, "soak the worker under workerd")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *workerd, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, workerd bool, out io.Writer) error {
	t, err := startTarget(ctx, workerd)
	if err != nil {
		return err
	}
	defer t.stop()
	var faults []string
	for _, load := range []struct {
		name string
		run  func(context.Context, *target, io.Writer) []string
	}{{"checks", soakChecks}, {"bodies", soakBodies}, {"slow", soakSlow}} {
		if workerd && load.name != "checks" {
			continue // workerd runs behind a proxy, which handles slow clients
		}
		faults = append(faults, load.run(ctx, t, out)...)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s", strings.Join(faults, "; "))
	}
	return nil
}
