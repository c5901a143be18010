package main

import (
	"encoding/json"
	"testing"
)

// TestLintAgreesWithRegistry checks, for each form of the publisher's file,
// that lint says the same about a site before it is listed as the registry does
// afterwards.
func TestLintAgreesWithRegistry(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	w.put("site.example/robots.txt", "User-agent: *\nAllow: /\n")
	w.enrolSite()
	for _, c := range []struct{ name, members, use, want string }{
		{"declined", `"preferences": [{"use": "rag", "declared": "disallow"}]`, "rag", "declined"},
		{"declined, inquiries welcome", `"preferences": [{"use": "rag", "declared": "disallow", "inquiry": "welcome"}]`, "rag", "license_required"},
		{"allowed", `"preferences": [{"use": "search_indexing", "declared": "allow"}]`, "search_indexing", "signal_allow"},
		{"offered at a price", `"offers": [{"slug": "archive", "title": "Archive", "uses": ["training"], "payment": {"model": "subscription", "amount": "900", "currency": "EUR", "unit": "per_year"}}]`, "training", "license_required"},
		{"declined beside an offer", `"preferences": [{"use": "training", "declared": "disallow"}], "offers": [{"slug": "archive", "title": "Archive", "uses": ["training"], "payment": {"model": "subscription", "amount": "900", "currency": "EUR", "unit": "per_year"}}]`, "training", ""},
		{"allowed below a path", `"preferences": [{"use": "rag", "declared": "allow", "paths": ["/open/*"]}]`, "rag", ""},
		{"inquiries closed", `"preferences": [{"use": "rag", "declared": "disallow", "inquiry": "welcome"}], "inquiries": {"closed": true}`, "rag", ""},
	} {
		file := `{"colophon_publisher": "1", "name": "Site of Example", "summary": "Reports of a quay.", "languages": ["en"], "countries": ["NL"], "categories": ["news"], ` + c.members + `}`
		w.put(ownFile, file)
		before := w.lint("https://site.example/")
		w.must("refresh", "site-example")
		if registry := w.vectorOf("https://site.example/"); before.Vector != registry {
			t.Errorf("%s: lint says %s, the registry %s", c.name, before.Vector, registry)
		}
		if got := before.of(c.use); c.want != "" && got != c.want {
			t.Errorf("%s: lint says %q of %s, want %q", c.name, got, c.use, c.want)
		}
		if after := w.lint("https://site.example/", "--site", "site-example"); after.Vector != before.Vector {
			t.Errorf("%s: lint with --site says %s, without %s", c.name, after.Vector, before.Vector)
		}
	}
}

type lintResult struct {
	Vector   string `json:"rights_vector"`
	Verdicts []struct{ Use, Verdict string }
}

func (r *lintResult) of(use string) string {
	for _, v := range r.Verdicts {
		if v.Use == use {
			return v.Verdict
		}
	}
	return ""
}

// lint runs the command and reads what it prints.
func (w *webWorld) lint(args ...string) (r lintResult) {
	w.t.Helper()
	out := w.must(append(append([]string{"lint"}, args...), "--json", "--dir", w.dir)...)
	var result struct{ Data lintResult }
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		w.t.Fatalf("%v:\n%s", err, out)
	}
	return result.Data
}
