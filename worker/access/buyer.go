package access

import (
	"strconv"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// noGrant is the refusal of a buyer whose grants do not cover what it asks for.
var noGrant = Decision{403, "no_license", "grant_inactive", ""}

// BuyerDenial is the refusal of a buyer whose grants do not cover anything it
// asks for. It names no site, offer or policy: the buyer must not learn from it
// what exists, only where it can ask.
type BuyerDenial struct {
	Decision
	Base     string // of this service
	Resource string // public address of what was asked for, "" if it is not public
	Use      exports.Use
	Stated   bool // the request named the use
}

// OfBuyer returns the refusal of a buyer; use is the word of the request, ""
// for grounding.
func OfBuyer(base, resource, use string) *BuyerDenial {
	d := &BuyerDenial{Decision: noGrant, Base: base, Resource: resource, Use: exports.UseRAG}
	if u, _, ok := exports.ParseUse(use); ok {
		d.Use, d.Stated = u, true
	}
	return d
}

// Headers adds the denial to the headers of its answer.
func (d *BuyerDenial) Headers(h *edge.Header) {
	h.Set("cache-control", "no-store")
	h.Set("service-access", "deny;reason="+d.Reason+";use="+string(d.Use)+";status="+strconv.Itoa(d.Status))
	h.Add("link", "<"+d.Base+exports.PathPrepare+">; rel=\""+d.Base+`/rels/prepare-intent"`)
	h.Add("link", "<"+d.Base+exports.WellKnownAccessResponse+`>; rel="describedby"; type="application/json"`)
}

// AccessResponse returns the member access_response of the problem document.
func (d *BuyerDenial) AccessResponse() wire.Value {
	resource, source := wire.Null(), "unspecified"
	if d.Resource != "" {
		resource = wire.Object(wire.M("url", wire.String(d.Resource)))
	}
	if d.Stated {
		source = "request"
	}
	null := wire.Null()
	return wire.Object(
		wire.M("agent", wire.Object(wire.M("class", wire.String("unknown")), wire.M("identity", wire.String(identityUnverified)), wire.M("product_token", null))),
		wire.M("decision", wire.String("deny")), wire.M("offers", wire.Array()), wire.M("policy", null), wire.M("price", null),
		wire.M("reason_code", wire.String(d.Reason)), wire.M("receipt", null),
		wire.M("requested_use", wire.Object(wire.M("source", wire.String(source)), wire.M("value", wire.String(string(d.Use))))),
		wire.M("resource", resource),
		wire.M("retry", wire.Object(wire.M("after_seconds", null), wire.M("change", wire.Strings("obtain_license")), wire.M("same_request", wire.String("useless")))),
		wire.M("routes", d.licenceRoutes()), wire.M("signals", null), wire.M("uses", wire.Array()), wire.M("version", wire.String("service.access-response.v1")),
	)
}

// licenceRoutes returns the ways to a licence.
func (d *BuyerDenial) licenceRoutes() wire.Value {
	route := func(rel, method, href, auth string, more ...wire.Member) wire.Value {
		return wire.Object(append([]wire.Member{
			wire.M("rel", wire.String(rel)), wire.M("method", wire.String(method)), wire.M("href", wire.String(d.Base+href)), wire.M("auth", wire.String(auth)),
		}, more...)...)
	}
	intent, check := []wire.Member{wire.M("requested_use", wire.String(string(d.Use)))}, exports.PathRightsCheck
	if d.Resource != "" {
		intent = append(intent, wire.M("resource", wire.String(d.Resource)))
		check += "?url=" + escapeAddress(d.Resource)
	}
	json, binds := wire.M("content_type", wire.String("application/json")), wire.M("binding", wire.Bool(false))
	return wire.Array(
		route("prepare-intent", "POST", exports.PathPrepare, "none", json, binds, wire.M("body", wire.Object(intent...))),
		route("request-license", "POST", exports.PathLicensingRequest, "none", json, binds, wire.M("schema", wire.String(d.Base+exports.PathIntentSchema))),
		route("license", "GET", exports.PathLicenseCatalog+"?use="+string(d.Use), "none"),
		route("rights-check", "GET", check, "none"),
		route("licensed-read", "POST", "/mcp/gateway", "bearer"),
	)
}
