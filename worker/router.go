package worker

import (
	"context"
	"errors"
	"strings"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/origin"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/problem"
	"colophon/worker/request"
	"colophon/worker/shell"
)

// router passes requests to handlers.
type router struct {
	handlers map[string]request.Handler // by operation id
	pages    *shell.Pages
	log      func(line string) // nil: nothing is logged
}

// newRouter returns a router of all services; sandbox is the service over
// invented publishers.
func newRouter(d *Deps, sandbox edge.Handler) *router {
	d.Limits.Secret = d.Secret
	index := catalog.New(d.Assets, d.Now)
	pages := &shell.Pages{BaseURL: d.BaseURL, Files: &files.Service{Assets: d.Assets, Releases: index}}
	return &router{newHandlers(d, pages, index, sandbox), pages, d.Log}
}

// handleRequest routes one request. It checks in the order in which a caller
// can correct a request: address, method, representation, parameters.
func (w *router) handleRequest(ctx context.Context, r *edge.Request) *edge.Response {
	resp, err := w.routeRequest(ctx, r)
	if err != nil {
		resp = w.problemResponse(ctx, r, err)
	}
	finishResponse(r, resp)
	return resp
}

func (w *router) routeRequest(ctx context.Context, r *edge.Request) (*edge.Response, error) {
	method := r.Method
	if method == "HEAD" {
		method = "GET"
	}
	e, params, allowed := exports.Find(method, r.Path)
	if len(allowed) == 0 {
		if page, params := exports.FindPage(method, r.Path, r.Query); page != nil {
			if page.Method == "" && method != "GET" && method != "POST" {
				return nil, request.NotAllowed([]string{"GET", "POST"})
			}
			return w.handlers[page.ID](ctx, &request.Call{Request: r, Endpoint: page, Params: params})
		}
		return w.pages.Files.Serve(ctx, r, nil)
	}
	if strings.HasPrefix(r.Path, "/mcp") { // which has its own rules for methods, representations, origins and errors
		e, params, _ := exports.Find("POST", r.Path)
		return w.handlers[e.ID](ctx, &request.Call{Request: r, Endpoint: e, Params: params})
	}
	if r.Method == "OPTIONS" {
		return request.Preflight(allowed, r.Path), nil
	}
	if e == nil {
		return nil, request.NotAllowed(allowed)
	}
	c := &request.Call{Request: r, Endpoint: e, Params: params}
	if err := c.CheckAccept(); err != nil {
		return nil, err
	}
	if err := c.ParseQuery(); err != nil {
		return nil, err
	}
	if h := w.handlers[e.ID]; h != nil && (e.Made != exports.Listed || r.Query != "") {
		if r.TooLarge {
			return nil, problem.New("body_too_large", "")
		}
		return h(ctx, c)
	}
	if e.Made == exports.FromFile || e.Made == exports.Listed && r.Query == "" {
		return w.pages.Files.Serve(ctx, r, e)
	}
	return nil, problem.New("not_implemented", e.Purpose)
}

// varyByEncoding tells caches that a host may compress an answer.
func varyByEncoding(resp *edge.Response) {
	if !request.TextForAll(&resp.Header) {
		return
	}
	vary := resp.Header.Get("vary")
	switch {
	case vary == "":
		resp.Header.Set("vary", "accept-encoding")
	case !strings.Contains(vary, "accept-encoding"):
		resp.Header.Set("vary", vary+", accept-encoding")
	}
}

// problemResponse turns an error into its document.
func (w *router) problemResponse(ctx context.Context, r *edge.Request, err error) *edge.Response {
	f := problem.Of(err)
	if f == nil {
		f = problem.New("internal_error", "")
	}
	if w.log != nil && (f.Code == "internal_error" || errors.Is(err, origin.ErrUnavailable)) {
		w.log("error " + r.ID + " " + r.Method + " " + exports.WithoutSecret(r.Path) + ": " + err.Error())
	}
	if shell.LikesPages(r) {
		return w.pages.Fault(ctx, r, f)
	}
	return problem.Respond(w.pages.BaseURL, r, f)
}

// finishResponse adds what every answer carries.
func finishResponse(r *edge.Request, resp *edge.Response) {
	for _, h := range exports.SecurityHeaders(r.Path, resp.Header.Get("content-type")) {
		if resp.Status == 304 && h[0] == "content-security-policy" {
			continue // it describes the body that the caller already has
		}
		if !resp.Header.Has(h[0]) {
			resp.Header.Add(h[0], h[1])
		}
	}
	resp.Header.Set("request-id", r.ID)
	varyByEncoding(resp)
	if exports.IsShared(r.Path) && !resp.Header.Has("access-control-allow-origin") {
		for _, h := range exports.PublicHeaders() {
			resp.Header.Add(h[0], h[1])
		}
	}
	if !resp.Header.Has("cache-control") {
		resp.Header.Set("cache-control", "private, no-store")
	}
}
