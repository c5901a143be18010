package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/internal/record"
)

// keysFolder holds one file a signing key, each readable by its owner only,
// and ledgerKeysFolder those of the ledger's log: they never sign records.
const (
	keysFolder       = "keys"
	ledgerKeysFolder = "keys/ledger"
)

// keyLife is how long a new key may sign, in days.
const keyLife = 365

func keyCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "Manage the keys that sign records and the ledger"}
	days, log := keyLife, false
	folder := func() string {
		if log {
			return ledgerKeysFolder
		}
		return keysFolder
	}
	generate := &cobra.Command{
		Use: "generate", Short: "Create the first signing key", Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			keys, err := e.readKeys(folder())
			if err != nil {
				return err
			}
			if newestActiveKey(keys) != nil {
				return errors.New("there is an active key already; replace it with \"colophon key rotate\"")
			}
			return e.newKey(folder(), days, "generated")
		},
	}
	rotate := &cobra.Command{
		Use: "rotate", Short: "Retire the active key and sign with a new one", Args: exactArgs(),
		Long: "The retired key stays published, so that what it signed can still be verified. The ledger says that there is a new one.",
		RunE: func(*cobra.Command, []string) error { return e.rotateKey(folder(), days) },
	}
	list := &cobra.Command{
		Use: "list", Short: "List the signing keys", Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error { return e.listKeys(folder()) },
	}
	revoke := revokeCommand(e, folder)
	for _, c := range []*cobra.Command{generate, rotate, list, revoke} {
		c.Flags().BoolVar(&log, "ledger", false, "the key of the ledger, not that of the records")
	}
	for _, c := range []*cobra.Command{generate, rotate, revoke} {
		c.Flags().IntVar(&days, "days", keyLife, "how long the new key may sign")
	}
	cmd.AddCommand(generate, rotate, list, revoke)
	return cmd
}

// newestActiveKey is the newest active key: a rotation that was cut short leaves two.
func newestActiveKey(keys []record.KeyFile) *record.KeyFile {
	for i := len(keys) - 1; i >= 0; i-- {
		if keys[i].Status == record.KeyActive {
			return &keys[i]
		}
	}
	return nil
}

// readKeys reads all key files, oldest first. A file that others can read is
// refused: its key may be known to them.
func (e *env) readKeys(folder string) ([]record.KeyFile, error) {
	entries, err := os.ReadDir(e.registryPath(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var keys []record.KeyFile
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".json") || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		k, err := readKey(filepath.Join(e.registryPath(folder), entry.Name()))
		if err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if keys[i].NotBefore != keys[j].NotBefore {
			return keys[i].NotBefore < keys[j].NotBefore
		}
		return keys[i].KeyID < keys[j].KeyID
	})
	return keys, nil
}

func readKey(path string) (record.KeyFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return record.KeyFile{}, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return record.KeyFile{}, fmt.Errorf("the key file %q can be read by others (mode %04o); if nobody did, \"chmod 600 %s\", else rotate the key", path, info.Mode().Perm(), path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return record.KeyFile{}, err
	}
	k, err := record.ParseKeyFile(data)
	if err != nil {
		return k, fmt.Errorf("the key file %q is damaged: %w", path, err)
	}
	return k, nil
}

func (e *env) writeKey(folder string, k record.KeyFile) error {
	if err := os.MkdirAll(e.registryPath(folder), 0o700); err != nil {
		return err
	}
	return writeFile(filepath.Join(e.registryPath(folder), k.KeyID+".json"), record.AppendKeyFile(nil, k), 0o600)
}

// makeKey makes a key that counts from now on.
func (e *env) makeKey(days int) (record.KeyFile, error) {
	if days < 1 || days > 3660 {
		return record.KeyFile{}, usage("a key may sign for 1 to 3660 days")
	}
	var seed [32]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return record.KeyFile{}, err
	}
	now := time.Now().UTC()
	return record.NewKeyFile(seed, now.Unix(), now.AddDate(0, 0, days).Unix(), record.KeyActive)
}

// firstKeys makes the keys that are missing, and returns the id of the one
// that signs records.
func (e *env) firstKeys() (string, error) {
	if _, err := e.firstKey(ledgerKeysFolder); err != nil {
		return "", err
	}
	return e.firstKey(keysFolder)
}

// firstKey makes a key unless there is an active one.
func (e *env) firstKey(folder string) (string, error) {
	keys, err := e.readKeys(folder)
	if err != nil {
		return "", err
	}
	if k := newestActiveKey(keys); k != nil {
		return k.KeyID, nil
	}
	k, err := e.makeKey(keyLife)
	if err != nil {
		return "", err
	}
	return k.KeyID, e.writeKey(folder, k)
}

func (e *env) newKey(folder string, days int, verb string) error {
	k, err := e.makeKey(days)
	if err != nil {
		return err
	}
	if err := e.writeKey(folder, k); err != nil {
		return err
	}
	e.printNext("colophon build --dir %s", e.dir)
	return e.printResult(keyRow(k), func(w io.Writer) { fmt.Fprintf(w, "%s %s\n", verb, k.KeyID) })
}

// rotateKey retires the active key and makes a new one. The new key is written
// first, so that a kill in between leaves two keys rather than none.
func (e *env) rotateKey(folder string, days int) error {
	keys, err := e.readKeys(folder)
	if err != nil {
		return err
	}
	old := newestActiveKey(keys)
	if old == nil {
		return errors.New("there is no active key; make one with \"colophon key generate\"")
	}
	if err := e.newKey(folder, days, "rotated to"); err != nil {
		return err
	}
	for _, k := range keys {
		if k.Status == record.KeyActive {
			k.Status = record.KeyRetired
			if err := e.writeKey(folder, k); err != nil {
				return err
			}
		}
	}
	return nil
}

func keyRow(k record.KeyFile) map[string]string {
	day := func(at int64) string { return time.Unix(at, 0).UTC().Format(time.RFC3339) }
	status := k.Status
	if k.Revoked != nil {
		status = "revoked"
	}
	return map[string]string{"key_id": k.KeyID, "status": status, "not_before": day(k.NotBefore), "not_after": day(k.NotAfter)}
}

func (e *env) listKeys(folder string) error {
	keys, err := e.readKeys(folder)
	if err != nil {
		return err
	}
	rows := make([]map[string]string, 0, len(keys))
	for _, k := range keys {
		rows = append(rows, keyRow(k))
	}
	return e.printResult(rows, func(w io.Writer) {
		for _, r := range rows {
			fmt.Fprintf(w, "%s  %-8s %s – %s\n", r["key_id"], r["status"], r["not_before"], r["not_after"])
		}
	})
}

// keySet is every public key, for publishing and verifying.
func keySet(keys []record.KeyFile) (record.KeySet, error) {
	public := make([]record.Key, 0, len(keys))
	for i := range keys {
		k, err := keys[i].Key()
		if err != nil {
			return record.KeySet{}, err
		}
		public = append(public, k)
	}
	return record.NewKeySet(public...)
}
