// Package ulid makes identifiers that sort by the time at which they were made.
package ulid

// Encode returns a sortable identifier in 26 lower-case characters of Crockford's
// base 32: 48 bits of time in milliseconds, then 80 bits of entropy.
func Encode(unixMilli int64, entropy [10]byte) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz"
	var out [26]byte
	var acc uint64 // bits not yet written, the lowest bits of a 128-bit number first
	bits := 0
	at := len(out)
	emit := func(b byte) {
		acc |= uint64(b) << bits
		for bits += 8; bits >= 5; bits -= 5 {
			at--
			out[at] = digits[acc&31]
			acc >>= 5
		}
	}
	for i := len(entropy) - 1; i >= 0; i-- {
		emit(entropy[i])
	}
	for i := 0; i < 6; i++ {
		emit(byte(unixMilli >> (8 * i)))
	}
	at--
	out[at] = digits[acc&31]
	return string(out[:])
}
