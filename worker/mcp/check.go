package mcp

import (
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// checkTool returns the tool that asks the rights check. scoped selects that of
// a publisher's endpoint, which without a lookup key asks about the publisher.
func checkTool(scoped bool) Tool {
	t := Tool{
		Name: "check_rights", Title: "Check the rights of a page",
		Description: "Check what is known now about the uses of one page: a verdict and reason for each of the eight uses, the statements they rest on, and until when. Give exactly one of url, fingerprint, iscc and entry_id. A verdict is information, not permission; unknown means do not use without asking.",
		Args:        func() *Args { return checkArgs(scoped) },
		Purpose: []Purpose{
			{Name: "url", Text: "Address of the page."},
			{Name: "fingerprint", Text: "SHA-256 digest of its text, portable or registry: 64 hex digits."},
			{Name: "iscc", Text: "ISCC of its content, by which reservations for that content are found."},
			{Name: "entry_id", Text: "Registry entry, as entry_id in search hits."},
			{Name: "uses", Text: "Uses asked about; all eight when left out. Of " + strings.Join(exports.UseWords(), ", ") + "."},
			{Name: "territory", Text: "Where it would be used: ISO 3166-1 alpha-2 in capitals, or EU."},
			{Name: "user_type", Text: "Who would use it. Of " + strings.Join(exports.UserTypes, ", ") + "."},
			{Name: "agent", Text: "Robots product token of the crawler or agent, which selects signals addressed to it."},
		},
		Output:    func() wire.Record { return &exports.RightsAnswer{} },
		Untrusted: []string{"candidates[].canonical_url", "candidates[].evidence[].statement", "candidates[].not_applied[].value", "candidates[].reservation.author", "candidates[].reservation.note", "candidates[].reservation.vouched_by.name", "candidates[].successor.canonical_url", "website.canonical_url", "website.evidence[].statement", "website.not_applied[].value"},
		Policy:    "rights",
	}
	if scoped {
		t.Description = "Check what is known now about the uses of this publisher's pages: a verdict and reason for each of the eight uses, the statements they rest on, and until when. Give one of url, fingerprint, iscc and entry_id, or none to ask about the publisher as a whole. A verdict is information, not permission; unknown means do not use without asking."
	}
	return t
}

// checkArgs are parameters of the rights check, which validates them.
func checkArgs(scoped bool) *Args {
	params := [][2]string{{"agent"}, {"entry_id"}, {"fingerprint"}, {"iscc"}, {"territory"}, {"url"}, {"user_type"}}
	var uses []string
	return &Args{func(m *wire.Members) {
		for i := range params {
			m.OptString(params[i][0], &params[i][1])
		}
		m.OptStrings("uses", &uses)
	}, func(ctx context.Context, c *call) (wire.Record, string, error) {
		asked := append(params, [2]string{"use", strings.Join(uses, ",")})
		if scoped && !slices.ContainsFunc(params, isKey) {
			asked = append(asked, [2]string{"site_id", c.endpoint.siteID})
		}
		answer, err := c.server.CheckRights(ctx, c.http, asked)
		if err != nil {
			return nil, "", err
		}
		return answer, summarizeRights(answer), nil
	}}
}

// isKey reports whether a parameter is a lookup key and was given.
func isKey(param [2]string) bool {
	return param[1] != "" && slices.Contains([]string{"url", "fingerprint", "iscc", "entry_id"}, param[0])
}

// summarizeRights returns a short summary of an answer, in ids and the
// service's own words only.
func summarizeRights(a *exports.RightsAnswer) string {
	var parts []string
	for i := range a.Candidates {
		x := &a.Candidates[i]
		if x.Reservation != nil {
			parts = append(parts, "The reservation "+x.Reservation.ReservationID+" for this content, for which "+x.SiteID+" vouches: "+verdictsOf(x.Uses))
		} else if x.EntryID == "" {
			parts = append(parts, "The site "+x.SiteID+": "+verdictsOf(x.Uses))
		} else {
			parts = append(parts, "Entry "+x.EntryID+" of "+x.SiteID+": "+verdictsOf(x.Uses))
		}
	}
	switch {
	case len(parts) > 0:
	case a.Website != nil:
		parts = append(parts, "The page is not registered; its site "+a.Website.SiteID+": "+verdictsOf(a.Website.Uses))
	default:
		parts = append(parts, "Nothing is registered for this and no statement is known: every use is unknown, which is no permission.")
	}
	return strings.Join(parts, " ") + " Valid until " + a.ValidUntil + "."
}

func verdictsOf(uses []exports.UseVerdict) string {
	words := make([]string, len(uses))
	for i, u := range uses {
		words[i] = u.Use + " " + u.Verdict + " (" + u.Reason + ")"
	}
	return strings.Join(words, ", ") + "."
}
