package worker

import (
	"context"
	"errors"
	"io/fs"

	"colophon/exports"
	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
	provrecord "colophon/internal/record"
	"colophon/internal/wire"
)

// ledgerLog is the published ledger; it is nil where none is published.
func (c *call) ledgerLog(ctx context.Context) (*ledgerlog.Log, error) {
	read := func(path string) ([]byte, error) { return c.deps.Assets.Read(ctx, exports.PathLedgerLog[1:]+path) }
	policy, err := c.deps.Assets.Read(ctx, string(exports.KeyOf(exports.PathLedgerPolicy)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	keys, err := ledgerlog.PolicyKeys(policy)
	return &ledgerlog.Log{Keys: keys, Read: read, Verify: c.deps.Verify}, err
}

// findInclusion finds out whether a record is in the ledger: by the proof that was
// given, by the tiles where the index of lookups names its place, or by the
// proof that is published with a version that is no longer the latest. It
// reads only the tiles that this needs.
func (c *call) findInclusion(ctx context.Context, record *wire.Value, proof string, a *exports.Verification) ledgerlog.Inclusion {
	out := ledgerlog.Inclusion{Code: outcome.NotChecked, Index: provrecord.NotLogged}
	leaf, err := provrecord.LeafOf(*record)
	if err != nil {
		return out
	}
	log, err := c.ledgerLog(ctx)
	switch {
	case err != nil:
		out.Code = outcome.LedgerUnavailable
		return out
	case log == nil:
		out.Code = outcome.NotInLedger
		return out
	}
	bytes := provrecord.LeafBytes(leaf)
	switch {
	case proof != "":
		return log.ByProof(bytes, []byte(proof))
	case a.LatestSHA256 == leaf.RecordSHA256 && a.LedgerIndex >= 0:
		return log.AtIndex(bytes, a.LedgerIndex)
	}
	published, err := c.deps.Assets.Read(ctx, string(exports.KeyOf(exports.ProofPath(leaf.EntryID, leaf.RecordVersion))))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		out.Code = outcome.NotInLedger
		return out
	case err != nil:
		out.Code = outcome.LedgerUnavailable
		return out
	}
	if out = log.ByProof(bytes, published); out.Code == outcome.ProofInvalid { // that of another record
		out.Code = outcome.NotInLedger
	}
	return out
}
