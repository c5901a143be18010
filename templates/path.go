package templates

import (
	"strconv"

	"colophon/exports"
	"colophon/templates/frame"
)

// Addresses of the pages that belong to no record.
const (
	PathProblems = "/problems/"
	PathFeed     = "/feeds/publishers.rss"
)

// InventoryPath returns the address of page n of a publisher's inventory.
func InventoryPath(siteID string, n int) string {
	path := exports.PublisherPage(siteID) + "pages/"
	if n > 1 {
		path += strconv.Itoa(n) + "/"
	}
	return path
}

// DocPath returns the address of a page of the documentation; "index" is its
// first page.
func DocPath(slug string) string {
	if slug == "index" {
		return frame.PathDevelopers
	}
	return frame.PathDevelopers + slug + "/"
}

// PagePath returns the address of page n of the list at path; the first page is
// at path itself.
func PagePath(path string, n int) string {
	if n <= 1 {
		return path
	}
	return path + "pages/" + strconv.Itoa(n) + "/"
}
