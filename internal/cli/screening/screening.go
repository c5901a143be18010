// Package screening is the command that finds registered pages in a data set.
package screening

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/blob"
	"colophon/internal/cli"
	"colophon/internal/published"
	"colophon/internal/record"
	"colophon/internal/registrydir"
	"colophon/internal/screen"
	"colophon/internal/usage"
)

// screenFlags are the flags of a screening.
type screenFlags struct {
	input                               screen.Input
	release, out, report, receipt, keys string
	uses, keep, summaries               []string
	small                               bool
	site, at                            string
	private                             bool
	workers                             int
}

// Command screens a data set.
func Command(e *cli.Env) *cobra.Command {
	var f screenFlags
	cmd := &cobra.Command{
		Use: "screen FILE|FOLDER…", Short: "Find registered pages in a data set, with their publishers and verdicts", Args: cobra.ArbitraryArgs,
		Long: "Screen looks up each row of a data set in a registry's release on this machine: nobody learns what you ask. It reads Parquet, CSV, JSON lines, " +
			"lists of URLs, WARC and WET, also compressed by gzip or Zstandard, files or folders or - for the standard input, and answers for each row how it was found, " +
			"which entry it is, of which publisher, the verdict on each use that you ask about with its reason, and where to ask.\n" +
			"The words are those of the rights check. A row that is found nowhere is unknown, and unknown is not allowed.\n" +
			"To continue an interrupted screening to --out, run the same command again with the same files.\n" +
			"Truncated files and rows that cannot be read are named, the rest is screened, and the exit code is 1.",
		Example: "  colophon screen corpus.parquet --url-column url --text-column text --use training --release https://registry.example --out screened.parquet\n" +
			"  colophon screen crawl/ --release mirror --site harbor-ledger --out mine.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			f.input.Paths, f.input.Stdin = args, e.Stdin
			return run(cmd.Context(), e, &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.release, "release", "", "address of a registry, or folder of a mirror or a build")
	flags.StringVar(&f.out, "out", "", "file for the results, ending in .parquet, .csv or .jsonl")
	flags.StringVar(&f.report, "report", "", "file for the report, ending in .html or .json")
	flags.StringVar(&f.receipt, "receipt", "", "file for a signed statement of what was screened, by the key in --dir")
	flags.StringArrayVar(&f.summaries, "summary", nil, "file for what the screening knows for the EU's public summary of training content, ending in .html, .csv or .json, which is signed by the key in --dir (repeatable)")
	flags.BoolVar(&f.small, "small-provider", false, "list in the summary the largest 5 % of domains and 1,000 at most, instead of the largest 10 %")
	flags.StringVar(&f.keys, "keys", "", "file with the public keys that may sign the release (default: those that the registry publishes)")
	flags.StringArrayVar(&f.uses, "use", nil, "use asked about (repeatable; default: training)")
	flags.StringSliceVar(&f.keep, "keep", nil, "write only rows with one of these verdicts")
	flags.StringVar(&f.site, "site", "", "write only rows found at this publisher")
	flags.StringVar(&f.at, "at", "", "instant of the verdicts (default: now)")
	flags.BoolVar(&f.private, "private", false, "read only the files for private look-ups: the registry learns the first bits of keys, and there are no reasons, near duplicates or looser addresses")
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "rows that are looked up at once")
	flags.StringVar(&f.input.Format, "format", "", "form of the input: "+strings.Join(screen.Formats, ", ")+" (default: by the ending)")
	flags.StringVar(&f.input.URLColumn, "url-column", "", "column or member with the address, of a nested member its path such as meta.url (default \"url\")")
	flags.StringVar(&f.input.TextColumn, "text-column", "", "column or member with the text (default \"text\")")
	return cmd
}

// run screens a data set and writes the requested output.
func run(ctx context.Context, e *cli.Env, f *screenFlags) error {
	uses, err := f.check()
	if err != nil {
		return err
	}
	at := f.at
	if at == "" {
		at = exports.Instant(time.Now())
	}
	r, err := openRelease(ctx, f, at)
	if err != nil {
		return err
	}
	p := e.NewProgress()
	job := &screen.Job{
		Input: f.input, Release: r, Uses: uses, Site: f.site, Keep: f.keep, Content: len(f.summaries) > 0, Workers: max(1, f.workers), Out: f.out, At: f.at,
		Told: func(t screen.Progress) {
			p.Show(t.Bytes>>10, t.Size>>10, fmt.Sprintf("KiB, %d rows, file %d of %d", t.Rows, t.File, t.Files))
		},
		GoesOn: func(s *screen.State) {
			e.PrintNote("going on after %d rows of an earlier run, at its instant %s", s.Report.Rows, s.At)
		},
	}
	if e.DryRun {
		job.Out = ""
	}
	report, err := job.Run(ctx)
	p.Clear()
	var column *screen.ColumnError
	if errors.As(err, &column) {
		return usage.Wrap(err)
	}
	if err != nil {
		return err
	}
	if err := writeOutputs(e, f, report); err != nil {
		return err
	}
	var told bytes.Buffer
	if err := report.Table(&told); err != nil {
		return err
	}
	if err := e.PrintResult(report, func(w io.Writer) { w.Write(told.Bytes()) }); err != nil { //nolint:errcheck // as all output
		return err
	}
	if report.Rows > 0 && report.Unusable == report.Rows {
		return fmt.Errorf("%w: no row has a web address or a text; name their columns with --url-column and --text-column", cli.ErrFindings)
	}
	if report.FaultCount > 0 {
		return fmt.Errorf("%w: %d rows or files could not be read; the report names them", cli.ErrFindings, report.FaultCount)
	}
	return nil
}

// check checks the flags and returns the uses in their fixed order.
func (f *screenFlags) check() ([]string, error) {
	if len(f.input.Paths) == 0 {
		return nil, usage.Errorf("name the files or folders to screen, or - for the standard input")
	}
	if f.release == "" {
		return nil, usage.Errorf("--release needs the address of a registry, or the folder of a mirror or a build")
	}
	if err := cli.ValidateWord("format", f.input.Format, screen.Formats); err != nil {
		return nil, err
	}
	if ext := filepath.Ext(f.report); f.report != "" && ext != ".html" && ext != ".json" {
		return nil, usage.Errorf("--report %q must end in .html or .json", f.report)
	}
	for _, name := range f.summaries {
		if ext := filepath.Ext(name); ext != ".html" && ext != ".json" && ext != ".csv" {
			return nil, usage.Errorf("--summary must end in .html, .json or .csv, not %q", name)
		}
	}
	switch {
	case f.small && len(f.summaries) == 0:
		return nil, usage.Errorf("--small-provider needs --summary")
	case f.private && len(f.summaries) > 0:
		return nil, usage.Errorf("--summary needs the reasons of verdicts, which --private does not read")
	case f.site != "" && len(f.summaries) > 0:
		return nil, usage.Errorf("--summary is about a whole data set: leave --site out")
	}
	if err := cli.ToUTC("--at", &f.at); err != nil {
		return nil, err
	}
	for _, v := range f.keep {
		if !slices.Contains(exports.Verdicts, v) {
			return nil, usage.Errorf("--keep %q is not one of %s", v, strings.Join(exports.Verdicts, ", "))
		}
	}
	if len(f.uses) == 0 {
		return []string{string(exports.UseTraining)}, nil
	}
	asked, err := cli.ParseUses(f.uses)
	return slices.DeleteFunc(slices.Clone(exports.UseWords()), func(u string) bool { return !slices.Contains(asked, u) }), err
}

// openRelease reads the release that is screened against.
func openRelease(ctx context.Context, f *screenFlags, at string) (*screen.Release, error) {
	var files screen.Files = screen.Folder{Source: published.Files(blob.Folder(f.release))}
	if published.IsAddress(f.release) {
		files = &screen.Address{Base: strings.TrimSuffix(f.release, "/"), Client: &http.Client{Timeout: 2 * time.Minute}}
	}
	keys, err := published.ReadKeySet(f.keys)
	if err != nil {
		return nil, err
	}
	open := screen.Open
	if f.private {
		open = screen.OpenPrivate
	}
	r, err := open(ctx, files, keys, at)
	if err != nil {
		return nil, fmt.Errorf("cannot use the release at %s: %w", f.release, err)
	}
	return r, nil
}

// writeOutputs writes the summaries, the report and the receipt, signed with
// the key in --dir.
func writeOutputs(e *cli.Env, f *screenFlags, report *screen.Report) error {
	if e.DryRun {
		report.Content = nil
		return nil
	}
	results := "none"
	switch {
	case f.out != "" && len(f.keep) > 0:
		results = "kept"
	case f.out != "":
		results = "all"
	}
	out := screen.Outputs{
		Summaries: f.summaries, Small: f.small, Results: results, Report: f.report, Receipt: f.receipt,
		Signer: func() (record.Signer, error) {
			e.Sign = true
			return e.ReceiptSigner()
		},
		Digest: sync.OnceValues(f.input.Digest), // reads all files of the input
	}
	return out.Write(report)
}

// VerifyReceipt checks the receipt of a screening, and that it is about some
// files.
func VerifyReceipt(e *cli.Env, data []byte, keysFile string, input []string) error {
	set, err := receiptKeys(e, keysFile)
	if err != nil {
		return err
	}
	digest := ""
	if len(input) > 0 {
		in := screen.Input{Paths: input}
		if digest, err = in.Digest(); err != nil {
			return err
		}
	}
	id, err := screen.VerifyReceipt(data, *set, digest)
	if errors.Is(err, screen.ErrReceipt) {
		return fmt.Errorf("%w: %w", cli.ErrFindings, err)
	}
	if err != nil {
		return err
	}
	return e.PrintResult(map[string]any{"key_id": id, "input": digest, "valid": true}, func(w io.Writer) {
		fmt.Fprintf(w, "the receipt is what the key %s signed\nIt says what a screening found. It is no permission.\n", id)
	})
}

func receiptKeys(e *cli.Env, file string) (*record.KeySet, error) {
	if set, err := published.ReadKeySet(file); set != nil || err != nil {
		return set, err
	}
	keys, err := e.ReadKeys(registrydir.KeysFolder)
	if err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return nil, usage.Errorf("give the public keys with --keys")
	}
	set, err := registrydir.KeySet(keys)
	return &set, err
}
