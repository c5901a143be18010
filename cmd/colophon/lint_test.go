package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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

// TestLintKnownAgents shows what known agents are told, and the rule against
// training that keeps out search, as text and as JSON.
func TestLintKnownAgents(t *testing.T) {
	t.Parallel()
	robots := filepath.Join(t.TempDir(), "robots.txt")
	must(t, os.WriteFile(robots, []byte("User-agent: GPTBot\nUser-agent: OAI-SearchBot\nDisallow: /\n"), 0o600))
	code, out, errs := call("lint", robots)
	for _, want := range []string{
		"known agents\n  training         declined         GPTBot\n    robots disallow: Disallow: /\n",
		"  training         unknown          Google-Extended (fetched by Googlebot)\n",
		"kept out together with training\n  search_indexing  OAI-SearchBot\n    by \"Disallow: /\" (https://site.example/robots.txt line 3)\n    to decline training alone, disallow these instead: GPTBot\n",
		"\n1 finding(s)\n",
	} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("exit %d, does not print %q:\n%s%s", code, want, out, errs)
		}
	}
	if code, _, errs := call("lint", robots, "--strict"); code != exitFailed || !strings.Contains(errs, "1 findings") {
		t.Errorf("--strict: exit %d, %s", code, errs)
	}

	var report struct {
		Data struct {
			Known []struct {
				Agent, Operator, Class, Source, Edge string
				Dated                                string `json:"source_dated"`
				Read                                 string `json:"source_read"`
				MayIgnore                            bool   `json:"may_ignore_robots"`
				Uses                                 []struct {
					Use, Verdict string
					Told         []struct{ Channel, Effect, Statement string }
				}
			} `json:"known_agents"`
			Warnings []struct {
				Use, Statement, URL, Where, Origin string
				Agents, Instead                    []string
			} `json:"agent_warnings"`
		}
	}
	_, out, _ = call("lint", robots, "--json")
	must(t, json.Unmarshal([]byte(out), &report))
	found := false
	for _, a := range report.Data.Known {
		if a.Agent == "OAI-SearchBot" {
			found = true
			if a.Operator != "OpenAI" || a.Class != "search" || a.Edge != "unchecked" || a.Dated == "" || a.Read == "" || !strings.HasPrefix(a.Source, "https://") || a.MayIgnore ||
				len(a.Uses) != 1 || a.Uses[0].Verdict != "declined" || len(a.Uses[0].Told) != 1 || a.Uses[0].Told[0].Statement != "Disallow: /" {
				t.Errorf("%+v", a)
			}
		}
	}
	if !found {
		t.Error("OAI-SearchBot is missing")
	}
	if w := report.Data.Warnings; len(w) != 1 || w[0].Use != "search_indexing" || w[0].Where != "line 3" || w[0].Origin != "publisher" || strings.Join(w[0].Agents, " ") != "OAI-SearchBot" || strings.Join(w[0].Instead, " ") != "GPTBot" {
		t.Errorf("warnings %+v", w)
	}
}

// TestLintExpectations compares the verdicts of a robots.txt with expected
// ones, and with those of an earlier file.
func TestLintExpectations(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	robots := filepath.Join(dir, "robots.txt")
	write := func(text string) {
		t.Helper()
		must(t, os.WriteFile(robots, []byte(text), 0o600))
	}
	const everybody = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n"
	write(everybody)
	for _, c := range []struct {
		args string
		code int
		want []string
	}{
		{"--assert training=deny,search_indexing=allow", exitOK, nil},
		{"--assert training=allow", exitFailed, []string{"training: want signal_allow, is declined (signal_disallows)"}},
		{"--assert rag=deny,research=unknown", exitFailed, []string{"rag: want declined, is unknown (no_statement)"}},
		{"--agents gptbot --assert rag=deny", exitFailed, []string{"agents", "rag for gptbot: want declined"}},
		{"--assert training=never", exitUsage, []string{`--assert "training=never"`}},
		{"--assert trainig=deny", exitUsage, []string{`--assert "trainig=deny"`}},
		{"--assert training", exitUsage, nil},
		{"--agents GPTBot/1.2", exitUsage, []string{`--agents "GPTBot/1.2" is not a product token as in robots.txt, such as "GPTBot"`}},
		{"--baseline " + filepath.Join(dir, "none.json"), exitFailed, []string{"none.json"}},
		{"--baseline " + robots, exitFailed, []string{"is no output of colophon lint --json"}},
	} {
		code, out, errs := call(append([]string{"lint", robots}, strings.Fields(c.args)...)...)
		if code != c.code {
			t.Errorf("%s: exit %d, want %d: %s%s", c.args, code, c.code, out, errs)
		}
		for _, w := range c.want {
			if !strings.Contains(out+errs, w) {
				t.Errorf("%s: does not say %q:\n%s%s", c.args, w, out, errs)
			}
		}
	}

	write(everybody + "\nUser-agent: ccbot\nDisallow: /\n")
	for args, want := range map[string]int{"--agents ccbot,gptbot --assert rag=deny": exitFailed, "--agents ccbot --assert rag=deny": exitOK, "--assert rag=deny": exitOK} {
		if code, out, errs := call(append([]string{"lint", robots}, strings.Fields(args)...)...); code != want {
			t.Errorf("%s: exit %d, want %d: %s%s", args, code, want, out, errs)
		}
	}

	code, before, errs := call("lint", robots, "--json", "--agents", "ccbot")
	if code != exitOK {
		t.Fatal(errs)
	}
	baseline := filepath.Join(dir, "before.json")
	must(t, os.WriteFile(baseline, []byte(before), 0o600))
	if code, out, errs := call("lint", robots, "--baseline", baseline); code != exitOK {
		t.Errorf("the same file: exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := call("lint", robots, "--baseline", baseline, "--agents", "gptbot"); code != exitFailed || !strings.Contains(errs, `no verdicts for the agent "gptbot"`) {
		t.Errorf("an agent that the baseline does not have: exit %d: %s", code, errs)
	}
	write("User-agent: *\nContent-Signal: search=yes, ai-train=yes\nAllow: /\n")
	code, out, _ := call("lint", robots, "--baseline", baseline)
	if code != exitFailed || !strings.Contains(out, "training: want declined, is signal_allow") || strings.Contains(out, "syndication: want") {
		t.Errorf("a changed file: exit %d:\n%s", code, out)
	}
	code, out, _ = call("lint", robots, "--baseline", baseline, "--agents", "ccbot", "--json")
	if code != exitFailed || !strings.Contains(out, `"agent":"ccbot"`) || !strings.Contains(out, `"differences":[{"agent":"ccbot"`) {
		t.Errorf("a changed file for an agent: exit %d:\n%s", code, out)
	}
}
