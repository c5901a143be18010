package frame

import "colophon/exports"

// Addresses that every page links to and that belong to no record.
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

// ShortlistPath returns the address of the form that asks several publishers,
// filled in with one of them unless siteID is "".
func ShortlistPath(siteID string) string {
	if siteID == "" {
		return exports.PathShortlist
	}
	return exports.PathShortlist + "?publishers=" + siteID
}
