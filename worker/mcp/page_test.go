package mcp

import (
	"strings"
	"testing"

	"colophon/internal/wire"
)

// trap is a list whose texts hold what a search in its bytes would take for
// members.
const trap = `{"catalog":{"release":"2026-11-20.7"},"data":[` +
	`{"accepts_inquiries":true,"name":"A","summary":"\"data\":[{}],\"accepts_inquiries\":true"},` +
	`{"accepts_inquiries":false,"name":"B","nested":{"accepts_inquiries":true},"summary":"x"},` +
	`{"accepts_inquiries":true,"name":"C","nested":{"data":[1,2]},"summary":"}]"}],` +
	`"grants_rights":false,"links":{"next":null,"self":"/x"},"page":{"limit":50,"next_cursor":"c1","next_offset":null,"offset":0,"total":3,"total_is":"exact"}}`

func names(t *testing.T, list []byte) string {
	t.Helper()
	v, err := wire.Parse(list, wire.Trusted)
	if err != nil {
		t.Fatalf("%v: %s", err, list)
	}
	var out []string
	data := v.Get("data")
	for i := range data.Items {
		name, _ := data.Items[i].Get("name").Str()
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestSlicePage(t *testing.T) {
	for _, tc := range []struct {
		name          string
		limit, offset int64
		keep          func(*wire.Value) bool
		want          string
		page          string
	}{
		{"all", 10, 0, nil, "A B C", `"page":{"limit":10,"next_cursor":null,"next_offset":null,"offset":0,"total":3,"total_is":"exact"}`},
		{"the middle", 1, 1, nil, "B", `"next_offset":2,"offset":1,"total":3,"total_is":"exact"}`},
		{"past the end", 5, 7, nil, "", `"total":3,"total_is":"exact"}`},
		{"only counted", 0, 0, nil, "", `"total":3,"total_is":"exact"}`},
		{"those that accept inquiries", 10, 0, acceptsInquiries, "A C", `"total":2,"total_is":"exact"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := slicePage([]byte(trap), "/list", tc.limit, tc.offset, tc.keep)
			if err != nil {
				t.Fatal(err)
			}
			if n := names(t, got); n != tc.want {
				t.Errorf("records %q, want %q", n, tc.want)
			}
			if !strings.Contains(string(got), tc.page) || !strings.HasPrefix(string(got), `{"catalog":{"release":"2026-11-20.7"},"data":[`) {
				t.Errorf("%s", got)
			}
		})
	}
}

func TestSlicePageRefuses(t *testing.T) {
	for _, list := range []string{``, `[]`, `{}`, `{"catalog":{}}`, `{"catalog":{},"data":{}}`, trap[:len(trap)-1]} {
		if got, err := slicePage([]byte(list), "/list", 1, 0, nil); err == nil {
			t.Errorf("%q gives %s", list, got)
		}
	}
}

func TestCounts(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{countRecords([]byte(trap), "publishers", ""), "3 publishers."},
		{countRecords([]byte(trap), "publishers", "cursor"), "3 publishers; this is a part, go on with cursor c1."},
		{countRecords([]byte(`{"data":[]}`), "publishers", ""), "List: publishers."},
		{countRecords(nil, "publishers", ""), "List: publishers."},
		{countPart([]byte(trap), "items"), "3 items; there may be more, go on with cursor c1."},
		{countPart([]byte(`{"data":[{"x":"\"next_cursor\":\"y\""}],"page":{"next_cursor":null}}`), "items"), "1 items."},
		{countPart([]byte(`{}`), "items"), "0 items."},
	} {
		if tc.got != tc.want {
			t.Errorf("%q, want %q", tc.got, tc.want)
		}
	}
}
