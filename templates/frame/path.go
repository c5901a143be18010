package frame

import "colophon/exports"

// Addresses that every page links to, and that no record owns.
const (
	PathHome        = "/"
	PathVerify      = "/verify/"
	PathLedger      = "/ledger/"
	PathCategories  = "/categories/"
	PathDevelopers  = "/developers/"
	PathBoundaries  = PathDevelopers + "boundaries/"
	PathReference   = PathDevelopers + "reference/"
	PathWebManifest = "/manifest.json"
	PathBadge       = "/badge.svg"
)

// ShortlistPath returns the form that asks several publishers, with one of
// them; "" for none.
func ShortlistPath(siteID string) string {
	if siteID == "" {
		return exports.PathShortlist
	}
	return exports.PathShortlist + "?publishers=" + siteID
}
