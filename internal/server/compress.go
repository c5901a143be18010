package server

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"colophon/worker/edge"
	"colophon/worker/request"
)

// leastCompressed is the smallest body worth compressing, in bytes.
const leastCompressed = 512

// coding is a content coding (RFC 9110, section 8.4.1).
type coding struct {
	name    string
	mark    string // ends the validators of this form, inside the quotes
	writers sync.Pool
}

// resetter is a compressor that can be used again.
type resetter interface {
	io.WriteCloser
	Reset(io.Writer)
}

// codings are those that are answered in, the preferred first. Levels are those at
// which a page costs less than half a millisecond.
var codings = []*coding{
	{name: "zstd", mark: "-zst", writers: sync.Pool{New: func() any {
		w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20)) // these options are valid
		return w
	}}},
	{name: "br", mark: "-br", writers: sync.Pool{New: func() any { return brotli.NewWriterLevel(nil, 4) }}},
	{name: "gzip", mark: "-gz", writers: sync.Pool{New: func() any { return gzip.NewWriter(nil) }}},
}

// codingOf returns the coding that a caller prefers, nil for none.
func codingOf(acceptEncoding string) *coding {
	names := make([]string, len(codings))
	for i, c := range codings {
		names[i] = c.name
	}
	chosen := request.Accepts(acceptEncoding+", *;q=0", names)
	for _, c := range codings {
		if c.name == chosen {
			return c
		}
	}
	return nil
}

// compress answers clients that accept it in zstd, Brotli or gzip, where the handler did
// not: files have siblings in gzip, for those who take nothing better; this is for
// what is made for one request, and for releases in packs. Text that one caller alone may read stays as it is: it holds
// secrets beside text that others chose, and its length would reveal them.
func compress(next edge.Handler) edge.Handler {
	kept := &keptBodies{}
	return func(ctx context.Context, r *edge.Request) *edge.Response {
		c := codingOf(r.Header.Get("accept-encoding"))
		if c == nil {
			return next(ctx, r)
		}
		resp := next(ctx, c.plainRequest(r))
		switch {
		case resp.Status == 304:
			c.known304(r, resp)
		case compressible(resp):
			kept.pack(c, resp)
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
	return request.TextForAll(&resp.Header)
}

// Of bodies from leastKept bytes on, which cost most, compressed forms are kept, of
// mostKept bytes in all.
const (
	leastKept = 8 << 10
	mostKept  = 32 << 20
)

// keptBodies keeps compressed bodies by the coding and the validator of the plain one,
// which is never that of another body. The zero value keeps none yet.
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

// keep stores a body, and drops the oldest ones if there is no room.
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
func (k *keptBodies) packBody(c *coding, tag string, plain []byte) []byte {
	isKept := len(plain) >= leastKept && strings.HasPrefix(tag, `"`)
	if tag = c.name + tag; isKept {
		if body := k.find(tag); body != nil {
			return body
		}
	}
	var b bytes.Buffer
	z := c.writers.Get().(resetter)
	defer c.writers.Put(z)
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
func (k *keptBodies) pack(c *coding, resp *edge.Response) {
	resp.Body = k.packBody(c, resp.Header.Get("etag"), resp.Body)
	resp.Header.Set("content-encoding", c.name)
	if tag := resp.Header.Get("etag"); strings.HasSuffix(tag, `"`) {
		resp.Header.Set("etag", tag[:len(tag)-1]+c.mark+`"`)
	}
}

// plainRequest asks the handler for the plain form, unless it has siblings of the
// coding. To If-None-Match it adds, beside each validator of a compressed form, that
// of the plain one, which is all that the handler knows.
func (c *coding) plainRequest(r *edge.Request) *edge.Request {
	known := r.Header.Get("if-none-match")
	knows := strings.Contains(known, c.mark+`"`)
	if c.name == "gzip" && !knows {
		return r
	}
	out := *r
	out.Header = nil
	for _, f := range r.Header {
		if f.Name != "accept-encoding" || c.name == "gzip" {
			out.Header = append(out.Header, f)
		}
	}
	if knows {
		out.Header.Set("if-none-match", known+", "+strings.ReplaceAll(known, c.mark+`"`, `"`))
	}
	return &out
}

// known304 confirms the validator of the form that the caller has.
func (c *coding) known304(r *edge.Request, resp *edge.Response) {
	tag := resp.Header.Get("etag")
	if !strings.HasSuffix(tag, `"`) || strings.HasSuffix(tag, c.mark+`"`) {
		return
	}
	if packed := tag[:len(tag)-1] + c.mark + `"`; strings.Contains(r.Header.Get("if-none-match"), packed) {
		resp.Header.Set("etag", packed)
	}
}
