package blob

import "colophon/internal/staticindex"

// MaxBlob bounds the values of a blob, in bytes.
const MaxBlob = 16 << 20

// appendBlob spells a blob.
func appendBlob(dst []byte, values []Value, z staticindex.Deflater) []byte {
	size := 0
	for _, v := range values {
		size += len(v.Key) + len(v.Data) + 8
	}
	text := make([]byte, 0, size)
	for _, v := range values {
		text = staticindex.AppendText(text, v.Key)
		text = append(staticindex.AppendUint(text, len(v.Data)), v.Data...)
	}
	return staticindex.AppendPacked(dst, text, z)
}

// Values lists the values of a blob. The error is ErrDamaged.
func Values(data []byte) ([]Value, error) {
	var out []Value
	err := eachValue(data, func(key, value []byte) bool {
		out = append(out, Value{string(key), value})
		return true
	})
	return out, err
}

// findValue looks a value up in a blob, nil for none.
func findValue(data []byte, key string) (found []byte, err error) {
	err = eachValue(data, func(k, value []byte) bool {
		if string(k) == key {
			found = value
		}
		return string(k) < key
	})
	return found, err
}

// eachValue calls do with the values of a blob, until it returns false.
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
