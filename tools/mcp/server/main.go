// Command server serves the worker natively on a small fixed catalog, for
// testing the MCP endpoints with the official clients. It prints its base
// address on the first line and exits when its input ends.
package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"colophon/worker"
	"colophon/worker/edgehttp"
	"colophon/worker/mcp/mcptest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	base := "http://" + l.Addr().String()
	handler := edgehttp.New(worker.New(worker.Deps{
		BaseURL: base,
		Assets:  mcptest.Catalog(),
		Queries: mcptest.Scan{},
		Gateway: mcptest.Gateway{},
		Now:     time.Now,
		Rand:    rand.Reader,
		Log:     func(line string) { fmt.Fprintln(os.Stderr, line) },
	}), edgehttp.Options{})
	fmt.Println(base)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = l.Close()
	}()
	server := http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	if err := server.Serve(l); err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
