package publishers

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"colophon/generator"
	"colophon/internal/cli"
	"colophon/internal/registrydir"
)

func publisherPack(e *cli.Env) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "pack SITE_ID", Short: "Write a publisher's policy as robots.txt, RSL and the other channel files", Args: cli.ExactArgs("SITE_ID"),
		Long:    "Writes license.xml, robots lines, header rules, tdmrep.json, ai.txt, HTML and the access response for a publisher's own site, and a report of what each could not say.",
		Example: "  colophon publisher pack harbor-ledger --out pack",
		RunE: func(cmd *cobra.Command, args []string) error {
			return writePack(cmd.Context(), e, args[0], out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "pack", "output folder")
	return cmd
}

func writePack(ctx context.Context, e *cli.Env, siteID, out string) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	store, done, err := e.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	pack, err := generator.PackOf(ctx, store, siteID, s.BaseURL)
	if err != nil {
		return err
	}
	var files []string
	for _, f := range pack.Files {
		files = append(files, f.Path)
		if e.DryRun {
			continue
		}
		path := filepath.Join(out, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := registrydir.WriteFile(path, f.Body, 0o644); err != nil {
			return err
		}
	}
	return e.PrintResult(map[string]any{"site_id": siteID, "files": files, "losses": len(pack.Loss)}, func(w io.Writer) {
		for _, f := range files {
			fmt.Fprintln(w, filepath.Join(out, filepath.FromSlash(f)))
		}
		fmt.Fprintf(w, "%d files; loss-report.json lists %d thing(s) that a channel could not say\n", len(files), len(pack.Loss))
	})
}
