package indexbuild

import (
	"context"
	"fmt"
	"math"

	"colophon/internal/searchindex"
	"colophon/internal/searchindex/indexer"
)

// leavesPerBlock is how many leaves of the ledger are in a block: few, because a
// change of an entry changes the rows of all its leaves.
const leavesPerBlock = 32

// readLedger adds the ledger entries, which come newest first, to their
// collection and to their digest.
func (b *Builder) readLedger(ctx context.Context) error {
	c, err := indexer.NewCollection(b.dir, searchindex.Ledger, leavesPerBlock, b.ledgerSum)
	if err != nil {
		return err
	}
	b.ledger = c
	if b.src.Ledger == nil {
		return nil
	}
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
