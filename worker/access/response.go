package access

import (
	"colophon/exports"
	"colophon/internal/wire"
)

// response is an access response: what a denial says to a program.
type response struct {
	Decision
	agent  Agent
	use    exports.Use
	source string   // of the use
	change []string // what would let the request pass

	uses, offers, routes               wire.Value
	resource, policy, receipt, signals wire.Value // the zero value is null
}

func (r *response) value() wire.Value {
	same, after := "useless", wire.Null()
	if r.Status == 503 {
		same, after = "later", wire.Int(30)
	}
	return wire.Object(
		wire.M("agent", wire.Object(wire.M("class", wire.String(r.agent.Class)), wire.M("identity", wire.String(r.agent.Identity)), wire.M("product_token", wire.StringOrNull(r.agent.Token)))),
		wire.M("decision", wire.String("deny")), wire.M("offers", r.offers), wire.M("policy", r.policy), wire.M("price", wire.Null()),
		wire.M("reason_code", wire.String(r.Reason)), wire.M("receipt", r.receipt),
		wire.M("requested_use", wire.Object(wire.M("source", wire.String(r.source)), wire.M("value", wire.StringOrNull(string(r.use))))), wire.M("resource", r.resource),
		wire.M("retry", wire.Object(wire.M("after_seconds", after), wire.M("change", wire.Strings(r.change...)), wire.M("same_request", wire.String(same)))),
		wire.M("routes", r.routes), wire.M("signals", r.signals), wire.M("uses", r.uses), wire.M("version", wire.String("service.access-response.v1")),
	)
}

// routes are what can be done instead.
type routes struct {
	base string // of this service
	list []wire.Value
}

func (r *routes) add(rel, method, href, auth string, more ...wire.Member) {
	r.list = append(r.list, wire.Object(append([]wire.Member{
		wire.M("auth", wire.String(auth)), wire.M("href", wire.String(href)), wire.M("method", wire.String(method)), wire.M("rel", wire.String(rel)),
	}, more...)...))
}

// addAsking adds the routes of asking the publisher; resource may be "".
func (r *routes) addAsking(use exports.Use, resource string) {
	intent := []wire.Member{wire.M("requested_use", wire.String(string(use)))}
	if resource != "" {
		intent = append(intent, wire.M("resource", wire.String(resource)))
	}
	json, binds := wire.M("content_type", wire.String("application/json")), wire.M("binding", wire.Bool(false))
	r.add("prepare-intent", "POST", r.base+exports.PathPrepare, "none", binds, wire.M("body", wire.Object(intent...)), json)
	r.add("request-license", "POST", r.base+exports.PathLicensingRequest, "none", binds, json, wire.M("schema", wire.String(r.base+exports.PathIntentSchema)))
}

// addReading adds the check of rights at an address, and the reading of what is
// licensed.
func (r *routes) addReading(check string) {
	r.add("rights-check", "GET", check, "none")
	r.add("licensed-read", "POST", r.base+"/mcp/gateway", "bearer")
}
