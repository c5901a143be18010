package storage

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/originsql/transfer"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

func originCopyCommand(e *cli.Env) *cobra.Command {
	var to string
	var opt transfer.Options
	cmd := &cobra.Command{
		Use: "copy", Short: "Copy the origin store into another database", Args: cli.ExactArgs(),
		Long: "Copy writes everything in the origin, private columns and all, into a database of SQLite, Postgres or D1. What arrived is read back and compared, by the number of rows and a digest of each table.\n" +
			"A file or Postgres then holds all of it or nothing; a copy into D1 that broke off is marked, refused by all commands, and begun again by the next copy. Run it while nothing writes to the origin.\n\n" +
			"The target has the schema of this program: a file and Postgres get it, D1 by \"wrangler d1 migrations apply\". Keys, secret, settings and published files stay where they are.",
		Example: "  colophon origin copy --to postgres://colophon@db.example/colophon\n" +
			"  colophon origin copy --origin postgres://colophon@db.example/colophon --to sqlite:registry/origin.db\n" +
			"  colophon origin copy --to d1:ACCOUNT_ID/DATABASE_ID --dry-run",
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt.DryRun = e.DryRun
			return copyOrigin(cmd.Context(), e, to, opt)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "target: postgres://user@host/database, sqlite:FILE or d1:ACCOUNT_ID/DATABASE_ID")
	cmd.Flags().BoolVar(&opt.Replace, "replace", false, "delete what the target holds")
	cmd.Flags().BoolVar(&opt.WithoutTexts, "without-texts", false, "copy the rest although texts in an object store stay there")
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "only read the origin and check whether the target is empty")
	return cmd
}

func copyOrigin(ctx context.Context, e *cli.Env, to string, opt transfer.Options) error {
	if to == "" {
		return usage.Errorf("--to is missing: postgres://user@host/database, sqlite:FILE or d1:ACCOUNT_ID/DATABASE_ID")
	}
	schema, err := registrydir.ReadSchema(ctx)
	if err != nil {
		return err
	}
	opt.Tables = schema.Tables

	source, closeSource, err := e.OpenCopySource(ctx)
	if err != nil {
		return err
	}
	defer closeSource()
	target, closeTarget, err := e.OpenCopyTarget(ctx, to, schema, opt.DryRun)
	if err != nil {
		return err
	}
	p := e.NewProgress()
	opt.Progress = p.ShowRows
	results, err := transfer.Copy(ctx, source, target, opt)
	p.Clear()
	closeErr := closeTarget(err == nil && !opt.DryRun)
	switch {
	case errors.Is(err, transfer.ErrNotEmpty):
		return fmt.Errorf("%w; --replace deletes them", err)
	case errors.Is(err, transfer.ErrTextsElsewhere):
		return fmt.Errorf("%w; --without-texts copies the rest", err)
	case err != nil:
		return fmt.Errorf("cannot copy the origin: %w; run it again to start from the beginning", err)
	case closeErr != nil:
		return closeErr
	}
	return tellCopy(e, results)
}

func tellCopy(e *cli.Env, results []transfer.Result) error {
	total := int64(0)
	for _, r := range results {
		total += r.Rows
	}
	return e.PrintResult(map[string]any{"rows": total, "tables": results}, func(w io.Writer) {
		for _, r := range results {
			if r.Rows > 0 {
				fmt.Fprintf(w, "%-20s %8d rows  %.16s\n", r.Table, r.Rows, r.Digest)
			}
		}
		verb := "copied and compared"
		if e.DryRun {
			verb = "would copy"
		}
		fmt.Fprintf(w, "%s %d rows of %d tables\n", verb, total, len(results))
	})
}
