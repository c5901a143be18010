package keys

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

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

func revokeKey(ctx context.Context, e *cli.Env, folder, id, reason string, trusted int64, days int) error {
	key, err := e.FindKey(folder, id)
	if err != nil {
		return err
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
	if err := e.RevokeKey(folder, key, record.Revocation{At: time.Now().Unix(), Reason: reason, TrustedTreeSize: trusted}, days); err != nil {
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
