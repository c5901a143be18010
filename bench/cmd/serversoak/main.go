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

type options struct {
	workerd     bool
	checks      time.Duration
	connections int
	bodies      int
	slow        int
	hold        time.Duration
	program     string
	only        string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var o options
	flags := flag.NewFlagSet("serversoak", flag.ContinueOnError)
	flags.BoolVar(&o.workerd, "workerd", false, "soak the worker under workerd")
	flags.DurationVar(&o.checks, "time", 60*time.Second, "how long to ask for rights checks")
	flags.IntVar(&o.connections, "connections", 64, "connections that ask for rights checks")
	flags.IntVar(&o.bodies, "bodies", 1500, "connections that send half of a body")
	flags.IntVar(&o.slow, "slow", 10_000, "connections that send a head slowly")
	flags.DurationVar(&o.hold, "hold", 20*time.Second, "how long to keep bodies and slow connections")
	flags.StringVar(&o.program, "colophon", "bin/colophon", "the program to soak")
	flags.StringVar(&o.only, "only", "", "one of checks, bodies and slow")
	if err := flags.Parse(args); err != nil {
		return err
	}

	t, err := startTarget(ctx, o)
	if err != nil {
		return err
	}
	defer t.stop()
	var faults []string
	for _, load := range []struct {
		name string
		run  func(context.Context, *target, options, io.Writer) []string
	}{{"checks", soakChecks}, {"bodies", soakBodies}, {"slow", soakSlow}} {
		if o.only != "" && o.only != load.name || o.workerd && load.name != "checks" {
			continue // workerd runs behind a proxy, which handles slow clients
		}
		faults = append(faults, load.run(ctx, t, o, out)...)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s", strings.Join(faults, "; "))
	}
	return nil
}
