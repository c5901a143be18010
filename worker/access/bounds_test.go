package access

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestNoncesAreBounded(t *testing.T) {
	var m nonceMemory
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	end := start.Add(time.Minute)
	for i := range maxNonces {
		if !m.spendNonce("a.example", fmt.Sprint(i), end, start) {
			t.Fatalf("nonce %d is not taken", i)
		}
	}
	if m.spendNonce("a.example", "one more", end, start) {
		t.Error("more nonces are taken than can be remembered")
	}
	if !m.spendNonce("b.example", "0", end, start) {
		t.Error("a full memory of one host is in the way of another")
	}
	later := end.Add(time.Second)
	if !m.spendNonce("a.example", "one more", later.Add(time.Minute), later) {
		t.Error("nonces that ended are still in the way")
	}
	if m.spendNonce("a.example", "one more", later.Add(time.Minute), later) {
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
