package templates

import (
	"strconv"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/templates/content"
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

// pager links page n of a list to those beside it, by the address of each.
func pager(path func(n int) string, n, pages int) (v content.Pager) {
	if n = max(n, 1); pages > 1 {
		v.Range = "Page " + strconv.Itoa(n) + " of " + strconv.Itoa(pages)
		if n > 1 {
			v.Previous = path(n - 1)
		}
		if n < pages {
			v.Next = path(n + 1)
		}
	}
	return v
}

// listPager links the pages of the list at path.
func listPager(path string, n, pages int) content.Pager {
	return pager(func(n int) string { return PagePath(path, n) }, n, pages)
}

// older links from the newest records of a list to the rest, which the service
// shows.
func older(path string, shown, total int64) (v content.Pager) {
	if shown < total {
		v.Range, v.Next = "1 to "+prose.Count(shown)+" of "+prose.Count(total), path+"?offset="+strconv.FormatInt(shown, 10)
	}
	return v
}
