package indexbuild

import (
	"context"
	"fmt"
	"math"

	"colophon/internal/searchindex"
)

// The files of the ledger are twice as large as those of other indexes: each
// change of an entry adds a leaf to it, whose digests fall into most of them.
const (
	leavesPerBlock  = 128
	ledgerLeafBytes = 12 << 10
)

// readLedger files the ledger entries, which come with the newest first.
func (b *builder) readLedger(ctx context.Context, _ map[string]site) error {
	c, err := b.openCollection(searchindex.Ledger, leavesPerBlock)
	if err != nil || b.src.Ledger == nil {
		return err
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
		d := c
		d.AddText(4, r.Title, r.EntryID, r.RecordDigest, r.Portable)
		d.AddText(1, r.Publisher, r.CanonicalURL)
		d.AddFacet("site", r.SiteID)
		if err := c.AddRecord(&r); err != nil {
			return err
		}
	}
	return nil
}
