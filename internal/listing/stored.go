package listing

import (
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
)

// storedList is a part of a list that is stored in its order, the pages
// registered last first.
type storedList struct {
	lists *Lists
	gen   *staticindex.Generation
	name  string // ListFeed or ListInventory
	first int    // place of its first page
	count int
	// over lays the pages of the generation over those of its base; nil where it
	// has none.
	over *staticindex.Overlay
	// blocks are those read so far.
	blocks map[storedBlock]staticindex.Block
}

// storedBlock is a block of a list in a generation.
type storedBlock struct {
	gen   string
	n     int
	pages int // that the list has there
}

// list opens count pages of a stored list, from first on.
func (c *Lists) list(ctx context.Context, w *staticindex.Window, name string, first, count int) (*storedList, error) {
	l := &storedList{lists: c, gen: w.Gen, name: name, first: first, count: count, blocks: map[storedBlock]staticindex.Block{}}
	if w.Gen.Base == nil {
		return l, nil
	}
	key := staticindex.OverlayKey(w.Gen.Gen, name)
	over, err := c.files.ReadOnce(ctx, key, func(b []byte) (any, error) { return staticindex.DecodeOverlay(b) })
	if err != nil {
		return nil, err
	}
	l.over = over.(*staticindex.Overlay)
	if l.over.Base() != int(w.Gen.Base.Pages) || l.over.Len() != int(w.Gen.Pages) {
		return nil, staticindex.OutageError(string(key), staticindex.ErrMalformed)
	}
	return l, nil
}

// locate tells in which block a page of the list is, and where in it.
func (l *storedList) locate(place int) (storedBlock, int) {
	per := int(l.gen.PerFile)
	if l.over == nil {
		return storedBlock{l.gen.Gen, place / per, int(l.gen.Pages)}, place % per
	}
	at, added := l.over.Find(uint32(place))
	b := storedBlock{l.gen.Base.Gen, int(at) / per, l.over.Base()}
	if added {
		b.gen, b.pages = l.gen.Gen, l.over.Added()
	}
	return b, int(at) % per
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
	out := make([]query.Found, 0, to-from)
	for place := from; place < to; place++ {
		b, at := l.locate(place)
		d, err := searchindex.LoadDoc(l.blocks[b][at])
		if err != nil {
			return nil, staticindex.OutageError(string(l.keyOf(b)), err)
		}
		out = append(out, query.Found{Doc: d})
	}
	return out, nil
}

func (l *storedList) keyOf(b storedBlock) exports.Key {
	return staticindex.BlockKey(b.gen, l.name, b.n)
}

// load reads the blocks of the pages from a place on to before another one, so far as
// they are not at hand.
func (l *storedList) load(ctx context.Context, from, to int) error {
	var blocks []storedBlock
	var keys []exports.Key
	for place := from; place < to; place++ {
		b, _ := l.locate(place)
		if l.blocks[b] == nil && !slices.Contains(blocks, b) {
			blocks = append(blocks, b)
			keys = append(keys, l.keyOf(b))
		}
	}
	files, err := l.lists.files.ReadAll(ctx, keys)
	if err != nil {
		return err
	}
	per := int(l.gen.PerFile)
	for i, file := range files {
		b := blocks[i]
		k, err := staticindex.DecodeBlock(file, b.n)
		if err != nil || len(k) != min(per, b.pages-b.n*per) {
			return staticindex.OutageError(string(keys[i]), staticindex.ErrMalformed)
		}
		l.blocks[b] = k
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
