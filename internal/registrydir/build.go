package registrydir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"colophon/exports"
	"colophon/generator"
	"colophon/generator/ledger"
	"colophon/internal/backup"
	"colophon/internal/ledgerlog"
)

// BuildOptions returns the options of a build by the settings and the keys of
// this folder, which accepts some findings.
func (d *Dir) BuildOptions(s Settings, accept []string) (generator.Options, error) {
	opt := generator.Options{BaseURL: s.BaseURL, Name: s.Name, Form: generator.Form(s.Form), PackSize: s.PackBytes(), Workers: runtime.GOMAXPROCS(0), Accept: map[string]bool{}}
	var err error
	if opt.Brand, err = d.ReadBrand(s); err != nil {
		return opt, err
	}
	for _, a := range accept {
		opt.Accept[a] = true
	}
	keys, err := d.ReadKeys(KeysFolder)
	if err != nil {
		return opt, err
	}
	if opt.Keys, err = KeySet(keys); err != nil {
		return opt, err
	}
	k, err := d.ActiveKey(keys)
	if err != nil {
		return opt, err
	}
	opt.NotYet = exports.Instant(time.Unix(k.NotBefore, 0))
	if opt.Signer, err = k.Signer(); err != nil {
		return opt, err
	}
	opt.Ledger, err = d.ledgerOptions(s)
	return opt, err
}

// ledgerOptions reads the keys of the log and the witnesses.
func (d *Dir) ledgerOptions(s Settings) (*generator.LedgerOptions, error) {
	keys, err := d.ReadKeys(LedgerKeysFolder)
	if err != nil {
		return nil, err
	}
	k := NewestActiveKey(keys)
	if k == nil {
		return nil, fmt.Errorf("there is no key of the ledger in %q; make one with \"colophon key generate --ledger --dir %s\"", d.File(LedgerKeysFolder), d.Path)
	}
	if now := time.Now().Unix(); now >= k.NotAfter {
		return nil, fmt.Errorf("the key of the ledger, %s, has ended; replace it with \"colophon key rotate --ledger --dir %s\"", k.KeyID, d.Path)
	}
	opt := &generator.LedgerOptions{
		Quorum:     s.Quorum,
		Remembered: func() ([]byte, error) { return os.ReadFile(d.File(backup.HeadName)) },
	}
	if opt.Keys, err = publicKeys(keys); err != nil {
		return nil, err
	}
	for _, w := range s.Witnesses {
		key, err := ledgerlog.ParseWitnessKey(w.Key)
		if err != nil {
			return nil, fmt.Errorf("%s: the key of a witness, %q, is not valid: %w; take it from whoever runs the witness", d.File(SettingsFile), w.Key, err)
		}
		u, err := url.Parse(w.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(w.URL, " \t\n?#") {
			return nil, fmt.Errorf("%s: the address of a witness, %q, is not one such as https://witness.example", d.File(SettingsFile), w.URL)
		}
		opt.Witnesses = append(opt.Witnesses, ledger.Witness{Key: key, URL: strings.TrimSuffix(w.URL, "/")})
	}
	if s.Quorum < 0 || s.Quorum > len(opt.Witnesses) {
		return nil, fmt.Errorf("%s: witness_quorum is %d, not from 0 to the number of witnesses, %d", d.File(SettingsFile), s.Quorum, len(opt.Witnesses))
	}
	opt.Signer, err = k.Signer()
	return opt, err
}

// Build publishes the origin in the folder dir and remembers its ledger. With
// DryRun it only reports what is due.
func (d *Dir) Build(ctx context.Context, dir string, opt generator.Options) (generator.Report, error) {
	store, done, err := d.OpenForBuild(ctx)
	if err != nil {
		return generator.Report{}, err
	}
	if d.DryRun {
		report, err := generator.DryRun(ctx, store, dir, opt)
		return report, errors.Join(err, done())
	}
	report, err := generator.Build(ctx, store, dir, opt)
	err = errors.Join(err, done())
	for _, w := range report.Unheard {
		d.note("%v", w)
	}
	if report.Damage != nil {
		d.warn("%v: everything was rendered and written again", report.Damage)
	}
	if err != nil || report.Unchanged {
		return report, err
	}
	return report, d.rememberLedger(dir)
}

// ListWithdrawn lists in the folder dir what is no longer public, and does
// nothing else. With DryRun it only counts.
func (d *Dir) ListWithdrawn(ctx context.Context, dir string, opt generator.Options) (generator.Withdrawn, error) {
	store, done, err := d.OpenForBuild(ctx)
	if err != nil {
		return generator.Withdrawn{}, err
	}
	publish := generator.PublishWithdrawals
	if d.DryRun {
		publish = generator.CountWithdrawals
	}
	w, err := publish(ctx, store, dir, opt)
	return w, errors.Join(err, done())
}

// rememberLedger stores the checkpoint that a build published in dir, so that a
// build from an earlier origin is refused even if the published files are gone.
func (d *Dir) rememberLedger(dir string) error {
	note, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(ledger.CheckpointFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return WriteFile(d.File(backup.HeadName), note, PrivateFile)
}
