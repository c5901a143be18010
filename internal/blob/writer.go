//go:build !tinygo

package blob

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"colophon/internal/staticindex"
)

// Change is a new value of the next table, or a key that it no longer has.
type Change struct {
	Value
	Gone bool
}

// Changes calls do with each change, sorted by key. It may be called more than
// once.
type Changes = func(do func(Change) error) error

// Writer writes one table. All exported members but Published and Source must
// be set.
type Writer struct {
	PackSize int64
	Put      func(key string, pack []byte) error // stores a pack; it must not keep the bytes
	Deflater staticindex.Deflater

	// Starts reports whether a blob begins with key, which follows previous.
	Starts func(previous, key string) bool

	// Alone reports whether a key always has its own blob. Such a blob is
	// neither read nor merged when others change.
	Alone func(key string) bool

	// Published is the published table and Source reads it: blobs that stay
	// keep their location, and those that change are read. Published is nil if
	// nothing is published, or nothing that can be relied on.
	Published *Table
	Source    Source
	Size      func(pack ID) int64 // size of a published pack; 0: it must not be referred to again

	open    []byte      // the pack being filled
	pending []*Location // locations in it
	known   map[ID]*Location
	avoid   map[ID]bool // packs whose blobs move
	written map[ID]bool // packs that were stored
}

// A blob with maxValues values or of maxSize bytes takes no more, whatever
// Starts says, so that nobody who chooses keys can make a blob that readers
// refuse. The topmost page has at most maxTop rows. Tests lower all three.
var (
	maxValues = 512
	maxSize   = 1 << 18
	maxTop    = 512
)

// maxSmallPacks is how many packs may be smaller than half of PackSize before
// they are merged.
const maxSmallPacks = 16

// Write applies changes to the rows of base, which lie in published packs, and
// writes what is new. It returns the root, whose other members the caller sets,
// and the packs that the index refers to.
func (w *Writer) Write(ctx context.Context, base []Row, changes Changes) (root Root, packs []ID, err error) {
	w.findKnown()
	rows, err := w.layChanges(ctx, base, changes)
	if err != nil {
		return root, nil, err
	}
	if err := w.moveRows(ctx, rows); err != nil {
		return root, nil, err
	}
	root, packs, err = w.writePages(rows)
	root.PackSize = w.PackSize
	return root, packs, err
}

// findKnown notes which published blobs may be referred to again, and whose
// packs' blobs must move.
func (w *Writer) findKnown() {
	w.known, w.avoid, w.written = map[ID]*Location{}, map[ID]bool{}, map[ID]bool{}
	if w.Published == nil {
		return
	}
	blobs := map[ID]int{}
	for _, row := range w.Published.Rows {
		w.known[row.At.Digest] = row.At
		blobs[row.At.Pack]++
	}
	var small []ID
	for pack, used := range w.Published.usedBytes() {
		size := w.Size(pack)
		switch {
		case size == 0, 2*used < size, size > w.PackSize && blobs[pack] > 1:
			w.avoid[pack] = true
		case 2*size < w.PackSize:
			small = append(small, pack)
		}
	}
	if len(small) > maxSmallPacks {
		for _, pack := range small {
			w.avoid[pack] = true
		}
	}
}

// layChanges returns the rows of the next table.
func (w *Writer) layChanges(ctx context.Context, base []Row, changes Changes) ([]Row, error) {
	touched, err := w.findTouched(base, changes)
	if err != nil {
		return nil, err
	}
	m := &merger{cutter: cutter{w: w}, rest: base, touched: touched}
	last, first := "", true
	err = changes(func(c Change) error {
		if !first && c.Key <= last {
			return fmt.Errorf("%w: %q after %q", errUnsorted, c.Key, last)
		}
		last, first = c.Key, false
		if err := m.passTo(ctx, c.Key); err != nil || c.Gone {
			return err
		}
		return m.add(c.Value)
	})
	if err != nil {
		return nil, err
	}
	err = m.passRest(ctx)
	return m.rows, err
}

// findTouched returns the blobs of base that changes affect: those in whose
// range a key lies, and neighbours that a blob may be merged with.
func (w *Writer) findTouched(base []Row, changes Changes) (touched map[*Location]bool, err error) {
	touched = map[*Location]bool{}
	if len(base) == 0 {
		return touched, nil
	}
	mark := func(i int) {
		if i >= 0 && i < len(base) && !w.Alone(base[i].Key) {
			touched[base[i].At] = true
		}
	}
	err = changes(func(c Change) error {
		if w.Alone(c.Key) {
			return nil
		}
		i, found := slices.BinarySearchFunc(base, c.Key, compareKey)
		if !found {
			i--
		}
		mark(i)
		if found && c.Gone { // what follows it may join the blob before
			mark(i - 1)
		}
		for i++; i < len(base) && !w.Starts(c.Key, base[i].Key); i++ { // it would be merged, or divided elsewhere
			mark(i)
		}
		return nil
	})
	return touched, err
}

// merger passes published blobs to a cutter: whole if no change affects them,
// otherwise their values.
type merger struct {
	cutter
	rest    []Row // not passed yet
	touched map[*Location]bool
	values  []Value // of the affected blob, not passed yet
}

// passTo passes everything that comes before a key, and skips the key's own old
// value.
func (m *merger) passTo(ctx context.Context, key string) error {
	for {
		for len(m.values) > 0 && m.values[0].Key < key {
			if err := m.add(m.values[0]); err != nil {
				return err
			}
			m.values = m.values[1:]
		}
		if len(m.values) > 0 {
			if m.values[0].Key == key {
				m.values = m.values[1:]
			}
			return nil
		}
		if len(m.rest) == 0 || m.rest[0].Key > key {
			return nil
		}
		if row := m.rest[0]; row.Key == key && !m.touched[row.At] { // it stands alone
			m.rest = m.rest[1:]
			return nil
		}
		if err := m.passRow(ctx); err != nil {
			return err
		}
	}
}

// passRest passes everything not passed yet.
func (m *merger) passRest(ctx context.Context) error {
	for len(m.values) > 0 || len(m.rest) > 0 {
		for _, v := range m.values {
			if err := m.add(v); err != nil {
				return err
			}
		}
		m.values = nil
		if len(m.rest) > 0 {
			if err := m.passRow(ctx); err != nil {
				return err
			}
		}
	}
	return m.flush()
}

// passRow passes the next row whole, or reads its values so that they can be
// passed.
func (m *merger) passRow(ctx context.Context) (err error) {
	row := m.rest[0]
	m.rest = m.rest[1:]
	if !m.touched[row.At] {
		return m.keep(row)
	}
	data, err := m.w.Source.ReadBlob(ctx, *row.At)
	if err != nil {
		return err
	}
	m.values, err = Values(data)
	return err
}

// cutter divides values into blobs.
type cutter struct {
	w    *Writer
	rows []Row
	held []Value
	size int

	text, packed []byte // reused
}

var (
	errUnsorted = errors.New("blob: values are not sorted by key")
	errTooLong  = errors.New("blob: values are too long")
)

func (c *cutter) add(v Value) error {
	if n := len(c.held); n > 0 && (n == maxValues || c.size >= maxSize || c.w.Starts(c.held[n-1].Key, v.Key)) {
		if err := c.flush(); err != nil {
			return err
		}
	}
	c.held = append(c.held, v)
	if c.size += len(v.Key) + len(v.Data) + 20; c.size > MaxBlob {
		return fmt.Errorf("%w: %d bytes from %q on", errTooLong, c.size, c.held[0].Key)
	}
	return nil
}

// keep adds a published row unchanged.
func (c *cutter) keep(row Row) error {
	if err := c.flush(); err != nil {
		return err
	}
	c.rows = append(c.rows, row)
	return nil
}

func (c *cutter) flush() error {
	if len(c.held) == 0 {
		return nil
	}
	c.text = appendText(c.text[:0], c.held)
	c.packed = staticindex.AppendPacked(c.packed[:0], c.text, c.w.Deflater)
	at, err := c.w.put(c.packed)
	c.rows = append(c.rows, Row{c.held[0].Key, at})
	clear(c.held)
	c.held, c.size = c.held[:0], 0
	return err
}

// put adds a blob to the pack being filled, unless it is published or was added
// already.
func (w *Writer) put(data []byte) (*Location, error) {
	id := IDOf(data)
	if at := w.known[id]; at != nil && !w.avoid[at.Pack] {
		return at, nil
	}
	at, err := w.addToPack(id, data)
	w.known[id] = at
	return at, err
}

func (w *Writer) addToPack(id ID, data []byte) (*Location, error) {
	if len(w.open) > 0 && int64(len(w.open)+len(data)) > w.PackSize {
		if err := w.flushPack(); err != nil {
			return nil, err
		}
	}
	at := &Location{Offset: int64(len(w.open)), Length: int64(len(data)), Digest: id}
	w.open = append(w.open, data...)
	w.pending = append(w.pending, at)
	return at, nil
}

// flushPack stores the pack being filled.
func (w *Writer) flushPack() error {
	if len(w.open) == 0 {
		return nil
	}
	pack := IDOf(w.open)
	if !w.written[pack] {
		if err := w.Put(PackKey(pack), w.open); err != nil {
			return err
		}
	}
	w.written[pack] = true
	delete(w.avoid, pack) // the new pack has the same bytes
	for _, at := range w.pending {
		at.Pack = pack
	}
	w.open, w.pending = w.open[:0], w.pending[:0]
	return nil
}

// moveRows moves blobs out of packs that are to be emptied, into the pack being
// filled.
func (w *Writer) moveRows(ctx context.Context, rows []Row) error {
	for i := range rows {
		if !w.avoid[rows[i].At.Pack] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := w.Source.ReadBlob(ctx, *rows[i].At)
		if err != nil {
			return err
		}
		if rows[i].At, err = w.put(data); err != nil {
			return err
		}
	}
	return nil
}

// writePages writes the index of rows, and the last pack. Pages with the same
// rows as published ones keep their location. The topmost one is for the root.
func (w *Writer) writePages(rows []Row) (root Root, packs []ID, err error) {
	named := map[*Location]bool{}
	for level := 0; ; level++ {
		for _, row := range rows {
			named[row.At] = true
		}
		root.Levels = int64(level + 1)
		if len(rows) <= maxTop {
			break
		}
		var above []Row
		for part := range pagesOf(level, rows) {
			at, err := w.putPage(level, part)
			if err != nil {
				return root, nil, err
			}
			above = append(above, Row{part[0].Key, at})
		}
		rows = above
	}
	if err := w.flushPack(); err != nil {
		return root, nil, err
	}
	root.Top = appendPage(nil, rows)
	seen := map[ID]bool{}
	for at := range named {
		if !seen[at.Pack] {
			seen[at.Pack] = true
			packs = append(packs, at.Pack)
		}
	}
	slices.SortFunc(packs, func(a, b ID) int { return slices.Compare(a[:], b[:]) })
	return root, packs, nil
}

// pagesOf divides the rows of a level into pages, at least one.
func pagesOf(level int, rows []Row) func(yield func([]Row) bool) {
	return func(yield func([]Row) bool) {
		first := 0
		for i := 1; i < len(rows); i++ {
			if i-first == maxRows || endsBefore(level, rows[i].Key) {
				if !yield(rows[first:i]) {
					return
				}
				first = i
			}
		}
		yield(rows[first:])
	}
}

// putPage adds a page to the pack being filled, unless a page with the same
// rows is published.
func (w *Writer) putPage(level int, rows []Row) (*Location, error) {
	if w.Published != nil {
		old, ok := w.Published.pages[pageKey{level, rows[0].Key}]
		if ok && !w.avoid[old.at.Pack] && slices.Equal(old.rows, rows) {
			return old.at, nil
		}
	}
	data := appendPage(nil, rows)
	if len(w.open) > 0 && int64(len(w.open)+len(data)) > w.PackSize { // encode the page again: the flush names the pack that its rows refer to
		if err := w.flushPack(); err != nil {
			return nil, err
		}
		data = appendPage(nil, rows)
	}
	return w.addToPack(IDOf(data), data)
}
