package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"filippo.io/age"

	"colophon/internal/ledgerlog"
	"colophon/internal/originsql"
	"colophon/internal/record"
)

// Errors that callers judge.
var (
	ErrNotEmpty = errors.New("the target is not empty")
	ErrRollback = errors.New("the backup is stale: restoring it would roll a published ledger back")
	ErrOtherLog = errors.New("what is published is not the ledger of this backup")
)

// Published is a checkpoint that is published somewhere.
type Published struct {
	Where string // for messages
	Note  []byte
}

// RestoreOptions says what to restore, and how to judge it.
type RestoreOptions struct {
	ID         string // "" the newest
	Dir        string // the new registry folder: missing, or empty
	Identities []age.Identity
	Open       OpenFunc

	// Published returns the checkpoints that are published.
	Published func(context.Context, Manifest) ([]Published, error)

	// Check judges the settings, the keys and the secret in a folder, and
	// returns the public keys of the ledger.
	Check func(dir string) ([]record.Key, error)

	// Record writes into the restored folder, before it takes the place of the
	// target, that it was restored; nil: nothing is written.
	Record func(ctx context.Context, dir string, m Manifest) error

	AcceptRollback bool // restore in spite of ErrRollback and ErrOtherLog
	DryRun         bool // verify everything, and leave nothing behind
}

// HeadName is the file in a registry that remembers the newest state of the
// ledger that was published or restored.
const HeadName = "ledger-head"

// Restore makes a registry folder from a backup. Everything is verified in a
// folder beside the target, which takes the target's place in one step at the
// end: a restore that fails or is killed leaves no target.
func Restore(ctx context.Context, from Repository, opt RestoreOptions) (Manifest, error) {
	if err := checkEmpty(opt.Dir); err != nil {
		return Manifest{}, err
	}
	m, newer, err := chooseBackup(ctx, from, opt.ID)
	if err != nil {
		return m, err
	}
	if latest := originsql.LatestSchema(); m.SchemaVersion > latest {
		return m, fmt.Errorf("%w: its schema is %d, this program's %d", ErrNewer, m.SchemaVersion, latest)
	}
	staging, err := makeStaging(opt.Dir)
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(staging)

	archive, err := from.Archive(ctx, m.ID)
	if err != nil {
		return m, err
	}
	err = readArchive(archive, staging, m, opt.Identities)
	if closed := archive.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return m, err
	}
	keys, err := opt.Check(staging)
	if err != nil {
		return m, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	published, err := opt.Published(ctx, m)
	if err != nil {
		return m, err
	}
	if err := checkOrigin(ctx, opt, staging, m, keys, append(newer, published...)); err != nil {
		return m, err
	}
	if opt.DryRun {
		return m, nil
	}
	if m.Ledger.Size > 0 {
		if err := writeSynced(filepath.Join(staging, HeadName), []byte(m.Ledger.Note)); err != nil {
			return m, err
		}
	}
	if opt.Record != nil {
		if err := opt.Record(ctx, staging, m); err != nil {
			return m, err
		}
	}
	return m, installFolder(staging, opt.Dir)
}

// checkEmpty accepts a folder that is missing or empty.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%w: %q holds %q; restore into a new folder", ErrNotEmpty, dir, entries[0].Name())
	}
	return nil
}

// chooseBackup returns the manifest of the backup to restore, and the states of the
// ledger in those that are newer.
func chooseBackup(ctx context.Context, from Repository, id string) (Manifest, []Published, error) {
	ids, err := from.List(ctx)
	if err != nil {
		return Manifest{}, nil, err
	}
	if len(ids) == 0 {
		return Manifest{}, nil, fmt.Errorf("%w in %s", ErrNoBackup, from)
	}
	if id == "" {
		id = ids[len(ids)-1]
	}
	m, err := ReadManifest(ctx, from, id)
	if err != nil {
		return m, nil, err
	}
	var newer []Published
	for _, other := range ids {
		if other <= id {
			continue
		}
		n, err := ReadManifest(ctx, from, other)
		if err == nil && n.Ledger.Size > 0 {
			newer = append(newer, Published{Where: "the newer backup " + other, Note: []byte(n.Ledger.Note)})
		}
	}
	return m, newer, nil
}

// ReadManifest reads and checks the manifest of a backup.
func ReadManifest(ctx context.Context, from Repository, id string) (Manifest, error) {
	if !idPattern.MatchString(id) {
		return Manifest{}, fmt.Errorf("%w %q in %s", ErrNoBackup, id, from)
	}
	data, err := from.Manifest(ctx, id)
	if err != nil {
		return Manifest{}, err
	}
	m, err := parseManifest(data)
	if err == nil && m.ID != id {
		return m, fmt.Errorf("%w: its manifest has the id %q", ErrDamaged, m.ID)
	}
	return m, err
}

// checkOrigin holds the restored origin against the manifest, and its ledger
// against every state of it that is known.
func checkOrigin(ctx context.Context, opt RestoreOptions, dir string, m Manifest, keys []record.Key, known []Published) error {
	db, err := opt.Open(filepath.Join(dir, DatabaseName))
	if err != nil {
		return damageOf(ErrDamaged, err)
	}
	defer db.Close()
	if err := CheckIntegrity(ctx, db); err != nil {
		return damageOf(ErrDamaged, err)
	}
	schema, err := originsql.SchemaVersion(ctx, db)
	if err != nil {
		return err
	}
	head, err := readHead(ctx, db)
	if err != nil {
		return damageOf(ErrDamaged, err)
	}
	if schema != m.SchemaVersion || head != m.Ledger {
		return fmt.Errorf("%w: its manifest does not describe its origin store", ErrDamaged)
	}
	return checkLedger(ctx, db, head, keys, known, opt.AcceptRollback)
}

// CheckIntegrity runs SQLite's own checks over the whole database.
func CheckIntegrity(ctx context.Context, db *sql.DB) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return errors.New(verdict)
	}
	var table string
	var row, parent, constraint any
	err := db.QueryRowContext(ctx, "PRAGMA foreign_key_check").Scan(&table, &row, &parent, &constraint)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("a row of the table %q refers to one of %v that is missing", table, parent)
}

// checkLedger recomputes the ledger from its leaves.
func checkLedger(ctx context.Context, db *sql.DB, head Head, keys []record.Key, known []Published, acceptRollback bool) error {
	heads := make([]Head, len(known))
	sizes := []int64{head.Size}
	for i, p := range known {
		h, err := ParseHead(p.Note)
		if err != nil {
			return fmt.Errorf("the checkpoint of %s: %w", p.Where, err)
		}
		heads[i] = h
		sizes = append(sizes, h.Size)
	}
	roots, err := ledgerRoots(ctx, db, sizes...)
	if err != nil {
		return damageOf(ErrDamaged, err)
	}
	if head.Size > 0 && (roots[head.Size] != head.Root || !isSigned(head, keys)) {
		return fmt.Errorf("%w: the leaves of its ledger are not those that were signed", ErrDamaged)
	}
	if acceptRollback {
		return nil
	}
	for i, h := range heads {
		switch {
		case h.Origin != head.Origin && head.Size > 0:
			return fmt.Errorf("%w: %s has the log %q, the backup %q", ErrOtherLog, known[i].Where, h.Origin, head.Origin)
		case h.Size > head.Size:
			return fmt.Errorf("%w: the backup has %d leaves, %s has %d", ErrRollback, head.Size, known[i].Where, h.Size)
		case h.Size > 0 && roots[h.Size] != h.Root:
			return fmt.Errorf("%w: the %d leaves of %s are not the first %d of the backup", ErrOtherLog, h.Size, known[i].Where, h.Size)
		}
	}
	return nil
}

// isSigned reports whether a key of the ledger signed a state.
func isSigned(h Head, keys []record.Key) bool {
	for i := range keys {
		key := ledgerlog.VerifierKey{Name: h.Origin, Public: keys[i].Public}
		if _, err := ledgerlog.OpenCheckpoint([]byte(h.Note), key, record.Ed25519); err == nil {
			return true
		}
	}
	return false
}

// makeStaging makes a private folder beside the target.
func makeStaging(target string) (string, error) {
	target = filepath.Clean(target)
	parent := filepath.Dir(target)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	prefix := "." + filepath.Base(target) + ".restore-"
	removeLeftovers(parent, prefix)
	return os.MkdirTemp(parent, prefix)
}

// installFolder brings a folder to disk and puts it in place of an empty or
// missing one.
func installFolder(staging, target string) error {
	err := filepath.WalkDir(staging, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return Sync(path)
	})
	if err != nil {
		return err
	}
	target = filepath.Clean(target)
	if err := os.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot take the place of %q (a mount point, or no longer empty?): restore into a new folder inside it: %w", target, err)
	}
	if err := os.Rename(staging, target); err != nil {
		return err
	}
	return Sync(filepath.Dir(target))
}
