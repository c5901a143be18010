package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRightsOnD1 changes a publisher's statements in the origin in D1, and asks
// the worker under workerd: the next answer must have the change, while the
// published files stay unchanged. Run it with "make test-served", which sets
// the address.
func TestRightsOnD1(t *testing.T) {
	t.Parallel()
	base := os.Getenv("COLOPHON_BASE")
	if base == "" {
		t.Skip("needs COLOPHON_BASE: make test-served")
	}
	const site = "knooppunt"
	o := servedOperator{operator{t, filepath.Join(t.TempDir(), "reg")}, base}
	o.ok("init", "--base-url", base)
	check := func() (vector, verdict, reason string) {
		t.Helper()
		var a struct {
			AnsweredBy string `json:"answered_by"`
			Candidates []struct {
				RightsVector string `json:"rights_vector"`
				Uses         []struct{ Use, Verdict, Reason string }
			}
		}
		o.call("GET", "/v1/public/rights/check?site_id="+site+"&use=training", nil, "", 200, &a)
		if a.AnsweredBy != "origin" || len(a.Candidates) != 1 || len(a.Candidates[0].Uses) != 1 {
			t.Fatalf("answer %+v", a)
		}
		u := a.Candidates[0].Uses[0]
		return a.Candidates[0].RightsVector, u.Verdict, u.Reason
	}
	was, verdict, _ := check()
	stated := ""
	_, shown, _ := o.run(o.with("publisher", "show", site)...)
	for line := range strings.Lines(shown) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "training" {
			stated = f[1]
		}
	}
	if stated == "" {
		t.Fatalf("what %s states of training: %s", site, shown)
	}
	next, want := "welcome:disallow", "license_required"
	if verdict == want {
		next, want = "not_offered:disallow", "declined"
	}
	t.Cleanup(func() {
		o.ok(o.with("publisher", "set", site, "--use", "training="+stated)...)
		if vector, _, _ := check(); vector != was {
			t.Errorf("put back, the vector is %s, it was %s", vector, was)
		}
	})
	o.ok(o.with("publisher", "set", site, "--use", "training="+next)...)
	if vector, verdict, reason := check(); verdict != want || vector == was {
		t.Errorf("after the change: %s %s %s, want %s", vector, verdict, reason, want)
	}
	o.ok(o.with("publisher", "suspend", site)...)
	if vector, verdict, reason := check(); vector != "WWWWWWWW" || verdict != "withdrawn" || reason != "publisher_inactive" {
		t.Errorf("suspended: %s %s %s", vector, verdict, reason)
	}
	o.ok(o.with("publisher", "approve", site)...)
	if _, verdict, _ := check(); verdict != want {
		t.Errorf("approved again: %s, want %s", verdict, want)
	}
}
