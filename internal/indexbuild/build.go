package indexbuild

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"os"
	"slices"

	"golang.org/x/sync/errgroup"

	"colophon/internal/extsort"
	"colophon/internal/lookup"
	"colophon/internal/searchindex/indexer"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// layout is part of the name of a generation. It must change whenever the same
// records are stored differently, since the files of a generation never change.
const layout = "14"

// builder is one build in progress.
type builder struct {
	src Source
	dir string    // temporary
	sum hash.Hash // over all records but the ledger's
	out indexer.Output

	pages   *pages
	others  []*indexer.Collection
	ledger  *indexer.Collection
	lookups [2]*buckets     // primary, fingerprint
	codes   *extsort.Sorter // similarity codes

	facts []byte // of the current entry, in the form of lookups
	line  []byte // reused for each line
}

// Build reads src and puts the files of a new generation. It returns what it
// put at staticindex.IndexKey. A failed build leaves no temporary files; the
// files that it has put belong to a generation that nothing refers to.
func Build(ctx context.Context, src Source, opt Options) (staticindex.Index, error) {
	b := &builder{src: src, sum: sha256.New(), out: indexer.Output{Put: opt.Put}}
	dir, err := os.MkdirTemp(opt.Temp, ".index-*")
	if err != nil {
		return staticindex.Index{}, err
	}
	b.dir = dir
	defer os.RemoveAll(dir)
	defer b.close()
	if err := b.readRecords(ctx); err != nil {
		return staticindex.Index{}, err
	}
	return b.writeIndex(ctx)
}

// readRecords reads all records, those of the ledger concurrently with the
// others, and names the generation by their digest.
func (b *builder) readRecords(ctx context.Context) error {
	ledgerSum := sha256.New()
	group, reading := errgroup.WithContext(ctx)
	group.Go(func() error { return b.readLedger(reading, ledgerSum) })
	group.Go(func() error { return b.readCatalog(reading) })
	if err := group.Wait(); err != nil {
		return err
	}
	b.sum.Write(ledgerSum.Sum(nil))
	b.out.Gen = hex.EncodeToString(b.sum.Sum(nil))[:16]
	return nil
}

// readCatalog reads all records except the ledger's.
func (b *builder) readCatalog(ctx context.Context) error {
	b.sum.Write([]byte(staticindex.Format + " " + layout + "\n"))
	b.sum.Write(wire.Append(nil, &b.src.Release))
	b.lookups[0] = newBuckets(b.dir, lookup.LookupPrimary, 45<<10)
	b.lookups[1] = newBuckets(b.dir, lookup.LookupFingerprint, 12<<10) // a change of a text changes four of them
	b.codes = extsort.New(b.dir, extsort.Memory/4)
	sites, err := b.readPublishers(ctx)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context, map[string]site) error{b.readPages, b.readMap, b.readOffers, b.readDemand, b.readReservations} {
		if err := step(ctx, sites); err != nil {
			return err
		}
	}
	b.pages.orderPages()
	return nil
}

// writeIndex puts all files; the index's first file comes last.
func (b *builder) writeIndex(ctx context.Context) (staticindex.Index, error) {
	x := staticindex.Index{Current: staticindex.Generation{Gen: b.out.Gen, Release: b.src.Release, Pages: b.pages.count, LedgerSize: b.src.LedgerSize}}
	group, writing := errgroup.WithContext(ctx)
	group.Go(func() error { return b.writeSearches(writing, &x.Current) })
	group.Go(func() error { return b.writeLookups(writing, &x.Current) })
	if err := group.Wait(); err != nil {
		return x, err
	}
	err := b.out.Put(staticindex.IndexKey, wire.Append(nil, &x))
	return x, err
}

// writeSearches puts the files for searching collections, and the lists.
func (b *builder) writeSearches(ctx context.Context, g *staticindex.Generation) error {
	small := slices.Concat(b.others, []*indexer.Collection{b.ledger})
	for _, c := range append(small, b.pages.c) {
		if err := c.Flush(); err != nil {
			return err
		}
	}
	for _, c := range small {
		if err := c.WriteIndex(ctx, &b.out); err != nil {
			return err
		}
		c.Release() // before the pages, which need the most memory
	}
	if err := b.pages.c.WriteIndex(ctx, &b.out); err != nil {
		return err
	}
	if err := b.writeSites(g); err != nil {
		return err
	}
	b.pages.c.Release()
	return nil
}

// writeLookups puts the buckets of keys, and the similarity codes.
func (b *builder) writeLookups(ctx context.Context, g *staticindex.Generation) error {
	for i, bits := range []*int64{&g.PBits, &g.FBits} {
		if err := b.writeBuckets(ctx, b.lookups[i], bits); err != nil {
			return err
		}
	}
	return b.writeCodes(ctx, &g.Codes)
}

func (b *builder) close() {
	if b.pages != nil {
		b.pages.c.Close()
	}
	if b.ledger != nil {
		b.ledger.Close()
	}
	for _, c := range b.others {
		c.Close()
	}
	for _, l := range b.lookups {
		if l != nil {
			l.lines.Close()
		}
	}
	if b.codes != nil {
		b.codes.Close()
	}
}

// openCollection opens a collection of JSON records.
func (b *builder) openCollection(name string, perFile int) (*indexer.Collection, error) {
	c, err := indexer.NewCollection(b.dir, name, perFile, b.sum)
	if err == nil {
		b.others = append(b.others, c)
	}
	return c, err
}
