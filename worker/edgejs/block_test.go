package edgejs

import (
	"reflect"
	"testing"

	"colophon/worker/edge"
)

func TestBlock(t *testing.T) {
	for _, c := range []struct {
		h    edge.Header
		want string
	}{
		{nil, ""},
		{edge.Header{{Name: "etag", Value: `"a"`}}, "etag\n\"a\"\n"},
		{edge.Header{{Name: "link", Value: "<a>"}, {Name: "link", Value: ""}}, "link\n<a>\nlink\n\n"},
		{edge.Header{{Name: "x", Value: "a\nset-cookie\nb"}, {Name: "y", Value: "1"}}, "y\n1\n"},
		{edge.Header{{Name: "X", Value: "upper case names are not ours"}}, ""},
	} {
		if got := string(appendBlock(nil, c.h)); got != c.want {
			t.Errorf("appendBlock(%v) = %q, want %q", c.h, got, c.want)
		}
	}
}

func TestHead(t *testing.T) {
	got := parseHead("GET\n/a%20b\nq=1&r=\n192.0.2.1\nrid_1\naccept\n*/*\nx-empty\n\n")
	want := &edge.Request{Method: "GET", Path: "/a%20b", Query: "q=1&r=", Remote: "192.0.2.1", ID: "rid_1",
		Header: edge.Header{{Name: "accept", Value: "*/*"}, {Name: "x-empty", Value: ""}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("parseHead = %+v, want %+v", got, want)
	}
	if got := parseHead("GET\n/\n\n\nrid_1\n"); got.Path != "/" || len(got.Header) != 0 || got.ID != "rid_1" {
		t.Errorf("a head without fields = %+v", got)
	}
}

func FuzzBlock(f *testing.F) {
	f.Add("etag", "\"x\"", "link", "<a>")
	f.Add("a\nb", "", "\r", "\x00")
	f.Fuzz(func(t *testing.T, n1, v1, n2, v2 string) {
		var valid edge.Header
		all := edge.Header{{Name: n1, Value: v1}, {Name: n2, Value: v2}}
		for _, f := range all {
			if f.Valid() {
				valid = append(valid, f)
			}
		}
		got := parseBlock(string(appendBlock(nil, all)))
		if len(got) != len(valid) || (len(got) > 0 && !reflect.DeepEqual(got, valid)) {
			t.Errorf("%q crossed as %q, want %q", all, got, valid)
		}
	})
}
