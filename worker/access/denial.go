package access

import (
	"encoding/base64"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/record"
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// Denial is one denied request with everything that its answer says.
type Denial struct {
	Decision
	Base      string // of this service
	RequestID string
	Document  *rights.RightsDocument
	Rights    exports.ResourceRights // of the resource, for all uses
	Use       exports.Use            // for which the request is made
	UseSource string                 // header, agent_class, path_rule, unspecified
	Agent     Agent
	At        string        // instant of the decision (RFC 3339)
	Signer    record.Signer // signs the receipt; nil: there is none
}

// Response returns the denial in the form that the caller accepts.
func (d *Denial) Response(accept func(offered []string) string) *edge.Response {
	body := d.problemDocument()
	resp := &edge.Response{Status: d.Status, Body: body}
	switch accept([]string{"application/problem+json", "application/rsl+xml", "text/html"}) {
	case "application/rsl+xml":
		resp.Body = d.rslDocument()
		resp.Header.Set("content-type", "application/rsl+xml; charset=utf-8")
	case "text/html":
		resp.Body = d.denialPage(body)
		resp.Header.Set("content-type", exports.MediaHTML)
	default:
		resp.Header.Set("content-type", exports.MediaProblem)
	}
	d.writeHeaders(&resp.Header)
	return resp
}

func (d *Denial) writeHeaders(h *edge.Header) {
	h.Set("cache-control", "no-store")
	h.Set("vary", "Accept, Authorization, User-Agent, Signature-Agent")
	h.Set("request-id", d.RequestID)
	if d.RSL != "" {
		h.Set("www-authenticate", `License error="`+d.RSL+`", error_description="`+d.inShort()+`"`)
	}
	h.Add("link", "<"+d.licenseURL()+`>; rel="license"; type="application/rsl+xml"`)
	h.Add("link", "<"+d.Base+exports.PathPrepare+">; rel=\""+d.Base+`/rels/prepare-intent"`)
	h.Add("link", "<"+d.Base+exports.PackPath(d.Document.SiteID)+"well-known-service-access-response.json"+`>; rel="describedby"; type="application/json"`)
	if s := d.contentSignal(); s != "" {
		h.Set("content-signal", s)
	}
	if v := d.tdmReservation(); v != "" {
		h.Set("tdm-reservation", v)
	}
	h.Set("service-access", "deny;reason="+d.Reason+";use="+string(d.Use)+";status="+strconv.Itoa(d.Status))
	if d.Status == 503 {
		h.Set("retry-after", "30")
	}
}

func (d *Denial) inShort() string {
	if d.Reason == noLicense.Reason {
		return "No licence covers this URL for " + string(d.Use)
	}
	return exports.KindOf(d.Code).Title
}

// licenseURL returns the RSL document of the site, or the one that this service
// publishes for it.
func (d *Denial) licenseURL() string {
	for i := range d.Document.Documents {
		if x := &d.Document.Documents[i]; x.Channel == statements.RSL && !x.Embedded && isSafeURL(x.URL) {
			return x.URL
		}
	}
	return d.Base + exports.PackPath(d.Document.SiteID) + "license.xml"
}

// isSafeURL reports whether an address can be part of a header value or a
// quoted string without ending it.
func isSafeURL(url string) bool {
	for i := 0; i < len(url); i++ {
		if c := url[i]; c <= ' ' || c > '~' || strings.IndexByte("<>\"\\", c) >= 0 {
			return false
		}
	}
	return strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://")
}

// useEffect returns the verdict on a use as a signal: what may be done without
// asking.
func (d *Denial) useEffect(u exports.Use) statements.Effect {
	for i := range d.Rights.Uses {
		if x := &d.Rights.Uses[i]; x.Use == string(u) {
			switch x.Verdict {
			case "signal_allow":
				return statements.Allow
			case "declined", "license_required":
				return statements.Disallow
			}
		}
	}
	return statements.Unknown
}

// wordEffect returns the effect of a word of another vocabulary: disallow as
// soon as any use that it covers is disallowed, allow only if nothing that it
// covers is restricted.
func (d *Denial) wordEffect(channel statements.Name, word string) statements.Effect {
	allows, restricted := false, false
	for i, c := range statements.Covers(channel, word) {
		e := d.useEffect(exports.Uses[i])
		switch {
		case c == statements.Exactly && e == statements.Disallow:
			return statements.Disallow
		case c != statements.NotCovered && e != statements.Allow:
			restricted = true
		case c == statements.Exactly:
			allows = true
		}
	}
	if allows && !restricted {
		return statements.Allow
	}
	return statements.Unknown
}

func (d *Denial) contentSignal() string {
	var parts []string
	for _, w := range []string{"search", "ai-input", "ai-train"} {
		switch d.wordEffect(statements.ContentSignal, w) {
		case statements.Allow:
			parts = append(parts, w+"=yes")
		case statements.Disallow:
			parts = append(parts, w+"=no")
		}
	}
	return strings.Join(parts, ", ")
}

func (d *Denial) tdmReservation() string {
	switch d.wordEffect(statements.TDMRep, "reservation") {
	case statements.Allow:
		return "0"
	case statements.Disallow:
		return "1"
	}
	return ""
}

// problemDocument returns the problem document.
func (d *Denial) problemDocument() []byte {
	p := exports.Problem{
		Base: d.Base, Kind: exports.KindOf(d.Code), Detail: d.inShort() + ".", RequestID: d.RequestID,
		More: []wire.Member{wire.M("access_response", d.accessResponse())},
	}
	if d.Status == 503 {
		p.Retry = 30
	}
	return wire.Append(nil, &p)
}

func (d *Denial) accessResponse() wire.Value {
	uses, offers := wire.Array(), wire.Array()
	seen := map[string]bool{}
	for i := range d.Rights.Uses {
		u := &d.Rights.Uses[i]
		uses.Items = append(uses.Items, wire.Object(wire.M("retention", wire.String(u.Retention)), wire.M("use", wire.String(u.Use)), wire.M("verdict", wire.String(u.Verdict))))
		for _, id := range u.LicenseIDs {
			if !seen[id] {
				seen[id] = true
				offers.Items = append(offers.Items, wire.String(id))
			}
		}
	}
	x := response{
		Decision: d.Decision, agent: d.Agent, use: d.Use, source: d.UseSource, uses: uses, offers: offers, routes: d.listRoutes(), change: d.changes(), signals: d.signalValues(),
		resource: wire.Object(wire.M("entry_id", wire.StringOrNull(d.Rights.EntryID)), wire.M("site_id", wire.String(d.Document.SiteID)), wire.M("url", wire.String(d.Rights.URL))),
	}
	x.receipt = d.signReceipt(x.routes)
	if p := d.Document.Policy; p != nil {
		x.policy = wire.Object(wire.M("digest", wire.String(p.Digest)), wire.M("policy_id", wire.String(p.PolicyID)), wire.M("version", wire.Int(p.Version)))
	}
	return x.value()
}

// changes returns what would let the agent in.
func (d *Denial) changes() (change []string) {
	if d.Status == 402 {
		change = append(change, "obtain_license")
	}
	if d.Agent.Identity != identityVerified && d.Status != 503 {
		change = append(change, "identify_agent")
	}
	return change
}

// signReceipt signs that these routes were shown, so that the publisher can
// prove that it offered them and the agent that it met them. It says nothing
// about the caller. If a receipt cannot be signed, the denial is sent without
// it.
func (d *Denial) signReceipt(routes wire.Value) wire.Value {
	if d.Signer == nil {
		return wire.Null()
	}
	payload := wire.Object(
		wire.M("at", wire.String(d.At)), wire.M("reason_code", wire.String(d.Reason)), wire.M("request_id", wire.String(d.RequestID)),
		wire.M("routes_digest", wire.String("sha-256:"+wire.SHA256Hex(routes.Append(nil)))), wire.M("url_sha256", wire.String(wire.SHA256Hex([]byte(d.Rights.URL)))),
	)
	sig, err := d.Signer.Sign(payload.Append([]byte(exports.DenialContext + "\n")))
	if err != nil {
		return wire.Null()
	}
	return wire.Object(wire.M("kid", wire.String(d.Signer.KeyID())), wire.M("payload", payload), wire.M("signature_b64u", wire.String(base64.RawURLEncoding.EncodeToString(sig))))
}

func (d *Denial) signalValues() wire.Value {
	reserved := wire.Null()
	if v := d.tdmReservation(); v != "" {
		n, _ := strconv.ParseInt(v, 10, 64)
		reserved = wire.Int(n)
	}
	return wire.Object(wire.M("content_signal", wire.StringOrNull(d.contentSignal())), wire.M("rsl", wire.String(d.licenseURL())), wire.M("tdm_reservation", reserved))
}

// listRoutes returns what can be done instead. The route of asking is listed
// only if the publisher takes inquiries.
func (d *Denial) listRoutes() wire.Value {
	r := routes{base: d.Base}
	if d.Document.AsksAllowed {
		r.addAsking(d.Use, d.Rights.URL)
	}
	r.add("license", "GET", d.licenseURL(), "none", wire.M("type", wire.String("application/rsl+xml")))
	r.addReading(d.checkURL())
	if isSafeURL(d.Document.HumanPage) {
		r.add("human", "GET", d.Document.HumanPage, "none", wire.M("type", wire.String("text/html")))
	}
	return wire.Array(r.list...)
}

func (d *Denial) checkURL() string {
	if d.Rights.EntryID != "" {
		return d.Base + exports.RightsCheckPath(d.Rights.EntryID)
	}
	return d.Base + exports.PathRightsCheck + "?url=" + escapeAddress(d.Rights.URL)
}

// escapeAddress escapes an address for a query in a way that people can still
// read.
func escapeAddress(s string) string { return exports.EscapeQuery(s, "/:") }
