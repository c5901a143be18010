package building

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"colophon/generator"
	"colophon/generator/ledger"
	"colophon/internal/backup"
	"colophon/internal/cli"
	"colophon/internal/ledgerlog"
	"colophon/internal/registrydir"
)

// ledgerOptions reads the keys of the log and the witnesses.
func ledgerOptions(e *cli.Env, s registrydir.Settings) (*generator.LedgerOptions, error) {
	keys, err := e.ReadKeys(registrydir.LedgerKeysFolder)
	if err != nil {
		return nil, err
	}
	k := registrydir.NewestActiveKey(keys)
	if k == nil {
		return nil, fmt.Errorf("there is no key of the ledger in %q; make one with \"colophon key generate --ledger --dir %s\"", e.File(registrydir.LedgerKeysFolder), e.Path)
	}
	if now := time.Now().Unix(); now >= k.NotAfter {
		return nil, fmt.Errorf("the key of the ledger, %s, has ended; replace it with \"colophon key rotate --ledger --dir %s\"", k.KeyID, e.Path)
	}
	opt := &generator.LedgerOptions{
		Quorum:     s.Quorum,
		Remembered: func() ([]byte, error) { return os.ReadFile(e.File(backup.HeadName)) },
	}
	for i := range keys {
		public, err := keys[i].Key()
		if err != nil {
			return nil, err
		}
		opt.Keys = append(opt.Keys, public)
	}
	for _, w := range s.Witnesses {
		key, err := ledgerlog.ParseWitnessKey(w.Key)
		if err != nil {
			return nil, fmt.Errorf("%s: the key of a witness, %q, is not valid: %w; take it from whoever runs the witness", e.File(registrydir.SettingsFile), w.Key, err)
		}
		u, err := url.Parse(w.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(w.URL, " \t\n?#") {
			return nil, fmt.Errorf("%s: the address of a witness, %q, is not one such as https://witness.example", e.File(registrydir.SettingsFile), w.URL)
		}
		opt.Witnesses = append(opt.Witnesses, ledger.Witness{Key: key, URL: strings.TrimSuffix(w.URL, "/")})
	}
	if s.Quorum < 0 || s.Quorum > len(opt.Witnesses) {
		return nil, fmt.Errorf("%s: witness_quorum is %d, not from 0 to the number of witnesses, %d", e.File(registrydir.SettingsFile), s.Quorum, len(opt.Witnesses))
	}
	opt.Signer, err = k.Signer()
	return opt, err
}

// rememberLedger stores the checkpoint that a build published in dir, so that a
// build from an earlier origin is refused even if the published files are gone.
func rememberLedger(e *cli.Env, dir string) error {
	note, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(ledger.CheckpointFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return registrydir.WriteFile(e.File(backup.HeadName), note, registrydir.PrivateFile)
}
