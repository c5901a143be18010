package templates

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/templates/frame"
)

// statedWords returns what the publisher itself states of a use.
func statedWords(p exports.Preference) string {
	declared := map[string]string{"allow": "allowed", "disallow": "reserved"}[p.Declared]
	switch {
	case p.Inquiry == "unstated" && declared == "":
		return "The publisher has not stated a preference here."
	case p.Inquiry == "unstated":
		return "The publisher states here: " + declared + "."
	case declared == "":
		return "The publisher states here: " + lowerFirst(prose.InquiryWords(p.Inquiry)) + "."
	}
	return "The publisher states here: " + declared + "; " + lowerFirst(prose.InquiryWords(p.Inquiry)) + "."
}

// whyWords returns the reason for the verdict on a use, and the channels that
// it rests on: "The publisher’s signals reserve it. Read in: robots.txt, TDM
// reservation."
func whyWords(s *exports.ResourceRights, use string) string {
	for i := range s.Uses {
		u := &s.Uses[i]
		if u.Use != use {
			continue
		}
		words := prose.ReasonWords(u.Reason)
		if channels := channelsOf(s, u.Basis); len(channels) > 0 {
			words += " Read in: " + strings.Join(channels, ", ") + "."
		}
		return words
	}
	return ""
}

// copiesWords says how long a copy may be kept for a use, or "" if nobody states
// it.
func copiesWords(s *exports.ResourceRights, use string) string {
	for i := range s.Uses {
		if u := &s.Uses[i]; u.Use == use && exports.ValidRetention(u.Retention) {
			return prose.RetentionWords(u.Retention)
		}
	}
	return ""
}

// channelsOf returns the names of the channels of some evidence, each once.
func channelsOf(s *exports.ResourceRights, basis []string) []string {
	var out []string
	for i := range s.Evidence {
		e := &s.Evidence[i]
		name := prose.ChannelName(e.Channel)
		if slices.Contains(basis, e.ID) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// doubtWords returns what contradicts the publisher's own statement about a
// use, "" if nothing does.
func doubtWords(doubts []exports.StatementDoubt, use string) string {
	for _, d := range doubts {
		switch {
		case d.Use != use:
		case d.Confirmation == exports.Contradicted:
			return "Contradicted by one of the publisher’s channels."
		case d.Confirmation == exports.Unconfirmed:
			return "Unconfirmed: one of the publisher’s documents could not be read whole."
		}
	}
	return ""
}

// verdictClass returns the CSS class of a letter of a rights vector.
func verdictClass(letter byte) string { return strings.ToLower(string(letter &^ 0x20)) }

// signalsFound counts the signals that were found.
func signalsFound(list []exports.ReadinessSignal) string {
	n := int64(0)
	for _, x := range list {
		if x.State == "found" {
			n++
		}
	}
	return prose.Count(n) + " of " + prose.Counted(int64(len(list)), "signal", "signals") + " found"
}

// signalState returns the state of a readiness signal in words.
func signalState(state string) string {
	switch state {
	case "found":
		return "Found"
	case "not_found":
		return "Not found"
	case "stale":
		return "Out of date"
	case "not_applicable":
		return "Does not apply"
	}
	return "Not checked"
}

// signalName returns a readiness signal in words.
func signalName(signal string) string {
	switch signal {
	case "registered_inventory":
		return "Registered inventory"
	case "marketplace_discovery":
		return "Marketplace discovery"
	case "rights_passport":
		return "Rights passport"
	case "adapter":
		return "Delivery adapter"
	case "rsl":
		return "RSL file"
	case "website_association":
		return "Website association"
	case "urvp":
		return "URVP"
	case "signed_receipts":
		return "Signed receipts"
	case "provenance_record":
		return "Provenance records"
	case "provenance_ledger":
		return "Provenance ledger"
	case "integration_hub":
		return "Integration hub"
	case "edge_access_control":
		return "Edge access control"
	}
	return prose.PlainWord(signal)
}

// signalFix tells a publisher how to provide a signal.
func signalFix(signal string) string {
	switch signal {
	case "registered_inventory":
		return "Import the site’s sitemap or feed."
	case "marketplace_discovery":
		return "Have the listing approved and made public."
	case "rights_passport":
		return "State a preference for at least one use."
	case "adapter":
		return "Name the delivery adapter’s public address in the publisher’s settings."
	case "rsl":
		return "Serve license.xml and name it in robots.txt with a License line."
	case "website_association":
		return "Show control of the domain by DNS, a well-known file or a meta element."
	case "urvp":
		return "Name the public URVP address in the publisher’s settings."
	case "signed_receipts":
		return "Let the guard in front of the site sign its denials."
	case "provenance_record":
		return "Build with a signing key, so that pages get records."
	case "provenance_ledger":
		return "Publish the ledger with the next build."
	case "integration_hub":
		return "Name the integration hub’s public address in the publisher’s settings."
	case "edge_access_control":
		return "Answer unknown agents at the edge with the access response, and publish its manifest."
	}
	return ""
}

// channelState returns the state of a channel in words.
func channelState(c exports.ChannelState) string {
	switch c.State {
	case "valid":
		if c.Reading == "partial" {
			return "Read in part: permissions beside it do not count"
		}
		return "Read"
	case "invalid":
		if c.Reading == "failed" {
			return "Could not be read: permissions beside it do not count"
		}
		return "Has mistakes"
	case "unreachable":
		return "Could not be reached"
	}
	return "Absent"
}

// warningWords returns what a reader noted about a document.
func warningWords(codes []string) string {
	words := make([]string, len(codes))
	for i, code := range codes {
		switch code {
		case "cdn_lines":
			words[i] = "partly written by the site’s CDN"
		case "cdn_contradicts_publisher":
			words[i] = "the CDN’s lines contradict the publisher’s own"
		default:
			words[i] = prose.PlainWord(code)
		}
	}
	return strings.Join(words, ", ")
}

// namedAgents is how many agents of a group are shown before the others are
// folded.
const namedAgents = 6

// countAgents returns how many agents are in some groups.
func countAgents(groups []exports.AgentGroup) (n int64) {
	for _, g := range groups {
		n += int64(len(g.Agents))
	}
	return n
}

// agentNames names the first agents of a group.
func agentNames(g exports.AgentGroup) string {
	words := joinClean(g.Agents[:min(len(g.Agents), namedAgents)])
	if g.Crawler != "" {
		words += " (for pages that " + prose.Clean(g.Crawler, frame.NameLimit) + " fetches)"
	}
	return words
}

// moreAgents names the others, "" if there are none.
func moreAgents(g exports.AgentGroup) string {
	return joinClean(g.Agents[min(len(g.Agents), namedAgents):])
}

func joinClean(names []string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = prose.Clean(name, frame.NameLimit)
	}
	return strings.Join(words, ", ")
}

// toldWords is what one channel says, in its own words.
func toldWords(t exports.Told) string {
	return prose.ChannelName(t.Channel) + ": " + prose.Clean(t.Statement, frame.NoteLimit)
}

// edgeWords says whether the edge does what it declares for a group.
func edgeWords(g exports.AgentGroup) string {
	switch g.Edge {
	case "match":
		return "The edge does what it declares"
	case "mismatch":
		return "The edge differs from what it declares"
	case "unreachable":
		return "The edge could not be reached"
	case "not_told_apart":
		return "The edge answers all alike"
	case "unchecked":
		return "The edge was not checked"
	}
	return "Sends no requests"
}

// agentWarning says which agents a rule keeps out, and what would keep out
// training alone.
func agentWarning(w exports.AgentWarning) string {
	by := ""
	if w.Origin == "cdn" {
		by = ", written by the site’s CDN,"
	}
	words := prose.UseName(w.Use) + ": “" + prose.Clean(w.Statement, frame.NoteLimit) + "” (" + prose.Clean(w.Locator, frame.NameLimit) + " of robots.txt)" + by + " keeps out " + joinClean(w.Agents[:min(len(w.Agents), namedAgents)])
	if more := len(w.Agents) - namedAgents; more > 0 {
		words += " and " + prose.Counted(int64(more), "other", "others")
	}
	words += "."
	if len(w.Instead) > 0 {
		words += " To decline training alone, disallow " + joinClean(w.Instead) + "."
	}
	return words
}

// domainControl returns how control of the domain was proved.
func domainControl(method string) string {
	switch method {
	case "dns_txt":
		return "shown by a DNS record"
	case "well_known":
		return "shown by a well-known file"
	case "meta":
		return "shown by a link or meta element"
	case "operator":
		return "not shown: the operator vouches for it"
	case "lapsed":
		return "lapsed: it was shown, but the proof is gone"
	}
	return "not shown"
}

// shortUse returns a short name of a use, for the head of a chart.
func shortUse(u exports.Use) string {
	switch u {
	case exports.UseRAG:
		return "Retrieval"
	case exports.UseSearchIndexing:
		return "Search index"
	}
	return prose.UseName(string(u))
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// evidenceLabel returns the label of a link to evidence; it says so if the link
// leads to JSON of this service.
func evidenceLabel(u string) string {
	if strings.HasPrefix(u, "/v1/") {
		return prose.ShortURL(u) + " (JSON)"
	}
	return prose.ShortURL(u)
}
