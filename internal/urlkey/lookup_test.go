package urlkey_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"colophon/internal/urlkey"
)

func sumOf(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

func TestLookupKey(t *testing.T) {
	for _, kind := range []string{urlkey.LookupURL, urlkey.LookupEntry, urlkey.LookupFingerprint} {
		key := urlkey.LookupKey(kind, "value")
		if got, want := hex.EncodeToString(key[:]), sumOf("service.lookup.v1\n"+kind+"\nvalue"); got != want {
			t.Errorf("LookupKey(%s) = %s, want %s", kind, got, want)
		}
	}
}

func TestEntryIDCarriesItsBucket(t *testing.T) {
	const site, page = "harbor-ledger", "https://harbor-ledger.example/shipping/tide-tables-2026"
	id := urlkey.EntryID(site, page)
	if want := "ent_" + sumOf("service.lookup.v1\nurl\n" + page)[:12] + sumOf(site + "\n" + page)[:12]; id != want {
		t.Errorf("EntryID = %s, want %s", id, want)
	}
	other := urlkey.EntryID("another-site", page)
	if other == id || other[:16] != id[:16] {
		t.Errorf("two sites, one URL: %s and %s must share a bucket and differ", id, other)
	}
}

func TestRegistryDigestBindsEveryPart(t *testing.T) {
	parts := [4]string{"site", "ent_1", "https://a.example/", "00ff"}
	digest := func(p [4]string) string { return urlkey.RegistryDigest(p[0], p[1], p[2], p[3]) }
	want := sumOf("service.registry-binding.v1\nsite\nent_1\nhttps://a.example/\n00ff")
	if got := digest(parts); got != want {
		t.Fatalf("RegistryDigest = %s, want %s", got, want)
	}
	for i := range parts {
		changed := parts
		changed[i] += "x"
		if digest(changed) == want {
			t.Errorf("part %d is not bound", i)
		}
	}
}
