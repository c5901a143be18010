package keys

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/record"
	"colophon/internal/usage"
)

func revokeCommand(e *cli.Env, folder func() string) *cobra.Command {
	var reason string
	trusted := int64(-1)
	cmd := &cobra.Command{
		Use: "revoke KEY_ID", Short: "Revoke a signing key", Args: cli.ExactArgs("KEY_ID"),
		Long: "Revocation goes by position in the ledger, not by date: what is logged before --trusted-size still counts. " +
			"By default that is everything logged so far. The next build logs the revocation and re-signs what no longer counts.",
		Example: "  colophon key revoke FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk --reason \"key was copied\"\n  colophon key revoke --reason \"key was copied\" -- -BgWGsJt…   # an id that begins with \"-\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			days, err := cmd.Flags().GetInt("days")
			if err != nil {
				return err
			}
			if reason == "" {
				return usage.Errorf("give a --reason; it is published")
			}
			return revokeKey(cmd.Context(), e, folder(), args[0], reason, trusted, days)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why; it is published with the key")
	cmd.Flags().Int64Var(&trusted, "trusted-size", -1, "how many leaves of the ledger still count (default: all that were signed)")
	return cmd
}

// revokeKey marks a key. An active one is replaced first, so that a kill in
// between leaves two keys rather than none.
func revokeKey(ctx context.Context, e *cli.Env, folder, id, reason string, trusted int64, days int) error {
	keys, err := e.ReadKeys(folder)
	if err != nil {
		return err
	}
	var key *record.KeyFile
	for i := range keys {
		if keys[i].KeyID == id {
			key = &keys[i]
		}
	}
	switch {
	case key == nil:
		return fmt.Errorf("there is no key %q in %q; \"colophon key list\" shows those of records, with --ledger those of the ledger", id, e.File(folder))
	case key.Revoked != nil:
		return fmt.Errorf("key %q was revoked at %s; nothing is left to do but \"colophon build\"", id, exports.Instant(time.Unix(key.Revoked.At, 0)))
	}
	size, err := signedSize(ctx, e)
	if err != nil {
		return err
	}
	if trusted > size {
		return usage.Errorf("--trusted-size is %d, but only %d leaves of the ledger were signed", trusted, size)
	}
	if trusted < 0 {
		trusted = size
	}
	if key.Status == record.KeyActive {
		k, err := e.MakeKey(days)
		if err != nil {
			return err
		}
		if err := e.WriteKey(folder, k); err != nil {
			return err
		}
	}
	key.Status = record.KeyRetired
	key.Revoked = &record.Revocation{At: time.Now().Unix(), Reason: reason, TrustedTreeSize: trusted}
	if err := e.WriteKey(folder, *key); err != nil {
		return err
	}
	e.PrintNext("colophon build --dir %s", e.Path)
	return e.PrintResult(map[string]any{"key_id": id, "trusted_tree_size": trusted}, func(w io.Writer) {
		fmt.Fprintf(w, "revoked %s; what is logged before leaf %d still counts\n", id, trusted)
	})
}

// signedSize returns the size of the ledger that was signed last.
func signedSize(ctx context.Context, e *cli.Env) (int64, error) {
	store, done, err := e.OpenStore(ctx)
	if err != nil {
		return 0, err
	}
	defer done()
	all, err := store.LedgerCheckpoints(ctx)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	return all[len(all)-1].Size, nil
}
