package edge

import (
	"encoding/json"
	"strings"
	"testing"

	"colophon/internal/assert"
)

func TestHeader(t *testing.T) {
	h := Header{{"vary", "accept"}, {"link", "<a>"}, {"link", "<b>"}}
	h.Set("vary", "accept-encoding")
	h.Set("etag", `"x"`)
	h.Add("link", "<c>")
	assert.Equal(t, h.Get("vary"), "accept-encoding", "Get(vary)")
	assert.Equal(t, strings.Join(h.Values("link"), ","), "<a>,<b>,<c>", "Values(link)")
	if !h.Has("etag") || h.Has("Etag") || h.Get("none") != "" {
		t.Errorf("Has or Get answers wrongly for %v", h)
	}
}

func TestFieldValid(t *testing.T) {
	for _, c := range []struct {
		f    Field
		want bool
	}{
		{Field{"etag", `"abc"`}, true},
		{Field{"x", ""}, true},
		{Field{"x", "a\tb c~"}, true},
		{Field{"", "a"}, false},
		{Field{"Etag", "a"}, false},
		{Field{"a b", "a"}, false},
		{Field{"a:b", "a"}, false},
		{Field{"a\r\nb", "a"}, false},
		{Field{"x", "a\r\nset-cookie: b"}, false},
		{Field{"x", "a\nb"}, false},
		{Field{"x", "a\x00b"}, false},
		{Field{"x", "a\x7fb"}, false},
		{Field{"x", "gr\u00fcn"}, false},
		{Field{"x", "a\xffb"}, false},
	} {
		assert.Equal(t, c.f.Valid(), c.want, "%q: Valid", c.f)
	}
}

func TestRequestID(t *testing.T) {
	full := [10]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255}
	for _, c := range []struct {
		ms   int64
		e    [10]byte
		want string
	}{
		{0, [10]byte{}, "rid_00000000000000000000000000"},
		{1, [10]byte{}, "rid_00000000010000000000000000"},
		{1<<48 - 1, full, "rid_7zzzzzzzzzzzzzzzzzzzzzzzzz"},
		{0, [10]byte{0, 0, 0, 0, 1}, "rid_00000000000000000100000000"},
		{0, [10]byte{9: 1}, "rid_00000000000000000000000001"},
		// The example of the ULID specification's own README, in lower case.
		{1469918176385, [10]byte{}, "rid_01aryz6s410000000000000000"},
	} {
		assert.Equal(t, RequestID(c.ms, c.e), c.want, "RequestID(%d, %x)", c.ms, c.e)
	}
}

func TestFault(t *testing.T) {
	for _, c := range []struct {
		ask, status int
		code, after string
	}{
		{500, 500, "internal_error", ""},
		{503, 503, "overloaded", "1"},
		{504, 504, "deadline_exceeded", "1"},
		{418, 500, "internal_error", ""},
	} {
		r := Fault(c.ask, "rid_x")
		var p struct {
			Type, Title, Detail, Instance, Code string
			RequestID                           string `json:"request_id"`
			Status                              int
			GrantsRights                        *bool `json:"grants_rights"`
			Retry                               struct {
				After     *int `json:"after_seconds"`
				Retryable bool
			}
		}
		if err := json.Unmarshal(r.Body, &p); err != nil {
			t.Fatalf("%d: %v in %s", c.ask, err, r.Body)
		}
		if r.Status != c.status || p.Status != c.status || p.Code != c.code {
			t.Errorf("%d: status %d, body %s", c.ask, r.Status, r.Body)
		}
		if p.Type != "/problems/"+strings.ReplaceAll(c.code, "_", "-") || p.Instance != "urn:rid:rid_x" || p.RequestID != "rid_x" {
			t.Errorf("%d: type or ids wrong in %s", c.ask, r.Body)
		}
		if p.GrantsRights == nil || *p.GrantsRights || !p.Retry.Retryable || (p.Retry.After != nil) != (c.after != "") {
			t.Errorf("%d: grants_rights or retry wrong in %s", c.ask, r.Body)
		}
		var canonical map[string]any
		_ = json.Unmarshal(r.Body, &canonical)
		if again, _ := json.Marshal(canonical); string(again) != string(r.Body) {
			t.Errorf("%d: not canonical:\n%s\n%s", c.ask, r.Body, again)
		}
		assert.Equal(t, r.Header.Get("retry-after"), c.after, "%d: retry-after", c.ask)
		if r.Header.Get("content-type") != "application/problem+json; charset=utf-8" || r.Header.Get("cache-control") != "private, no-store" {
			t.Errorf("%d: headers %v", c.ask, r.Header)
		}
	}
}
