package mcp

// Protocol versions. The older two have no envelope and no routing headers.
const (
	Version    = "2026-07-28"
	version25b = "2025-11-25"
	version25a = "2025-06-18"
	// tolerated is accepted in the header of an old client but not offered,
	// because offering it would require support for batches.
	tolerated = "2025-03-26"
)

// Supported lists the versions served, newest first.
var Supported = []string{Version, version25b, version25a}

// isLegacy reports whether v is one of the older versions served.
func isLegacy(v string) bool { return v == version25b || v == version25a }
