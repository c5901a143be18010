package templates

import "colophon/exports"

// Addresses of the pages that no record owns.
const (
	PathHome         = "/"
	PathCatalog      = exports.PathCatalogPage
	PathCategories   = "/categories/"
	PathPublishers   = "/publishers/"
	PathMap          = "/rights-map/"
	PathLedger       = "/ledger/"
	PathDemand       = "/demand/"
	PathVerify       = "/verify/"
	PathConversation = exports.PathConversationPage
	PathDevelopers   = "/developers/"
	PathReference    = "/developers/reference/"
	PathProblems     = "/problems/"
	PathNotFound     = exports.PathNotFoundPage
	PathShell        = exports.PathShell
	PathCatalogShell = exports.PathCatalogShell
	PathFeed         = "/feeds/publishers.rss"
)

// RequestPath is the request form of a publisher.
func RequestPath(siteID string) string { return exports.PublisherPage(siteID) + "request/" }

// askPath tells how a publisher can be asked; unlike the request form it
// exists for every publisher.
func askPath(siteID string) string { return exports.PublisherPage(siteID) + "#ask" }

// DocPath is a page of the documentation; "index" is its first.
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
