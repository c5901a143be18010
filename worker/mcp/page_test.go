package mcp

import (
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
)

func TestPageOf(t *testing.T) {
	all := []exports.PublisherSummary{{Name: "A"}, {Name: "B"}, {Name: "C"}}
	for _, tc := range []struct {
		name          string
		limit, offset int64
		want          string
		next          int64
		link          string
	}{
		{"all", 10, 0, "A B C", -1, ""},
		{"the beginning", 2, 0, "A B", 2, "/list?limit=2&offset=2"},
		{"the middle", 1, 1, "B", 2, "/list?limit=1&offset=2"},
		{"the end", 2, 1, "B C", -1, ""},
		{"past the end", 5, 7, "", -1, ""},
		{"only counted", 0, 0, "", -1, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := pageOf(all, exports.Release{Name: "2026-11-20.7"}, "/list", tc.limit, tc.offset)
			var names []string
			for i := range l.Data {
				names = append(names, l.Data[i].Name)
			}
			assert.Equal(t, strings.Join(names, " "), tc.want, "publishers")
			if l.Page.Total != 3 || l.Page.Limit != tc.limit || l.Page.Offset != tc.offset || l.Page.NextOffset != tc.next || l.Links.Next != tc.link || l.Catalog.Name == "" {
				t.Errorf("%+v %+v %+v", l.Page, l.Links, l.Catalog)
			}
		})
	}
}

func TestCounts(t *testing.T) {
	part := exports.Page{Limit: 50, Total: 300, NextOffset: 50, NextCursor: "c1"}
	for _, tc := range []struct{ got, want string }{
		{countRecords(part, "publishers", ""), "300 publishers."},
		{countRecords(part, "publishers", "cursor"), "300 publishers; this is a part, go on with cursor c1."},
		{countRecords(part, "publishers", "offset"), "300 publishers; this is a part from 0, go on with offset 50."},
		{countRecords(exports.Page{Limit: 50, Total: 3, NextOffset: -1}, "publishers", "offset"), "3 publishers."},
		{countRecords(exports.Page{Total: 3, NextCursor: "c1"}, "publishers", "cursor"), "3 publishers."},
		{countPart(3, "c1", "items"), "3 items; there may be more, go on with cursor c1."},
		{countPart(1, "", "items"), "1 items."},
	} {
		assert.Equal(t, tc.got, tc.want, "tc.got")
	}
}
