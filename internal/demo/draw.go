package demo

// draw is a sequence of numbers that depends on a name alone (splitmix64), so
// that editing one page leaves all others unchanged.
type draw struct{ state uint64 }

func drawFor(name string) *draw {
	h := uint64(14695981039346656037)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return &draw{h}
}

func (d *draw) nextUint64() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// drawBelow returns a number from 0 to n-1.
func (d *draw) drawBelow(n int) int { return int(d.nextUint64() % uint64(n)) }

// drawBetween returns a number from low to high.
func (d *draw) drawBetween(low, high int) int { return low + d.drawBelow(high-low+1) }

// drawItems returns n different items in random order, or all if there are
// fewer.
func (d *draw) drawItems(items []string, n int) []string {
	left := append([]string(nil), items...)
	var out []string
	for len(left) > 0 && len(out) < n {
		i := d.drawBelow(len(left))
		out = append(out, left[i])
		left = append(left[:i], left[i+1:]...)
	}
	return out
}
