package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/originsql/dump"
)

// originCommand groups what concerns the store itself.
func originCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "origin", Short: "Move the origin store elsewhere", Args: cobra.NoArgs}
	var bodies string
	write := &cobra.Command{
		Use: "dump", Short: "Write the origin store as SQL that D1 takes", Args: cli.ExactArgs(),
		Long: "Dump writes everything in the origin, private columns and all, as SQL statements for a D1 database with the same migrations applied.\n" +
			"What that database held before is replaced. Run it while nothing writes to the origin.\n\n" +
			"With --bodies the texts of pages do not go into the SQL, but each into a file of that folder, for R2: the path below the folder is the key.\n" +
			"What the folder held of other editions is removed. Upload first, then load the SQL: a text that is missing is an error, never an empty one.\n" +
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
				err = dumpApart(cmd.Context(), out, store.DB(), bodies)
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

// bulkList is the name of the list of all files in a folder of bodies.
const bulkList = "put.json"

var errNotBodies = errors.New("has files that are no texts of pages; give a folder of its own")

// dumpApart writes SQL to w and texts into a folder, which then holds the
// current editions and nothing else.
func dumpApart(ctx context.Context, w io.Writer, db *sql.DB, folder string) error {
	type object struct {
		Key  string `json:"key"`
		File string `json:"file"`
	}
	list := []object{}
	current := map[string]bool{bulkList: true}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	old, err := bodiesIn(folder)
	if err != nil {
		return err
	}
	err = dump.Write(ctx, w, db, func(key, text string) error {
		name := filepath.Join(folder, filepath.FromSlash(key))
		list, current[key] = append(list, object{key, name}), true
		if have, err := os.ReadFile(name); err == nil && string(have) == text {
			return nil // its time tells an uploader that it is the same
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(text), 0o600)
	})
	if err != nil {
		return err
	}
	for _, key := range old {
		if !current[key] {
			name := filepath.Join(folder, filepath.FromSlash(key))
			if err := os.Remove(name); err != nil {
				return err
			}
			_ = os.Remove(filepath.Dir(name)) // when it is empty
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, bulkList), text, 0o600)
}

// bodiesIn lists the files of a folder by their keys. A folder that holds
// anything else is refused, for what is old in it is removed.
func bodiesIn(folder string) (keys []string, err error) {
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		key, err := filepath.Rel(folder, name)
		if key = filepath.ToSlash(key); key != bulkList && !strings.HasPrefix(key, exports.PrefixEntry) {
			return fmt.Errorf("%s %w", folder, errNotBodies)
		}
		keys = append(keys, key)
		return err
	})
	return keys, err
}

// dumpDry writes a dump nowhere and tells how large it is, texts included.
func dumpDry(ctx context.Context, e *env, db *sql.DB) error {
	var size byteCounter
	if err := dump.Write(ctx, &size, db, nil); err != nil {
		return fmt.Errorf("cannot dump the origin: %w", err)
	}
	return e.PrintResult(map[string]int64{"bytes": size.done}, func(w io.Writer) { fmt.Fprintf(w, "would write %d bytes\n", size.done) })
}
