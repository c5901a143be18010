package urlkey

import (
	"crypto/sha256"
	"encoding/hex"
)

// The kinds of lookup key.
const (
	LookupURL         = "url"   // value: a canonical URL
	LookupEntry       = "entry" // value: an entry id
	LookupFingerprint = "fp"    // value: 64 lower-case hex digits
	LookupHost        = "host"  // value: a host in lower case
)

// LookupKey is SHA-256("service.lookup.v1" LF kind LF value), the key under
// which the indexes file a record.
func LookupKey(kind, value string) [32]byte {
	return sumLines("service.lookup.v1", kind, value)
}

// Part returns the leading bits of a key as a number; bits is at most 32. Files
// that divide keys are found by it.
func Part[K string | []byte](key K, bits int) int {
	top := uint32(key[0])<<24 | uint32(key[1])<<16 | uint32(key[2])<<8 | uint32(key[3])
	return int(uint64(top) >> (32 - uint(bits)))
}

// URLKeyHex returns the lookup key of a canonical URL in lower-case hex: the
// url_key of a ledger leaf.
func URLKeyHex(canonicalURL string) string {
	key := LookupKey(LookupURL, canonicalURL)
	return hex.EncodeToString(key[:])
}

// EntryID returns the id of the registration of a URL by a site: "ent_", the
// first 12 hex digits of the URL's lookup key, the first 12 of SHA-256(site id
// LF URL). It does not depend on the order of registration, and it names the
// bucket of the primary index that holds the entry.
func EntryID(siteID, canonicalURL string) string {
	key := LookupKey(LookupURL, canonicalURL)
	own := sumLines(siteID, canonicalURL)
	id := append(make([]byte, 0, 28), "ent_"...)
	return string(hex.AppendEncode(hex.AppendEncode(id, key[:6]), own[:6]))
}

// RegistryDigest returns the registry binding of an entry, the value of
// fingerprints.registry.digest: lower-case hex SHA-256 of
// "service.registry-binding.v1", the site id, the entry id, the canonical URL
// and the portable digest, joined by LF.
func RegistryDigest(siteID, entryID, canonicalURL, portableDigest string) string {
	sum := sumLines("service.registry-binding.v1", siteID, entryID, canonicalURL, portableDigest)
	return hex.EncodeToString(sum[:])
}

// sumLines hashes the lines joined by LF, without a final one.
func sumLines(lines ...string) [32]byte {
	b := make([]byte, 0, 256)
	for i, line := range lines {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, line...)
	}
	return sha256.Sum256(b)
}
