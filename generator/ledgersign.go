package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/generator/ledger"
	"colophon/internal/ledgerlog"
	"colophon/internal/origin"
	"colophon/internal/record"
)

// publishLedger writes the log with everything that was appended, signs its
// state, and asks the witnesses. A log that is published elsewhere must be a
// prefix of it.
func (b *build) publishLedger(ctx context.Context) error {
	if b.opt.Ledger == nil {
		return nil
	}
	b.log.packed = map[string][]byte{}
	defer func() { b.log.packed = nil }()
	if err := b.ledgerTiles(ctx); err != nil {
		return err
	}
	hashes := b.stagedHashes(ctx)
	earlier, err := b.checkPublishedStates(ctx, hashes)
	if err != nil {
		return err
	}
	if err := b.signLedger(ctx, hashes); err != nil {
		return err
	}
	if err := ledger.Agree(b.readStagedTile(ctx), b.log.note, b.log.policy.Keys[0], earlier...); err != nil {
		return fmt.Errorf("the ledger does not hold: %w", err)
	}
	reached("signed")
	b.report.LedgerSize, b.report.Witnesses, b.report.Witnessed = b.log.size, len(b.log.policy.Witnesses), b.log.policy.Cosigned(b.log.note)
	for path, data := range map[string][]byte{
		ledgerlog.CheckpointPath: b.log.note, ledger.PolicyFile: b.log.policy.Append(nil), ledger.KeyFile: []byte(b.log.policy.Keys[0].String() + "\n"),
	} {
		if err := b.out.writeFile(ledgerPrefix+path, data); err != nil {
			return err
		}
	}
	return nil
}

// stagedHashes returns a reader of the hashes in the log of this build.
func (b *build) stagedHashes(ctx context.Context) tlog.HashReader {
	return ledgerlog.NewTiles(b.log.size, b.readStagedTile(ctx))
}

// checkPublishedStates checks that every state published here or elsewhere is a
// prefix of the log, and returns those states.
func (b *build) checkPublishedStates(ctx context.Context, hashes tlog.HashReader) ([]ledgerlog.Checkpoint, error) {
	read := b.readPublishedLog(ctx)
	own := func() ([]byte, error) { return read(ledgerlog.CheckpointPath) }
	var out []ledgerlog.Checkpoint
	for _, read := range append([]func() ([]byte, error){own}, b.opt.Ledger.elsewhere(ctx)...) {
		note, err := read()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read the checkpoint that is published: %w", err)
		}
		c, err := b.ownCheckpoint(note)
		if err != nil {
			return nil, err
		}
		if c.Size > b.log.size {
			return nil, fmt.Errorf("%w: the ledger that is published has %d leaves, that of the origin %d: was the origin restored from a backup? A log is never rolled back", ErrUnsafe, c.Size, b.log.size)
		}
		root, err := tlog.TreeHash(c.Size, hashes)
		if err != nil {
			return nil, err
		}
		if root != c.Root {
			return nil, fmt.Errorf("%w: the ledger of the origin does not begin with the %d leaves that are published", ErrUnsafe, c.Size)
		}
		out = append(out, c)
	}
	return out, nil
}

// ownCheckpoint verifies a checkpoint with any key that the log ever had.
func (b *build) ownCheckpoint(note []byte) (ledgerlog.Checkpoint, error) {
	for i := range b.opt.Ledger.Keys {
		key := ledgerlog.VerifierKey{Name: b.log.name, Public: b.opt.Ledger.Keys[i].Public}
		if c, err := ledgerlog.OpenCheckpoint(note, key, record.Ed25519); err == nil {
			return c, nil
		}
	}
	return ledgerlog.Checkpoint{}, fmt.Errorf("%w: the checkpoint that is published is not signed by a key of the log %q", ErrUnsafe, b.log.name)
}

// signLedger signs the state of the log, unless it is signed already: each size
// is signed once. It asks the witnesses that have not cosigned the state.
func (b *build) signLedger(ctx context.Context, hashes tlog.HashReader) error {
	root := b.log.root.String()
	since := int64(0)
	var known *origin.LedgerCheckpoint
	for i := range b.log.checkpoints {
		if c := &b.log.checkpoints[i]; c.Size == b.log.size {
			known = c
		} else {
			since = c.Size
		}
	}
	var note []byte
	if known != nil {
		if known.Root != root {
			return fmt.Errorf("%w: another root was signed for the %d leaves of the ledger", ErrUnsafe, b.log.size)
		}
		note = []byte(known.Cosigned)
	} else {
		var err error
		c := ledgerlog.Checkpoint{Origin: b.log.name, Size: b.log.size, Root: b.log.root}
		if note, err = ledgerlog.SignCheckpoint(c, b.log.policy.Keys[0].Public, b.opt.Ledger.Signer); err != nil {
			return fmt.Errorf("cannot sign the ledger: %w", err)
		}
	}
	before := string(note)
	note, b.report.Unheard = ledger.Ask(ctx, note, b.opt.Ledger.Witnesses, since, hashes)
	if n := b.log.policy.Cosigned(note); n < b.opt.Ledger.Quorum {
		return fmt.Errorf("%d of %d witnesses cosigned the ledger, and witness_quorum asks for %d: nothing was published; build again when they answer: %w", n, len(b.opt.Ledger.Witnesses), b.opt.Ledger.Quorum, errors.Join(b.report.Unheard...))
	}
	b.log.note = note
	reached("witnessed")
	switch {
	case known == nil:
		c := origin.LedgerCheckpoint{Size: b.log.size, Root: root, Name: b.log.name, KeyID: b.opt.Ledger.Signer.KeyID(), Cosigned: string(note)}
		b.log.checkpoints = append(b.log.checkpoints, c)
		return b.store.AddCheckpoint(ctx, c)
	case string(note) != before:
		return b.store.SetCosigned(ctx, b.log.size, string(note))
	}
	return nil
}
