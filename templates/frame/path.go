package frame

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
