package rights

import (
	"colophon/exports"
	"colophon/internal/origin"
)

// applyGrants sets the grant fields of v from the grants of the buyer who asks. An active
// grant that covers the use makes the verdict licensed, unless the entry is withdrawn or
// under legal hold.
func (j *evaluation) applyGrants(v *UseVerdict) {
	if !j.c.Buyer {
		return
	}
	t := grantTarget{SiteID: j.c.SiteID, Path: j.c.Path, ContentFormat: j.c.ContentFormat, PublishedAt: formatInstant(j.c.PublishedAt)}
	best := grantMissing
	keeps := ""
	for i := range j.c.Grants {
		g := &j.c.Grants[i]
		status := statusOfGrant(g.Holder, &g.Grant, &t, j.use, formatInstant(j.q.At))
		best = max(best, status)
		if status != grantActive {
			continue
		}
		v.GrantIDs = append(v.GrantIDs, g.GrantID)
		keeps = exports.StricterRetention(keeps, grantRetention(&g.Grant))
		if until, ends := parseUnix(g.ValidUntil); ends {
			v.ValidUntil = min(v.ValidUntil, until)
		}
	}
	v.GrantIDs = uniqueWords(v.GrantIDs)
	v.Grant = best.checkCode()

	if best == grantActive && v.Verdict != "withdrawn" {
		v.Verdict = "licensed"
		v.Reason = "grant_active"
		v.SignalsAgree = true
		v.Retention = keeps
		v.DependsOn = nil
		v.Audiences = nil
	}
}

// GrantsAt returns the grants of a buyer that cover a site, whatever their
// state.
func GrantsAt(b *origin.Buyer, grants []origin.Grant, siteID string) []Grant {
	var out []Grant
	for i := range grants {
		if coversSite(&grants[i], siteID) {
			out = append(out, Grant{Grant: grants[i], Holder: b})
		}
	}
	return out
}

// SourceOf returns a grant as its buyer may see it: without notes, contract and
// the reason for its state.
func SourceOf(g *origin.Grant) exports.LicensedSource {
	return exports.LicensedSource{
		GrantID: g.GrantID, Kind: g.Kind, Title: g.Title, LicenseID: g.LicenseID, Sites: g.Sites, Uses: g.Uses, Paths: g.Paths, Excludes: g.Excludes,
		ContentFormats: g.ContentFormats, PublishedAfter: g.PublishedAfter, PublishedBefore: g.PublishedBefore, ValidFrom: g.ValidFrom, ValidUntil: g.ValidUntil,
		Attribution: g.Attribution, DisplayLimit: g.DisplayLimit, DeleteHours: g.DeleteHours, Reporting: g.Reporting,
		Retention: grantRetention(g),
	}
}
