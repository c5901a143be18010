package edgelab

import (
	"context"
	"strings"
	"time"

	"colophon/internal/wire"
	"colophon/worker/edge"
)

func (l *Lab) hello(context.Context, *edge.Request) *edge.Response {
	return jsonBody([]byte(`{"ok":true}`))
}

type record struct {
	title, url string
	terms      []string
	n          int64
}

func (r *record) Members(m *wire.Members) {
	m.Int("n", &r.n)
	m.Strings("terms", &r.terms)
	m.String("title", &r.title)
	m.String("url", &r.url)
}

type page struct {
	data  []record
	total int64
}

func (p *page) Members(m *wire.Members) {
	wire.List(m, "data", &p.data)
	m.Flag("grants_rights", false)
	m.Int("total", &p.total)
}

// records builds 50 records and writes them, as a list page would.
func (l *Lab) records(context.Context, *edge.Request) *edge.Response {
	p := page{data: make([]record, 50), total: 50}
	for i := range p.data {
		p.data[i] = record{"A page about things", "https://example.com/page/one/two", []string{"rag", "training"}, int64(i)}
	}
	return jsonBody(wire.Append(make([]byte, 0, 8<<10), &p))
}

// parse reads the body as JSON and writes it back in its canonical form.
func (l *Lab) parse(_ context.Context, r *edge.Request) *edge.Response {
	v, err := wire.Parse(r.Body, wire.Limits{Bytes: 8 << 20})
	if err != nil {
		return problem(400, err.(*wire.Error).Code)
	}
	return jsonBody(v.Append(nil))
}

func (l *Lab) echo(_ context.Context, r *edge.Request) *edge.Response {
	res := text(string(r.Body))
	if t := r.Header.Get("content-type"); t != "" {
		res.Header.Set("content-type", t)
	}
	return res
}

// header shows one request header, and tries to send it back.
func (l *Lab) header(_ context.Context, r *edge.Request) *edge.Response {
	v := r.Header.Get(param(r, "name"))
	res := text(v)
	res.Header.Add("x-echo", v)
	res.Header.Add("x-split", "a\r\nx-injected: yes")
	return res
}

// id shows what the host says about the request itself.
func (l *Lab) id(_ context.Context, r *edge.Request) *edge.Response {
	return text(strings.Join([]string{r.ID, r.Method, r.Path, r.Query, r.Remote, r.Header.Get("x-token")}, "\n"))
}

func (l *Lab) env(_ context.Context, r *edge.Request) *edge.Response {
	if l.Getenv == nil {
		return problem(501, "no_host")
	}
	return text(l.Getenv(param(r, "name")))
}

func (l *Lab) now(context.Context, *edge.Request) *edge.Response {
	return text(time.Now().UTC().Format(time.RFC3339Nano))
}

func (l *Lab) sleep(_ context.Context, r *edge.Request) *edge.Response {
	l.Sleep(time.Duration(number(r, "ms")) * time.Millisecond)
	return text(param(r, "token"))
}

func (l *Lab) random(context.Context, *edge.Request) *edge.Response {
	b := make([]byte, 16)
	if _, err := l.Random.Read(b); err != nil {
		return problem(500, "random_failed")
	}
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 32)
	for _, c := range b {
		out = append(out, digits[c>>4], digits[c&15])
	}
	return text(string(out))
}
