package templates

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/templates/frame"
)

// GroupShapes is the name of the shapes among the groups of the reference.
const GroupShapes = "shapes"

// ReferencePath returns the address of the reference page of a group.
func ReferencePath(group string) string { return frame.PathReference + group + "/" }

// ReferencePaths returns the addresses of all reference pages, beginning with
// the index.
func ReferencePaths() []string {
	paths := []string{frame.PathReference}
	for _, g := range groups(exports.Surface) {
		paths = append(paths, ReferencePath(g.Name))
	}
	return append(paths, ReferencePath(GroupShapes))
}

// shapePath returns the address at which a body or an answer is described.
func shapePath(name string) string { return ReferencePath(GroupShapes) + "#shape-" + name }

// Groups returns the pages below the reference: one for each group of endpoints
// and one for the shapes.
func (v ReferencePage) Groups() []ReferenceGroupPage {
	var out []ReferenceGroupPage
	for _, g := range groups(v.Endpoints) {
		part := ReferenceGroupPage{v, g.Name}
		part.Endpoints = g.Endpoints
		out = append(out, part)
	}
	return append(out, ReferenceGroupPage{v, GroupShapes})
}

// endpointGroup holds the endpoints of a group, in the order of the table.
type endpointGroup struct {
	Name      string
	Endpoints []exports.Endpoint
}

// groups divides the table by group, in the order in which the groups first
// appear.
func groups(all []exports.Endpoint) []endpointGroup {
	var out []endpointGroup
	for _, e := range all {
		at := -1
		for i := range out {
			if out[i].Name == e.Group {
				at = i
			}
		}
		if at < 0 {
			out, at = append(out, endpointGroup{Name: e.Group}), len(out)
		}
		out[at].Endpoints = append(out[at].Endpoints, e)
	}
	return out
}

func groupName(group string) string {
	switch group {
	case GroupShapes:
		return "Bodies and answers"
	case "discovery":
		return "Discovery"
	case "marketplace":
		return "Publishers"
	case "licensing":
		return "Licensing inquiries"
	case "partner":
		return "Partner API"
	case "provenance":
		return "Provenance and citations"
	case "rights":
		return "Rights"
	case "mcp":
		return "Model Context Protocol"
	case "delivery":
		return "Buyer delivery"
	case "manifests":
		return "Manifests"
	}
	return prose.PlainWord(group)
}

// endpointFacts returns who may call an endpoint and how it answers.
func endpointFacts(e exports.Endpoint) string {
	var out []string
	switch e.Auth {
	case exports.ByConversation:
		out = append(out, "needs X-Conversation-Token")
	case exports.ByPartner:
		out = append(out, "needs a partner key")
	case exports.ByBuyer:
		out = append(out, "needs a buyer credential")
	default:
		out = append(out, "open to everyone")
	}
	if e.Scope != "" {
		out = append(out, "scope "+e.Scope)
	}
	if e.Body != "" {
		out = append(out, "body "+prose.PlainWord(e.Body))
	}
	media, _, _ := strings.Cut(e.Media, ";")
	out = append(out, "answers "+media)
	if e.Limits != "" {
		out = append(out, "rate policy "+e.Limits)
	}
	if e.Made == exports.FromFile {
		out = append(out, "static file")
	}
	return strings.Join(out, " · ")
}

// endpointLinks returns links to the shapes of an endpoint and to a sample
// answer.
func endpointLinks(e exports.Endpoint, v ReferencePage) []frame.Crumb {
	var out []frame.Crumb
	if e.Body != "" {
		out = append(out, frame.Crumb{Label: "Body", Path: shapePath(e.Body)})
	}
	if shape := v.Answers[e.ID]; shape != "" {
		out = append(out, frame.Crumb{Label: "Answer", Path: shapePath(shape)})
	}
	if path := v.Samples[e.ID]; path != "" {
		out = append(out, frame.Crumb{Label: sampleLabel(e), Path: path})
	}
	return out
}

// sampleLabel returns the label of the link to a sample; it says so if the
// sample is JSON.
func sampleLabel(e exports.Endpoint) string {
	if strings.HasPrefix(e.Media, "application/json") {
		return "Sample (JSON)"
	}
	return "Sample"
}

func paramFacts(p exports.Param) string {
	out := []string{p.Type}
	if p.List {
		out = append(out, "list")
	}
	if p.Default != "" {
		out = append(out, "default "+p.Default)
	}
	if p.Max > 0 {
		out = append(out, "at most "+prose.Count(p.Max))
	}
	if len(p.Values) > 0 {
		out = append(out, "one of "+strings.Join(p.Values, ", "))
	}
	return strings.Join(out, "; ")
}

// retryWord returns whether the same request can succeed later.
func retryWord(k exports.ProblemKind) string {
	switch k.Status {
	case 429, 503, 504:
		return "Yes, after the time in Retry-After."
	case 500:
		return "Yes, with growing pauses."
	}
	if k.Code == "idempotency_in_progress" {
		return "Yes, after the time in Retry-After."
	}
	return "Not with the same request; change it first."
}

// withReference adds the reference after the first page, unless it is there
// already.
func withReference(nav []DocLink) []DocLink {
	for _, l := range nav {
		if l.Slug == "reference" {
			return nav
		}
	}
	first := min(1, len(nav))
	out := append([]DocLink(nil), nav[:first]...)
	return append(append(out, DocLink{"reference", "API reference"}), nav[first:]...)
}

// docGroup is a part of the list of documents.
type docGroup struct {
	Name  string
	Links []DocLink
}

// docGroups groups the documents by audience. A document that is in no list
// counts as reference.
func docGroups(nav []DocLink) []docGroup {
	groups := []docGroup{{Name: "Start here"}, {Name: "Clients and agents"}, {Name: "Reference"}, {Name: "Run a registry"}}
	for _, l := range nav {
		at := 2
		switch l.Slug {
		case "index", "buyers", "agents", "publishers", "list-your-site", "boundaries", "screening":
			at = 0
		case "mcp", "mcp-client", "curl", "go", "typescript", "python", "partner-api", "delivery":
			at = 1
		case "operators", "self-hosting", "backups", "publishing", "stores":
			at = 3
		}
		groups[at].Links = append(groups[at].Links, l)
	}
	return slices.DeleteFunc(groups, func(g docGroup) bool { return len(g.Links) == 0 })
}

// rowsClass returns the class with the most height that a list of n rows can
// have. The list is laid out only when it comes into view, and what follows
// must not move over it.
func rowsClass(n int) string {
	switch {
	case n <= 3:
		return "rows"
	case n <= 8:
		return "rows-8"
	case n <= 16:
		return "rows-16"
	case n <= 32:
		return "rows-32"
	}
	return "rows-99"
}
