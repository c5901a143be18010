package blob

import "context"

// Source reads published files, and blobs and pages in packs.
type Source interface {
	// Read returns a whole file; it returns fs.ErrNotExist if it is missing.
	Read(ctx context.Context, key string) ([]byte, error)

	// ReadBlob returns a blob or page whose digest it has verified. It returns
	// fs.ErrNotExist if the pack is missing and ErrDamaged if the digest
	// differs.
	ReadBlob(ctx context.Context, at Location) ([]byte, error)
}

// Reader looks up values under one root.
type Reader struct {
	Root   *Root
	Source Source
}

// Find returns the value of a key, nil if there is none. It reads a page of
// each level and the blob that holds the value.
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

// lastNotAfter returns the location of the last row of a page whose key does
// not come after key.
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

// EachPage calls do with each page and its rows; pages of the lowest level (0)
// come before the pages above them. It returns ErrDamaged for a page whose keys
// are outside the range that the page above it gives.
func (r *Reader) EachPage(ctx context.Context, do func(level int, at Location, rows []Row) error) error {
	top := keyRange{open: true}
	return r.eachPage(ctx, int(r.Root.Levels)-1, r.Root.Index, top, do)
}

// keyRange is the range of a page's keys: the first key is first, and all are
// below next, unless that is "". The range of the topmost page is open: nothing
// is checked.
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

// EachValue calls do with each value, sorted by key.
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
