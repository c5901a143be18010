package delivery

import (
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/ulid"
)

func TestBudgetSpent(t *testing.T) {
	t.Parallel()
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
		assert.Equal(t, tc.budget.isSpent(tc.rows, tc.bodies, tc.bytes), tc.want, "%s", name)
	}
}

// TestEndOfRight checks that a right ended when the last grant behind it did,
// never in the future, and that the strictest of those that ended together says
// how soon copies must be deleted.
func TestEndOfRight(t *testing.T) {
	t.Parallel()
	const (
		now     = "2026-06-01T12:00:00Z"
		earlier = "2026-05-01T00:00:00Z"
		between = "2026-05-02T00:00:00Z"
		latest  = "2026-07-01T00:00:00Z"
	)
	grants := map[string]origin.Grant{
		"revoked":   {State: "revoked", StateAt: earlier, DeleteHours: 24},
		"tomorrow":  {State: "revoked", StateAt: latest, DeleteHours: 24},
		"suspended": {State: "suspended", StateAt: between, ValidUntil: latest, DeleteHours: 12},
		"expired":   {State: "active", ValidUntil: between, DeleteHours: 48},
		"both":      {State: "revoked", StateAt: between, ValidUntil: earlier, DeleteHours: 24},
		"of days":   {State: "revoked", StateAt: earlier, DeleteHours: 72, Retention: "P2D"},
		"no copy":   {State: "revoked", StateAt: earlier, DeleteHours: 72, Retention: "none"},
		"running":   {State: "active", ValidUntil: latest, DeleteHours: 96},
		"endless":   {State: "active", DeleteHours: 72},
		"passing":   {State: "active", DeleteHours: 72, Retention: "none"},
	}
	for _, tc := range []struct {
		grants string // of the buyer
		behind string // "" all of them
		at     string
		hours  int64
	}{
		{"revoked", "revoked", earlier, 24},
		{"suspended", "suspended", between, 12},
		{"expired", "expired", between, 48},
		{"both", "both", earlier, 24},
		{"of days", "of days", earlier, 48},
		{"no copy", "no copy", earlier, 0},
		{"tomorrow", "tomorrow", now, 24},
		{"running", "running", now, 96},
		{"endless", "endless", now, 72},
		{"revoked,expired", "expired", between, 48},
		{"revoked,running", "revoked", earlier, 24},
		{"revoked", "", earlier, 24},
		{"", "", now, 72},
		{"revoked", "of nobody", now, 72},
		{"revoked,expired", "revoked,expired", between, 48},
		{"expired,revoked", "revoked,expired", between, 48},
		{"revoked,running", "revoked,running", now, 96},
		{"expired,suspended", "expired,suspended", between, 12},
		{"suspended,expired", "expired,suspended", between, 12},
		{"endless,passing", "endless,passing", now, 0},
		{"passing,endless", "endless,passing", now, 0},
		{"revoked,no copy,of days", "", earlier, 0},
	} {
		var list []origin.Grant
		for name := range strings.FieldsFuncSeq(tc.grants, func(r rune) bool { return r == ',' }) {
			g := grants[name]
			g.GrantID = name
			list = append(list, g)
		}
		var behind []string
		if tc.behind != "" {
			behind = strings.Split(tc.behind, ",")
		}
		if at, hours := endOfRight(list, behind, now); at != tc.at || hours != tc.hours {
			t.Errorf("%s behind %q: %s and %d hours, want %s and %d", tc.grants, tc.behind, at, hours, tc.at, tc.hours)
		}
	}
	assert.Equal(t, hoursAfter("2026-06-30T23:00:00Z", 2), "2026-07-01T01:00:00Z", "two hours later")
}

// TestDecisionsFollow checks that each decision has the id after the last one.
func TestDecisionsFollow(t *testing.T) {
	t.Parallel()
	s := &Session{at: batchTime, entropy: [10]byte{0, 255, 255, 255, 255, 255, 255, 255, 255, 254}}
	for _, want := range [][10]byte{
		{0, 255, 255, 255, 255, 255, 255, 255, 255, 255},
		{1},
		{1, 0, 0, 0, 0, 0, 0, 0, 0, 1},
	} {
		if got := s.Decision(); got != exports.PrefixDecision+ulid.Encode(batchTime.UnixMilli(), want) {
			t.Errorf("%s is not of %v", got, want)
		}
	}
}
