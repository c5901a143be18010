package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
