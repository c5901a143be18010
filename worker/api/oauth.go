package api

import (
	"context"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// ResourceMetadata describes the gateway as a protected resource (RFC 9728):
// a bearer token in the header, and no authorization server that issues one.
func (s *Service) ResourceMetadata(_ context.Context, c *request.Call) (*edge.Response, error) {
	base := s.BaseURL
	doc := wire.Object(
		wire.M("bearer_methods_supported", wire.Strings("header")),
		wire.M("resource", wire.String(base+"/mcp/gateway")),
		wire.M("resource_documentation", wire.String(base+"/developers/mcp/")),
		wire.M("resource_name", wire.String("Licensed content; the bearer token is a buyer credential that the operator issues")),
	)
	resp := &edge.Response{Status: 200, Body: doc.Append(nil)}
	resp.Header.Set("content-type", exports.MediaJSON)
	resp.Header.Set("cache-control", c.Endpoint.Cache)
	return request.AddValidators(c.Request, resp, request.EntityTag(resp.Body)), nil
}

// NoAuthServer answers at the addresses where OAuth clients look for an
// authorization server. It tells them that there is none before they try to
// register.
func (s *Service) NoAuthServer(context.Context, *request.Call) (*edge.Response, error) {
	return nil, problem.New("not_implemented", "There is no OAuth authorization server and no client registration here. The gateway takes a buyer credential, which the operator issues, as a bearer token.")
}
