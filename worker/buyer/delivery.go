package buyer

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/delivery"
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// parseQuery returns the query for items in a call.
func parseQuery(c *request.Call, def int64) (*delivery.Query, error) {
	q := &delivery.Query{
		Topic: strings.TrimSpace(c.Values.Get("q")), Use: exports.UseRAG, Form: "markdown",
		Meta: c.Values.Get("fields") == "meta", Snapshot: c.Values.Get("snapshot"), Limit: int(c.Values.Integer("limit", def)), Cursor: c.Values.Get("cursor"),
	}
	for _, list := range c.Values.List("source_id") {
		q.Sources = append(q.Sources, list...)
	}
	if err := checkWords(c, map[string][]string{"format": exports.ContentForms, "fields": {"meta", "full"}}); err != nil {
		return nil, err
	}
	if form := c.Values.Get("format"); form != "" {
		q.Form = form
	}
	if word := c.Values.Get("use"); word != "" {
		use, _, ok := exports.ParseUse(word)
		if !ok {
			return nil, problem.InvalidParam("use", "is not one of "+strings.Join(exports.UseWords(), ", "))
		}
		q.Use = use
	}
	var err error
	if q.UpdatedSince, err = c.Instant("updated_since"); err != nil {
		return nil, err
	}
	if len(q.Topic) > 800 || len(q.Sources) > 200 {
		return nil, problem.InvalidParam("q", "or source_id is too long")
	}
	return q, nil
}

// checkWords checks parameters that take one of a list.
func checkWords(c *request.Call, lists map[string][]string) error {
	for i := range c.Values {
		if allowed := lists[c.Values[i][0]]; allowed != nil && !slices.Contains(allowed, c.Values[i][1]) {
			return problem.InvalidParam(c.Values[i][0], "is not one of "+strings.Join(allowed, ", "))
		}
	}
	return nil
}

// stream prepares an answer with licensed content, which the function stream writes.
func (b *Service) stream(c *request.Call, s *delivery.Session, media string, stream func(out *sender) error) *edge.Response {
	resp := &edge.Response{Status: 200, Stream: func(w edge.Writer) error {
		out := &sender{to: w}
		if err := stream(out); err != nil {
			b.logCut(c, err)
			return err
		}
		return out.flushBuffer()
	}}
	resp.Header.Set("content-type", media)
	resp.Header.Set("cache-control", "private, no-store")
	resp.Header.Set("vary", "authorization, accept")
	resp.Header.Set("content-usage", contentUsage(s))
	resp.Header.Set("link", "<"+exports.PathLicenseCatalog+`>; rel="license"`)
	resp.Header.Set("service-rights-decision", s.Decision())
	if id := c.Header.Get("content-telemetry-id"); id != "" && len(id) <= 128 {
		resp.Header.Set("content-telemetry-id", id)
	}
	return resp
}

// logCut notes that an answer was cut, in words that hold no content.
func (b *Service) logCut(c *request.Call, err error) {
	if !errors.As(err, new(*problem.Failure)) && b.Log != nil {
		b.Log("cut " + c.ID + " " + c.Path + ": " + err.Error())
	}
}

// contentUsage returns the uses in the vocabulary of the Content-Usage header,
// for everything that any grant of the buyer covers: a use is allowed only if
// every grant allows it.
func contentUsage(s *delivery.Session) string {
	said := []struct {
		word  string
		use   exports.Use
		value string
	}{{"train-ai", exports.UseTraining, "y"}, {"ai-use", exports.UseRAG, "y"}, {"search", exports.UseSearchIndexing, "y"}}
	for i := range s.Grants {
		g := &s.Grants[i]
		if !rights.InForce(g, exports.Instant(s.Now())) {
			continue
		}
		for k := range said {
			if !slices.Contains(g.Uses, string(said[k].use)) {
				said[k].value = "n"
			}
		}
	}
	pairs := make([]string, 0, len(said))
	for _, x := range said {
		pairs = append(pairs, x.word+"="+x.value)
	}
	return strings.Join(pairs, ", ")
}

// sender collects what is written into pieces of about 16 KiB. It sends items
// with content at once, and items opened together in one piece, because their
// right could end while they wait.
type sender struct {
	to  edge.Writer
	buf []byte
}

const piece = 16 << 10

func (o *sender) flushBuffer() error {
	if len(o.buf) == 0 {
		return nil
	}
	_, err := o.to.Write(o.buf)
	o.buf = o.buf[:0]
	return err
}

// flushWhenFull sends what was collected if it is large enough or has content.
func (o *sender) flushWhenFull(content bool) error {
	if !content && len(o.buf) < piece {
		return nil
	}
	return o.flushBuffer()
}

// writeLine writes a record on its own line; together means that it is sent
// with the next one.
func (o *sender) writeLine(r wire.Record, together bool) error {
	o.buf = append(wire.Append(o.buf, r), '\n')
	if together {
		return nil
	}
	return o.flushWhenFull(hasContent(r))
}

// hasContent reports whether a record of an answer carries the text of a page.
func hasContent(r wire.Record) bool {
	switch x := r.(type) {
	case *exports.Item:
		return x.Content != nil
	case *exports.Upsert:
		return x.Item.Content != nil
	}
	return false
}

// Feed answers GET /v1/rag-delivery/feed.ndjson.
func (b *Service) Feed(ctx context.Context, c *request.Call, s *delivery.Session) (*edge.Response, error) {
	q, err := parseQuery(c, 200)
	if err != nil {
		return nil, err
	}
	list, err := s.List(ctx, q)
	if err != nil {
		return nil, err
	}
	return b.stream(c, s, exports.MediaNDJSON, func(out *sender) error {
		end, err := list(func(e delivery.Event) error {
			switch {
			case e.Item != nil:
				e.Item.Type, e.Item.Cursor = "item", e.Cursor
				return out.writeLine(e.Item, e.Together)
			case e.Tombstone != nil:
				e.Tombstone.Cursor = e.Cursor
				return out.writeLine(e.Tombstone, e.Together)
			}
			e.Withheld.Type, e.Withheld.Cursor = "withheld", e.Cursor
			return out.writeLine(e.Withheld, e.Together)
		})
		if err != nil {
			return err
		}
		return out.writeLine(&exports.FeedEnd{Count: end.Count, NextCursor: end.Next}, false)
	}), nil
}

// Items answers with one JSON object, written as its items become available:
// its members are in canonical order, which puts the items first.
func (b *Service) Items(ctx context.Context, c *request.Call, s *delivery.Session) (*edge.Response, error) {
	q, err := parseQuery(c, 50)
	if err != nil {
		return nil, err
	}
	list, err := s.List(ctx, q)
	if err != nil {
		return nil, err
	}
	return b.stream(c, s, exports.MediaJSON, func(out *sender) error {
		var rest exports.ItemsRest
		out.buf = append(out.buf, `{"data":[`...)
		n := 0
		end, err := list(func(e delivery.Event) error {
			switch {
			case e.Tombstone != nil:
				rest.Tombstones = append(rest.Tombstones, *e.Tombstone)
				return nil
			case e.Withheld != nil:
				rest.Withheld = append(rest.Withheld, *e.Withheld)
				return nil
			}
			if n++; n > 1 {
				out.buf = append(out.buf, ',')
			}
			out.buf = wire.Append(out.buf, e.Item)
			if e.Together {
				return nil
			}
			return out.flushWhenFull(hasContent(e.Item))
		})
		if err != nil {
			return err
		}
		rest.Limit, rest.Next = int64(q.Limit), end.Next
		tail := wire.Append(nil, &rest)
		out.buf = append(append(out.buf, ']', ','), tail[1:]...)
		return nil
	}), nil
}

// Delta answers GET /v1/rag-delivery/delta.ndjson.
func (b *Service) Delta(ctx context.Context, c *request.Call, s *delivery.Session) (*edge.Response, error) {
	if err := checkWords(c, map[string][]string{"fields": {"meta", "full"}}); err != nil {
		return nil, err
	}
	write, err := s.Delta(ctx, &delivery.DeltaQuery{
		Since: c.Values.Get("since"), Meta: c.Values.Get("fields") == "meta", Limit: int(c.Values.Integer("limit", 500)),
	})
	if err != nil {
		return nil, err
	}
	return b.stream(c, s, exports.MediaNDJSON, func(out *sender) error { return write(out.writeLine) }), nil
}

// Snapshot answers POST /v1/rag-delivery/snapshots.
func (b *Service) Snapshot(ctx context.Context, c *request.Call, s *delivery.Session) (*edge.Response, error) {
	body := exports.MakeSnapshot()
	fingerprint := c.Fingerprint(wire.Object())
	if len(c.Body) > 0 {
		var err error
		if fingerprint, err = c.DecodeBody(&body, exports.MaxBody); err != nil {
			return nil, err
		}
	}
	key, err := c.IdempotencyKey()
	if err != nil {
		return nil, err
	}
	x, replayed, err := s.Snapshot(ctx, &body, key, fingerprint)
	if err != nil {
		return nil, err
	}
	resp := request.Record(201, &x)
	if key != "" {
		resp.Header.Set("idempotency-replayed", strconv.FormatBool(replayed))
	}
	return resp, nil
}
