package originsql

import "testing"

// TestCellsAsText checks that a cell is the same text whichever driver returned
// it: D1 returns all numbers as floats, and texts may be bytes.
func TestCellsAsText(t *testing.T) {
	for _, c := range []struct {
		cell any
		want string
	}{{int64(12), "12"}, {float64(12), "12"}, {float64(1 << 52), "4503599627370496"}, {"12", "12"}, {[]byte("é"), "é"}, {nil, ""}} {
		got := cell{"before"}
		if err := got.Scan(c.cell); err != nil || got.text != c.want {
			t.Errorf("%T %v: %q, %v", c.cell, c.cell, got.text, err)
		}
	}
}
