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

// publishLedger writes the log with all that was appended, signs its state,
// asks the witnesses, and makes the proofs that citations carry. What is
// published elsewhere must be a beginning of it.
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
	if err := b.makeProofs(ctx, hashes); err != nil {
		return err
	}
	b.report.LedgerSize, b.report.Witnessed = b.log.size, b.log.policy.Cosigned(b.log.note)
	for path, data := range map[string][]byte{
		ledgerlog.CheckpointPath: b.log.note, ledger.PolicyFile: b.log.policy.Append(nil), ledger.KeyFile: []byte(b.log.policy.Keys[0].String() + "\n"),
	} {
		if err := b.out.writeFile(ledgerPrefix+path, data); err != nil {
			return err
		}
	}
	return nil
}

// stagedHashes reads the hashes of the log of this build.
func (b *build) stagedHashes(ctx context.Context) tlog.HashReader {
	return ledger.Recent(ledgerlog.NewTiles(b.log.size, b.readStagedTile(ctx)))
}

// checkPublishedStates checks that every state that is published, here or elsewhere, is a
// beginning of the log, and returns those states.
func (b *build) checkPublishedStates(ctx context.Context, hashes tlog.HashReader) ([]ledgerlog.Checkpoint, error) {
	read := b.readPublishedLog(ctx)
	sources := []func() ([]byte, error){func() ([]byte, error) { return read(ledgerlog.CheckpointPath) }}
	if live := b.opt.Ledger.Live; live != nil {
		sources = append(sources, func() ([]byte, error) { return live(ctx) })
	}
	if remembered := b.opt.Ledger.Remembered; remembered != nil {
		sources = append(sources, remembered)
	}
	var out []ledgerlog.Checkpoint
	for _, source := range sources {
		note, err := source()
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

// ownCheckpoint opens a checkpoint under any key that the log ever had.
func (b *build) ownCheckpoint(note []byte) (ledgerlog.Checkpoint, error) {
	for i := range b.opt.Ledger.Keys {
		key := ledgerlog.VerifierKey{Name: b.log.name, Public: b.opt.Ledger.Keys[i].Public}
		if c, err := ledgerlog.OpenCheckpoint(note, key, record.Ed25519); err == nil {
			return c, nil
		}
	}
	return ledgerlog.Checkpoint{}, fmt.Errorf("%w: the checkpoint that is published is not signed by a key of the log %q", ErrUnsafe, b.log.name)
}

// signLedger signs the state of the log, unless that was done before: a size
// is signed once. Witnesses that have not cosigned it are asked.
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
		return fmt.Errorf("%d of %d witnesses cosigned the ledger, %d must: %w", n, len(b.opt.Ledger.Witnesses), b.opt.Ledger.Quorum, errors.Join(b.report.Unheard...))
	}
	b.log.note = note
	reached("witnessed")
	switch {
	case known == nil:
		c := origin.LedgerCheckpoint{Size: b.log.size, Root: root, Name: b.log.name, KeyID: b.opt.Ledger.Signer.KeyID(), Note: string(note), Cosigned: string(note)}
		b.log.checkpoints, b.log.notes[c.Size] = append(b.log.checkpoints, c), c.Note
		return b.store.AddCheckpoint(ctx, c)
	case string(note) != before:
		return b.store.SetCosigned(ctx, b.log.size, string(note))
	}
	return nil
}

// makeProofs makes the inclusion proofs of leaves that have none, and those
// anew that lead to a checkpoint of a key that was revoked. Each leads to the
// first checkpoint that covers the leaf.
func (b *build) makeProofs(ctx context.Context, hashes tlog.HashReader) error {
	at, err := b.store.ProofsEnd(ctx)
	if err != nil {
		return err
	}
	trusted := b.trustedSizes()
	for at < b.log.size {
		var batch []int64
		for ; at < b.log.size && len(batch) < ledgerBatch; at++ {
			batch = append(batch, at)
		}
		if err := b.putProofs(ctx, trusted, batch, hashes); err != nil {
			return err
		}
	}
	for _, k := range b.opt.Ledger.Keys {
		for k.Revoked != nil {
			stale, err := b.store.ProofsUnder(ctx, k.ID, ledgerBatch)
			if err != nil {
				return err
			}
			if len(stale) == 0 {
				break
			}
			if err := b.putProofs(ctx, trusted, stale, hashes); err != nil {
				return err
			}
		}
	}
	return nil
}

// trustedSizes lists the sizes that were signed by keys that were not revoked.
func (b *build) trustedSizes() []int64 {
	revoked := map[string]bool{}
	for _, k := range b.opt.Ledger.Keys {
		revoked[k.ID] = k.Revoked != nil
	}
	var out []int64
	for _, c := range b.log.checkpoints {
		if !revoked[c.KeyID] {
			out = append(out, c.Size)
		}
	}
	return out
}

func (b *build) putProofs(ctx context.Context, sizes, positions []int64, hashes tlog.HashReader) error {
	proofs := make([]origin.LedgerProof, 0, len(positions))
	for _, at := range positions {
		for sizes[0] <= at {
			sizes = sizes[1:]
		}
		path, err := tlog.ProveRecord(sizes[0], at, hashes)
		if err != nil {
			return fmt.Errorf("the proof of leaf %d: %w", at, err)
		}
		p := origin.LedgerProof{Position: at, Size: sizes[0]}
		for _, h := range path {
			p.Path = append(p.Path, h[:]...)
		}
		proofs = append(proofs, p)
	}
	err := b.store.PutProofs(ctx, proofs)
	reached("proofs")
	return err
}

// verifierKey is the key that signs the log now, "" for no log.
func (b *build) verifierKey() string {
	if len(b.log.policy.Keys) == 0 {
		return ""
	}
	return b.log.policy.Keys[0].String()
}
