package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"colophon/worker/edge"
)

func TestCompress(t *testing.T) {
	text := strings.Repeat("tides and harbours ", 100)
	h := compress(func(_ context.Context, r *edge.Request) *edge.Response {
		resp := &edge.Response{Status: 200, Body: []byte(text)}
		resp.Header.Set("content-type", strings.TrimPrefix(r.Path, "/"))
		resp.Header.Set("cache-control", r.Query)
		resp.Header.Set("etag", `"abc"`)
		if strings.Contains(r.Header.Get("if-none-match"), `"abc"`) {
			return &edge.Response{Status: 304, Header: edge.Header{{Name: "etag", Value: `"abc"`}}}
		}
		return resp
	})
	ask := func(media, cache, accept, known string) *edge.Response {
		r := &edge.Request{Method: "GET", Path: "/" + media, Query: cache}
		r.Header.Set("accept-encoding", accept)
		if known != "" {
			r.Header.Set("if-none-match", known)
		}
		return h(context.Background(), r)
	}
	for _, x := range []struct{ media, cache, accept, coding string }{
		{"text/html; charset=utf-8", "public, max-age=60", "gzip, br", "br"}, {"text/html", "public", "gzip, deflate, br, zstd", "zstd"}, {"text/html", "public", "zstd", "zstd"}, {"text/html", "public", "br", "br"},
		{"text/html", "public", "gzip, br;q=0.5, zstd;q=0.1", "gzip"}, {"text/html", "public", "gzip;q=0.8, br;q=0.9", "br"}, {"text/html", "public", "zstd;q=0, br;q=0, gzip", "gzip"}, {"text/html", "public", "deflate, compress", ""},
		{"application/json", "no-store", "gzip", "gzip"}, {"application/problem+json", "public", "gzip;q=0.5", "gzip"}, {"application/ld+json", "public", "zstd", "zstd"},
		{"image/svg+xml", "public", "*", "zstd"}, {"text/csv", "public", "gzip", "gzip"}, {"application/xml", "public", "gzip", "gzip"}, {"application/x-ndjson", "public", "gzip", "gzip"},
		{"image/png", "public", "gzip", ""}, {"text/html", "private, no-store", "gzip", ""}, {"text/html", "private, no-store", "zstd, br", ""},
		{"text/html", "public", "gzip;q=0", ""}, {"text/html", "public", "identity", ""}, {"", "public", "gzip", ""}, {"text/html", "public", "", ""},
	} {
		resp := ask(x.media, x.cache, x.accept, "")
		if got := resp.Header.Get("content-encoding"); got != x.coding {
			t.Errorf("%+v: compressed in %q", x, got)
			continue
		}
		if x.coding == "" {
			if string(resp.Body) != text || resp.Header.Get("etag") != `"abc"` {
				t.Errorf("%+v: changed", x)
			}
			continue
		}
		if plain := decode(t, x.coding, resp.Body); plain != text || resp.Header.Get("etag") != `"abc`+marks[x.coding]+`"` || len(resp.Body) >= len(text) {
			t.Errorf("%+v: %d bytes, ETag %s", x, len(resp.Body), resp.Header.Get("etag"))
		}
	}
	for coding, mark := range marks {
		packed := `"abc` + mark + `"`
		for known, want := range map[string]string{packed: packed, `"abc"`: `"abc"`, `W/` + packed: packed, `"x", ` + packed: packed} {
			if resp := ask("text/html", "public", coding, known); resp.Status != 304 || resp.Header.Get("etag") != want {
				t.Errorf("%s, If-None-Match %s: %d %s", coding, known, resp.Status, resp.Header.Get("etag"))
			}
		}
		if resp := ask("text/html", "public", coding, `"other`+mark+`"`); resp.Status != 200 {
			t.Errorf("%s: another validator: %d", coding, resp.Status)
		}
	}
}

// marks are the suffixes of the validators of compressed forms.
var marks = map[string]string{"zstd": "-zst", "br": "-br", "gzip": "-gz"}

func decode(t *testing.T, coding string, body []byte) string {
	t.Helper()
	var r io.Reader = brotli.NewReader(bytes.NewReader(body))
	var err error
	switch coding {
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(body))
	case "zstd":
		r, err = zstd.NewReader(bytes.NewReader(body))
	}
	must(t, err)
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", coding, err)
	}
	return string(plain)
}

// TestSiblingsForGzipAlone checks that a file with a gzip sibling is sent in
// zstd or Brotli to clients that accept these, with a separate validator for
// each form.
func TestSiblingsForGzipAlone(t *testing.T) {
	text := strings.Repeat("tides and harbours ", 1000)
	h := compress(func(_ context.Context, r *edge.Request) *edge.Response {
		resp := &edge.Response{Status: 200, Body: []byte(text)}
		resp.Header.Set("content-type", "text/html")
		resp.Header.Set("cache-control", "public")
		resp.Header.Set("etag", `"abc"`)
		if strings.Contains(r.Header.Get("accept-encoding"), "gzip") {
			resp.Body = []byte("a sibling")
			resp.Header.Set("content-encoding", "gzip")
			resp.Header.Set("etag", `"abc-gz"`)
		}
		return resp
	})
	for accept, want := range map[string]string{"gzip": "gzip", "gzip, br": "br", "gzip, br, zstd": "zstd", "gzip, zstd;q=0.1": "gzip"} {
		for range 2 { // compressed, then kept
			resp := h(context.Background(), &edge.Request{Method: "GET", Header: edge.Header{{Name: "accept-encoding", Value: accept}}})
			if got := resp.Header.Get("content-encoding"); got != want || resp.Header.Get("etag") != `"abc`+marks[want]+`"` || want == "gzip" != (string(resp.Body) == "a sibling") {
				t.Errorf("%s: %s, ETag %s", accept, got, resp.Header.Get("etag"))
			} else if want != "gzip" && decode(t, want, resp.Body) != text {
				t.Errorf("%s: another text", accept)
			}
		}
	}
}

// TestKeptBodies checks that a large body is compressed once for its validator,
// and that what is kept is bounded.
func TestKeptBodies(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	k := &keptBodies{}
	gzipped := codingOf("gzip")
	plain := func(n int) []byte {
		body := make([]byte, n)
		random.Read(body)
		return body
	}
	large := plain(leastKept)
	first := k.packBody(gzipped, `"large"`, large)
	if again := k.packBody(gzipped, `"large"`, large); &again[0] != &first[0] {
		t.Error("a large body was compressed twice")
	}
	for tag, body := range map[string][]byte{`"small"`: plain(leastKept - 1), `W/"weak"`: large, "": large} {
		k.packBody(gzipped, tag, body)
		if k.find("gzip"+tag) != nil {
			t.Errorf("%d bytes under the validator %s are kept", len(body), tag)
		}
	}
	for i := range 40 {
		k.packBody(gzipped, fmt.Sprintf(`"%d"`, i), plain(1<<20))
		if k.size > mostKept {
			t.Fatalf("%d bytes are kept", k.size)
		}
	}
	if k.find(`gzip"large"`) != nil || k.find(`gzip"0"`) != nil || k.find(`gzip"39"`) == nil || len(k.tags) != len(k.byTag) || len(k.tags) < 25 {
		t.Errorf("%d bodies are kept under %d validators", len(k.byTag), len(k.tags))
	}
	k.packBody(gzipped, `"huge"`, plain(mostKept+1))
	if k.find(`gzip"huge"`) != nil || k.find(`gzip"39"`) == nil {
		t.Error("a body that takes all the room was kept")
	}
}
