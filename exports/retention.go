package exports

import (
	"strconv"
	"strings"

	"colophon/internal/wire"
)

// How long a copy may be kept. A number of days is written as the duration
// P30D of ISO 8601 and counts from the moment at which the copy was received.
// A retention limits a use that is permitted otherwise, and permits none.
const (
	RetentionNone          = "none"           // no copy beyond the use at hand
	RetentionWhileLicensed = "while_licensed" // as long as the right to the use lasts
	RetentionUnknown       = "unknown"        // nothing is said; it is no permission
)

// MaxRetentionDays is the longest retention that is counted in days.
const MaxRetentionDays = 3650

// RetentionDays returns the days of a retention such as P30D. ok is false for
// any other text.
func RetentionDays(retention string) (days int64, ok bool) {
	digits, begins := strings.CutPrefix(retention, "P")
	digits, ends := strings.CutSuffix(digits, "D")
	if !begins || !ends || len(digits) > 4 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	days, err := strconv.ParseInt(digits, 10, 64)
	return days, err == nil && digits[0] != '0' && days <= MaxRetentionDays
}

// ValidRetention reports whether a text is a retention that can be stated.
func ValidRetention(s string) bool {
	_, days := RetentionDays(s)
	return days || s == RetentionNone || s == RetentionWhileLicensed
}

// StricterRetention returns the stricter of two retentions. "" says nothing, so
// that anything stated is stricter; what cannot be read counts as none.
func StricterRetention(a, b string) string {
	if retentionRank(b) < retentionRank(a) {
		return b
	}
	return a
}

func retentionRank(retention string) int64 {
	switch retention {
	case "", RetentionUnknown:
		return MaxRetentionDays + 2
	case RetentionWhileLicensed:
		return MaxRetentionDays + 1
	}
	days, _ := RetentionDays(retention)
	return days
}

// RetentionMember describes an optional retention; unsaid says what holds
// without it.
func RetentionMember(m *wire.Members, p *string, unsaid string) {
	m.About("how long a copy may be kept: none, while_licensed, or days such as P30D (default: "+unsaid+")").OptText("retention", p, wire.Bounds{})
	if *p != "" && !ValidRetention(*p) {
		m.Refuse("retention", "retention_invalid", "Must be none, while_licensed, or days from P1D to P3650D, such as P30D.")
	}
}

// verdictRetention describes the retention of a verdict.
func verdictRetention(m *wire.Members, p *string) {
	m.About("how long a copy may be kept: none, while_licensed, days such as P30D, or unknown, which is no permission").String("retention", p)
}
