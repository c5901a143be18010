package templates

import (
	"colophon/exports"
	"colophon/templates/frame"
)

// Addresses of the pages that no record owns.
const (
	PathHome         = frame.PathHome
	PathCatalog      = exports.PathCatalogPage
	PathCheck        = exports.PathCheckPage
	PathCategories   = frame.PathCategories
	PathPublishers   = exports.PathPublishersPage
	PathMap          = exports.PathMapPage
	PathLedger       = frame.PathLedger
	PathDemand       = exports.PathDemandPage
	PathOffers       = exports.PathOffersPage
	PathVerify       = frame.PathVerify
	PathConversation = exports.PathConversationPage
	PathNeed         = exports.PathNeedPage
	PathJoin         = exports.PathJoin
	PathEditor       = exports.PathEditor
	PathDevelopers   = frame.PathDevelopers
	PathReference    = frame.PathReference
	PathProblems     = "/problems/"
	PathNotFound     = exports.PathNotFoundPage
	PathShell        = exports.PathShell
	PathCatalogShell = exports.PathCatalogShell
	PathCheckShell   = exports.PathCheckShell

	PathMapShell        = exports.PathMapShell
	PathPublishersShell = exports.PathPublishersShell
	PathOffersShell     = exports.PathOffersShell
	PathDemandShell     = exports.PathDemandShell
	PathStatusShell     = exports.PathStatusShell
	PathFeed            = "/feeds/publishers.rss"
	PathWebManifest     = frame.PathWebManifest
	PathBadge           = frame.PathBadge
	PathStatus          = exports.PathStatusPage
)

// RequestPath returns the request form of a publisher.
func RequestPath(siteID string) string { return exports.RequestPage(siteID) }

// InventoryPath is page n of the inventory of a publisher.
func InventoryPath(siteID string, n int) string {
	path := exports.PublisherPage(siteID) + "pages/"
	if n > 1 {
		path += itoa(n) + "/"
	}
	return path
}

// DocPath returns a page of the documentation; "index" is its first.
func DocPath(slug string) string {
	if slug == "index" {
		return PathDevelopers
	}
	return PathDevelopers + slug + "/"
}

// PagePath is page n of a paginated page at path: the first keeps the path.
func PagePath(path string, n int) string {
	if n <= 1 {
		return path
	}
	return path + "pages/" + itoa(n) + "/"
}
