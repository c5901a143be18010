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

// codings are the supported codings, the preferred first. Levels are chosen so
// that a page takes less than half a millisecond.
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

// compress compresses answers in zstd, Brotli or gzip for clients that accept
// it, unless the handler did: files have siblings in gzip, for clients that
// accept nothing better; this is for answers made for one request, and for
// releases in packs. It leaves text that only one caller may read as it is,
// because such text holds secrets beside text that others chose, and its length
// would reveal them.
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

// compressible reports whether an answer is public text of sufficient length.
func compressible(resp *edge.Response) bool {
	if resp.Stream != nil || len(resp.Body) < leastCompressed || resp.Header.Has("content-encoding") || resp.Status == 206 {
		return false
	}
	return request.TextForAll(&resp.Header)
}

// Compressed forms of bodies of at least leastKept bytes, which cost most, are
// kept, up to mostKept bytes in all.
const (
	leastKept = 8 << 10
	mostKept  = 32 << 20
)

// keptBodies keeps compressed bodies by the coding and the validator of the
// plain body, which no other body has. The zero value is empty.
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

// packBody returns a body compressed, from those kept if it is there.
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
	_, _ = z.Write(plain) // writing to a buffer does not fail
	_ = z.Close()
	if !isKept {
		return b.Bytes()
	}
	body := bytes.Clone(b.Bytes()) // the buffer's spare capacity would be kept too
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

// plainRequest returns the request for the plain form, unless the handler has
// siblings in the coding. To If-None-Match it adds, beside each validator of a
// compressed form, that of the plain one, which is the only one that the
// handler knows.
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
