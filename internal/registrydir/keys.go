package registrydir

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/record"
	"colophon/internal/usage"
)

// ActiveKey returns the key that signs now.
func (d *Dir) ActiveKey(keys []record.KeyFile) (*record.KeyFile, error) {
	k := NewestActiveKey(keys)
	if k == nil {
		return nil, fmt.Errorf("there is no signing key in %q; make one with \"colophon key generate --dir %s\"", d.File(KeysFolder), d.Path)
	}
	if now := time.Now().Unix(); now >= k.NotAfter {
		return nil, fmt.Errorf("the signing key %s has ended; replace it with \"colophon key rotate --dir %s\"", k.KeyID, d.Path)
	}
	return k, nil
}

// KeysFolder holds one file for each signing key, readable by its owner only;
// ledgerKeysFolder holds those of the ledger's log, which never sign records.
const (
	KeysFolder       = "keys"
	LedgerKeysFolder = "keys/ledger"
)

// KeyLife is how long a new key may sign, in days.
const KeyLife = 365

// NewestActiveKey returns the newest active key: a rotation that was cut short
// leaves two.
func NewestActiveKey(keys []record.KeyFile) *record.KeyFile {
	for i := len(keys) - 1; i >= 0; i-- {
		if keys[i].Status == record.KeyActive {
			return &keys[i]
		}
	}
	return nil
}

// ReadKeys reads all key files, oldest first. A file that others can read is
// refused: its key may be known to them.
func (d *Dir) ReadKeys(folder string) ([]record.KeyFile, error) {
	entries, err := os.ReadDir(d.File(folder))
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
		k, err := readKey(filepath.Join(d.File(folder), entry.Name()))
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
	if isOpen(runtime.GOOS, info.Mode()) {
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

func (d *Dir) WriteKey(folder string, k record.KeyFile) error {
	if err := os.MkdirAll(d.File(folder), 0o700); err != nil {
		return err
	}
	return WriteFile(filepath.Join(d.File(folder), k.KeyID+".json"), record.AppendKeyFile(nil, k), 0o600)
}

// MakeKey creates a key that is valid from now on.
func (d *Dir) MakeKey(days int) (record.KeyFile, error) {
	if days < 1 || days > 3660 {
		return record.KeyFile{}, usage.Errorf("a key may sign for 1 to 3660 days")
	}
	var seed [32]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return record.KeyFile{}, err
	}
	now := time.Now().UTC()
	return record.NewKeyFile(seed, now.Unix(), now.AddDate(0, 0, days).Unix(), record.KeyActive)
}

// AddKey creates a key that is valid from now on, and stores it.
func (d *Dir) AddKey(folder string, days int) (record.KeyFile, error) {
	k, err := d.MakeKey(days)
	if err != nil {
		return k, err
	}
	return k, d.WriteKey(folder, k)
}

// RotateKey retires the active key and creates a new one. It writes the new key
// first, so that a crash in between leaves two keys rather than none.
func (d *Dir) RotateKey(folder string, days int) (record.KeyFile, error) {
	keys, err := d.ReadKeys(folder)
	if err != nil {
		return record.KeyFile{}, err
	}
	if NewestActiveKey(keys) == nil {
		return record.KeyFile{}, errors.New("there is no active key; make one with \"colophon key generate\"")
	}
	added, err := d.AddKey(folder, days)
	if err != nil {
		return added, err
	}
	for _, k := range keys {
		if k.Status == record.KeyActive {
			k.Status = record.KeyRetired
			if err := d.WriteKey(folder, k); err != nil {
				return added, err
			}
		}
	}
	return added, nil
}

// FindKey returns a key that is not revoked.
func (d *Dir) FindKey(folder, id string) (record.KeyFile, error) {
	keys, err := d.ReadKeys(folder)
	if err != nil {
		return record.KeyFile{}, err
	}
	for _, k := range keys {
		switch {
		case k.KeyID != id:
		case k.Revoked != nil:
			return k, fmt.Errorf("key %q was revoked at %s; nothing is left to do but \"colophon build\"", id, exports.Instant(time.Unix(k.Revoked.At, 0)))
		default:
			return k, nil
		}
	}
	return record.KeyFile{}, fmt.Errorf("there is no key %q in %q; \"colophon key list\" shows those of records, with --ledger those of the ledger", id, d.File(folder))
}

// RevokeKey marks a key as revoked. An active one is replaced first, so that a
// kill in between leaves two keys rather than none.
func (d *Dir) RevokeKey(folder string, k record.KeyFile, r record.Revocation, days int) error {
	if k.Status == record.KeyActive {
		if _, err := d.AddKey(folder, days); err != nil {
			return err
		}
	}
	k.Status, k.Revoked = record.KeyRetired, &r
	return d.WriteKey(folder, k)
}

// FirstKeys creates the keys that are missing, and returns the id of the one
// that signs records.
func (d *Dir) FirstKeys() (string, error) {
	if _, err := d.firstKey(LedgerKeysFolder); err != nil {
		return "", err
	}
	return d.firstKey(KeysFolder)
}

// firstKey creates a key unless there is an active one.
func (d *Dir) firstKey(folder string) (string, error) {
	keys, err := d.ReadKeys(folder)
	if err != nil {
		return "", err
	}
	if k := NewestActiveKey(keys); k != nil {
		return k.KeyID, nil
	}
	k, err := d.AddKey(folder, KeyLife)
	return k.KeyID, err
}

// publicKeys returns the public keys of key files.
func publicKeys(files []record.KeyFile) ([]record.Key, error) {
	keys := make([]record.Key, 0, len(files))
	for i := range files {
		k, err := files[i].Key()
		if err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// KeySet returns every public key, for publishing and verifying.
func KeySet(files []record.KeyFile) (record.KeySet, error) {
	keys, err := publicKeys(files)
	if err != nil {
		return record.KeySet{}, err
	}
	return record.NewKeySet(keys...)
}

// EdgeKeys returns the keys with which guards of this registry sign receipts.
func (d *Dir) EdgeKeys() (record.KeySet, error) {
	keys, err := d.ReadKeys(KeysFolder)
	if err != nil {
		return record.KeySet{}, err
	}
	return KeySet(keys)
}
