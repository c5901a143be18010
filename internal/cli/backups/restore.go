package backups

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"colophon/internal/backup"
	"colophon/internal/cli"
	"colophon/internal/published"
	"colophon/internal/record"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// RestoreCommand restores a registry from a backup.
func RestoreCommand(e *cli.Env) *cobra.Command {
	var where repositoryFlags
	var opt backup.RestoreOptions
	var identity, published string
	var offline bool
	cmd := &cobra.Command{
		Use: "restore", Short: "Restore a registry from a backup", Args: cli.ExactArgs(),
		Long: "Restore verifies a backup whole (digests, the database, every leaf of the ledger against its signed checkpoint, keys and settings) and then makes a new folder of it in one step.\n\n" +
			"It compares the backup's ledger with the checkpoint that is published at the base URL, with those of newer backups, and with --published. " +
			"A backup that is older than what is published is refused: builds from it would sign another history than the one that was published.\n\n" +
			"What was written after the backup is not in it, revocations of grants and credentials among it: look through them before you serve.",
		Example: "  colophon restore --from /mnt/backups --identity key.txt --dir registry\n" +
			"  colophon restore --from s3://bucket/colophon --passphrase-file passphrase --dir registry --dry-run",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("dir") {
				return usage.Errorf("say with --dir which folder to make")
			}
			repo, err := where.openRepository(e, "from")
			if err != nil {
				return err
			}
			passphrase, err := where.readPassphrase(e)
			if err != nil {
				return err
			}
			if opt.Identities, err = backup.Identities(identity, passphrase); err != nil {
				return usage.Wrap(err)
			}
			opt.Dir = e.Path
			opt.Open = registrydir.OpenPlain
			opt.DryRun = e.DryRun
			opt.Check = func(dir string) ([]record.Key, error) {
				restored := e.Dir
				restored.Path = dir
				return restored.CheckFolder()
			}
			opt.Record = func(ctx context.Context, dir string, m backup.Manifest) error {
				return recordRestore(ctx, e, dir, m.ID, opt.AcceptRollback)
			}
			opt.Published = func(ctx context.Context, m backup.Manifest) ([]backup.Published, error) {
				return findPublished(ctx, e, m, published, offline)
			}
			return restoreBackup(cmd.Context(), e, repo, opt)
		},
	}
	where.addFlags(cmd, e, "from", "where the backups are")
	where.addPassphrase(cmd)
	cmd.Flags().StringVar(&identity, "identity", "", "file with the age identity that decrypts the backup")
	cmd.Flags().StringVar(&opt.ID, "id", "", "backup to restore (default: the newest)")
	cmd.Flags().StringVar(&published, "published", "", "folder or address of the published files, to compare its ledger with")
	cmd.Flags().BoolVar(&offline, "offline", false, "do not ask the base URL what is published")
	cmd.Flags().BoolVar(&opt.AcceptRollback, "accept-rollback", false, "restore a backup that is older than what is published")
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "verify everything and make nothing")
	return cmd
}

func restoreBackup(ctx context.Context, e *cli.Env, repo backup.Repository, opt backup.RestoreOptions) error {
	p := e.NewProgress()
	m, err := backup.Restore(ctx, backup.Count(repo, p.ShowBytes), opt)
	p.Clear()
	switch {
	case errors.Is(err, backup.ErrRollback), errors.Is(err, backup.ErrOtherLog):
		return fmt.Errorf("%w; take a newer backup, or restore it all the same with --accept-rollback", err)
	case err != nil:
		return err
	}
	row := backupRow(m)
	row["from"] = repo.String()
	row["dir"] = e.Path
	row["dry_run"] = e.DryRun
	if !e.DryRun {
		e.PrintNote("what was written after %s is not in it: look through \"colophon grant list\" and \"colophon buyer list\" for revocations", m.CreatedAt)
		e.PrintNext("colophon doctor --dir %s, colophon build --dir %s", e.Path, e.Path)
	}
	return e.PrintResult(row, func(w io.Writer) {
		verb := "restored"
		if e.DryRun {
			verb = "verified, and would restore"
		}
		fmt.Fprintf(w, "%s backup %s of %s into %s: %d files, schema %d, ledger of %d leaves\n", verb, m.ID, m.CreatedAt, e.Path, len(m.Files), m.SchemaVersion, m.Ledger.Size)
	})
}

// recordRestore records in the audit trail of a restored folder from which
// backup it came, and who accepted a rollback.
func recordRestore(ctx context.Context, e *cli.Env, dir, backupID string, rollback bool) error {
	action := "restore"
	if rollback {
		action = "restore --accept-rollback"
	}
	act, err := e.NewAct(action)
	if err != nil {
		return err
	}
	restored := *e
	restored.Path = dir
	store, done, err := restored.OpenDatabase(ctx, restored.File(registrydir.OriginFile)) // never the one that --origin names
	if err != nil {
		return err
	}
	defer done()
	return store.RecordAct(ctx, act, backupID)
}

// findPublished returns the published checkpoints: where the operator says, and
// at the base URL unless that cannot be reached.
func findPublished(ctx context.Context, e *cli.Env, m backup.Manifest, where string, offline bool) ([]backup.Published, error) {
	var out []backup.Published
	if where != "" {
		note, err := published.ReadCheckpoint(ctx, where)
		if err != nil {
			return nil, fmt.Errorf("cannot read the checkpoint of --published %q: %w; name the address of a service, or the folder of a build", where, err)
		}
		out = append(out, backup.Published{Where: where, Note: note})
	}
	if offline || m.BaseURL == "" {
		return out, nil
	}
	note, err := published.ReadCheckpoint(ctx, m.BaseURL)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		e.PrintNote("%s does not say which ledger is published (%v); if it is published elsewhere, compare with --published", m.BaseURL, err)
	default:
		out = append(out, backup.Published{Where: m.BaseURL, Note: note})
	}
	return out, nil
}
