package blob

import "context"

// Source reads published files, and what lies in packs.
type Source interface {
	// Read returns a whole file; a missing one is fs.ErrNotExist.
	Read(ctx context.Context, key string) ([]byte, error)

	// ReadBlob returns a blob or page, and has verified its digest. A missing pack is
	// fs.ErrNotExist, and bytes of another digest are ErrDamaged.
	ReadBlob(ctx context.Context, at Location) ([]byte, error)
}

// Reader looks values up under one root.
type Reader struct {
	Root   *Root
	Source Source
}

// Find returns the value of a key, nil for none. It reads a page of each level and
// a blob, of which the value is a part.
func (r *Reader) Find(ctx context.Context, key string) ([]byte, error) {
	at := r.Root.Index
	for range r.Root.Levels {
		page, err := r.Source.ReadBlob(ctx, at)
		if err != nil {
			return nil, err
		}
		below, found, err := lastNotAfter(page, at.Pack, key)
		if err != nil || !found {
			return nil, err
		}
		at = below
	}
	data, err := r.Source.ReadBlob(ctx, at)
	if err != nil {
		return nil, err
	}
	return findValue(data, key)
}

// lastNotAfter finds the last row of a page whose key does not come after key.
func lastNotAfter(page []byte, own ID, key string) (at Location, found bool, err error) {
	err = eachRow(page, own, func(k []byte, below Location) bool {
		if string(k) > key {
			return false
		}
		at, found = below, true
		return true
	})
	return at, found, err
}

// EachPage calls do with each page, those of the lowest level (0) before the pages
// above them, with its rows. A page whose keys are not within the range that the page above
// it gives is ErrDamaged.
func (r *Reader) EachPage(ctx context.Context, do func(level int, at Location, rows []Row) error) error {
	top := keyRange{open: true}
	return r.eachPage(ctx, int(r.Root.Levels)-1, r.Root.Index, top, do)
}

// keyRange is the range of the keys of a page: its first key is first, and all are below
// next, where that is not "". The range of the topmost page is open: nothing is checked.
type keyRange struct {
	first, next string
	open        bool
}

func (k keyRange) has(rows []Row) bool {
	switch {
	case k.open:
		return true
	case len(rows) == 0 || rows[0].Key != k.first:
		return false
	}
	return k.next == "" || rows[len(rows)-1].Key < k.next
}

func (r *Reader) eachPage(ctx context.Context, level int, at Location, keys keyRange, do func(level int, at Location, rows []Row) error) error {
	page, err := r.Source.ReadBlob(ctx, at)
	if err != nil {
		return err
	}
	rows, err := rowsOf(page, at.Pack)
	if err != nil {
		return err
	}
	if !keys.has(rows) {
		return ErrDamaged
	}
	for i, row := range rows {
		if level == 0 {
			break
		}
		below := keyRange{first: row.Key, next: keys.next}
		if i+1 < len(rows) {
			below.next = rows[i+1].Key
		}
		if err := r.eachPage(ctx, level-1, *row.At, below, do); err != nil {
			return err
		}
	}
	return do(level, at, rows)
}

// EachValue calls do with all values, by key.
func (r *Reader) EachValue(ctx context.Context, do func(Value) error) error {
	return r.EachPage(ctx, func(level int, _ Location, rows []Row) error {
		if level > 0 {
			return nil
		}
		for _, row := range rows {
			values, err := r.valuesOf(ctx, row)
			if err != nil {
				return err
			}
			for _, v := range values {
				if err := do(v); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (r *Reader) valuesOf(ctx context.Context, row Row) ([]Value, error) {
	data, err := r.Source.ReadBlob(ctx, *row.At)
	if err != nil {
		return nil, err
	}
	values, err := Values(data)
	if err == nil && (len(values) == 0 || values[0].Key != row.Key) {
		err = ErrDamaged
	}
	return values, err
}
