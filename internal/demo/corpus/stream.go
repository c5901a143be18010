package corpus

// stream is a SplitMix64 generator.
type stream struct{ s uint64 }

func mixBits(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// The kinds of streams.
const (
	kindPublisher = iota + 1
	kindPage
	kindQuery
	kindDigest
	kindText
)

func newStream(seed, kind, index uint64) stream {
	return stream{mixBits(mixBits(mixBits(seed+0x9e3779b97f4a7c15)^kind*0xd1342543de82ef95) ^ index*0xaf251af3b0f025b5)}
}

func (r *stream) nextUint64() uint64 {
	r.s += 0x9e3779b97f4a7c15
	return mixBits(r.s)
}

// belowN returns a number from 0 to n-1.
func (r *stream) belowN(n int) int { return int(r.nextUint64() >> 32 * uint64(n) >> 32) }

// alias draws numbers by integer weights (Vose's method).
type alias struct {
	keep  []uint64
	other []uint32
	total uint64
}

func newAlias(w []uint64) *alias {
	n := len(w)
	a := &alias{keep: make([]uint64, n), other: make([]uint32, n)}
	for _, x := range w {
		a.total += x
	}
	scaled := make([]uint64, n)
	var small, large []uint32
	for i, x := range w {
		if scaled[i] = x * uint64(n); scaled[i] < a.total {
			small = append(small, uint32(i))
		} else {
			large = append(large, uint32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small, large = small[:len(small)-1], large[:len(large)-1]
		a.keep[s], a.other[s] = scaled[s], l
		if scaled[l] -= a.total - scaled[s]; scaled[l] < a.total {
			small = append(small, l)
		} else {
			large = append(large, l)
		}
	}
	for _, i := range append(small, large...) {
		a.keep[i], a.other[i] = a.total, i
	}
	return a
}

func (a *alias) drawIndex(r *stream) int {
	i := r.belowN(len(a.keep))
	if r.nextUint64()%a.total < a.keep[i] {
		return i
	}
	return int(a.other[i])
}

// zipfWeights returns n weights: weight i is 2^34/(i+offset).
func zipfWeights(n, offset int) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = (1 << 34) / uint64(i+offset)
	}
	return w
}
