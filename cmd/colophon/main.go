// Command colophon is the operator's command line: it keeps the origin store,
// imports pages, builds and verifies the published files, and serves them.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(runProgram(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
