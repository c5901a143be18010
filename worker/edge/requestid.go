package edge

import "colophon/internal/ulid"

// RequestID returns "rid_" and a ULID. Ids made later in time sort later.
func RequestID(unixMilli int64, entropy [10]byte) string {
	return "rid_" + ulid.Encode(unixMilli, entropy)
}
