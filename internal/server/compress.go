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

// compress answers in gzip whoever takes it, where the handler did not: files have
// compressed siblings, this is for what is made for one request, and for releases in
// segments. Text that one caller alone may read stays as it is: it holds
// secrets beside text that others chose, whose length would tell of them.
func compress(next edge.Handler) edge.Handler {
	kept := &keptBodies{}
	return func(ctx context.Context, r *edge.Request) *edge.Response {
		if worker.Accepts(r.Header.Get("accept-encoding")+", *;q=0", []string{"gzip"}) == "" {
			return next(ctx, r)
		}
		resp := next(ctx, knownPlain(r))
		switch {
		case resp.Status == 304:
			known304(r, resp)
		case compressible(resp):
			kept.pack(resp)
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

// Of bodies from leastKept bytes on, which cost most, compressed forms are kept, of
// mostKept bytes in all.
const (
	leastKept = 64 << 10
	mostKept  = 32 << 20
)

// keptBodies keeps compressed bodies by the validator of the plain one, which is never
// that of another body. The zero value keeps none yet.
type keptBodies struct {
	mu    sync.Mutex
	byTag map[string][]byte
	tags  []string // the oldest first
	size  int
}

func (k *keptBodies) find(tag string) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.byTag[tag]
}

// keep keeps a body, and gives up the oldest ones where there is no room.
func (k *keptBodies) keep(tag string, body []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byTag[tag] != nil || len(body) > mostKept {
		return
	}
	if k.byTag == nil {
		k.byTag = map[string][]byte{}
	}
	k.byTag[tag] = body
	k.tags = append(k.tags, tag)
	k.size += len(body)
	for k.size > mostKept {
		oldest := k.tags[0]
		k.tags = k.tags[1:]
		k.size -= len(k.byTag[oldest])
		delete(k.byTag, oldest)
	}
}

// packBody compresses a body, or finds it compressed.
func (k *keptBodies) packBody(tag string, plain []byte) []byte {
	isKept := len(plain) >= leastKept && strings.HasPrefix(tag, `"`)
	if isKept {
		if body := k.find(tag); body != nil {
			return body
		}
	}
	var b bytes.Buffer
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(&b)
	_, _ = z.Write(plain) // a buffer takes everything
	_ = z.Close()
	if !isKept {
		return b.Bytes()
	}
	body := bytes.Clone(b.Bytes()) // the buffer has room that would be kept too
	k.keep(tag, body)
	return body
}

// pack compresses a body, and marks its validator as that of this form.
func (k *keptBodies) pack(resp *edge.Response) {
	resp.Body = k.packBody(resp.Header.Get("etag"), resp.Body)
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
