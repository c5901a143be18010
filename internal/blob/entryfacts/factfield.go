package entryfacts

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"

	"colophon/exports"
	"colophon/internal/staticindex"
)

// ErrFacts says that packed facts are truncated or malformed.
var ErrFacts = errors.New("the packed facts of an entry are damaged")

// The forms of a packed field. 0 means that the field equals the site's shared
// fact, or is empty if there is none.
const (
	fieldShared = 0
	fieldText   = 1 // a text follows, although the field has a shorter form
	fieldPacked = 2 // the shorter form follows
)

// codeSize is the size of a similarity code.
const codeSize = 32

// fieldWriter appends packed fields.
type fieldWriter struct{ b []byte }

func (w *fieldWriter) putUint(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

func (w *fieldWriter) putInt(n int64) { w.b = binary.AppendVarint(w.b, n) }

// putBytes appends a length and the bytes.
func (w *fieldWriter) putBytes(s string) {
	w.putUint(uint64(len(s)))
	w.b = append(w.b, s...)
}

// putText appends a text; like is the shared fact.
func (w *fieldWriter) putText(s, like string) {
	if s == like {
		w.putUint(fieldShared)
		return
	}
	w.putUint(uint64(len(s)) + 1)
	w.b = append(w.b, s...)
}

// putTexts appends a list of texts.
func (w *fieldWriter) putTexts(list, like []string) {
	if sameTexts(list, like) {
		w.putUint(fieldShared)
		return
	}
	w.putUint(uint64(len(list)) + 1)
	for _, s := range list {
		w.putBytes(s)
	}
}

// putInstant appends a time in seconds.
func (w *fieldWriter) putInstant(s, like string) {
	if s == like {
		w.putUint(fieldShared)
		return
	}
	if at, ok := exports.ParseInstant(s); ok {
		w.putUint(fieldPacked)
		w.putInt(at.Unix())
		return
	}
	w.putUint(fieldText)
	w.putBytes(s)
}

// putBinary appends a text in its binary form, if decode gives size bytes of
// which encode gives the text again, and as a text otherwise.
func (w *fieldWriter) putBinary(s, like string, size int, decode func(string) ([]byte, error), encode func([]byte) string) {
	if s == like {
		w.putUint(fieldShared)
		return
	}
	if raw, err := decode(s); err == nil && len(raw) == size && encode(raw) == s {
		w.putUint(fieldPacked)
		w.b = append(w.b, raw...)
		return
	}
	w.putUint(fieldText)
	w.putBytes(s)
}

// putDigest appends a SHA-256 that is given in hex.
func (w *fieldWriter) putDigest(s, like string) {
	w.putBinary(s, like, 32, hex.DecodeString, hex.EncodeToString)
}

// putSignature appends an Ed25519 signature that is given in base64url.
func (w *fieldWriter) putSignature(s string) {
	w.putBinary(s, "", 64, base64.RawURLEncoding.DecodeString, base64.RawURLEncoding.EncodeToString)
}

// code appends a similarity code.
func (w *fieldWriter) code(s string) {
	w.putBinary(s, "", codeSize, exports.CodeBody, exports.CodeText)
}

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

// fieldReader reads packed fields.
type fieldReader struct{ *staticindex.Reader }

func readFields(b []byte) fieldReader { return fieldReader{staticindex.NewReader(b)} }

func (r fieldReader) readUint() uint64 { return r.ReadUint64(1<<63 - 1) }

func (r fieldReader) readText(like string) string {
	n := r.readUint()
	if n == fieldShared {
		return like
	}
	return string(r.ReadBytes(int(n - 1)))
}

func (r fieldReader) readTexts(like []string) []string {
	n := r.readUint()
	if n == fieldShared {
		return like
	}
	if n-1 > uint64(r.Len()) { // each text takes at least a byte
		r.Fail()
		return nil
	}
	out := make([]string, n-1)
	for i := range out {
		out[i] = r.ReadString()
	}
	return out
}

func (r fieldReader) readInstant(like string) string {
	switch r.readUint() {
	case fieldShared:
		return like
	case fieldText:
		return r.ReadString()
	case fieldPacked:
		return r.packedInstant()
	}
	r.Fail()
	return ""
}

// The first and last second of the years 0000 to 9999.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

func (r fieldReader) packedInstant() string {
	n := r.ReadInt()
	if n < firstSecond || n > lastSecond {
		r.Fail()
		return ""
	}
	return exports.Instant(time.Unix(n, 0))
}

func (r fieldReader) readBinary(like string, size int, encode func([]byte) string) string {
	switch r.readUint() {
	case fieldShared:
		return like
	case fieldText:
		return r.ReadString()
	case fieldPacked:
		raw := r.ReadBytes(size)
		if r.Failed() {
			return ""
		}
		return encode(raw)
	}
	r.Fail()
	return ""
}

func (r fieldReader) readDigest(like string) string {
	return r.readBinary(like, 32, hex.EncodeToString)
}

func (r fieldReader) readSignature() string {
	return r.readBinary("", 64, base64.RawURLEncoding.EncodeToString)
}

func (r fieldReader) code() string { return r.readBinary("", codeSize, exports.CodeText) }
