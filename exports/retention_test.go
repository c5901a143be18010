package exports

import (
	"testing"

	"colophon/internal/assert"
	"colophon/internal/wire"
)

func TestRetentionDays(t *testing.T) {
	for text, want := range map[string]int64{"P1D": 1, "P30D": 30, "P3650D": 3650} {
		if days, ok := RetentionDays(text); days != want || !ok || !ValidRetention(text) {
			t.Errorf("%s: %d %v", text, days, ok)
		}
	}
	for _, text := range []string{
		"", "P", "D", "PD", "P0D", "P00D", "P01D", "P-1D", "-P1D", "P+1D", "P3651D", "P9999D", "P99999999999999999999D", "P1.5D", "P1W", "P1M", "PT1H", "P1DT1H",
		"p1d", "30", "30d", "P 1D", " P1D", "P1D ", "P１D", "none while_licensed", "None", "unknown", "forever",
	} {
		if _, ok := RetentionDays(text); ok || ValidRetention(text) {
			t.Errorf("%q is a retention", text)
		}
	}
}

func TestStricterRetention(t *testing.T) {
	order := []string{RetentionNone, "P1D", "P30D", "P3650D", RetentionWhileLicensed, ""}
	for i, a := range order {
		for j, b := range order {
			assert.Equal(t, StricterRetention(a, b), order[min(i, j)], "of %q and %q the stricter", a, b)
		}
		if got := StricterRetention(RetentionUnknown, a); a != "" && got != a {
			t.Errorf("of unknown and %q the stricter is %q", a, got)
		}
	}
	assert.Equal(t, StricterRetention("P1D", "P1Y"), "P1Y", "what cannot be read gives way to")
}

// TestObligationsKeep checks that an offer that only says when copies must be
// deleted after its end lets them be kept until then.
func TestObligationsKeep(t *testing.T) {
	for want, o := range map[string]Obligations{
		"": {}, RetentionWhileLicensed: {DeleteOnRevocationHours: 72}, "P30D": {DeleteOnRevocationHours: 72, Retention: "P30D"}, RetentionNone: {Retention: RetentionNone},
	} {
		assert.Equal(t, o.Keeps(), want, "%+v keeps copies", o)
	}
}

// TestUnknownIsNotStated checks that records leave out a retention that is not
// stated, and that "unknown" cannot be stated.
func TestUnknownIsNotStated(t *testing.T) {
	assert.Lacks(t, "nothing is written as", string(wire.Append(nil, &Preference{Use: "rag"})), "retention")
	read := `{"conditions":[],"declared":"allow","inquiry":"welcome","note":null,"since":null,"source":"file","use":"rag","retention":`
	for value, ok := range map[string]bool{`"none"`: true, `"P30D"`: true, `"while_licensed"`: true, `"unknown"`: false, `30`: false, `null`: false, `["none"]`: false} {
		var p Preference
		if err := wire.Decode([]byte(read+value+"}"), &p, wire.Trusted); (err == nil) != ok {
			t.Errorf("%s: %v", value, err)
		}
	}
}
