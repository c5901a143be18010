package request

import (
	"crypto/sha256"
	"encoding/base64"
	"sort"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
)

// Record answers with a record.
func Record(status int, r wire.Record) *edge.Response {
	resp := &edge.Response{Status: status, Body: wire.Append(nil, r)}
	resp.Header.Set("content-type", exports.MediaJSON)
	return resp
}

// All returns every occurrence of a parameter.
func (c *Call) All(name string) []string {
	var out []string
	for _, v := range c.Values {
		if v[0] == name {
			out = append(out, v[1])
		}
	}
	return out
}

// Computed answers with a record made from published files.
func (c *Call) Computed(r wire.Record) *edge.Response {
	resp := Record(200, r)
	resp.Header.Set("cache-control", c.Endpoint.Cache)
	return AddValidators(c.Request, resp, EntityTag(resp.Body))
}

// List answers with a list, whose next page is also in Link (RFC 8288).
func List[T any, P interface {
	*T
	wire.Record
}](c *Call, l *exports.List[T, P], err error) (*edge.Response, error) {
	if err != nil {
		return nil, err
	}
	resp := c.Computed(l)
	AddNext(resp, l.Links.Next)
	return resp, nil
}

// AddNext adds the next page of a list to Link, if there is one.
func AddNext(resp *edge.Response, next string) {
	if next != "" && resp.Status == 200 {
		resp.Header.Add("link", "<"+next+`>; rel="next"`)
	}
}

// EntityTag returns the strong validator of a body.
func EntityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return "\"" + base64.RawURLEncoding.EncodeToString(sum[:])[:22] + "\""
}

// AddValidators adds the ETag, or answers 304 if the caller already has the
// body.
func AddValidators(r *edge.Request, resp *edge.Response, tag string) *edge.Response {
	resp.Header.Set("etag", tag)
	if !matchesETag(r.Header.Get("if-none-match"), tag) {
		return resp
	}
	out := &edge.Response{Status: 304}
	for _, f := range resp.Header {
		switch f.Name {
		case "etag", "cache-control", "vary":
			out.Header = append(out.Header, f)
		}
	}
	return out
}

// matchesETag compares an If-None-Match header with a tag, weakly.
func matchesETag(header, tag string) bool {
	if header == "" {
		return false
	}
	for _, t := range strings.Split(header, ",") {
		t = strings.TrimPrefix(strings.TrimSpace(t), "W/")
		if t == "*" || t == tag {
			return true
		}
	}
	return false
}

// Redirect answers with a permanent redirect, which caches keep for five minutes.
func Redirect(to string) *edge.Response {
	resp := &edge.Response{Status: 308}
	resp.Header.Set("location", to)
	resp.Header.Set("cache-control", "public, max-age=300")
	return resp
}

// SeeOther answers a form with the address of its result.
func SeeOther(to string) *edge.Response {
	resp := &edge.Response{Status: 303}
	resp.Header.Set("location", to)
	return resp
}

// AllowedMethods returns the value of Allow: GET implies HEAD, and OPTIONS is
// always allowed.
func AllowedMethods(allowed []string) string {
	list := append([]string{"OPTIONS"}, allowed...)
	for _, m := range allowed {
		if m == "GET" {
			list = append(list, "HEAD")
		}
	}
	sort.Strings(list)
	return strings.Join(list, ", ")
}

// Preflight answers OPTIONS with the methods that an address accepts and, if
// any origin may call it, with what a browser may send there.
func Preflight(allowed []string, path string) *edge.Response {
	resp := &edge.Response{Status: 204}
	resp.Header.Set("allow", AllowedMethods(allowed))
	if exports.IsShared(path) {
		resp.Header.Set("access-control-allow-methods", AllowedMethods(allowed))
		resp.Header.Set("access-control-allow-headers", "accept, content-type, idempotency-key, service-proof, service-requested-use")
		resp.Header.Set("access-control-max-age", "86400")
	}
	return resp
}

// NotAllowed returns the failure of a call whose method is not allowed, which
// lists the allowed ones.
func NotAllowed(allowed []string) error {
	f := problem.New("method_not_allowed", "")
	f.Header.Set("allow", AllowedMethods(allowed))
	return f
}

// TextForAll reports whether an answer is public text, which hosts may
// compress. The compressed length of an answer with secrets could reveal them.
func TextForAll(h *edge.Header) bool {
	if strings.Contains(h.Get("cache-control"), "private") || h.Get("cache-control") == "" {
		return false
	}
	media := MediaOf(h.Get("content-type"))
	for _, ending := range []string{"json", "xml", "javascript"} {
		if strings.HasSuffix(media, ending) {
			return true
		}
	}
	return strings.HasPrefix(media, "text/")
}
