package rights

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
)

// Coverage is what a buyer may do with one item at one moment.
type Coverage struct {
	Grants []*origin.Grant // those in force that cover the item, direct ones first
	Uses   int64           // uses of any of them, one bit each in their fixed order
	Reason string          // why there is none, one of exports.EndReasons; "" when there is
}

// Cover judges all grants of a buyer for an item at an instant. behind names
// the grants that were in force for it before, so that the reason tells what
// ended; without any, all count.
func Cover(b *origin.Buyer, grants []origin.Grant, item *origin.Item, at string, behind []string) Coverage {
	switch {
	case item.SiteState != origin.Approved:
		return Coverage{Reason: "publisher_withdrawn"}
	case item.State != "active" || item.Version == 0:
		return Coverage{Reason: "entry_withdrawn"}
	}
	var c Coverage
	best := 0
	path := pathOf(item.CanonicalURL)
	for i := range grants {
		g := &grants[i]
		if g.BuyerID != b.BuyerID {
			continue
		}
		rank, why := standing(b, g, item, path, at)
		if why == "" {
			c.Grants = append(c.Grants, g)
			c.Uses |= UseBits(g.Uses)
		} else if rank > best && (len(behind) == 0 || exports.OneOf(g.GrantID, behind)) {
			best, c.Reason = rank, why
		}
	}
	if len(c.Grants) > 0 {
		c.Reason = ""
		slices.SortStableFunc(c.Grants, directFirst)
	} else if c.Reason == "" {
		c.Reason = "grant_revoked"
	}
	return c
}

func directFirst(a, b *origin.Grant) int {
	switch {
	case a.Kind == b.Kind:
		return compareWords(a.GrantID, b.GrantID)
	case a.Kind == "direct":
		return -1
	}
	return 1
}

// standing tells why a grant does not cover an item, "" when it does. The
// higher the rank, the more the reason says.
func standing(b *origin.Buyer, g *origin.Grant, item *origin.Item, path, at string) (rank int, reason string) {
	_, listed := slices.BinarySearch(g.Sites, item.SiteID)
	switch {
	case !listed || !inGrant(g, item, path):
		return 1, "scope_changed"
	case g.State == "revoked":
		return 4, "grant_revoked"
	case g.State != "active" || b.State != "active":
		return 3, "grant_suspended"
	case g.ValidUntil != "" && g.ValidUntil <= at:
		return 2, "grant_expired"
	case g.ValidFrom > at:
		return 1, "scope_changed"
	}
	return 0, ""
}

// inGrant reports whether a grant's scope has an item, whatever its state.
func inGrant(g *origin.Grant, item *origin.Item, path string) bool {
	if len(g.ContentFormats) > 0 && !exports.OneOf(item.ContentFormat, g.ContentFormats) {
		return false
	}
	if g.PublishedAfter != "" && item.PublishedAt < g.PublishedAfter || g.PublishedBefore != "" && (item.PublishedAt == "" || item.PublishedAt >= g.PublishedBefore) {
		return false
	}
	return pathInScope(path, g.Paths, g.Excludes)
}

// Covers tells which grant covers a use, or nil.
func (c *Coverage) Covers(u exports.Use) *origin.Grant {
	for _, g := range c.Grants {
		if exports.OneOf(string(u), g.Uses) {
			return g
		}
	}
	return nil
}

// IDs lists the grants.
func (c *Coverage) IDs() []string {
	var ids []string
	for _, g := range c.Grants {
		ids = append(ids, g.GrantID)
	}
	return ids
}

// DeleteHours is how soon the item must be deleted once the right has ended:
// the shortest time that any grant behind it sets.
func (c *Coverage) DeleteHours() int64 {
	hours := int64(72)
	for i, g := range c.Grants {
		if i == 0 || g.DeleteHours < hours {
			hours = g.DeleteHours
		}
	}
	return hours
}

// InForce reports whether a grant is active at an instant, whatever it covers.
func InForce(g *origin.Grant, at string) bool {
	return g.State == "active" && g.ValidFrom <= at && (g.ValidUntil == "" || g.ValidUntil > at)
}

// CredentialState tells how a credential stands at an instant: active,
// expired, suspended or revoked.
func CredentialState(c *origin.BuyerCredential, at string) string {
	if c.State == "active" && c.ExpiresAt != "" && c.ExpiresAt <= at {
		return "expired"
	}
	return c.State
}

// NextChange is the first instant after at when time alone changes what
// grants cover, "" when there is none.
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

// UseBits is a list of uses as one bit each in their fixed order.
func UseBits(words []string) int64 {
	var bits int64
	for _, w := range words {
		if i := exports.Use(w).Index(); i >= 0 {
			bits |= 1 << i
		}
	}
	return bits
}

// UseList undoes UseBits.
func UseList(bits int64) []string {
	out := []string{}
	for i, u := range exports.Uses {
		if bits&(1<<i) != 0 {
			out = append(out, string(u))
		}
	}
	return out
}

// pathOf is the path and query of a canonical URL.
func pathOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return "/"
}
