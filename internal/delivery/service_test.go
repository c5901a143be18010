package delivery

import (
	"testing"

	"colophon/internal/origin"
)

func TestBudgetSpent(t *testing.T) {
	for name, tc := range map[string]struct {
		budget       Budget
		rows, bodies int
		bytes        int64
		want         bool
	}{
		"no bound":        {Budget{}, 1 << 20, 1 << 20, 1 << 40, false},
		"below all":       {Budget{Rows: 2, Bodies: 2, Bytes: 2}, 1, 1, 1, false},
		"rows reached":    {Budget{Rows: 2}, 2, 0, 0, true},
		"bodies reached":  {Budget{Bodies: 2}, 0, 2, 0, true},
		"bytes reached":   {Budget{Bytes: 2}, 0, 0, 2, true},
		"others not used": {Budget{Rows: 2}, 1, 9, 9, false},
	} {
		if got := tc.budget.isSpent(tc.rows, tc.bodies, tc.bytes); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A right ended when its own grant did: not when another one ended, and never
// in the future.
func TestEndOfRight(t *testing.T) {
	const (
		now     = "2026-06-01T12:00:00Z"
		earlier = "2026-05-01T00:00:00Z"
		latest  = "2026-07-01T00:00:00Z"
	)
	revoked := origin.Grant{GrantID: "grt_1", State: "revoked", StateAt: earlier, DeleteHours: 24}
	tomorrow := origin.Grant{GrantID: "grt_4", State: "revoked", StateAt: latest, DeleteHours: 24}
	expired := origin.Grant{GrantID: "grt_2", State: "active", ValidUntil: "2026-05-02T00:00:00Z", DeleteHours: 48}
	counted := origin.Grant{GrantID: "grt_5", State: "revoked", StateAt: earlier, DeleteHours: 72, Retention: "P2D"}
	passing := origin.Grant{GrantID: "grt_6", State: "revoked", StateAt: earlier, DeleteHours: 72, Retention: "none"}
	running := origin.Grant{GrantID: "grt_3", State: "active", ValidUntil: latest, DeleteHours: 96}
	for name, tc := range map[string]struct {
		grants []origin.Grant
		behind []string
		reason string
		at     string
		hours  int64
	}{
		"revoked":              {[]origin.Grant{revoked}, []string{"grt_1"}, "grant_revoked", earlier, 24},
		"expired":              {[]origin.Grant{expired}, []string{"grt_2"}, "grant_expired", "2026-05-02T00:00:00Z", 48},
		"of days":              {[]origin.Grant{counted}, []string{"grt_5"}, "grant_revoked", earlier, 48},
		"of no copy":           {[]origin.Grant{passing}, []string{"grt_6"}, "grant_revoked", earlier, 0},
		"another one counts":   {[]origin.Grant{revoked, expired}, []string{"grt_2"}, "grant_expired", "2026-05-02T00:00:00Z", 48},
		"without any, all do":  {[]origin.Grant{revoked}, nil, "grant_revoked", earlier, 24},
		"no grant":             {nil, nil, "entry_withdrawn", now, 72},
		"the page went":        {[]origin.Grant{running}, []string{"grt_3"}, "entry_withdrawn", now, 96},
		"not in the future":    {[]origin.Grant{running}, []string{"grt_3"}, "grant_expired", now, 96},
		"by a clock ahead":     {[]origin.Grant{tomorrow}, []string{"grt_4"}, "grant_revoked", now, 72},
		"a grant nobody knows": {[]origin.Grant{revoked}, []string{"grt_9"}, "grant_revoked", now, 72},
	} {
		if at, hours := endOfRight(tc.grants, tc.behind, tc.reason, now); at != tc.at || hours != tc.hours {
			t.Errorf("%s: %s and %d hours", name, at, hours)
		}
	}
	if got := hoursAfter("2026-06-30T23:00:00Z", 2); got != "2026-07-01T01:00:00Z" {
		t.Errorf("two hours later: %s", got)
	}
}
