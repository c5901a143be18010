package limit_test

import (
	"testing"

	"colophon/exports"
	"colophon/worker/limit"
)

func TestParsePolicies(t *testing.T) {
	list, err := limit.ParsePolicies("inquiry=7  partner-day=0")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		policy string
		index  int
		calls  int64
		window int64
	}{{"inquiry", 0, 7, 3600}, {"inquiry", 1, 20, 86400}, {"partner", 0, 120, 60}, {"partner", 1, 0, 86400}} {
		if q := limit.QuotasOf(list, c.policy)[c.index]; q.Calls != c.calls || q.Window != c.window {
			t.Errorf("%s: %+v", c.policy, q)
		}
	}
	if q := limit.QuotasOf(limit.DefaultPolicies(), "inquiry")[0]; q.Calls != 5 {
		t.Errorf("the defaults changed with it: %+v", q)
	}
	for _, text := range []string{"inquiry", "inquiry=", "inquiry=many", "inquiry=-1", "nothing=1", "=1", "inquiry=1;thread=2"} {
		if list, err := limit.ParsePolicies(text); err == nil || list != nil {
			t.Errorf("%q is taken", text)
		}
	}
	if list, err := limit.ParsePolicies(""); err != nil || len(list) != len(limit.DefaultPolicies()) {
		t.Errorf("no text: %v", err)
	}
}

// TestPoliciesOfEndpoints checks that every policy named by an endpoint exists,
// and that every endpoint that asks the origin has one.
func TestPoliciesOfEndpoints(t *testing.T) {
	for _, e := range exports.Surface {
		if e.Made == exports.FromOrigin && e.Limits == "" {
			t.Errorf("%s %s asks the origin and has no rate policy", e.Method, e.Path)
		}
		if e.Limits != "" && limit.QuotasOf(limit.DefaultPolicies(), e.Limits) == nil {
			t.Errorf("%s %s is under %q, which is no policy", e.Method, e.Path, e.Limits)
		}
	}
}
