package listing

import (
	"context"
	"slices"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
)

// pageList is the registered pages of the service or of one publisher, the ones
// registered last first.
type pageList struct {
	files  *staticindex.Files
	gen    *staticindex.Generation
	first  int  // number of the first page of a publisher
	count  int  // of pages
	feed   bool // these are the pages of all publishers, whose order is in files
	blocks map[int]staticindex.Block
	order  map[int][]uint32 // parts of the order of the feed
}

func (c *Lists) newPageList(g *staticindex.Generation) *pageList {
	return &pageList{files: c.files, gen: g, blocks: map[int]staticindex.Block{}, order: map[int][]uint32{}}
}

// openFeed opens the list of all pages.
func (c *Lists) openFeed(g *staticindex.Generation) *pageList {
	l := c.newPageList(g)
	l.feed, l.count = true, int(g.Pages)
	return l
}

// openInventory opens the list of a publisher's pages.
func (c *Lists) openInventory(g *staticindex.Generation, row *SiteRow) *pageList {
	l := c.newPageList(g)
	l.first, l.count = int(row.First), int(row.Count)
	return l
}

// readWindow reads the part of the list that w asks for. If that begins after a
// record, it is moved to the record's present place.
func (l *pageList) readWindow(ctx context.Context, w *staticindex.Window) ([]query.Found, error) {
	pos, before := w.Pos, ""
	if w.After() != "" {
		pos--
	}
	hits, err := l.read(ctx, pos, w.Pos+w.Limit)
	if err != nil {
		return nil, err
	}
	if w.After() != "" && len(hits) > 0 {
		before, hits = query.PlaceOf(&hits[0].Doc), hits[1:]
	}
	pos = w.Pos
	err = w.Resume(before, true, l.count, func(i int) (string, error) {
		one, err := l.read(ctx, i, i+1)
		return query.LastPlace(one), err
	})
	if err != nil || w.Pos == pos {
		return hits, err
	}
	return l.read(ctx, w.Pos, w.Pos+w.Limit)
}

// read reads the pages from a place on to before another one.
func (l *pageList) read(ctx context.Context, from, to int) ([]query.Found, error) {
	numbers, err := l.numbers(ctx, min(from, l.count), min(to, l.count))
	if err != nil {
		return nil, err
	}
	if err := l.loadBlocks(ctx, numbers); err != nil {
		return nil, err
	}
	per := int(l.gen.PerFile)
	out := make([]query.Found, len(numbers))
	for i, n := range numbers {
		d, err := searchindex.LoadDoc(l.blocks[n/per][n%per])
		if err != nil {
			return nil, staticindex.OutageError(string(l.blockKey(n/per)), err)
		}
		out[i].Doc = d
	}
	return out, nil
}

// numbers returns the numbers of the pages from one place up to, but not
// including, another.
func (l *pageList) numbers(ctx context.Context, from, to int) ([]int, error) {
	var out []int
	for at := from; at < to; at++ {
		if !l.feed {
			out = append(out, l.first+at)
			continue
		}
		part, err := l.readOrder(ctx, at/searchindex.OrderPart)
		if err != nil {
			return nil, err
		}
		out = append(out, int(part[at%searchindex.OrderPart]))
	}
	return out, nil
}

// readOrder reads part n of the order of the feed, once.
func (l *pageList) readOrder(ctx context.Context, n int) ([]uint32, error) {
	if part := l.order[n]; part != nil {
		return part, nil
	}
	key := searchindex.OrderKey(l.gen.Gen, searchindex.Entries, searchindex.ByRegistration, n)
	b, err := l.files.ReadFile(ctx, key)
	if err != nil {
		return nil, err
	}
	part, err := searchindex.DecodeOrder(b, n, l.count)
	if err != nil {
		return nil, staticindex.OutageError(string(key), err)
	}
	l.order[n] = part
	return part, nil
}

func (l *pageList) blockKey(n int) exports.Key {
	return staticindex.BlockKey(l.gen.Gen, searchindex.Entries, n)
}

// loadBlocks reads the blocks of pages that have not been read yet.
func (l *pageList) loadBlocks(ctx context.Context, numbers []int) error {
	per := int(l.gen.PerFile)
	var blocks []int
	var keys []exports.Key
	for _, number := range numbers {
		n := number / per
		if l.blocks[n] == nil && !slices.Contains(blocks, n) {
			blocks = append(blocks, n)
			keys = append(keys, l.blockKey(n))
		}
	}
	files, err := l.files.ReadAll(ctx, keys)
	if err != nil {
		return err
	}
	for i, file := range files {
		n := blocks[i]
		k, err := staticindex.DecodeBlock(file, n)
		if err != nil || len(k) != min(per, int(l.gen.Pages)-n*per) {
			return staticindex.OutageError(string(keys[i]), staticindex.ErrMalformed)
		}
		l.blocks[n] = k
	}
	return nil
}
