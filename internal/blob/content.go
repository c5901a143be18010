package blob

import "colophon/internal/staticindex"

// MaxBlob is the most bytes that the values of a blob may have.
const MaxBlob = 16 << 20

// appendText appends the text of a blob.
func appendText(dst []byte, values []Value) []byte {
	for _, v := range values {
		dst = staticindex.AppendText(dst, v.Key)
		dst = append(staticindex.AppendUint(dst, len(v.Data)), v.Data...)
	}
	return dst
}

// Values returns the values of a blob, or ErrDamaged.
func Values(data []byte) ([]Value, error) {
	var out []Value
	err := eachValue(data, func(key, value []byte) bool {
		out = append(out, Value{string(key), value})
		return true
	})
	return out, err
}

// findValue returns the value of a key in a blob, nil if it has none.
func findValue(data []byte, key string) (found []byte, err error) {
	err = eachValue(data, func(k, value []byte) bool {
		if string(k) == key {
			found = value
		}
		return string(k) < key
	})
	return found, err
}

// eachValue calls do with each value of a blob until do returns false. It
// returns ErrDamaged if the blob is damaged.
func eachValue(data []byte, do func(key, value []byte) bool) error {
	packed := staticindex.NewReader(data)
	text := packed.ReadPacked(MaxBlob)
	if packed.Finish() != nil {
		return ErrDamaged
	}
	r := staticindex.NewReader(text)
	var last []byte
	for first := true; r.Len() > 0; first = false {
		key := r.ReadBytes(r.ReadUint(r.Len()))
		value := r.ReadBytes(r.ReadUint(r.Len()))
		if r.Failed() || !first && string(key) <= string(last) {
			return ErrDamaged
		}
		last = key
		if !do(key, value) {
			return nil
		}
	}
	return nil
}
