package templates

import (
	"colophon/exports"
	"colophon/templates/frame"
)

// Addresses of the pages that belong to no record.
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

	PathFeed        = "/feeds/publishers.rss"
	PathWebManifest = frame.PathWebManifest
	PathBadge       = frame.PathBadge
	PathStatus      = exports.PathStatusPage
)

// RequestPath returns the address of a publisher's request form.
func RequestPath(siteID string) string { return exports.RequestPage(siteID) }

// InventoryPath returns the address of page n of a publisher's inventory.
func InventoryPath(siteID string, n int) string {
	path := exports.PublisherPage(siteID) + "pages/"
	if n > 1 {
		path += itoa(n) + "/"
	}
	return path
}

// DocPath returns the address of a page of the documentation; "index" is its
// first page.
func DocPath(slug string) string {
	if slug == "index" {
		return PathDevelopers
	}
	return PathDevelopers + slug + "/"
}

// PagePath returns the address of page n of the list at path; the first page is
// at path itself.
func PagePath(path string, n int) string {
	if n <= 1 {
		return path
	}
	return path + "pages/" + itoa(n) + "/"
}
