package rights

import (
	"cmp"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
)

// setRetention sets how long a copy may be kept: the strictest of what the
// publisher, its channels and the offers behind the verdict say. Like any
// restriction it holds after its evidence has become stale. What says it joins
// the basis of the verdict.
func (v *UseVerdict) setRetention(said []retained) {
	slices.SortFunc(said, func(a, b retained) int { return strings.Compare(a.id, b.id) })
	for _, s := range said {
		v.Retention = exports.StricterRetention(v.Retention, s.retention)
	}
	for _, s := range said {
		if s.retention == v.Retention {
			v.Basis = append(v.Basis, s.id)
		}
	}
	v.Basis = uniqueInOrder(v.Basis)
}

// retentionDuty is the obligation of a use whose retention is known.
const retentionDuty = "retention"

// addRetentionDuty adds the retention to the obligations of a use that is open
// or can be asked for.
func (v *UseVerdict) addRetentionDuty() {
	switch v.Verdict {
	case "licensed", "license_required", "signal_allow":
		if v.Retention != exports.RetentionUnknown {
			v.Obligations = orderObligations(append(v.Obligations, retentionDuty))
		}
	}
}

// grantRetention returns how long a copy may be kept under a grant: as long as
// it holds, unless it says less.
func grantRetention(g *origin.Grant) string {
	return cmp.Or(g.Retention, exports.RetentionWhileLicensed)
}

// DeleteHours returns within how many hours after the end of a grant everything
// held under it must be deleted. A copy that could be kept for less time while
// the grant held cannot be kept longer after it.
func DeleteHours(g *origin.Grant) int64 {
	switch days, counted := exports.RetentionDays(g.Retention); {
	case g.Retention == exports.RetentionNone:
		return 0
	case counted:
		return min(g.DeleteHours, 24*days)
	}
	return g.DeleteHours
}

// Retention returns how long a copy of the item may be kept: the strictest of
// what the grants behind it say.
func (c *GrantCheck) Retention() string {
	strictest := ""
	for _, g := range c.Grants {
		strictest = exports.StricterRetention(strictest, grantRetention(g))
	}
	return strictest
}
