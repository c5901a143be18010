package blob

import "colophon/internal/staticindex"

// Bounds of the index.
const (
	MaxLevels = 6
	maxRows   = 1 << 10         // rows of a page
	maxPack   = 1 << 30         // bytes of a pack
	maxLength = MaxBlob + 1<<16 // bytes of a blob or page
)

// How a row names its pack: see the package comment.
const (
	packBefore = iota
	packOwn
	packNamed
)

// appendPage appends the encoding of a page. A row whose pack has no name yet
// is in the same pack as the page.
func appendPage(dst []byte, rows []Row) []byte {
	dst = staticindex.AppendUint(dst, len(rows))
	key, pack := "", ID{}
	for i, row := range rows {
		shared := sharedLength(key, row.Key)
		dst = staticindex.AppendUint(dst, shared)
		dst = staticindex.AppendText(dst, row.Key[shared:])
		key = row.Key
		switch {
		case i > 0 && row.At.Pack == pack:
			dst = append(dst, packBefore)
		case row.At.Pack == ID{}:
			dst = append(dst, packOwn)
		default:
			dst = append(append(dst, packNamed), row.At.Pack[:]...)
		}
		pack = row.At.Pack
		dst = staticindex.AppendUint64(dst, uint64(row.At.Offset))
		dst = staticindex.AppendUint64(dst, uint64(row.At.Length))
		dst = append(dst, row.At.Digest[:]...)
	}
	return dst
}

func sharedLength(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// eachRow calls do with each row of a page in the pack own, until do returns
// false. key is valid during the call only. It returns ErrDamaged if the page
// is damaged.
func eachRow(page []byte, own ID, do func(key []byte, at Location) bool) error {
	r := staticindex.NewReader(page)
	var key []byte
	var at Location
	for i := range r.ReadUint(maxRows) {
		shared := r.ReadUint(len(key))
		rest := r.ReadBytes(r.ReadUint(r.Len()))
		if i > 0 && string(rest) <= string(key[shared:]) {
			return ErrDamaged
		}
		key = append(key[:shared], rest...)
		switch how := r.ReadUint(packNamed); {
		case how == packOwn:
			at.Pack = own
		case how == packNamed:
			copy(at.Pack[:], r.ReadBytes(len(at.Pack)))
		case i == 0:
			return ErrDamaged
		}
		at.Offset = int64(r.ReadUint64(maxPack))
		at.Length = int64(r.ReadUint64(maxLength))
		copy(at.Digest[:], r.ReadBytes(len(at.Digest)))
		if r.Failed() {
			return ErrDamaged
		}
		if !do(key, at) {
			return nil
		}
	}
	if r.Finish() != nil {
		return ErrDamaged
	}
	return nil
}

// rowsOf returns the rows of a page in the pack own, or ErrDamaged.
func rowsOf(page []byte, own ID) (rows []Row, err error) {
	err = eachRow(page, own, func(key []byte, at Location) bool {
		rows = append(rows, Row{string(key), &at})
		return true
	})
	return rows, err
}

// endsBefore reports whether a page of a level ends before a key: one key in
// 256 ends it, by eight bits of its hash that no other level uses.
func endsBefore(level int, key string) bool {
	return level < 4 && staticindex.Hash(key)>>(8*level)%256 == 0
}
