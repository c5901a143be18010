package paging

import (
	"encoding/base64"
	"strings"
)

// maxKeyset bounds a keyset cursor.
const maxKeyset = 512

// Keyset returns the cursor that continues a list after the record with
// the given keys: unpadded base64url of the name of the list and the keys, with
// a blank before each key. Keys must not contain blanks. Callers must not look
// inside.
func Keyset(list string, keys ...string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(list + " " + strings.Join(keys, " ")))
}

// ParseKeyset returns the n keys of a cursor that Keyset made for the same
// list, or false.
func ParseKeyset(text, list string, n int) (keys []string, ok bool) {
	if len(text) > maxKeyset {
		return nil, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	name, rest, found := strings.Cut(string(b), " ")
	if err != nil || !found || name != list {
		return nil, false
	}
	keys = strings.Split(rest, " ")
	return keys, len(keys) == n && Keyset(list, keys...) == text // base64 skips line breaks
}
