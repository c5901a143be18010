package mcp

import (
	"errors"
	"strconv"

	"colophon/exports"
	"colophon/internal/wire"
)

var errNoList = errors.New("the published file is not a list")

// slicePage takes limit records from offset on out of a published list and puts
// them into an envelope of their own, with self as its address. With keep, only
// the records count for which it is true. The error is errNoList, or that of
// reading the JSON.
func slicePage(list []byte, self string, limit, offset int64, keep func(record *wire.Value) bool) ([]byte, error) {
	all, err := wire.Parse(list, wire.Trusted)
	if err != nil {
		return nil, err
	}
	catalog := all.Get("catalog")
	data := all.Get("data")
	if catalog == nil || data == nil || data.Kind != wire.KindArray {
		return nil, errNoList
	}

	records := filterRecords(data.Items, keep)
	total := int64(len(records))
	from := min(offset, total)
	to := min(from+limit, total)

	page := exports.Page{Limit: limit, Offset: offset, Total: total, NextOffset: -1}
	links := exports.PageLinks{Self: pageAt(self, limit, offset)}
	if to < total && to > from {
		page.NextOffset = to
		links.Next = pageAt(self, limit, to)
	}

	var o object
	o.value("catalog", *catalog)
	o.value("data", wire.Array(records[from:to]...))
	o.json("grants_rights", "false")
	o.raw("links", wire.Append(nil, &links))
	o.raw("page", wire.Append(nil, &page))
	return o.append(nil), nil
}

// filterRecords returns the records for which keep is true, all without it.
func filterRecords(records []wire.Value, keep func(record *wire.Value) bool) []wire.Value {
	if keep == nil {
		return records
	}
	var kept []wire.Value
	for i := range records {
		if keep(&records[i]) {
			kept = append(kept, records[i])
		}
	}
	return kept
}

// acceptsInquiries tells whether a publisher's summary is of one that accepts
// inquiries.
func acceptsInquiries(summary *wire.Value) bool {
	accepts := summary.Get("accepts_inquiries")
	return accepts != nil && accepts.Kind == wire.KindBool && accepts.Bool
}

func pageAt(path string, limit, offset int64) string {
	return path + "?limit=" + strconv.FormatInt(limit, 10) + "&offset=" + strconv.FormatInt(offset, 10)
}

// countRecords is the summary of a list with a total: how much of it this is,
// and the argument by which one goes on, "offset", "cursor" or "".
func countRecords(list []byte, what, goOn string) string {
	page, ok := readPage(list)
	if !ok {
		return "List: " + what + "."
	}

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

// readPage reads the member "page" of a list; ok is false where there is none.
func readPage(list []byte) (page exports.Page, ok bool) {
	all, err := wire.Parse(list, wire.Trusted)
	if err != nil {
		return page, false
	}
	member := all.Get("page")
	if member == nil {
		return page, false
	}
	err = wire.DecodeValue(member, &page)
	return page, err == nil
}

// countPart is the summary of a list that is walked by cursor and may have no
// total: how many records are here, and how one goes on.
func countPart(list []byte, what string) string {
	all, err := wire.Parse(list, wire.Trusted)
	if err != nil {
		return "List: " + what + "."
	}
	records := 0
	if data := all.Get("data"); data != nil {
		records = len(data.Items)
	}
	s := strconv.Itoa(records) + " " + what
	if cursor, more := all.Get("page").Get("next_cursor").Str(); more && cursor != "" {
		return s + "; there may be more, go on with cursor " + cursor + "."
	}
	return s + "."
}
