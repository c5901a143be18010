package listing

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
)

// storedList is a part of a list that is stored in its order, the pages
// registered last first.
type storedList struct {
	lists  *Lists
	gen    *staticindex.Generation
	name   string                    // ListFeed or ListInventory
	first  int                       // place of its first page
	count  int                       // of its pages
	blocks map[int]staticindex.Block // that were read so far
}

// list opens count pages of a stored list, from first on.
func (c *Lists) list(w *staticindex.Window, name string, first, count int) *storedList {
	return &storedList{lists: c, gen: w.Gen, name: name, first: first, count: count, blocks: map[int]staticindex.Block{}}
}

// read reads the pages from a place on to before another one.
func (l *storedList) read(ctx context.Context, from, to int) ([]query.Found, error) {
	from, to = l.first+min(from, l.count), l.first+min(to, l.count)
	if from >= to {
		return nil, nil
	}
	if err := l.load(ctx, from, to); err != nil {
		return nil, err
	}
	per := int(l.gen.PerFile)
	out := make([]query.Found, 0, to-from)
	for place := from; place < to; place++ {
		d, err := searchindex.LoadDoc(l.blocks[place/per][place%per])
		if err != nil {
			return nil, staticindex.OutageError(string(l.keyOf(place/per)), err)
		}
		out = append(out, query.Found{Doc: d})
	}
	return out, nil
}

func (l *storedList) keyOf(block int) exports.Key {
	return staticindex.BlockKey(l.gen.Gen, l.name, block)
}

// load reads the blocks of the pages from a place on to before another one, so far as
// they are not at hand.
func (l *storedList) load(ctx context.Context, from, to int) error {
	per := int(l.gen.PerFile)
	var blocks []int
	var keys []exports.Key
	for n := from / per; n <= (to-1)/per; n++ {
		if l.blocks[n] == nil {
			blocks = append(blocks, n)
			keys = append(keys, l.keyOf(n))
		}
	}
	files, err := l.lists.files.ReadAll(ctx, keys)
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

// findAfter finds the place of the first page that comes after a record, see
// exports.AfterRecord. guess is where it was; if it still is there, the page
// before it and the page itself are all that is read.
func (l *storedList) findAfter(ctx context.Context, record string, guess int) (int, error) {
	low, high := 0, l.count
	for step := 0; low < high; step++ {
		at := (low + high) / 2
		if step == 0 {
			at = guess
		} else if step == 1 {
			at = guess - 1
		}
		at = min(max(at, low), high-1)
		hits, err := l.read(ctx, at, at+1)
		if err != nil {
			return 0, err
		}
		if comesAfter(placeOf(&hits[0].Doc), record) {
			high = at
		} else {
			low = at + 1
		}
	}
	return low, nil
}

func placeOf(d *searchindex.Doc) string { return exports.AfterRecord(d.RegisteredAt, d.EntryID) }

// comesAfter reports whether a record comes after another one: it was registered
// before, or at the same instant and its id is greater.
func comesAfter(x, y string) bool {
	xAt, xID, _ := strings.Cut(x, " ")
	yAt, yID, _ := strings.Cut(y, " ")
	if xAt != yAt {
		return xAt < yAt
	}
	return xID > yID
}
