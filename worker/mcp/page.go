package mcp

import (
	"strconv"

	"colophon/exports"
)

// pageOf returns limit publishers from offset on, of a list that is published
// as a whole, with self as its address.
func pageOf(all []exports.PublisherSummary, release exports.Release, self string, limit, offset int64) *exports.PublisherList {
	total := int64(len(all))
	from := min(offset, total)
	to := min(from+limit, total)

	l := &exports.PublisherList{Data: all[from:to], Catalog: release}
	l.Page = exports.Page{Limit: limit, Offset: offset, Total: total, NextOffset: -1}
	l.Links.Self = pageAt(self, limit, offset)
	if to < total && to > from {
		l.Page.NextOffset = to
		l.Links.Next = pageAt(self, limit, to)
	}
	return l
}

func pageAt(path string, limit, offset int64) string {
	return path + "?limit=" + strconv.FormatInt(limit, 10) + "&offset=" + strconv.FormatInt(offset, 10)
}

// countRecords returns the summary of a list with a total: how much of it this
// is, and the argument with which to continue, "offset", "cursor" or "".
func countRecords(page exports.Page, what, goOn string) string {
	s := strconv.FormatInt(page.Total, 10) + " " + what
	switch {
	case page.Limit == 0 || page.Total == 0:
		return s + "."
	case goOn == "offset" && page.NextOffset >= 0:
		return s + "; this is a part from " + strconv.FormatInt(page.Offset, 10) + ", go on with offset " + strconv.FormatInt(page.NextOffset, 10) + "."
	case goOn == "cursor" && page.NextCursor != "":
		return s + "; this is a part, go on with cursor " + page.NextCursor + "."
	}
	return s + "."
}

// countPart returns the summary of a list that is walked by cursor and may have
// no total: how many records are here, and how to continue.
func countPart(records int, nextCursor, what string) string {
	s := strconv.Itoa(records) + " " + what
	if nextCursor != "" {
		return s + "; there may be more, go on with cursor " + nextCursor + "."
	}
	return s + "."
}
