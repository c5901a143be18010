package files

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"

	"colophon/exports"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Serve answers from a published file. e is the endpoint, or nil for pages and
// assets outside the API.
func (s *Service) Serve(ctx context.Context, r *edge.Request, e *exports.Endpoint) (*edge.Response, error) {
	if e == nil && r.Method == "OPTIONS" {
		return request.Preflight([]string{"GET"}, r.Path), nil
	}
	key := exports.KeyOf(r.Path)
	if key == "" || strings.HasPrefix(string(key), "_build/") {
		return nil, notFoundError(e)
	}
	body, err := s.Read(ctx, string(key))
	if e == nil && r.Method != "GET" && r.Method != "HEAD" {
		if err == nil {
			return nil, request.NotAllowed([]string{"GET"})
		}
		return nil, problem.New("not_found", "")
	}
	if errors.Is(err, fs.ErrNotExist) {
		if e == nil && !strings.HasSuffix(r.Path, "/") {
			if _, err := s.Read(ctx, string(exports.KeyOf(r.Path+"/"))); err == nil {
				return request.Redirect(r.Path + "/"), nil
			}
		}
		return nil, notFoundError(e)
	}
	if err != nil {
		return nil, err
	}
	resp := s.sendEncoded(ctx, r, key, body)
	s.addLastModified(ctx, resp, key)
	if e != nil && e.Made == exports.Listed {
		request.AddNext(resp, nextOf(body))
	}
	return resp, nil
}

// nextOf returns the address of the page after a published one, "" for the
// last: its member links.next, which no text in a record can imitate, because
// quotes are escaped there.
func nextOf(list []byte) string {
	const member = `"links":{"next":"`
	at := bytes.LastIndex(list, []byte(member))
	if at < 0 {
		return ""
	}
	next, _, _ := bytes.Cut(list[at+len(member):], []byte(`"`))
	return string(next)
}

// notFoundError returns the 404 with the endpoint's code.
func notFoundError(e *exports.Endpoint) error {
	if e == nil {
		return problem.New("not_found", "")
	}
	switch {
	case strings.Contains(e.Path, "{site_id}"):
		return problem.New("site_not_found", "")
	case strings.Contains(e.Path, "{entry_id}"):
		return problem.New("entry_not_found", "")
	case strings.Contains(e.Path, "{category_slug}"):
		return problem.New("category_not_found", "")
	}
	return problem.New("not_found", "")
}

// sendEncoded sends a file, or its compressed sibling if there is one and the
// caller accepts gzip.
func (s *Service) sendEncoded(ctx context.Context, r *edge.Request, key exports.Key, body []byte) *edge.Response {
	tag := request.EntityTag(body)
	p := exports.PolicyOf(key)
	resp := &edge.Response{Status: 200, Body: body}
	resp.Header.Set("content-type", p.ContentType)
	resp.Header.Set("cache-control", p.CacheControl)
	if p.Disposition != "" {
		resp.Header.Set("content-disposition", p.Disposition)
	}
	if p.Vary != "" {
		resp.Header.Set("vary", p.Vary)
		if len(body) >= exports.MinSibling && !r.Header.Has("range") && request.AcceptQuality(r.Header.Get("accept-encoding"), "gzip") > 0 {
			if gz, err := s.Read(ctx, string(key)+".gz"); err == nil {
				resp.Body = gz
				resp.Header.Set("content-encoding", "gzip")
				tag = tag[:len(tag)-1] + "-gz\""
			}
		}
	}
	resp = request.AddValidators(r, resp, tag)
	if p.Ranges {
		resp = request.Ranged(r, resp, tag)
	}
	return resp
}
