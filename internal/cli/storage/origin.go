// Package storage implements the commands that copy the origin store elsewhere.
package storage

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/originsql/dump"
)

// Command groups what concerns the store itself.
func Command(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "origin", Short: "Move the origin store elsewhere", Args: cobra.NoArgs}
	var bodies string
	write := &cobra.Command{
		Use: "dump", Short: "Write the origin store as SQL that D1 takes", Args: cli.ExactArgs(),
		Long: "Dump writes everything in the origin, private columns and all, as SQL statements for a D1 database with the same migrations applied.\n" +
			"What that database held before is replaced. Run it while nothing writes to the origin.\n\n" +
			"With --bodies the texts of pages do not go into the SQL, but each into a file of that folder, for R2: the path below the folder is the key.\n" +
			"Texts of earlier dumps are removed from the folder. Upload first, then load the SQL: a missing text is an error, never an empty text.\n" +
			"put.json in the folder is the list that wrangler takes.",
		Example: "  colophon origin dump --bodies bodies > origin.sql\n  wrangler r2 bulk put colophon-bodies --remote --filename bodies/put.json\n" +
			"  wrangler d1 migrations apply colophon-origin --remote\n  wrangler d1 execute colophon-origin --remote --file origin.sql\n" +
			"  rclone sync bodies r2:colophon-bodies --exclude put.json      # instead of bulk put; afterwards, removes old editions",
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, done, err := e.OpenFile(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			if e.DryRun {
				return dumpDry(cmd.Context(), e, store.DB())
			}
			out := bufio.NewWriter(e.Stdout)
			if bodies == "" {
				err = dump.Write(cmd.Context(), out, store.DB(), nil)
			} else {
				err = dump.Apart(cmd.Context(), out, store.DB(), bodies)
			}
			if err != nil {
				return fmt.Errorf("cannot dump the origin: %w", err)
			}
			return out.Flush()
		},
	}
	write.Flags().StringVar(&bodies, "bodies", "", "folder for the texts of pages, made when it is missing")
	cmd.AddCommand(write, originCopyCommand(e))
	return cmd
}

// dumpDry writes a dump nowhere and reports its size, texts included.
func dumpDry(ctx context.Context, e *cli.Env, db *sql.DB) error {
	size, err := dump.Size(ctx, db)
	if err != nil {
		return fmt.Errorf("cannot dump the origin: %w", err)
	}
	return e.PrintResult(map[string]int64{"bytes": size}, func(w io.Writer) { fmt.Fprintf(w, "would write %d bytes\n", size) })
}
