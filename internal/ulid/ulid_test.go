package ulid

import (
	"testing"

	"pgregory.net/rapid"
)

func TestEncode(t *testing.T) {
	full := [10]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255}
	for _, c := range []struct {
		ms   int64
		e    [10]byte
		want string
	}{
		{0, [10]byte{}, "00000000000000000000000000"},
		{1<<48 - 1, full, "7zzzzzzzzzzzzzzzzzzzzzzzzz"},
		{1469918176385, [10]byte{}, "01aryz6s410000000000000000"},
		{0, [10]byte{9: 1}, "00000000000000000000000001"},
		{0, [10]byte{0, 0, 0, 0, 1}, "00000000000000000100000000"},
	} {
		if got := Encode(c.ms, c.e); got != c.want {
			t.Errorf("Encode(%d, %x) = %s, not %s", c.ms, c.e, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64Range(0, 1<<47).Draw(t, "a"), rapid.Int64Range(0, 1<<47).Draw(t, "b")
		if x, y := Encode(a, full), Encode(b, [10]byte{}); a < b && x >= y {
			t.Fatalf("%d made %s, and later %d made %s", a, x, b, y)
		}
	})
}
