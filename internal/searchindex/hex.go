package searchindex

import "colophon/exports"

const hexDigits = "0123456789abcdef"

func encodeHex(b []byte) string {
	out := make([]byte, 0, 2*len(b))
	for _, c := range b {
		out = append(out, hexDigits[c>>4], hexDigits[c&15])
	}
	return string(out)
}

// decodeHex reads lower-case hex digits.
func decodeHex(s string) ([]byte, bool) {
	if len(s)%2 != 0 {
		return nil, false
	}
	out := make([]byte, len(s)/2)
	for i := range out {
		hi, lo := hexDigit(s[2*i]), hexDigit(s[2*i+1])
		if hi < 0 || lo < 0 {
			return nil, false
		}
		out[i] = byte(hi<<4 | lo)
	}
	return out, true
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// packedID is the 12 bytes of an entry id that carries its lookup key.
func packedID(id string) ([]byte, bool) {
	if len(id) != len(exports.PrefixEntry)+24 || id[:len(exports.PrefixEntry)] != exports.PrefixEntry {
		return nil, false
	}
	return decodeHex(id[len(exports.PrefixEntry):])
}
