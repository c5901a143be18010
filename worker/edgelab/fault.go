package edgelab

import (
	"context"
	"strconv"
	"time"

	"colophon/worker/edge"
)

// panic fails in the way that ?kind= names; with ?late=1, only after it has
// waited for something outside.
func (l *Lab) panic(ctx context.Context, r *edge.Request) *edge.Response {
	if param(r, "late") != "" {
		_, _ = l.Read(ctx, "small.json")
	}
	kind := param(r, "kind")
	switch kind {
	case "map":
		assign(nil, kind)
	case "index":
		var s []int
		_ = s[len(kind)]
	case "pointer":
		var p *record
		return text(p.title)
	case "stack":
		return text(strconv.Itoa(deep(len(kind))))
	case "memory":
		var keep [][]byte
		for len(keep) >= 0 {
			keep = append(keep, make([]byte, 16<<20))
		}
	case "block":
		select {}
	default:
		panic("asked to: " + kind)
	}
	return text("survived")
}

func assign(m map[string]int, key string) { m[key] = 1 }

//go:noinline
func deep(n int) int {
	var pad [64]int
	pad[n%64] = n
	if n < 0 {
		return 0
	}
	return deep(n+1) + pad[(n+1)%64]
}

// stream writes ?n= lines in chunks of some 16 KiB, or one at a time with a
// pause of ?ms=; ?panic=1 panics half way and ?fail=1 returns an error there.
func (l *Lab) stream(_ context.Context, r *edge.Request) *edge.Response {
	n, pause := number(r, "n"), time.Duration(number(r, "ms"))*time.Millisecond
	half := func(w edge.Writer) error { return nil }
	if param(r, "panic") != "" {
		half = func(edge.Writer) error { panic("in the middle of a stream") }
	}
	if param(r, "fail") != "" {
		half = func(edge.Writer) error { return context.Canceled }
	}
	head := edge.Header{{Name: "content-type", Value: "application/x-ndjson; charset=utf-8"}}
	return &edge.Response{Status: 200, Header: head, Stream: func(w edge.Writer) error {
		buf := make([]byte, 0, 17<<10)
		for i := 0; i < n; i++ {
			buf = strconv.AppendInt(append(buf, `{"n":`...), int64(i), 10)
			buf = append(buf, `,"title":"A page about things","url":"https://example.com/page/one/two"}`+"\n"...)
			if len(buf) > 16<<10 || pause > 0 || i == n/2 {
				if _, err := w.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
				l.Sleep(pause)
			}
			if i == n/2 {
				if err := half(w); err != nil {
					return err
				}
			}
		}
		_, err := w.Write(buf)
		return err
	}}
}

func (l *Lab) allocate(_ context.Context, r *edge.Request) *edge.Response {
	return text(strconv.Itoa(length(make([]byte, number(r, "n")))))
}

// length must not be inlined, so that the compiler cannot remove its argument.
//
//go:noinline
func length(b []byte) int { return len(b) + int(b[len(b)-1]) }
