package exports

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"
)

// ErrFacts says that packed facts are truncated or are none.
var ErrFacts = errors.New("the packed facts of an entry are damaged")

// The forms of a packed field. 0 says that the field equals what the shared
// facts of the site say, or that it is empty where they say nothing.
const (
	fieldShared = 0
	fieldText   = 1 // a text follows, though the field has a shorter form
	fieldPacked = 2 // the shorter form follows
)

// fieldWriter appends packed fields.
type fieldWriter struct{ b []byte }

func (w *fieldWriter) uint(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

func (w *fieldWriter) int(n int64) { w.b = binary.AppendVarint(w.b, n) }

// raw appends bytes with their length.
func (w *fieldWriter) raw(s string) {
	w.uint(uint64(len(s)))
	w.b = append(w.b, s...)
}

// text appends a text; like is what the shared facts say.
func (w *fieldWriter) text(s, like string) {
	if s == like {
		w.uint(fieldShared)
		return
	}
	w.uint(uint64(len(s)) + 1)
	w.b = append(w.b, s...)
}

// texts appends a list of texts.
func (w *fieldWriter) texts(list, like []string) {
	if sameTexts(list, like) {
		w.uint(fieldShared)
		return
	}
	w.uint(uint64(len(list)) + 1)
	for _, s := range list {
		w.raw(s)
	}
}

// instant appends a time in seconds.
func (w *fieldWriter) instant(s, like string) {
	if s == like {
		w.uint(fieldShared)
		return
	}
	if at, ok := ParseInstant(s); ok {
		w.uint(fieldPacked)
		w.int(at.Unix())
		return
	}
	w.uint(fieldText)
	w.raw(s)
}

// binary appends a text that decode turns into size bytes and encode back.
func (w *fieldWriter) binary(s, like string, size int, decode func(string) ([]byte, error), encode func([]byte) string) {
	if s == like {
		w.uint(fieldShared)
		return
	}
	if raw, err := decode(s); err == nil && len(raw) == size && encode(raw) == s {
		w.uint(fieldPacked)
		w.b = append(w.b, raw...)
		return
	}
	w.uint(fieldText)
	w.raw(s)
}

// digest appends a SHA-256 in hex.
func (w *fieldWriter) digest(s, like string) {
	w.binary(s, like, 32, hex.DecodeString, hex.EncodeToString)
}

// signature appends an Ed25519 signature in base64url.
func (w *fieldWriter) signature(s string) {
	w.binary(s, "", 64, base64.RawURLEncoding.DecodeString, base64.RawURLEncoding.EncodeToString)
}

// entryID appends "ent_" and twelve bytes in hex.
func (w *fieldWriter) entryID(s string) {
	w.binary(s, "", 12, entryIDBytes, entryIDText)
}

func entryIDBytes(s string) ([]byte, error) {
	if len(s) < len(PrefixEntry) || s[:len(PrefixEntry)] != PrefixEntry {
		return nil, ErrFacts
	}
	return hex.DecodeString(s[len(PrefixEntry):])
}

func entryIDText(raw []byte) string { return PrefixEntry + hex.EncodeToString(raw) }

func sameTexts(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// fieldReader reads packed fields; after the first fault all are empty and bad
// is set.
type fieldReader struct {
	b   []byte
	bad bool
}

func (r *fieldReader) fail() {
	r.b = nil
	r.bad = true
}

// skip passes a number of size bytes. A size that is not positive is a number
// that is cut or too large; it then counts as 0.
func (r *fieldReader) skip(size int) {
	if size <= 0 {
		r.fail()
		return
	}
	r.b = r.b[size:]
}

func (r *fieldReader) uint() uint64 {
	n, size := binary.Uvarint(r.b)
	r.skip(size)
	return n
}

func (r *fieldReader) int() int64 {
	n, size := binary.Varint(r.b)
	r.skip(size)
	return n
}

func (r *fieldReader) bytes(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.fail()
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *fieldReader) raw() string { return string(r.bytes(r.uint())) }

func (r *fieldReader) text(like string) string {
	n := r.uint()
	if n == fieldShared {
		return like
	}
	return string(r.bytes(n - 1))
}

func (r *fieldReader) texts(like []string) []string {
	n := r.uint()
	if n == fieldShared {
		return like
	}
	if n-1 > uint64(len(r.b)) { // a text takes a byte at least
		r.fail()
		return nil
	}
	out := make([]string, n-1)
	for i := range out {
		out[i] = r.raw()
	}
	return out
}

func (r *fieldReader) instant(like string) string {
	switch r.uint() {
	case fieldShared:
		return like
	case fieldText:
		return r.raw()
	case fieldPacked:
		return r.packedInstant()
	}
	r.fail()
	return ""
}

// The seconds of the years 0000 to 9999.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

func (r *fieldReader) packedInstant() string {
	n := r.int()
	if n < firstSecond || n > lastSecond {
		r.fail()
		return ""
	}
	return Instant(time.Unix(n, 0))
}

func (r *fieldReader) binary(like string, size int, encode func([]byte) string) string {
	switch r.uint() {
	case fieldShared:
		return like
	case fieldText:
		return r.raw()
	case fieldPacked:
		raw := r.bytes(uint64(size))
		if r.bad {
			return ""
		}
		return encode(raw)
	}
	r.fail()
	return ""
}

func (r *fieldReader) digest(like string) string { return r.binary(like, 32, hex.EncodeToString) }

func (r *fieldReader) signature() string {
	return r.binary("", 64, base64.RawURLEncoding.EncodeToString)
}

func (r *fieldReader) entryID() string { return r.binary("", 12, entryIDText) }
