package worker

import (
	"colophon/exports"
	"colophon/internal/wire"
)

// denied is the access response to a buyer without a right: a refusal that
// lists the routes to one. It says nothing about what exists; resource is the
// public address of what was asked for, "" when that is not public.
func (c *call) denied(resource string) error { return denial(c.deps, c.query.get("use"), resource) }

func denial(d *Deps, use, resource string) *failure {
	if use == "" {
		use = string(exports.UseRAG)
	}
	f := fail("grant_inactive", "No active grant covers this for "+use+".")
	f.header.Set("service-access", "deny;reason=no_license;use="+use+";status=403")
	f.header.Add("link", "<"+d.BaseURL+exports.PathPrepare+`>; rel="`+d.BaseURL+`/rels/prepare-intent"`)
	f.header.Add("link", "<"+d.BaseURL+exports.WellKnownAccessResponse+`>; rel="describedby"; type="application/json"`)
	f.header.Set("cache-control", "no-store")
	members := []wire.Member{
		wire.M("version", wire.String("service.access-response.v1")), wire.M("decision", wire.String("deny")),
		wire.M("reason_code", wire.String("no_license")), wire.M("routes", routes(d.BaseURL, use, resource)),
		wire.M("requested_use", wire.Object(wire.M("source", wire.String("request")), wire.M("value", wire.String(use)))),
		wire.M("retry", wire.Object(wire.M("after_seconds", wire.Null()), wire.M("change", wire.Strings("obtain_license")), wire.M("same_request", wire.String("useless")))),
	}
	if resource != "" {
		members = append(members, wire.M("resource", wire.Object(wire.M("url", wire.String(resource)))))
	}
	f.more = []wire.Member{wire.M("access_response", wire.Object(members...))}
	return f
}

// routes are the ways to a licence.
func routes(base, use, resource string) wire.Value {
	route := func(rel, method, href, auth string, more ...wire.Member) wire.Value {
		return wire.Object(append([]wire.Member{
			wire.M("rel", wire.String(rel)), wire.M("method", wire.String(method)), wire.M("href", wire.String(base+href)), wire.M("auth", wire.String(auth)),
		}, more...)...)
	}
	intent := []wire.Member{wire.M("requested_use", wire.String(use))}
	if resource != "" {
		intent = append(intent, wire.M("resource", wire.String(resource)))
	}
	json, binds := wire.M("content_type", wire.String("application/json")), wire.M("binding", wire.Bool(false))
	return wire.Array(
		route("prepare-intent", "POST", exports.PathPrepare, "none", json, binds, wire.M("body", wire.Object(intent...))),
		route("request-license", "POST", exports.PathLicensingRequest, "none", json, binds, wire.M("schema", wire.String(base+exports.PathIntentSchema))),
		route("license", "GET", exports.PathLicenseCatalog+"?use="+use, "none"),
		route("rights-check", "GET", exports.PathRightsCheck, "none"),
		route("licensed-read", "POST", "/mcp/gateway", "bearer"),
	)
}
