package indexbuild

import (
	"context"
	"fmt"
	"hash"
	"math"

	"colophon/internal/searchindex"
	"colophon/internal/searchindex/indexer"
)

// The files of the ledger are twice as large as those of other indexes: each
// change of an entry adds a leaf, whose digests belong in most of them.
const (
	leavesPerBlock  = 128
	ledgerLeafBytes = 12 << 10
)

// readLedger adds the ledger entries, which come newest first, to their
// collection and to sum.
func (b *builder) readLedger(ctx context.Context, sum hash.Hash) error {
	c, err := indexer.NewCollection(b.dir, searchindex.Ledger, leavesPerBlock, sum)
	if err != nil {
		return err
	}
	b.ledger = c
	if b.src.Ledger == nil {
		return nil
	}
	c.SetLeafBytes(ledgerLeafBytes)
	last := int64(math.MaxInt64)
	for r, err := range b.src.Ledger {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("ledger entry %d: %w", r.Index, err)
		}
		if r.Index >= last {
			return fmt.Errorf("ledger entry %d comes after %d: the newest must be first", r.Index, last)
		}
		last = r.Index
		c.AddText(4, r.Title, r.EntryID, r.RecordDigest, r.Portable)
		c.AddText(1, r.Publisher, r.CanonicalURL)
		c.AddFacet("site", r.SiteID)
		if err := c.AddRecord(&r); err != nil {
			return err
		}
	}
	return nil
}
