package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"colophon/generator"
	"colophon/internal/provenance"
)

func buildCommand(e *env) *cobra.Command {
	var out, live string
	var accept []string
	cmd := &cobra.Command{
		Use: "build", Short: "Publish the origin as static files", Args: exact(),
		Long:    "Build issues the provenance records that are due, writes every file beside the previous build, reads them back and swaps them in as one. A kill at any moment leaves the previous build whole.",
		Example: "  colophon build --out dist",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.build(cmd.Context(), out, accept, live)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "output folder (default: the setting \"out\")")
	cmd.Flags().StringSliceVar(&accept, "accept", nil, "findings to publish in spite of: vanished, rollback")
	cmd.Flags().StringVar(&live, "live", "", "address of the published service, whose ledger this one must continue")
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "build into a folder of its own and only tell")
	return cmd
}

func (e *env) build(ctx context.Context, out string, accept []string, live string) error {
	s, err := e.readSettings()
	if err != nil {
		return err
	}
	report, err := e.buildInto(ctx, s, e.outFolder(s, out), accept, live)
	if err != nil {
		return err
	}
	e.note("next: colophon verify %s, colophon serve --dir %s", e.outFolder(s, out), e.dir)
	return e.answer(reportRow(report), func(w io.Writer) { printReport(w, report) })
}

// outFolder is the folder of the published files: as given, or as set, which
// is relative to the folder of the settings.
func (e *env) outFolder(s settings, out string) string {
	if out != "" {
		return out
	}
	if filepath.IsAbs(s.Out) {
		return s.Out
	}
	return e.path(s.Out)
}

func (e *env) buildInto(ctx context.Context, s settings, dir string, accept []string, live string) (generator.Report, error) {
	opt, err := e.buildOptions(s, accept)
	if err != nil {
		return generator.Report{}, err
	}
	store, done, err := e.openStore(ctx)
	if err != nil {
		return generator.Report{}, err
	}
	defer done()
	p := e.progress()
	defer p.done()
	opt.Progress = p.update
	if e.dryRun {
		return generator.DryRun(ctx, store, dir, opt)
	}
	if live != "" {
		opt.Ledger.Live = checkpointAt(live)
	}
	report, err := generator.Build(ctx, store, dir, opt)
	for _, w := range report.Unheard {
		e.note("%v", w)
	}
	if err != nil {
		return report, err
	}
	return report, e.rememberLedger(dir)
}

func (e *env) buildOptions(s settings, accept []string) (generator.Options, error) {
	opt := generator.Options{BaseURL: s.BaseURL, Name: s.Name, Workers: runtime.GOMAXPROCS(0), Accept: map[string]bool{}}
	for _, a := range accept {
		if err := word("accept", a, []string{"vanished", "rollback"}); err != nil {
			return opt, err
		}
		opt.Accept[a] = true
	}
	keys, err := e.readKeys(keysFolder)
	if err != nil {
		return opt, err
	}
	if opt.Keys, err = keySet(keys); err != nil {
		return opt, err
	}
	k, err := e.activeKey(keys)
	if err != nil {
		return opt, err
	}
	opt.NotYet = time.Unix(k.NotBefore, 0).UTC().Format("2006-01-02T15:04:05Z")
	if opt.Signer, err = k.Signer(); err != nil {
		return opt, err
	}
	opt.Ledger, err = e.ledgerOptions(s)
	return opt, err
}

// activeKey is the key that signs now.
func (e *env) activeKey(keys []provenance.KeyFile) (*provenance.KeyFile, error) {
	k := active(keys)
	if k == nil {
		return nil, fmt.Errorf("there is no signing key in %q; make one with \"colophon key generate --dir %s\"", e.path(keysFolder), e.dir)
	}
	if now := time.Now().Unix(); now >= k.NotAfter {
		return nil, fmt.Errorf("the signing key %s has ended; replace it with \"colophon key rotate --dir %s\"", k.KeyID, e.dir)
	}
	return k, nil
}

// receiptSigner signs what a server answers, where it may; else it is nil.
func (e *env) receiptSigner() (provenance.Signer, error) {
	if !e.sign {
		return nil, nil
	}
	keys, err := e.readKeys(keysFolder)
	if err != nil {
		return nil, err
	}
	k, err := e.activeKey(keys)
	if err != nil {
		return nil, err
	}
	return k.Signer()
}

func reportRow(r generator.Report) map[string]any {
	return map[string]any{
		"release": r.Release.Name, "generated_at": r.Release.GeneratedAt, "root": r.Release.Root, "publishers": r.Publishers, "pages": r.Pages,
		"records_issued": r.Issued, "leaves_logged": r.Logged, "ledger_size": r.LedgerSize, "witnesses": r.Witnessed, "files": r.Files, "bytes": r.Bytes, "files_changed": r.Changed, "seconds": r.Duration.Seconds(),
	}
}

func printReport(w io.Writer, r generator.Report) {
	rows := [][2]string{
		{"release", r.Release.Name}, {"publishers", fmt.Sprint(r.Publishers)}, {"pages", fmt.Sprint(r.Pages)},
		{"records issued", fmt.Sprint(r.Issued)},
		{"ledger", fmt.Sprintf("%d leaves (%d new, %d witnesses)", r.LedgerSize, r.Logged, r.Witnessed)}, {"files", fmt.Sprintf("%d (%d changed)", r.Files, r.Changed)},
		{"bytes", fmt.Sprint(r.Bytes)}, {"time", r.Duration.Round(time.Millisecond).String()},
	}
	for _, row := range rows {
		fmt.Fprintf(w, "%-15s %s\n", row[0], row[1])
	}
	if r.Pages > 0 && r.Duration > 0 {
		fmt.Fprintf(w, "%-15s %.0f pages/s\n", "speed", float64(r.Pages)/r.Duration.Seconds())
	}
}
