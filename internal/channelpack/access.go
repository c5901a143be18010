package channelpack

import (
	"slices"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// writeAccess writes service-access-response.json: how requests without a licence
// are answered on this site, by class of agent and path. A class about which
// the policy says nothing has no row.
func (w *packer) writeAccess() {
	classes := []struct {
		name string
		use  exports.Use
	}{
		{"training", exports.UseTraining}, {"inference", exports.UseRAG}, {"search", exports.UseSearchIndexing},
	}
	rules := wire.Array()
	for _, r := range slices.Backward(w.regions) {
		for _, c := range classes {
			decision, status := r.accessDecision(c.use.Index())
			if decision == "" || c.name == "search" && decision != "allow" && !r.allowedAbove(c.use.Index()) {
				continue // search crawlers get signals and are not turned away
			}
			rules.Items = append(rules.Items, wire.Object(
				wire.M("class", wire.String(c.name)), wire.M("decision", wire.String(decision)),
				wire.M("host", wire.String(w.p.host())), wire.M("path", wire.String(r.prefix+"*")),
				wire.M("site_id", wire.String(w.p.SiteID)), wire.M("status", wire.Int(status)),
			))
		}
	}
	at := w.p.ServiceURL
	w.addJSON(FileAccess, "application/json", wire.Object(
		wire.M("body_schema", wire.String(at+exports.PathOpenAPI+"#/components/schemas/problem")),
		wire.M("declared_posture", rules),
		wire.M("free_paths", wire.Strings(exports.FreePaths...)),
		wire.M("grants_rights", wire.Bool(false)),
		wire.M("headers", wire.Strings("WWW-Authenticate", "Link", "Content-Signal", "tdm-reservation", "tdm-policy", "Service-Access", "Retry-After")),
		wire.M("keys", wire.String(at+exports.WellKnownProvenance)),
		wire.M("media_types", wire.Strings("application/problem+json", channel.RSLMediaType, "text/html")),
		wire.M("reason_codes", wire.Strings(exports.DenialReasons...)),
		wire.M("route_rels", wire.Strings(exports.RouteRels...)),
		wire.M("statuses", wire.Array(wire.Int(401), wire.Int(402), wire.Int(403), wire.Int(451), wire.Int(503))),
		wire.M("templates", wire.Object(
			wire.M("prepare-intent", wire.String(at+exports.PathPrepare)),
			wire.M("rights-check", wire.String(at+exports.PathRightsCheck+"{?url,use}")),
		)),
		wire.M("version", wire.String("service.access-response.v1")),
	))
}

// allowedAbove reports whether a wider region allows a use for free, so that
// its row would be taken for this region's.
func (r *region) allowedAbove(use int) bool {
	for wider := r.parent; wider != nil; wider = wider.parent {
		if decision, _ := wider.accessDecision(use); decision == "allow" {
			return true
		}
	}
	return false
}

// answerCarries reports whether an answer with the page can carry the conditions
// of a free use: how to credit it. The rest has to be agreed first.
func answerCarries(conditions []string) bool {
	for _, c := range conditions {
		switch c {
		case "attribution", "link_back", "no_full_text":
		default:
			return false
		}
	}
	return true
}

// accessDecision returns the decision for a class of agents without a licence.
func (r *region) accessDecision(use int) (string, int64) {
	switch r.want[use] {
	case statements.Allow:
		if !answerCarries(r.conditions[use]) {
			return "license", 402
		}
		return "allow", 200
	case statements.Priced:
		return "license", 402
	case statements.Disallow:
		if r.askable[use] {
			return "license", 402
		}
		return "deny", 403
	}
	return "", 0
}
