package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

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
	for _, x := range []struct {
		media, cache, accept string
		packed               bool
	}{
		{"text/html; charset=utf-8", "public, max-age=60", "gzip, br", true}, {"application/json", "no-store", "gzip", true}, {"application/problem+json", "public", "gzip;q=0.5", true},
		{"image/svg+xml", "public", "*", true}, {"text/csv", "public", "gzip", true}, {"application/xml", "public", "gzip", true}, {"application/x-ndjson", "public", "gzip", true},
		{"image/png", "public", "gzip", false}, {"text/html", "private, no-store", "gzip", false}, {"text/html", "public", "br", false},
		{"text/html", "public", "gzip;q=0", false}, {"text/html", "public", "identity", false}, {"", "public", "gzip", false},
	} {
		resp := ask(x.media, x.cache, x.accept, "")
		if got := resp.Header.Get("content-encoding") == "gzip"; got != x.packed {
			t.Errorf("%+v: compressed %v", x, got)
			continue
		}
		if !x.packed {
			if string(resp.Body) != text || resp.Header.Get("etag") != `"abc"` {
				t.Errorf("%+v: changed", x)
			}
			continue
		}
		z, err := gzip.NewReader(bytes.NewReader(resp.Body))
		if err != nil {
			t.Fatal(err)
		}
		if plain, err := io.ReadAll(z); err != nil || string(plain) != text || resp.Header.Get("etag") != `"abc-gz"` || len(resp.Body) >= len(text) {
			t.Errorf("%+v: %d bytes, ETag %s, %v", x, len(resp.Body), resp.Header.Get("etag"), err)
		}
	}
	for known, want := range map[string]string{`"abc-gz"`: `"abc-gz"`, `"abc"`: `"abc"`, `W/"abc-gz"`: `"abc-gz"`} {
		if resp := ask("text/html", "public", "gzip", known); resp.Status != 304 || resp.Header.Get("etag") != want {
			t.Errorf("If-None-Match %s: %d %s", known, resp.Status, resp.Header.Get("etag"))
		}
	}
	if resp := ask("text/html", "public", "gzip", `"other-gz"`); resp.Status != 200 {
		t.Errorf("another validator: %d", resp.Status)
	}
}

// TestKeptBodies: a large body is compressed once for its validator, and what is kept
// is bounded.
func TestKeptBodies(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	k := &keptBodies{}
	plain := func(n int) []byte {
		body := make([]byte, n)
		random.Read(body)
		return body
	}
	large := plain(leastKept)
	first := k.packBody(`"large"`, large)
	if again := k.packBody(`"large"`, large); &again[0] != &first[0] {
		t.Error("a large body was compressed twice")
	}
	for tag, body := range map[string][]byte{`"small"`: plain(leastKept - 1), `W/"weak"`: large, "": large} {
		k.packBody(tag, body)
		if k.find(tag) != nil {
			t.Errorf("%d bytes under the validator %s are kept", len(body), tag)
		}
	}
	for i := range 40 {
		k.packBody(fmt.Sprintf(`"%d"`, i), plain(1<<20))
		if k.size > mostKept {
			t.Fatalf("%d bytes are kept", k.size)
		}
	}
	if k.find(`"large"`) != nil || k.find(`"0"`) != nil || k.find(`"39"`) == nil || len(k.tags) != len(k.byTag) || len(k.tags) < 25 {
		t.Errorf("%d bodies are kept under %d validators", len(k.byTag), len(k.tags))
	}
	k.packBody(`"huge"`, plain(mostKept+1))
	if k.find(`"huge"`) != nil || k.find(`"39"`) == nil {
		t.Error("a body that takes all the room was kept")
	}
}
