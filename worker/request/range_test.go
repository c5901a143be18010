package request

import "testing"

func TestParseRange(t *testing.T) {
	for _, x := range []struct {
		header   string
		from, to int
		ok       bool
	}{
		{"bytes=0-0", 0, 1, true}, {"bytes=2-5", 2, 6, true}, {"bytes=2-", 2, 10, true}, {"bytes=-3", 7, 10, true}, {"bytes=-30", 0, 10, true},
		{"bytes=9-99", 9, 10, true}, {"bytes=10-", 10, 10, true}, {"bytes=11-12", 10, 10, true}, {"bytes=-0", 10, 10, true},
		{"bytes=5-2", 0, 0, false}, {"bytes=", 0, 0, false}, {"bytes=a-b", 0, 0, false}, {"items=0-1", 0, 0, false}, {"bytes=0-1,3-4", 0, 0, false}, {"bytes=-", 0, 0, false},
	} {
		from, to, ok := parseRange(x.header, 10)
		if ok != x.ok || ok && (from != x.from || from < 10 && to != x.to) {
			t.Errorf("%q: %d %d %t, want %d %d %t", x.header, from, to, ok, x.from, x.to, x.ok)
		}
	}
}
