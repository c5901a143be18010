package listing

import (
	"context"

	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
)

// feedWindow reads the part of the list of all pages that w asks for, the ones
// registered last first. If that begins after a record, it is moved to the
// record's present place.
func (c *Lists) feedWindow(ctx context.Context, w *staticindex.Window) ([]query.Found, error) {
	s, err := c.search.Open(ctx, w.Gen, searchindex.Entries)
	if err != nil {
		return nil, err
	}
	feed := feed{c.files, w.Gen, s, map[int][]uint32{}}
	return feed.readWindow(ctx, w)
}

// feed is the list of all registered pages, the ones registered last first.
type feed struct {
	files *staticindex.Files
	gen   *staticindex.Generation
	pages *query.Session
	order map[int][]uint32 // parts of the order by registration
}

func (l *feed) readWindow(ctx context.Context, w *staticindex.Window) ([]query.Found, error) {
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
	err = w.Resume(before, true, int(l.gen.Pages), func(i int) (string, error) {
		one, err := l.read(ctx, i, i+1)
		return query.LastPlace(one), err
	})
	if err != nil || w.Pos == pos {
		return hits, err
	}
	return l.read(ctx, w.Pos, w.Pos+w.Limit)
}

// read reads the pages from a place on to before another one.
func (l *feed) read(ctx context.Context, from, to int) ([]query.Found, error) {
	count := int(l.gen.Pages)
	var numbers []uint32
	for at := from; at < min(to, count); at++ {
		place := count - 1 - at // the order begins with the page registered first
		part, err := l.readOrder(ctx, place/searchindex.OrderPart)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, part[place%searchindex.OrderPart])
	}
	records, err := l.pages.ReadRecords(ctx, numbers)
	if err != nil {
		return nil, err
	}
	out := make([]query.Found, len(numbers))
	for i := range records {
		if out[i].Doc, err = searchindex.LoadDoc(records[i]); err != nil {
			return nil, staticindex.OutageError(l.gen.Gen, err)
		}
	}
	return out, nil
}

// readOrder reads part n of the order by registration, once.
func (l *feed) readOrder(ctx context.Context, n int) ([]uint32, error) {
	if part := l.order[n]; part != nil {
		return part, nil
	}
	key := searchindex.OrderKey(l.gen.Gen, searchindex.Entries, searchindex.ByRegistration, n)
	b, err := l.files.Read(ctx, string(key))
	if err != nil {
		return nil, err
	}
	part, err := l.pages.Groups().DecodeOrder(b, n, int(l.gen.Pages))
	if err != nil {
		return nil, staticindex.OutageError(string(key), err)
	}
	l.order[n] = part
	return part, nil
}
