package verifying

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"colophon/generator/ledger"
	"colophon/internal/cli"
	"colophon/internal/ledgerlog"
	"colophon/internal/prose"
	"colophon/internal/published"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// LedgerCommand audits a ledger.
func LedgerCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "ledger", Short: "Audit the provenance ledger"}
	var key string
	var others []string
	verify := &cobra.Command{
		Use: "verify [URL|DIR]", Short: "Audit a ledger: tiles, root, signatures, witnesses, and continuity with earlier audits",
		Args: cli.OptionalArg("URL|DIR"),
		Long: "Verify recomputes the log from its leaves and compares every file. It remembers the checkpoint, and the next time " +
			"refuses a log that does not continue it. Without an address it audits what this folder publishes.\n\n" +
			"With --other it compares the log with what another monitor or mirror shows of it, and reports a split view: " +
			"two signed checkpoints of which neither continues the other.",
		Example: "  colophon ledger verify https://registry.example\n  colophon ledger verify dist --key \"$(cat ledger.vkey)\"\n" +
			"  colophon ledger verify https://registry.example --other https://mirror.example",
		RunE: func(cmd *cobra.Command, args []string) error {
			where := ""
			if len(args) == 1 {
				where = args[0]
			} else {
				s, err := e.ReadSettings()
				if err != nil {
					return err
				}
				where = e.OutFolder(s, "")
			}
			return verifyLedger(cmd.Context(), e, where, key, others)
		},
	}
	verify.Flags().StringVar(&key, "key", "", "verifier key of the log (default: the one it publishes, or had the last time)")
	verify.Flags().StringArrayVar(&others, "other", nil, "another view of the log: URL or folder of a mirror, or a file with a checkpoint (repeatable)")
	cmd.AddCommand(verify)
	return cmd
}

func verifyLedger(ctx context.Context, e *cli.Env, where, key string, others []string) error {
	read, files, err := published.OpenLog(ctx, where)
	if err != nil {
		return err
	}
	p := e.NewProgress()
	defer p.Clear()
	q := ledger.Question{Read: countFiles(p, published.LogOf(read), int64(len(files))), Files: files}
	if key != "" {
		k, err := ledgerlog.ParseVerifierKey(key)
		if err != nil {
			return usage.Errorf("--key %q is not a verifier key, as a service publishes it in %s", key, ledger.KeyFile)
		}
		q.Key = &k
	}
	note, err := q.Read(ledgerlog.CheckpointPath)
	if err != nil {
		return fmt.Errorf("cannot read the checkpoint of %q: %w; name the address of a service, or the folder of a build", where, err)
	}
	c, err := ledgerlog.ReadCheckpoint(note)
	if err != nil {
		return fmt.Errorf("the checkpoint of %q is damaged: %w; \"colophon build\" writes it again", where, err)
	}
	state := e.File(filepath.Join("seen", base64.RawURLEncoding.EncodeToString([]byte(c.Origin))+".txt"))
	if err := published.ReadSeen(state, &q); err != nil {
		return err
	}
	report, err := ledger.Audit(q)
	p.Clear()
	if err != nil {
		return err
	}
	views, err := published.CompareViews(ctx, ledger.View{Name: where, Note: report.Note, Read: published.LogOf(read)}, &report, others)
	if err != nil {
		return err
	}
	return tellAudit(e, report, q, state, views)
}

// countFiles shows how many files have been read, out of total, which is 0 if
// unknown.
func countFiles(p *cli.Progress, read ledgerlog.ReadTile, total int64) ledgerlog.ReadTile {
	var files, bytes int64
	return func(path string) ([]byte, error) {
		data, err := read(path)
		files++
		bytes += int64(len(data))
		p.Show(files, total, fmt.Sprintf("files (%.1f MB)", float64(bytes)/1e6))
		return data, err
	}
}

func tellAudit(e *cli.Env, r ledger.Report, q ledger.Question, state string, views []published.ComparedView) error {
	c := r.Checkpoint
	root := base64.StdEncoding.EncodeToString(c.Root[:])
	row := map[string]any{"origin": c.Origin, "size": c.Size, "root": root, "vkey": r.Key.String(), "leaves": r.Leaves, "files": r.Files,
		"witnesses": r.Witnesses, "silent": r.Silent, "quorum": r.Quorum, "others": views, "findings": r.Findings, "continues": q.Known != nil}
	err := e.PrintResult(row, func(w io.Writer) {
		for _, f := range r.Findings {
			fmt.Fprintln(w, f)
		}
		fmt.Fprintf(w, "%s: %d leaves, root %s\n", c.Origin, c.Size, root)
		fmt.Fprintln(w, describeWitnesses(r))
		for _, v := range views {
			if v.Agrees {
				fmt.Fprintf(w, "%s shows the same log, with %d leaves\n", v.Where, v.Size)
				continue
			}
			fmt.Fprintf(w, "the checkpoint published here:\n%s\nthe checkpoint at %s:\n%s\n", r.Note, v.Where, v.Checkpoint)
		}
		fmt.Fprintf(w, "%d files compared, %d findings\n", r.Files, len(r.Findings))
		if q.Known == nil {
			fmt.Fprintf(w, "seen for the first time: compare the key with one that you got elsewhere: %s\n", r.Key)
		}
	})
	if err == nil && len(r.Findings) > 0 {
		return fmt.Errorf("%w: %d findings in the ledger of %s, which is not remembered", cli.ErrFindings, len(r.Findings), c.Origin)
	}
	if err != nil || e.DryRun {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(state), 0o755); err != nil {
		return err
	}
	return registrydir.WriteFile(state, published.SeenFile(&r), 0o644)
}

// describeWitnesses says who cosigned a checkpoint, who did not, and what the
// policy asks for.
func describeWitnesses(r ledger.Report) string {
	if len(r.Witnesses)+len(r.Silent) == 0 {
		return "the policy names no witness"
	}
	text := fmt.Sprintf("cosigned by %d of %s; the policy asks for %d", len(r.Witnesses), prose.Counted(int64(len(r.Witnesses)+len(r.Silent)), "witness", "witnesses"), r.Quorum)
	if len(r.Silent) > 0 {
		text += "; not by " + strings.Join(r.Silent, ", ")
	}
	return text
}
