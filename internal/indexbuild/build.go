package indexbuild

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"colophon/exports"
	"colophon/internal/extsort"
	"colophon/internal/lookup"
	"colophon/internal/release"
	"colophon/internal/searchindex/indexer"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// Builder is one build in progress.
type Builder struct {
	src   Source
	dir   string // temporary
	sites map[string]site
	out   indexer.Output

	pages   *pages
	others  []*indexer.Collection
	lookups [2]*buckets     // primary, fingerprint
	codes   *extsort.Sorter // similarity codes
	line    []byte          // reused for each entry
}

// ListFiles returns the list of an index's files, which are in a folder, by name
// with their digests; the generation, which is named by that list; and the digest
// of the list in hex.
func ListFiles(folder string, files []release.File) (list []byte, gen, digest string) {
	slices.SortFunc(files, func(x, y release.File) int { return strings.Compare(x.Name, y.Name) })
	for i := range files {
		f := &files[i]
		list = fmt.Appendf(list, "%x %d %s\n", f.SHA256, f.Size, strings.TrimPrefix(f.Name, folder))
	}
	digest = wire.SHA256Hex(list)
	return list, digest[:16], digest
}

// New begins an index of src, of which it reads everything but the entries. The
// caller must close the Builder, which removes its temporary files.
func New(src Source, opt Options) (*Builder, error) {
	dir, err := os.MkdirTemp(opt.Temp, ".index-*")
	if err != nil {
		return nil, err
	}
	b := &Builder{src: src, dir: dir, out: indexer.Output{Gen: staticindex.Unnamed, Put: opt.Put, Keep: opt.Keep}}
	if err := b.readCatalog(); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// readCatalog reads all records except the entries.
func (b *Builder) readCatalog() error {
	b.lookups[0] = newBuckets(b.dir, lookup.LookupPrimary, 45<<10, release.RangeURL, lookup.TagURL)
	b.lookups[1] = newBuckets(b.dir, lookup.LookupFingerprint, 12<<10, release.RangeFingerprint, lookup.TagPortableOf) // a change of a text changes four of them
	b.codes = extsort.New(b.dir, extsort.Memory/4)
	var err error
	if b.sites, err = b.readPublishers(); err != nil {
		return err
	}
	for _, step := range []func() error{b.readMap, b.readOffers, b.readDemand, b.readReservations} {
		if err := step(); err != nil {
			return err
		}
	}
	return b.openPages()
}

// Write puts the files of a new generation, once all entries were added, below
// the folder of the generation staticindex.Unnamed. It returns what belongs at
// staticindex.IndexKey, once the caller has named the generation.
//
// It also puts the files for private look-ups, which are sorted by the same keys.
func (b *Builder) Write(ctx context.Context, published exports.Release) (x staticindex.Index, ranges release.Ranges, err error) {
	if err := b.endPages(); err != nil {
		return x, ranges, err
	}
	x.Current = staticindex.Generation{Release: published, Pages: b.pages.count, LedgerSize: b.src.LedgerSize}
	group, writing := errgroup.WithContext(ctx)
	group.Go(func() error { return b.writeSearches(writing, &x.Current) })
	group.Go(func() error { return b.writeLookups(writing, &x.Current, &ranges) })
	return x, ranges, group.Wait()
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

// writeLookups puts the buckets of keys, the files for private look-ups and the
// similarity codes.
func (b *Builder) writeLookups(ctx context.Context, g *staticindex.Generation, ranges *release.Ranges) (err error) {
	if g.PBits, ranges.URLBits, err = b.writeBuckets(ctx, b.lookups[0]); err != nil {
		return err
	}
	if g.FBits, ranges.FingerprintBits, err = b.writeBuckets(ctx, b.lookups[1]); err != nil {
		return err
	}
	if ranges.HostBits, err = b.writeHosts(); err != nil {
		return err
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
	c, err := indexer.NewCollection(b.dir, name, perFile)
	if err == nil {
		b.others = append(b.others, c)
	}
	return c, err
}
