package importing

import (
	"testing"

	"colophon/internal/intake"
)

// TestShare reads shares in percent and as fractions, and refuses others.
func TestShare(t *testing.T) {
	for text, want := range map[string]string{"5%": "5%", "0.05": "5%", "0": "0%", "100%": "100%", "12.5%": "12.5%"} {
		var s share
		if err := s.Set(text); err != nil || s.String() != want {
			t.Errorf("%q: %s, %v", text, s.String(), err)
		}
	}
	for text, want := range map[string]string{"many": `"many" is neither like 5% nor like 0.05`, "101%": `"101%" is not between 0% and 100%`, "-1": `"-1" is not between 0% and 100%`} {
		s := share(.5)
		if err := s.Set(text); err == nil || err.Error() != want || s != .5 {
			t.Errorf("%q: %v, want %s; %v", text, err, want, s)
		}
	}
}

// TestCheckFailures counts pages that failed, and those that name an original
// elsewhere, against the share that may.
func TestCheckFailures(t *testing.T) {
	failed := func(code string, n int) intake.Tally { return intake.Tally{{Code: code, Count: n}} }
	for name, c := range map[string]struct {
		sum   intake.Summary
		limit share
		want  string
	}{
		"none":               {intake.Summary{New: 10}, 0, ""},
		"nothing was listed": {intake.Summary{}, 0, ""},
		"as many as may":     {intake.Summary{New: 19, Failed: failed("http_500", 1)}, .05, ""},
		"one too many":       {intake.Summary{New: 17, Unchanged: 1, Failed: failed("http_500", 2)}, .05, "2 of 20 pages failed (10.0%), more than --fail-over 5%; the summary names the reasons"},
		"skipped pages":      {intake.Summary{New: 1, Skipped: failed("noindex", 9)}, 0, ""},
		"an original elsewhere": {intake.Summary{New: 6, Skipped: failed("canonical_elsewhere", 3), Failed: failed("http_500", 1)}, .2,
			"4 of 10 pages failed or name an original elsewhere, as 3 do, (40.0%), more than --fail-over 20%; the summary names the reasons"},
	} {
		got := ""
		if err := checkFailures(&c.sum, c.limit); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
