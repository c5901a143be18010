// Package mirroring implements the commands that keep copies of published and
// of licensed content.
package mirroring

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/published"
	"colophon/internal/release/mirror"
	"colophon/internal/usage"
)

// Command returns the command that keeps a copy of what a registry publishes.
func Command(e *cli.Env) *cobra.Command {
	o := mirror.Options{Workers: 8, Client: &http.Client{Timeout: 10 * time.Minute}}
	var keys string
	cmd := &cobra.Command{
		Use: "mirror URL DIR", Short: "Keep a complete, verified copy of a registry's published files", Args: cli.ExactArgs("URL", "DIR"),
		Long: "Mirror copies the release that a registry publishes, verifies the signed list and every file by it, and makes it current in one step. " +
			"Files that did not change are not sent again; an interrupted copy continues. DIR/current is the newest release: \"colophon serve --mirror DIR\", " +
			"any web server, or \"colophon screen --release DIR/current\" can use it.",
		Example: "  colophon mirror https://registry.example mirror\n  colophon screen corpus.parquet --release mirror/current --out screened.parquet",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Base, o.Dir = strings.TrimSuffix(args[0], "/"), args[1]
			if !published.IsAddress(o.Base) {
				return usage.Errorf("URL %q is not the address of a registry, such as https://registry.example", args[0])
			}
			var err error
			if o.Keys, err = published.ReadKeySet(keys); err != nil {
				return err
			}
			if e.DryRun {
				temp, err := os.MkdirTemp("", "colophon-dry-run-")
				if err != nil {
					return err
				}
				defer os.RemoveAll(temp)
				o.Dir = temp
			}
			return run(cmd.Context(), e, o)
		},
	}
	cmd.Flags().StringVar(&keys, "keys", "", "file with the public keys that may sign the release (default: those that the registry publishes)")
	cmd.Flags().IntVar(&o.Keep, "keep", 2, "releases that are kept")
	return cmd
}

func run(ctx context.Context, e *cli.Env, o mirror.Options) error {
	p := e.NewProgress()
	o.Told = func(done, total int64) { p.Show(done, total, "files") }
	r, err := mirror.Copy(ctx, o)
	p.Clear()
	if err != nil {
		return err
	}
	return e.PrintResult(r, func(w io.Writer) {
		if r.Unchanged {
			fmt.Fprintf(w, "release   %s is mirrored already\n", r.Release)
			return
		}
		fmt.Fprintf(w, "release   %s\nroot      %s\nfiles     %d (%d sent, %d bytes)\nfolder    %s\n", r.Release, r.Root, r.Files, r.Downloaded, r.Received, r.Folder)
	})
}
