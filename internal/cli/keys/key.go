// Package keys implements the commands for the keys that sign records and the
// ledger.
package keys

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/record"
	"colophon/internal/registrydir"
)

// Command manages keys.
func Command(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "Manage the keys that sign records and the ledger"}
	days, log := registrydir.KeyLife, false
	folder := func() string {
		if log {
			return registrydir.LedgerKeysFolder
		}
		return registrydir.KeysFolder
	}
	generate := &cobra.Command{
		Use: "generate", Short: "Create the first signing key", Args: cli.ExactArgs(),
		RunE: func(*cobra.Command, []string) error {
			keys, err := e.ReadKeys(folder())
			if err != nil {
				return err
			}
			if registrydir.NewestActiveKey(keys) != nil {
				return errors.New("there is an active key already; replace it with \"colophon key rotate\"")
			}
			k, err := e.AddKey(folder(), days)
			return tellKey(e, k, "generated", err)
		},
	}
	rotate := &cobra.Command{
		Use: "rotate", Short: "Retire the active key and sign with a new one", Args: cli.ExactArgs(),
		Long: "The retired key stays published, so that what it signed can still be verified. The ledger says that there is a new one.",
		RunE: func(*cobra.Command, []string) error {
			k, err := e.RotateKey(folder(), days)
			return tellKey(e, k, "rotated to", err)
		},
	}
	list := &cobra.Command{
		Use: "list", Short: "List the signing keys", Args: cli.ExactArgs(),
		RunE: func(*cobra.Command, []string) error { return listKeys(e, folder()) },
	}
	revoke := revokeCommand(e, folder)
	for _, c := range []*cobra.Command{generate, rotate, list, revoke} {
		c.Flags().BoolVar(&log, "ledger", false, "the key of the ledger, not that of the records")
	}
	for _, c := range []*cobra.Command{generate, rotate, revoke} {
		c.Flags().IntVar(&days, "days", registrydir.KeyLife, "how long the new key may sign")
	}
	cmd.AddCommand(generate, rotate, list, revoke)
	return cmd
}

func tellKey(e *cli.Env, k record.KeyFile, verb string, err error) error {
	if err != nil {
		return err
	}
	e.PrintNext("colophon build --dir %s", e.Path)
	return e.PrintResult(KeyRow(k), func(w io.Writer) { fmt.Fprintf(w, "%s %s\n", verb, k.KeyID) })
}

var keyTable = noun.Table{Line: "{key_id}  {status:8} {not_before} – {not_after}"}

// KeyRow returns a key as the operator sees it.
func KeyRow(k record.KeyFile) map[string]any {
	day := func(at int64) string { return time.Unix(at, 0).UTC().Format(time.RFC3339) }
	status := k.Status
	if k.Revoked != nil {
		status = "revoked"
	}
	return map[string]any{"key_id": k.KeyID, "status": status, "not_before": day(k.NotBefore), "not_after": day(k.NotAfter)}
}

func listKeys(e *cli.Env, folder string) error {
	keys, err := e.ReadKeys(folder)
	if err != nil {
		return err
	}
	rows := make([]map[string]any, 0, len(keys))
	for _, k := range keys {
		rows = append(rows, KeyRow(k))
	}
	return e.PrintTable(&keyTable, rows)
}
