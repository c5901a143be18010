// Package verifying implements the commands that check what is published,
// without an origin.
package verifying

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/generator/verify"
	"colophon/internal/cli"
	"colophon/internal/cli/screening"
	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
	"colophon/internal/prose"
	"colophon/internal/published"
	provrecord "colophon/internal/record"
	"colophon/internal/screen"
	"colophon/internal/usage"
)

// Command verifies a build, a record, or the receipt of a screening.
func Command(e *cli.Env) *cobra.Command {
	var text, keys, log string
	var input []string
	cmd := &cobra.Command{
		Use: "verify DIR | RECORD.json | RECEIPT.json", Short: "Verify a build, one provenance record, or the receipt of a screening", Args: cli.ExactArgs("DIR|RECORD.json"),
		Long:    "Verify needs no origin store. It proves that records are intact and which key attested them; it proves neither ownership nor permission.",
		Example: "  colophon verify dist\n  colophon verify record.json --text article.txt --keys service-provenance-keys.json\n  colophon verify receipt.json --keys service-provenance-keys.json --input corpus.parquet",
		RunE: func(cmd *cobra.Command, args []string) error {
			info, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			if info.IsDir() {
				if text != "" || keys != "" || log != "" {
					return usage.Errorf("--text, --keys and --ledger go with a record, not with a folder")
				}
				return verifyBuild(e, args[0])
			}
			data, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			if screen.IsReceipt(data) {
				return screening.VerifyReceipt(e, data, keys, input)
			}
			return verifyRecord(cmd.Context(), e, args[0], text, keys, log)
		},
	}
	cmd.Flags().StringVar(&text, "text", "", "file with the text that the record is said to describe")
	cmd.Flags().StringVar(&keys, "keys", "", "file with the public keys (default: those of the build that holds the record)")
	cmd.Flags().StringArrayVar(&input, "input", nil, "file or folder that the receipt of a screening must be about (repeatable)")
	cmd.Flags().StringVar(&log, "ledger", "", "published service, URL or folder, whose ledger must hold the record")
	return cmd
}

func verifyBuild(e *cli.Env, dir string) error {
	p := e.NewProgress()
	a, err := verify.Release(dir, func(files, total int64) { p.Show(files, total, "files") })
	p.Clear()
	if err != nil {
		return err
	}
	err = e.PrintResult(map[string]any{"files": a.Files, "records": a.Records, "links": a.Links, "addresses": a.Addresses, "withdrawn": a.Withdrawn, "findings": a.Findings}, func(w io.Writer) {
		for _, f := range a.Findings {
			fmt.Fprintln(w, f)
		}
		if a.Withdrawn > 0 {
			fmt.Fprintf(w, "%s withdrawn since the release: static lists may name what is not answered\n", prose.Counted(a.Withdrawn, "entry was", "entries were"))
		}
		fmt.Fprintf(w, "%d files, %d records, %d links and %d addresses checked, %d findings\n", a.Files, a.Records, a.Links, a.Addresses, len(a.Findings))
	})
	if err == nil && len(a.Findings) > 0 {
		return fmt.Errorf("%w: %d findings in %q; \"colophon build --whole\" writes everything again", cli.ErrFindings, len(a.Findings), dir)
	}
	return err
}

// verifyRecord checks one record, and a text against it.
func verifyRecord(ctx context.Context, e *cli.Env, path, textFile, keysFile, log string) error {
	record, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if keysFile == "" {
		if keysFile = published.KeysBeside(path); keysFile == "" {
			return usage.Errorf("no public keys found near %q; give them with --keys (published at %s)", path, exports.WellKnownKeys)
		}
	}
	set, err := published.ReadKeySet(keysFile)
	if err != nil {
		return err
	}
	q := provrecord.Question{Keys: *set, Verify: provrecord.Ed25519}
	if textFile != "" {
		data, err := os.ReadFile(textFile)
		if err != nil {
			return err
		}
		given := string(data)
		q.Text = &given
	}
	var in *ledgerlog.Inclusion
	if log != "" {
		found, err := published.FindInclusion(ctx, record, log)
		if err != nil {
			return err
		}
		in, q.Leaf = &found, &found.Index
	}
	return tellVerdict(e, provrecord.Verify(record, q), in)
}

func tellVerdict(e *cli.Env, r provrecord.Result, in *ledgerlog.Inclusion) error {
	checks := [][2]string{
		{"schema", string(r.Schema)}, {"signature", string(r.Signature)}, {"key", string(r.Key)}, {"text", string(r.Text)},
		{"canonical_bytes", fmt.Sprint(r.CanonicalBytes)},
	}
	if in != nil {
		checks = append(checks, [2]string{"ledger", string(in.Code)})
	}
	row := map[string]string{"key_id": r.KeyID, "created": r.Created, "record_sha256": r.RecordSHA256}
	for _, c := range checks {
		row[c[0]] = c[1]
	}
	code := r.Code()
	if in != nil && in.Code == outcome.OK {
		row["leaf_index"] = fmt.Sprint(in.Index)
		row["ledger_size"] = fmt.Sprint(in.Size)
	} else if in != nil && code == outcome.OK {
		code = in.Code
	}
	err := e.PrintResult(row, func(w io.Writer) {
		for _, c := range checks {
			fmt.Fprintf(w, "%-16s %s\n", c[0], c[1])
		}
		if in != nil && in.Code == outcome.OK {
			fmt.Fprintf(w, "leaf %d of %d in the ledger\n", in.Index, in.Size)
		}
		fmt.Fprintf(w, "key %s, created %s, record %s\n", r.KeyID, r.Created, r.RecordSHA256)
		fmt.Fprintln(w, "A valid record is intact and attested by that key. It is no permission.")
	})
	if err == nil && code != outcome.OK {
		return fmt.Errorf("%w: %s", cli.ErrFindings, code)
	}
	return err
}
