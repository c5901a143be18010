package rights

import (
	"slices"

	"colophon/exports"
	"colophon/internal/origin"
)

// grants sets how a buyer's licences stand; an active one that covers the use
// licenses it, unless the entry is gone or held.
func (j *judge) grants(v *UseVerdict) {
	if !j.c.Buyer {
		return
	}
	v.Grant = "grant_missing"
	best := 0
	for i := range j.c.Grants {
		g := &j.c.Grants[i]
		standing, code := j.standing(g)
		if code == "grant_active" && g.Until != 0 && g.Until < v.ValidUntil {
			v.ValidUntil = g.Until
		}
		if code == "grant_active" {
			v.GrantIDs = append(v.GrantIDs, g.ID)
		}
		if standing > best {
			best, v.Grant = standing, code
		}
	}
	v.GrantIDs = uniqueWords(v.GrantIDs)
	if v.Grant == "grant_active" && v.Verdict != "withdrawn" && j.c.State != LegalHold {
		v.Verdict, v.Reason, v.SignalsAgree, v.DependsOn = "licensed", "grant_active", true, nil
	}
}

func (j *judge) standing(g *Grant) (int, string) {
	switch {
	case !exports.OneOf(string(j.use), g.Uses) || !pathInScope(j.c.Path, g.Paths, g.Excludes) || !j.kindOf(g):
		return 1, "grant_scope_mismatch"
	case g.Status == "revoked":
		return 3, "grant_revoked"
	case g.Status == "expired" || g.Until != 0 && g.Until <= j.q.At:
		return 2, "grant_expired"
	case g.Status == "active" && g.From <= j.q.At:
		return 4, "grant_active"
	}
	return 0, "grant_missing"
}

// kindOf reports whether a grant covers the format and the date of a page; a
// whole site is touched by every grant.
func (j *judge) kindOf(g *Grant) bool {
	switch {
	case j.c.Path == "":
		return true
	case len(g.Formats) > 0 && !exports.OneOf(j.c.ContentFormat, g.Formats):
		return false
	case g.After != 0 && j.c.PublishedAt < g.After:
		return false
	}
	return g.Before == 0 || j.c.PublishedAt != 0 && j.c.PublishedAt < g.Before
}

// GrantsAt turns the grants of a buyer into those that bear on a site.
func GrantsAt(grants []origin.Grant, siteID string) []Grant {
	var out []Grant
	for i := range grants {
		g := &grants[i]
		if _, covered := slices.BinarySearch(g.Sites, siteID); !covered {
			continue
		}
		x := Grant{ID: g.GrantID, Uses: g.Uses, Paths: g.Paths, Excludes: g.Excludes, Formats: g.ContentFormats, Status: g.State}
		x.After, _ = unix(g.PublishedAfter)
		x.Before, _ = unix(g.PublishedBefore)
		x.From, _ = unix(g.ValidFrom)
		x.Until, _ = unix(g.ValidUntil)
		out = append(out, x)
	}
	return out
}

// SourceOf shows a grant to its buyer: without its notes, its contract and why
// it stands as it does.
func SourceOf(g *origin.Grant) exports.LicensedSource {
	return exports.LicensedSource{
		GrantID: g.GrantID, Kind: g.Kind, Title: g.Title, LicenseID: g.LicenseID, Sites: g.Sites, Uses: g.Uses, Paths: g.Paths, Excludes: g.Excludes,
		ContentFormats: g.ContentFormats, PublishedAfter: g.PublishedAfter, PublishedBefore: g.PublishedBefore, ValidFrom: g.ValidFrom, ValidUntil: g.ValidUntil,
		Attribution: g.Attribution, DisplayLimit: g.DisplayLimit, DeleteHours: g.DeleteHours, Reporting: g.Reporting,
	}
}
