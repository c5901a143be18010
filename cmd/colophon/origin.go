package main

import (
	"bufio"
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"colophon/internal/originsql/d1http"
	"colophon/internal/originsql/dump"
)

// originCommand groups what concerns the store itself.
func originCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "origin", Short: "Move the origin store elsewhere", Args: cobra.NoArgs}
	cmd.AddCommand(&cobra.Command{
		Use: "dump", Short: "Write the origin store as SQL that D1 takes", Args: exact(),
		Long: "Dump writes everything in the origin, private columns and all, as SQL statements for a D1 database with the same migrations applied.\n" +
			"What that database held before is replaced. Run it while nothing writes to the origin.",
		Example: "  colophon origin dump > origin.sql\n  wrangler d1 migrations apply colophon-origin --remote\n  wrangler d1 execute colophon-origin --remote --file origin.sql",
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, done, err := e.openFile(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			out := bufio.NewWriter(e.stdout)
			if err := dump.Write(cmd.Context(), out, store.DB()); err != nil {
				return fmt.Errorf("cannot dump the origin: %w", err)
			}
			return out.Flush()
		},
	})
	return cmd
}

func originServeCommand(e *env) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use: "origin-serve", Short: "Serve the origin store to the worker under workerd", Args: exact(),
		Long: "Origin-serve speaks the protocol of the D1 binding over the origin store, for the worker under plain workerd (see the page \"Self-hosting\").\n" +
			"It has no authentication: it listens on loopback or on a Unix socket that its owner alone may open, and nowhere else.",
		Example: "  colophon origin-serve --listen 127.0.0.1:8950\n  colophon origin-serve --listen unix:/run/colophon/origin.sock",
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, done, err := e.openFile(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			l, err := d1http.Listen(listen)
			if err != nil {
				return usageError{err}
			}
			e.note("serving the origin at %s (Ctrl-C ends it)", name(l))
			return d1http.Serve(cmd.Context(), l, d1http.New(store.DB()))
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8950", "loopback address and port, or unix:/path/of.sock")
	return cmd
}

func name(l net.Listener) string { return l.Addr().Network() + " " + l.Addr().String() }
