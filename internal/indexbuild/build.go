package indexbuild

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"slices"

	"golang.org/x/sync/errgroup"

	"colophon/exports"
	"colophon/internal/extsort"
	"colophon/internal/lookup"
	"colophon/internal/searchindex/indexer"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// layout is part of the name of a generation. It must change whenever the same
// records are stored differently, since the files of a generation never change.
const layout = "17"

// Builder is one build in progress.
type Builder struct {
	src   Source
	dir   string // temporary
	sites map[string]site
	sum   hash.Hash // over all records
	out   indexer.Output

	pages   *pages
	others  []*indexer.Collection
	lookups [2]*buckets     // primary, fingerprint
	codes   *extsort.Sorter // similarity codes
	line    []byte          // reused for each entry
}

// Build makes an index of src and of its entries, see New and Write.
func Build(ctx context.Context, src Source, opt Options) (staticindex.Index, error) {
	b, err := New(ctx, src, opt)
	if err != nil {
		return staticindex.Index{}, err
	}
	defer b.Close()
	if src.Entries != nil {
		for e, err := range src.Entries {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return staticindex.Index{}, fmt.Errorf("entry %q: %w", e.EntryID, err)
			}
			if err := b.AddEntry(&e); err != nil {
				return staticindex.Index{}, err
			}
		}
	}
	return b.Write(ctx, src.Release)
}

// New begins an index of src, of which it reads everything but the entries. The
// caller must close the Builder, which removes its temporary files.
func New(ctx context.Context, src Source, opt Options) (*Builder, error) {
	dir, err := os.MkdirTemp(opt.Temp, ".index-*")
	if err != nil {
		return nil, err
	}
	b := &Builder{src: src, dir: dir, sum: sha256.New(), out: indexer.Output{Put: opt.Put}}
	if err := b.readCatalog(ctx); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// readCatalog reads all records except the entries.
func (b *Builder) readCatalog(ctx context.Context) error {
	b.lookups[0] = newBuckets(b.dir, lookup.LookupPrimary, 45<<10)
	b.lookups[1] = newBuckets(b.dir, lookup.LookupFingerprint, 12<<10) // a change of a text changes four of them
	b.codes = extsort.New(b.dir, extsort.Memory/4)
	var err error
	if b.sites, err = b.readPublishers(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{b.readMap, b.readOffers, b.readDemand, b.readReservations} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return b.openPages()
}

// Write puts the files of a new generation, once all entries were added, and
// returns what it put at staticindex.IndexKey. If it fails, the files that it has
// put belong to a generation that nothing refers to.
func (b *Builder) Write(ctx context.Context, release exports.Release) (staticindex.Index, error) {
	if err := b.endPages(); err != nil {
		return staticindex.Index{}, err
	}
	b.sum.Write([]byte(staticindex.Format + " " + layout + "\n"))
	b.sum.Write(wire.Append(nil, &release))
	b.out.Gen = hex.EncodeToString(b.sum.Sum(nil))[:16]
	return b.writeIndex(ctx, release)
}

// writeIndex puts all files; the index's first file comes last.
func (b *Builder) writeIndex(ctx context.Context, release exports.Release) (staticindex.Index, error) {
	x := staticindex.Index{Current: staticindex.Generation{Gen: b.out.Gen, Release: release, Pages: b.pages.count, LedgerSize: b.src.LedgerSize}}
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
func (b *Builder) writeSearches(ctx context.Context, g *staticindex.Generation) error {
	for _, c := range append(slices.Clip(b.others), b.pages.c) {
		if err := c.Flush(); err != nil {
			return err
		}
	}
	for _, c := range b.others {
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
func (b *Builder) writeLookups(ctx context.Context, g *staticindex.Generation) error {
	for i, bits := range []*int64{&g.PBits, &g.FBits} {
		if err := b.writeBuckets(ctx, b.lookups[i], bits); err != nil {
			return err
		}
	}
	return b.writeCodes(ctx, &g.Codes)
}

// Close removes the temporary files.
func (b *Builder) Close() {
	if b.pages != nil {
		b.pages.c.Close()
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
	os.RemoveAll(b.dir)
}

// openCollection opens a collection of JSON records.
func (b *Builder) openCollection(name string, perFile int) (*indexer.Collection, error) {
	c, err := indexer.NewCollection(b.dir, name, perFile, b.sum)
	if err == nil {
		b.others = append(b.others, c)
	}
	return c, err
}
