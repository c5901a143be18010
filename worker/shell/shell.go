// Package shell makes pages for people: the published shell around components,
// published pages around other content, and problems in words.
package shell

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Pages makes pages for people.
type Pages struct {
	BaseURL string // absolute, without a final slash
	Files   *files.Service
}

// Respond answers with a page for people: the published shell around main, or a
// bare page while no shell is published.
func (p *Pages) Respond(ctx context.Context, status int, title string, main ...templ.Component) *edge.Response {
	resp := &edge.Response{Status: status}
	resp.Header.Set("content-type", exports.MediaHTML)
	resp.Header.Set("x-robots-tag", "noindex")
	resp.Header.Set("cache-control", "private, no-store")
	shell, err := p.Files.ReadPath(ctx, exports.PathShell)
	head, tail, ok := strings.Cut(string(shell), exports.SlotMain)
	if err != nil || !ok {
		resp.Body = page.Append(nil, page.Bare(title, main...))
		return resp
	}
	heading := string(prose.AppendHTML(nil, title))
	head, tail = strings.ReplaceAll(head, exports.SlotTitle, heading), strings.ReplaceAll(tail, exports.SlotTitle, heading)
	resp.Body = append(page.Append([]byte(head), main...), tail...)
	return resp
}

// Answer answers with the page that is published at a path, around main instead of
// its own content. Caches may keep it for a while; search engines leave it out.
func (p *Pages) Answer(ctx context.Context, c *request.Call, status int, path string, main templ.Component) (*edge.Response, error) {
	published, err := p.Files.ReadPath(ctx, path)
	head, _, tail := split(published)
	if err != nil || tail == nil {
		return nil, problem.New("index_unavailable", "The page is not published.")
	}
	resp := &edge.Response{Status: status, Body: append(page.Append(slices.Clone(head), main), tail...)}
	resp.Header.Set("content-type", exports.MediaHTML)
	resp.Header.Set("x-robots-tag", "noindex")
	resp.Header.Set("cache-control", c.Endpoint.Cache)
	if status != 200 {
		return resp, nil
	}
	return request.AddValidators(c.Request, resp, request.EntityTag(resp.Body)), nil
}

// split cuts a published page into its content and what is before and after it. A
// page without a content is all before it.
func split(published []byte) (head, main, tail []byte) {
	start := bytes.Index(published, []byte(exports.MainStart)) + len(exports.MainStart)
	end := bytes.LastIndex(published, []byte(exports.MainEnd))
	if start < len(exports.MainStart) || end < start {
		return published, nil, nil
	}
	return published[:start], published[start:end], published[end:]
}

// LikesPages reports whether the caller prefers a page to a problem document,
// as browsers do.
func LikesPages(r *edge.Request) bool {
	return request.Accepts(r.Header.Get("accept"), []string{request.MediaOf(exports.MediaProblem), request.MediaOf(exports.MediaJSON), request.MediaOf(exports.MediaHTML)}) == request.MediaOf(exports.MediaHTML)
}

// Fault answers with a problem that has no page of its own: with the published
// page for an address at which there is nothing, or with words on what to do.
func (p *Pages) Fault(ctx context.Context, r *edge.Request, f *problem.Failure) *edge.Response {
	if f.Code == "not_found" {
		if published, err := p.Files.ReadPath(ctx, exports.PathNotFoundPage); err == nil {
			head, own, tail := split(published)
			return p.withDocument(r, f, head, own, tail)
		}
	}
	kind := exports.KindOf(f.Code)
	v := page.FaultPage{
		Detail: f.Detail, Help: kind.Help, Code: f.Code, Path: exports.ProblemPath(f.Code), Status: strconv.Itoa(kind.Status), RequestID: r.ID,
	}
	for _, e := range f.Fields {
		v.Fields = append(v.Fields, e.Pointer+": "+e.Detail)
	}
	return p.Problem(ctx, r, f, page.Fault(v))
}

// withDocument answers with a page in three parts, whose content the problem
// document follows.
func (p *Pages) withDocument(r *edge.Request, f *problem.Failure, head, content, tail []byte) *edge.Response {
	resp := problem.Respond(p.BaseURL, r, f)
	resp.Header.Set("content-type", exports.MediaHTML)
	resp.Header.Set("vary", "accept")
	block := page.Append(nil, page.Problem(resp.Body))
	resp.Body = slices.Concat(head, content, block, tail)
	return resp
}

// Problem answers with a problem for people; the page contains the document for
// machines.
func (p *Pages) Problem(ctx context.Context, r *edge.Request, f *problem.Failure, main templ.Component) *edge.Response {
	doc := problem.Respond(p.BaseURL, r, f)
	resp := p.Respond(ctx, doc.Status, exports.KindOf(f.Code).Title, main, page.Problem(doc.Body))
	for _, h := range doc.Header {
		if h.Name != "content-type" && h.Name != "cache-control" {
			resp.Header = append(resp.Header, h)
		}
	}
	return resp
}
