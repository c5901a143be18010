package request

import (
	"encoding/base64"
	"strings"

	"colophon/worker/problem"
)

// CursorAfter returns the cursor with which a walk over a private list goes on after
// the record of a key: unpadded base64url of the name of the list and the key.
func CursorAfter(list, key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(list + " " + key))
}

// CursorKey reads the cursor parameter: "" for the beginning, else the key that
// the same list gave.
func (c *Call) CursorKey(list string) (key string, err error) {
	text := c.Values.Get("cursor")
	if text == "" || text == "*" {
		return "", nil
	}
	b, bad := base64.RawURLEncoding.Strict().DecodeString(text)
	name, key, ok := strings.Cut(string(b), " ")
	if bad != nil || !ok || name != list || key == "" || len(key) > 64 {
		return "", problem.InvalidParam("cursor", "belongs to another list")
	}
	return key, nil
}

// CursorNumber is CursorKey for lists whose keys are numbers.
func (c *Call) CursorNumber(list string) (int64, error) {
	key, err := c.CursorKey(list)
	if err != nil || key == "" {
		return 0, err
	}
	var n int64
	for i := 0; i < len(key); i++ {
		if key[i] < '0' || key[i] > '9' || len(key) > 15 {
			return 0, problem.InvalidParam("cursor", "belongs to another list")
		}
		n = n*10 + int64(key[i]-'0')
	}
	return n, nil
}
