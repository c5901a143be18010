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
// each level below the topmost one, and the blob that holds the value.
func (r *Reader) Find(ctx context.Context, key string) ([]byte, error) {
	data, own := r.Root.Top, ID{}
	for range r.Root.Levels {
		at, found, err := lastNotAfter(data, own, key)
		if err != nil || !found {
			return nil, err
		}
		if data, err = r.Source.ReadBlob(ctx, at); err != nil {
			return nil, err
		}
		own = at.Pack
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
// come before the pages above them. The topmost one, which is in the root, has no
// location. It returns ErrDamaged for a page whose keys are outside the range that
// the page above it gives.
func (r *Reader) EachPage(ctx context.Context, do func(level int, at Location, rows []Row) error) error {
	rows, err := rowsOf(r.Root.Top, ID{})
	if err != nil {
		return err
	}
	return r.eachPage(ctx, int(r.Root.Levels)-1, Location{}, rows, "", do)
}

// eachPage passes the pages below a page, all of whose keys are below next unless
// that is "", and then the page.
func (r *Reader) eachPage(ctx context.Context, level int, at Location, rows []Row, next string, do func(level int, at Location, rows []Row) error) error {
	for i, row := range rows {
		if level == 0 {
			break
		}
		end := next
		if i+1 < len(rows) {
			end = rows[i+1].Key
		}
		below, err := r.readPage(ctx, row, end)
		if err == nil {
			err = r.eachPage(ctx, level-1, *row.At, below, end, do)
		}
		if err != nil {
			return err
		}
	}
	return do(level, at, rows)
}

// readPage reads the page that a row of the level above names: its keys begin with
// that of the row and are below next, unless that is "".
func (r *Reader) readPage(ctx context.Context, above Row, next string) ([]Row, error) {
	page, err := r.Source.ReadBlob(ctx, *above.At)
	if err != nil {
		return nil, err
	}
	rows, err := rowsOf(page, above.At.Pack)
	if err == nil && (len(rows) == 0 || rows[0].Key != above.Key || next != "" && rows[len(rows)-1].Key >= next) {
		err = ErrDamaged
	}
	return rows, err
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
