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
	x := response{
		Decision: d.Decision, agent: Agent{Class: "unknown", Identity: identityUnverified}, use: d.Use, source: source, resource: resource,
		uses: wire.Array(), offers: wire.Array(), routes: d.licenceRoutes(), change: []string{"obtain_license"},
	}
	return x.value()
}

// licenceRoutes returns the ways to a licence.
func (d *BuyerDenial) licenceRoutes() wire.Value {
	r := routes{base: d.Base}
	check := exports.PathRightsCheck
	if d.Resource != "" {
		check += "?url=" + escapeAddress(d.Resource)
	}
	r.addAsking(d.Use, d.Resource)
	r.add("license", "GET", d.Base+exports.PathLicenseCatalog+"?use="+string(d.Use), "none")
	r.addReading(d.Base + check)
	return wire.Array(r.list...)
}
