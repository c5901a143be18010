package server

import (
	"bytes"
	"context"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"colophon/worker"
	"colophon/worker/edge"
)

// leastCompressed is the smallest body worth compressing, in bytes.
const leastCompressed = 512

// compress answers in gzip whoever takes it, where the handler did not: what
// is published has compressed siblings, this is for what is made for one
// request. Text that one caller alone may read stays as it is: it holds
// secrets beside text that others chose, whose length would tell of them.
func compress(next edge.Handler) edge.Handler {
	return func(ctx context.Context, r *edge.Request) *edge.Response {
		if worker.Accepts(r.Header.Get("accept-encoding")+", *;q=0", []string{"gzip"}) == "" {
			return next(ctx, r)
		}
		resp := next(ctx, knownPlain(r))
		switch {
		case resp.Status == 304:
			known304(r, resp)
		case compressible(resp):
			pack(resp)
		}
		return resp
	}
}

// compressible reports whether an answer is text that everybody may read, and
// long enough.
func compressible(resp *edge.Response) bool {
	if resp.Stream != nil || len(resp.Body) < leastCompressed || resp.Header.Has("content-encoding") || resp.Status == 206 {
		return false
	}
	return worker.TextForAll(&resp.Header)
}

var packers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// pack compresses a body, and marks its validator as that of this form.
func pack(resp *edge.Response) {
	var b bytes.Buffer
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(&b)
	_, _ = z.Write(resp.Body) // a buffer takes everything
	_ = z.Close()
	resp.Body = b.Bytes()
	resp.Header.Set("content-encoding", "gzip")
	if tag := resp.Header.Get("etag"); strings.HasSuffix(tag, `"`) {
		resp.Header.Set("etag", tag[:len(tag)-1]+`-gz"`)
	}
}

// knownPlain adds to If-None-Match, beside each validator of a compressed
// form, that of the plain one, which is all that the handler knows.
func knownPlain(r *edge.Request) *edge.Request {
	known := r.Header.Get("if-none-match")
	if !strings.Contains(known, `-gz"`) {
		return r
	}
	out := *r
	out.Header = append(edge.Header(nil), r.Header...)
	out.Header.Set("if-none-match", known+", "+strings.ReplaceAll(known, `-gz"`, `"`))
	return &out
}

// known304 confirms the validator of the form that the caller has.
func known304(r *edge.Request, resp *edge.Response) {
	tag := resp.Header.Get("etag")
	if !strings.HasSuffix(tag, `"`) || strings.HasSuffix(tag, `-gz"`) {
		return
	}
	if packed := tag[:len(tag)-1] + `-gz"`; strings.Contains(r.Header.Get("if-none-match"), packed) {
		resp.Header.Set("etag", packed)
	}
}
