package edge

// RequestID returns "rid_" and a lower-case ULID: 48 bits of unixMilli in ten
// characters, then the 80 bits of entropy in sixteen, in Crockford's base 32.
// Ids made later in time sort later.
func RequestID(unixMilli int64, entropy [10]byte) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz"
	b := make([]byte, 30)
	copy(b, "rid_")
	for i := 13; i >= 4; i-- {
		b[i] = digits[unixMilli&31]
		unixMilli >>= 5
	}
	for half := 0; half < 2; half++ { // 5 bytes are 8 characters
		var bits uint64
		for _, e := range entropy[half*5 : half*5+5] {
			bits = bits<<8 | uint64(e)
		}
		for i := 21 + half*8; i >= 14+half*8; i-- {
			b[i] = digits[bits&31]
			bits >>= 5
		}
	}
	return string(b)
}
