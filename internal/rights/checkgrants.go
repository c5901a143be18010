package rights

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
)

// GrantCheck is what a buyer may do with one page at one instant.
type GrantCheck struct {
	Grants []*origin.Grant // those in force that cover the page, direct ones first
	Uses   int64           // uses that any of them covers, one bit each in their fixed order
	Reason string          // why there is none, one of exports.EndReasons; "" when there is
}

// CheckGrants decides which grants of a buyer cover a page at an instant, for
// any use. previous names the grants that covered the page before: Reason then
// says what ended them. If previous is empty, all grants count.
//
// Store.OpenBodies of internal/originsql expresses the same conditions in SQL;
// a test there compares the two over all states.
func CheckGrants(b *origin.Buyer, grants []origin.Grant, item *origin.Item, at string, previous []string) GrantCheck {
	if item.SiteState != origin.Approved {
		return GrantCheck{Reason: "publisher_withdrawn"}
	}
	if item.State != "active" || item.Version == 0 {
		return GrantCheck{Reason: "entry_withdrawn"}
	}

	page := grantTarget{SiteID: item.SiteID, Path: pathOf(item.CanonicalURL), ContentFormat: item.ContentFormat, PublishedAt: item.PublishedAt}
	var check GrantCheck
	ended := grantMissing
	for i := range grants {
		g := &grants[i]
		status := statusOfGrant(b, g, &page, "", at)
		if status == grantActive {
			check.Grants = append(check.Grants, g)
			check.Uses |= UseBits(g.Uses)
			continue
		}
		counts := len(previous) == 0 || slices.Contains(previous, g.GrantID)
		if counts && status > ended {
			ended = status
		}
	}

	if len(check.Grants) == 0 {
		check.Reason = ended.endReason()
	}
	slices.SortStableFunc(check.Grants, directFirst)
	return check
}

// grantStatus returns the status of one grant for a question. If several grants
// concern it, the greatest status is reported.
type grantStatus int

const (
	grantMissing    grantStatus = iota // it is another buyer's
	grantNotBegun                      // it begins later
	grantOutOfScope                    // it does not cover the site, page or use
	grantExpired
	grantSuspended // or its buyer is
	grantRevoked
	grantActive
)

// grantTarget is what a grant is asked about: one page, or a whole site when
// Path is empty.
type grantTarget struct {
	SiteID        string
	Path          string // with query
	ContentFormat string
	PublishedAt   string // "" if unknown
}

// statusOfGrant judges one grant; nothing else does. Delivery asks it for any
// use (""), the rights check for each use in turn.
func statusOfGrant(b *origin.Buyer, g *origin.Grant, t *grantTarget, use exports.Use, at string) grantStatus {
	switch {
	case g.BuyerID != b.BuyerID:
		return grantMissing
	case !coversTarget(g, t) || use != "" && !slices.Contains(g.Uses, string(use)):
		return grantOutOfScope
	case g.State == "revoked":
		return grantRevoked
	case g.State != "active" || b.State != "active":
		return grantSuspended
	case g.ValidUntil != "" && g.ValidUntil <= at:
		return grantExpired
	case g.ValidFrom > at:
		return grantNotBegun
	}
	return grantActive
}

// endReason returns the word of exports.EndReasons for s, which delivery
// reports.
func (s grantStatus) endReason() string {
	switch s {
	case grantOutOfScope, grantNotBegun:
		return "scope_changed"
	case grantExpired:
		return "grant_expired"
	case grantSuspended:
		return "grant_suspended"
	}
	return "grant_revoked"
}

// checkCode returns the reason code for s, which the rights check reports.
func (s grantStatus) checkCode() string {
	switch s {
	case grantActive:
		return "grant_active"
	case grantRevoked:
		return "grant_revoked"
	case grantSuspended:
		return "grant_suspended"
	case grantExpired:
		return "grant_expired"
	case grantOutOfScope:
		return "grant_scope_mismatch"
	}
	return "grant_missing"
}

// coversSite reports whether a grant covers a site, whatever its state.
func coversSite(g *origin.Grant, siteID string) bool {
	_, found := slices.BinarySearch(g.Sites, siteID)
	return found
}

// coversTarget reports whether a page or site is in the scope of a grant,
// whatever its state. Every grant that covers a part of a site covers the site
// as a whole.
func coversTarget(g *origin.Grant, t *grantTarget) bool {
	if !coversSite(g, t.SiteID) {
		return false
	}
	if t.Path == "" {
		return true
	}
	if len(g.ContentFormats) > 0 && !slices.Contains(g.ContentFormats, t.ContentFormat) {
		return false
	}
	if g.PublishedAfter != "" && t.PublishedAt < g.PublishedAfter {
		return false
	}
	if g.PublishedBefore != "" && (t.PublishedAt == "" || t.PublishedAt >= g.PublishedBefore) {
		return false
	}
	return pathInScope(t.Path, g.Paths, g.Excludes)
}

func directFirst(a, b *origin.Grant) int {
	switch {
	case a.Kind == b.Kind:
		return strings.Compare(a.GrantID, b.GrantID)
	case a.Kind == "direct":
		return -1
	}
	return 1
}

// GrantFor returns the first grant that covers a use, or nil.
func (c *GrantCheck) GrantFor(u exports.Use) *origin.Grant {
	for _, g := range c.Grants {
		if slices.Contains(g.Uses, string(u)) {
			return g
		}
	}
	return nil
}

// IDs returns the ids of the grants.
func (c *GrantCheck) IDs() []string {
	var ids []string
	for _, g := range c.Grants {
		ids = append(ids, g.GrantID)
	}
	return ids
}

// DeleteHours returns within how many hours the item must be deleted once the
// right has ended: the shortest time set by any grant behind it.
func (c *GrantCheck) DeleteHours() int64 {
	hours := int64(72)
	for i, g := range c.Grants {
		if own := DeleteHours(g); i == 0 || own < hours {
			hours = own
		}
	}
	return hours
}

// InForce reports whether a grant is active at an instant, whatever it covers.
func InForce(g *origin.Grant, at string) bool {
	return g.State == "active" && g.ValidFrom <= at && (g.ValidUntil == "" || g.ValidUntil > at)
}

// NextChange returns the first instant after at when grants begin or end, "" if
// there is none.
func NextChange(grants []origin.Grant, at string) string {
	next := ""
	for i := range grants {
		g := &grants[i]
		for _, t := range []string{g.ValidFrom, g.ValidUntil} {
			if g.State == "active" && t > at && (next == "" || t < next) {
				next = t
			}
		}
	}
	return next
}

// UseBits returns a list of uses as a bit set, one bit each in their fixed
// order.
func UseBits(words []string) int64 {
	var bits int64
	for _, w := range words {
		if i := exports.Use(w).Index(); i >= 0 {
			bits |= 1 << i
		}
	}
	return bits
}

// UseList returns the uses in a bit set made by UseBits.
func UseList(bits int64) []string {
	out := []string{}
	for i, u := range exports.Uses {
		if bits&(1<<i) != 0 {
			out = append(out, string(u))
		}
	}
	return out
}

// pathOf returns the path and query of a canonical URL.
func pathOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return "/"
}
