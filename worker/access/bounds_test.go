package access

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestNoncesAreBounded(t *testing.T) {
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	end, clock := start.Add(time.Minute), start
	m := &NonceMemory{Now: func() time.Time { return clock }}
	for i := range maxNonces {
		if !m.Spend(t.Context(), "a.example", fmt.Sprint(i), end) {
			t.Fatalf("nonce %d is not taken", i)
		}
	}
	if m.Spend(t.Context(), "a.example", "one more", end) {
		t.Error("more nonces are taken than can be remembered")
	}
	if !m.Spend(t.Context(), "b.example", "0", end) {
		t.Error("a full memory of one host is in the way of another")
	}
	clock = end.Add(time.Second)
	if !m.Spend(t.Context(), "a.example", "one more", clock.Add(time.Minute)) {
		t.Error("nonces that ended are still in the way")
	}
	if m.Spend(t.Context(), "a.example", "one more", clock.Add(time.Minute)) {
		t.Error("a nonce counts twice")
	}
}

func TestSignersAreBounded(t *testing.T) {
	d := &Directory{
		Now:   func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) },
		Fetch: func(context.Context, string) (int, []byte, error) { return 404, nil, nil },
	}
	for i := range 3 * maxSigners {
		d.keysOf(t.Context(), fmt.Sprintf("h%d.example", i), "key")
		if len(d.known) > maxSigners {
			t.Fatalf("%d hosts are known", len(d.known))
		}
	}
}

func TestIsSafeURL(t *testing.T) {
	for url, want := range map[string]bool{
		"https://a.example/license.xml": true, "http://a.example/?a=b&c='~'": true, "https://a.example/%C3%A9": true,
		"": false, "//a.example/": false, "ftp://a.example/": false, "https://a.example/ b": false, "https://a.example/\n": false,
		"https://a.example/\x7f": false, "https://a.example/é": false, "https://a.example/\"": false, "https://a.example/<": false,
		"https://a.example/>": false, `https://a.example/\`: false,
	} {
		if isSafeURL(url) != want {
			t.Errorf("%q: want %v", url, want)
		}
	}
}
