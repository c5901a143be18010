package observed

import (
	"slices"
	"testing"

	"colophon/exports"
	"colophon/internal/origin"
)

// TestLintShowsRetention checks that a report shows what channels say about
// keeping copies, also for uses about which they say nothing else.
func TestLintShowsRetention(t *testing.T) {
	const at = "2026-11-20T09:00:00Z"
	seen := []origin.Observation{{
		Channel: "content_signal", URL: "https://a.example/robots.txt", Status: 200, ContentType: "text/plain", FetchedAt: at,
		Raw: "User-agent: *\nContent-Signal: search=yes, use=immediate\n",
	}}
	r, err := Lint(seen, nil, "https://a.example/", at)
	if err != nil {
		t.Fatal(err)
	}
	said := slices.IndexFunc(r.Stated, func(l ReportLine) bool { return l.Use == "rag" })
	if said < 0 || r.Stated[said].Effect != "unknown" || r.Stated[said].Statement != "use=immediate" {
		t.Errorf("the report says %+v", r.Stated)
	}
	for _, v := range r.Verdicts {
		if v.Retention != exports.RetentionNone {
			t.Errorf("%s: copies %s", v.Use, v.Retention)
		}
	}
}
