package request

import (
	"colophon/internal/paging"
	"colophon/worker/problem"
)

// CursorKey returns the key in the cursor parameter, which the same list made
// with paging.Keyset, or "" for the beginning.
func (c *Call) CursorKey(list string) (key string, err error) {
	text := c.Values.Get("cursor")
	if text == "" || text == "*" {
		return "", nil
	}
	keys, ok := paging.ParseKeyset(text, list, 1)
	if !ok || keys[0] == "" || len(keys[0]) > 64 {
		return "", problem.InvalidParam("cursor", "belongs to another list")
	}
	return keys[0], nil
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
