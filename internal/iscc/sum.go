package iscc

import (
	"unicode/utf8"

	"github.com/OneOfOne/xxhash"
)

// gram is how many characters a feature covers.
const gram = 13

// Coder computes codes. It reuses its memory between calls and must not be used
// concurrently. The zero value is ready to use.
type Coder struct {
	text     []byte
	starts   []int
	features []uint32
}

// Sum returns the code of a text and the number of characters that count
// towards it. All texts without such characters have the same code.
func (c *Coder) Sum(text string) (code Code, characters int) {
	c.text = collapse(c.text[:0], text)
	characters = c.hashGrams()
	var minima [Minima]uint32
	findMinima(&minima, c.features)
	return pack(&minima), characters
}

// Sum returns the code of a text.
func Sum(text string) Code {
	var c Coder
	code, _ := c.Sum(text)
	return code
}

// hashGrams fills features with the hash of every run of 13 characters, or of
// the whole text if it is shorter, and counts the characters.
func (c *Coder) hashGrams() int {
	c.starts = c.starts[:0]
	for i, b := range c.text {
		if utf8.RuneStart(b) {
			c.starts = append(c.starts, i)
		}
	}
	n := len(c.starts)
	c.starts = append(c.starts, len(c.text))
	c.features = c.features[:0]
	for i := 0; i == 0 || i+gram <= n; i++ {
		from, to := c.starts[i], c.starts[min(i+gram, n)]
		c.features = append(c.features, xxhash.Checksum32(c.text[from:to]))
	}
	return n
}

// hash returns ((a·f + b) mod 2^64) mod (2^61-1) mod 2^32. As 2^61 is 1 modulo
// 2^61-1, the three top bits are added to the rest, after which at most one
// subtraction is needed.
func hash(a, b uint64, f uint32) uint32 {
	v := a*uint64(f) + b
	x := v&(1<<61-1) + v>>61
	return uint32(x + (x+1)>>61)
}

// findMinima finds each function's least hash of the features.
//
// Modulo 2^32 a hash is a·f+b plus at most 8: the three top bits and the one
// subtraction. So it can be below a minimum m only if a·f+b+8 is below m+8,
// which one 32-bit multiplication decides. Only for those few is the hash
// itself computed.
func findMinima(out *[Minima]uint32, features []uint32) {
	for k := range out {
		a, b := multipliers[k], addends[k]
		least := hash(a, b, features[0])
		limit := uint64(least) + 8
		low, add := uint32(a), uint32(b)+8
		rest := features[1:]
		for ; len(rest) >= 8; rest = rest[8:] {
			eight := (*[8]uint32)(rest)
			if uint64(leastLow(low, add, eight)) >= limit {
				continue
			}
			least = leastHash(least, a, b, eight[:])
			limit = uint64(least) + 8
		}
		out[k] = leastHash(least, a, b, rest)
	}
}

func leastHash(least uint32, a, b uint64, features []uint32) uint32 {
	for _, f := range features {
		least = min(least, hash(a, b, f))
	}
	return least
}

// leastLow returns the least low·f+add of eight features.
func leastLow(low, add uint32, f *[8]uint32) uint32 {
	x := min(min(low*f[0]+add, low*f[1]+add), min(low*f[2]+add, low*f[3]+add))
	y := min(min(low*f[4]+add, low*f[5]+add), min(low*f[6]+add, low*f[7]+add))
	return min(x, y)
}
