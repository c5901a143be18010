package generator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/exports"
	"colophon/generator/ledger"
	"colophon/internal/ledgerlog"
	"colophon/internal/origin"
	"colophon/internal/outcome"
	"colophon/internal/record"
)

// LedgerOptions are the options of the log.
type LedgerOptions struct {
	Signer    record.Signer // must not sign records too
	Keys      []record.Key  // every key of the log, including the signer's
	Witnesses []ledger.Witness
	Quorum    int // number of witnesses that must cosign; 0 means that a build is published without cosignatures
	// Served reads the checkpoint that is published elsewhere. It returns
	// fs.ErrNotExist if there is none. Served may be nil.
	Served func(context.Context) ([]byte, error)
	// Remembered reads the checkpoint that an earlier build or a restore noted.
	// It returns fs.ErrNotExist if there is none. Remembered may be nil.
	Remembered func() ([]byte, error)
}

// elsewhere returns readers of the checkpoints that are known elsewhere.
func (l *LedgerOptions) elsewhere(ctx context.Context) (list []func() ([]byte, error)) {
	if l.Served != nil {
		list = append(list, func() ([]byte, error) { return l.Served(ctx) })
	}
	if l.Remembered != nil {
		list = append(list, l.Remembered)
	}
	return list
}

// ledgerState is what a build knows about the log. The zero value means that
// there is no log.
type ledgerState struct {
	name        string // its origin line
	size        int64  // number of leaves, including those of this build
	indexed     int64  // number of leaves when the index was built
	checkpoints []origin.LedgerCheckpoint
	note        []byte // the checkpoint, as published
	root        tlog.Hash
	policy      ledger.Policy
	packed      map[string][]byte // tiles of hashes that this build wrote to packs, by path; 32 bytes a leaf
}

// ledgerPrefix is the prefix of the names of the log's files.
var ledgerPrefix = strings.TrimPrefix(exports.PathLedgerLog, "/")

// openLedger reads what was signed before. The name of a log is set once and
// never changes, even if the address of the service does.
func (b *build) openLedger(ctx context.Context) error {
	var err error
	if b.log.size, err = b.store.LedgerSize(ctx); err != nil {
		return err
	}
	if b.opt.Ledger == nil {
		_, err := os.Stat(filepath.Join(b.out.dir, filepath.FromSlash(ledgerPrefix+ledgerlog.CheckpointPath)))
		if b.log.size > 0 || err == nil {
			return fmt.Errorf("%w: there is a ledger, but no key to sign it with", ErrUnsafe)
		}
		return nil
	}
	if b.log.checkpoints, err = b.store.LedgerCheckpoints(ctx); err != nil {
		return err
	}
	_, host, _ := strings.Cut(b.opt.BaseURL, "://")
	b.log.name = host + "/ledger"
	for _, c := range b.log.checkpoints {
		b.log.name = c.Name
	}
	b.log.policy = ledger.Policy{Witnesses: b.opt.Ledger.Witnesses, Quorum: b.opt.Ledger.Quorum}
	for i := range b.opt.Ledger.Keys {
		k := &b.opt.Ledger.Keys[i]
		verifier := ledgerlog.VerifierKey{Name: b.log.name, Public: k.Public}
		switch {
		case k.ID == b.opt.Ledger.Signer.KeyID():
			b.log.policy.Keys = append([]ledgerlog.VerifierKey{verifier}, b.log.policy.Keys...)
		case k.Revoked == nil:
			b.log.policy.Keys = append(b.log.policy.Keys, verifier)
		}
	}
	return nil
}

// signedSizes lists the sizes that were signed, and the one that will be
// signed.
func (l *ledgerState) signedSizes() []int64 {
	var out []int64
	for _, c := range l.checkpoints {
		out = append(out, c.Size)
	}
	if n := len(out); l.size > 0 && (n == 0 || out[n-1] < l.size) {
		out = append(out, l.size)
	}
	return out
}

// logged maps entries to the places of their records in the log.
type logged map[string][]origin.LoggedRecord

// readLogged reads the places for the rows of a batch that are due.
func (b *build) readLogged(ctx context.Context, rows []pageRow) (logged, error) {
	var due []string
	for i := range rows {
		if rows[i].due {
			due = append(due, rows[i].page.EntryID)
		}
	}
	if b.opt.Ledger == nil || len(due) == 0 {
		return nil, nil
	}
	found, err := b.store.LoggedRecords(ctx, rows[0].page.SiteID, due)
	out := logged{}
	for _, r := range found {
		out[r.EntryID] = append(out[r.EntryID], r)
	}
	return out, err
}

func (l logged) positionOf(r origin.Record) int64 {
	for _, x := range l[r.EntryID] {
		if x.Version == r.Version {
			return x.Position
		}
	}
	return record.NotLogged
}

// findVoidRecords finds the entries whose last record is void, because its key
// was revoked and the record was not logged before that.
func (b *build) findVoidRecords(ctx context.Context, rows []pageRow) (map[string]bool, error) {
	revoked := false
	for _, k := range b.opt.Keys.Keys() {
		revoked = revoked || k.Revoked != nil
	}
	if !revoked {
		return nil, nil
	}
	where, err := b.readLogged(ctx, rows)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		if !r.due || r.last.JSON == "" {
			continue
		}
		x, err := decodeRecord(r.last.JSON)
		if err != nil {
			return nil, err
		}
		key := b.opt.Keys.Find(x.Proof.KeyID)
		out[r.page.EntryID] = key != nil && key.Revoked != nil && record.KeyPolicy(key, x.Proof.Created, where.positionOf(r.last)) == outcome.KeyRevoked
	}
	return out, nil
}
