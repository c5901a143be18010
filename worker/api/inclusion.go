package api

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

// ledgerLog returns the published ledger, or nil if none is published.
func (s *Service) ledgerLog(ctx context.Context) (*ledgerlog.Log, error) {
	read := func(path string) ([]byte, error) { return s.Files.Read(ctx, exports.PathLedgerLog[1:]+path) }
	policy, err := s.Files.ReadPath(ctx, exports.PathLedgerPolicy)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	keys, err := ledgerlog.PolicyKeys(policy)
	return &ledgerlog.Log{Keys: keys, Read: read, Verify: s.Verify}, err
}

// findInclusion computes from the tiles whether a record is in the ledger. The
// lookup index gives the place of the latest version; published files give
// those of earlier versions.
func (s *Service) findInclusion(ctx context.Context, record *wire.Value, a *exports.Verification) ledgerlog.Inclusion {
	out := ledgerlog.Inclusion{Code: outcome.NotChecked, Index: provrecord.NotLogged}
	leaf, err := provrecord.LeafOf(*record)
	if err != nil {
		return out
	}
	log, err := s.ledgerLog(ctx)
	switch {
	case err != nil:
		out.Code = outcome.LedgerUnavailable
		return out
	case log == nil:
		out.Code = outcome.NotInLedger
		return out
	}
	if a.LatestSHA256 == leaf.RecordSHA256 && a.LedgerIndex >= 0 {
		return log.AtIndex(provrecord.LeafBytes(leaf), a.LedgerIndex)
	}
	var place exports.LedgerPlace
	err = s.Files.ReadRecord(ctx, exports.PlacePath(leaf.EntryID, leaf.RecordVersion), &place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		out.Code = outcome.NotInLedger
		return out
	case err != nil:
		out.Code = outcome.LedgerUnavailable
		return out
	}
	if out = log.AtIndex(provrecord.LeafBytes(leaf), place.Index); out.Code == outcome.ProofInvalid { // another record is there
		out.Code = outcome.NotInLedger
	}
	return out
}
