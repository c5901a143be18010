package worker

import (
	"context"
	"sort"
	"strings"

	"colophon/exports"
	"colophon/worker/edge"
)

type router struct {
	deps  Deps
	table map[string]handler
}

// handle routes one request. The order of checks is the order in which a
// caller can mend a request: address, method, representation, parameters.
func (w *router) handle(ctx context.Context, r *edge.Request) *edge.Response {
	resp, err := w.route(ctx, r)
	if err != nil {
		resp = w.problem(ctx, r, err)
	}
	finish(r, resp)
	return resp
}

func (w *router) route(ctx context.Context, r *edge.Request) (*edge.Response, error) {
	method := r.Method
	if method == "HEAD" {
		method = "GET"
	}
	e, params, allowed := exports.Find(method, r.Path)
	if len(allowed) == 0 {
		if h := livePage(r); h != nil {
			return h(ctx, &call{Request: r, deps: &w.deps})
		}
		return w.deps.file(ctx, r, nil)
	}
	if ownRules(r.Path) {
		e, params, _ := exports.Find("POST", r.Path)
		return w.table[e.ID](ctx, &call{Request: r, deps: &w.deps, endpoint: e, path: params})
	}
	if r.Method == "OPTIONS" {
		return preflight(allowed, r.Path), nil
	}
	if e == nil {
		return nil, notAllowed(allowed)
	}
	c := &call{Request: r, deps: &w.deps, endpoint: e, path: params}
	if err := c.accept(); err != nil {
		return nil, err
	}
	if err := c.parseQuery(); err != nil {
		return nil, err
	}
	if h := w.table[e.ID]; h != nil && (e.Made != exports.Listed || r.Query != "") {
		if r.TooLarge {
			return nil, fail("body_too_large", "")
		}
		return h(ctx, c)
	}
	if e.Made == exports.Static || e.Made == exports.Listed && r.Query == "" {
		return w.deps.file(ctx, r, e)
	}
	return nil, fail("not_implemented", e.Purpose)
}

// methods completes what Allow says: GET brings HEAD, and OPTIONS is free.
func methods(allowed []string) string {
	list := append([]string{"OPTIONS"}, allowed...)
	for _, m := range allowed {
		if m == "GET" {
			list = append(list, "HEAD")
		}
	}
	sort.Strings(list)
	return strings.Join(list, ", ")
}

func notAllowed(allowed []string) error {
	f := fail("method_not_allowed", "")
	f.header.Set("allow", methods(allowed))
	return f
}

func preflight(allowed []string, path string) *edge.Response {
	resp := &edge.Response{Status: 204}
	resp.Header.Set("allow", methods(allowed))
	if exports.IsShared(path) {
		resp.Header.Set("access-control-allow-methods", methods(allowed))
		resp.Header.Set("access-control-allow-headers", "accept, content-type, idempotency-key, service-proof, service-requested-use")
		resp.Header.Set("access-control-max-age", "86400")
	}
	return resp
}

// finish adds what every answer carries.
func finish(r *edge.Request, resp *edge.Response) {
	for _, h := range exports.SecurityHeaders(resp.Header.Get("content-type")) {
		if resp.Status == 304 && h[0] == "content-security-policy" {
			continue // it is of the body that the caller has
		}
		if !resp.Header.Has(h[0]) {
			resp.Header.Add(h[0], h[1])
		}
	}
	resp.Header.Set("request-id", r.ID)
	if exports.IsShared(r.Path) && !resp.Header.Has("access-control-allow-origin") {
		for _, h := range exports.PublicHeaders() {
			resp.Header.Add(h[0], h[1])
		}
	}
	if !resp.Header.Has("cache-control") {
		resp.Header.Set("cache-control", "private, no-store")
	}
}
