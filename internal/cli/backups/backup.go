// Package backups implements the commands that back a registry up and restore
// it.
package backups

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/backup"
	"colophon/internal/cli"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// repositoryFlags are the flags of every command that uses a repository of
// backups.
type repositoryFlags struct {
	address    string
	endpoint   string
	passphrase string // file
}

// addFlags adds the flags. name is that of the address: to or from.
func (f *repositoryFlags) addFlags(cmd *cobra.Command, e *cli.Env, name, purpose string) {
	cmd.Flags().StringVar(&f.address, name, e.Getenv("COLOPHON_BACKUPS"), purpose+": a folder, or s3://bucket/prefix ($COLOPHON_BACKUPS)")
	e.AddEndpoint(cmd, &f.endpoint)
}

func (f *repositoryFlags) addPassphrase(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.passphrase, "passphrase-file", "", "file with the passphrase ($COLOPHON_BACKUP_PASSPHRASE holds the passphrase itself)")
}

func (f *repositoryFlags) openRepository(e *cli.Env, name string) (backup.Repository, error) {
	if f.address == "" {
		return nil, usage.Errorf("say where the backups are with --%s: a folder, or s3://bucket/prefix", name)
	}
	repo, err := backup.OpenRepository(f.address, backup.S3Options{Endpoint: f.endpoint, Region: e.Getenv("AWS_REGION")})
	if err != nil {
		return nil, usage.Wrap(err)
	}
	return repo, nil
}

// readPassphrase returns the passphrase, "" for none.
func (f *repositoryFlags) readPassphrase(e *cli.Env) (string, error) {
	if f.passphrase == "" {
		return e.Getenv("COLOPHON_BACKUP_PASSPHRASE"), nil
	}
	data, err := os.ReadFile(f.passphrase)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	line = strings.TrimSuffix(line, "\r")
	if line == "" {
		return "", fmt.Errorf("the file %q holds no passphrase in its first line; write it there", f.passphrase)
	}
	return line, nil
}

// Command backs a registry up, and lists its backups.
func Command(e *cli.Env) *cobra.Command {
	var where repositoryFlags
	var recipients []string
	keep := 0
	cmd := &cobra.Command{
		Use: "backup", Short: "Back up the origin, the keys, the secret and the settings, encrypted", Args: cli.ExactArgs(),
		Long: "Backup takes a consistent copy of the origin store while the service runs, and stores it with the signing keys, the secret and the settings as one encrypted archive.\n" +
			"The published files are not in it: after a restore, \"colophon build\" makes every record, page and answer again, byte for byte. Immutable files of earlier builds, which stay for their grace period, do not come back, so that release.json, the list of all files, may be shorter.\n\n" +
			"Everything is encrypted with age, to a recipient (age1…, whose identity is kept elsewhere) or to a passphrase. Without that key a backup cannot be read by anybody.\n" +
			"Credentials for S3 come from $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY, the file of shared credentials, or the machine's role.",
		Example: "  colophon backup --dir registry --to /mnt/backups --recipient age1…\n" +
			"  colophon backup --dir registry --to s3://bucket/colophon --passphrase-file passphrase --keep 30\n" +
			"  colophon backup list --to /mnt/backups",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if keep < 0 {
				return usage.Errorf("--keep is %d: give how many backups stay, or 0 for all", keep)
			}
			if err := refuseRemoteBackup(e); err != nil {
				return err
			}
			repo, err := where.openRepository(e, "to")
			if err != nil {
				return err
			}
			passphrase, err := where.readPassphrase(e)
			if err != nil {
				return err
			}
			to, err := backup.Recipients(recipients, passphrase)
			if err != nil {
				return usage.Wrap(err)
			}
			opt := backup.CreateOptions{Dir: e.Path, ToolVersion: exports.Version, Recipients: to, Open: registrydir.OpenPlain, Now: time.Now()}
			return backUp(cmd.Context(), e, repo, opt, keep)
		},
	}
	where.addFlags(cmd, e, "to", "where the backup goes")
	where.addPassphrase(cmd)
	var defaults []string
	if r := e.Getenv("COLOPHON_BACKUP_RECIPIENT"); r != "" {
		defaults = strings.Fields(r)
	}
	cmd.Flags().StringSliceVar(&recipients, "recipient", defaults, "age recipient who can decrypt it, several times for several ($COLOPHON_BACKUP_RECIPIENT)")
	cmd.Flags().IntVar(&keep, "keep", 0, "remove all but this many of the newest backups afterwards; 0 removes none")
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "only report what would be backed up")
	cmd.AddCommand(backupListCommand(e))
	return cmd
}

// refuseRemoteBackup returns an error unless the origin is in the folder: half
// a backup would look like one.
func refuseRemoteBackup(e *cli.Env) error {
	switch {
	case e.D1 != "":
		return usage.Errorf("a store in D1 is not backed up from here: see Time Travel of D1, or copy it with \"colophon origin copy\"")
	case e.Origin != "":
		return usage.Errorf("a store in Postgres is not backed up from here: use pg_dump or the snapshots of its host, and back up the keys and settings in %q apart", e.Path)
	}
	return nil
}

func backUp(ctx context.Context, e *cli.Env, repo backup.Repository, opt backup.CreateOptions, keep int) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	opt.BaseURL = s.BaseURL
	if _, err := os.Stat(e.File(registrydir.OriginFile)); err != nil {
		return fmt.Errorf("there is no origin store in %q; name the folder of a registry with --dir", e.Path)
	}
	if e.DryRun {
		return e.PrintResult(map[string]any{"to": repo.String(), "dry_run": true}, func(w io.Writer) {
			fmt.Fprintf(w, "would back up %s to %s\n", e.Path, repo)
		})
	}
	p := e.NewProgress()
	m, err := backup.Create(ctx, backup.Count(repo, p.ShowBytes), opt)
	p.Clear()
	if err != nil {
		return fmt.Errorf("cannot back up to %s: %w; run it again", repo, err)
	}
	if err := e.RecordBackup(registrydir.LastBackup{ID: m.ID, At: m.CreatedAt, To: repo.String()}); err != nil {
		return err
	}
	var removed []string
	if keep > 0 {
		if removed, err = backup.Prune(ctx, repo, keep); err != nil {
			return fmt.Errorf("the backup %s is made, but old ones could not be removed: %w; the next backup removes them", m.ID, err)
		}
	}
	e.PrintNext("colophon restore --dry-run --from %s --dir %s-restored", repo, e.Path)
	data := backupRow(m)
	data["to"], data["removed"] = repo.String(), append([]string{}, removed...)
	return e.PrintResult(data, func(w io.Writer) {
		fmt.Fprintf(w, "backup %s in %s: %d files, %d bytes, schema %d, ledger of %d leaves\n", m.ID, repo, len(m.Files), m.Archive.Size, m.SchemaVersion, m.Ledger.Size)
		for _, id := range removed {
			fmt.Fprintf(w, "removed %s\n", id)
		}
	})
}

// backupRow returns the row that describes a backup.
func backupRow(m backup.Manifest) map[string]any {
	row := map[string]any{
		"id": m.ID, "created_at": m.CreatedAt, "tool_version": m.ToolVersion, "base_url": m.BaseURL,
		"schema_version": m.SchemaVersion, "ledger_size": m.Ledger.Size, "ledger_root": m.Ledger.Root, "files": len(m.Files),
	}
	if m.Archive != nil {
		row["bytes"], row["sha256"] = m.Archive.Size, m.Archive.SHA256
	}
	return row
}

func backupListCommand(e *cli.Env) *cobra.Command {
	var where repositoryFlags
	cmd := &cobra.Command{
		Use: "list", Short: "List the backups in a repository, oldest first", Args: cli.ExactArgs(),
		Example: "  colophon backup list --to s3://bucket/colophon",
		RunE: func(cmd *cobra.Command, _ []string) error {
			repo, err := where.openRepository(e, "to")
			if err != nil {
				return err
			}
			ids, err := repo.List(cmd.Context())
			if err != nil {
				return err
			}
			rows := make([]map[string]any, 0, len(ids))
			for _, id := range ids {
				m, err := backup.ReadManifest(cmd.Context(), repo, id)
				if err != nil {
					return fmt.Errorf("cannot read the backup %s: %w; the other backups can be restored, so take a new one with \"colophon backup\"", id, err)
				}
				rows = append(rows, backupRow(m))
			}
			return e.PrintResult(rows, func(w io.Writer) {
				for _, r := range rows {
					fmt.Fprintf(w, "%s  %12v bytes  schema %v  ledger %v\n", r["id"], r["bytes"], r["schema_version"], r["ledger_size"])
				}
			})
		},
	}
	where.addFlags(cmd, e, "to", "where the backups are")
	return cmd
}
