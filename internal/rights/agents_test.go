package rights_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/agents"
	"colophon/internal/assert"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

func agentsOf(t *testing.T, robots string, signals []origin.Signal, stated ...exports.Preference) ([]exports.AgentGroup, []exports.AgentWarning) {
	t.Helper()
	doc := &rights.RightsDocument{SiteURL: home + "/", Preferences: stated, AsksAllowed: true}
	r := channel.ParseRobots(channel.Input{URL: home + "/robots.txt", Body: []byte(robots), CheckedAt: 1})
	doc.Documents = append(doc.Documents, r.Document)
	return rights.NewJudge(doc, "1970-01-01T00:01:00Z").Agents(&rights.Resource{}, signals)
}

// answerTo returns the answer of one agent about one use: verdict, and what each
// channel says.
func answerTo(t *testing.T, groups []exports.AgentGroup, agent, use string) string {
	t.Helper()
	var out []string
	for _, g := range groups {
		if !slices.Contains(g.Agents, agent) {
			continue
		}
		for _, u := range g.Uses {
			if u.Use == use {
				words := u.Verdict
				for _, x := range u.Told {
					words += "; " + x.Channel + " " + x.Effect + " " + x.Statement
				}
				out = append(out, words)
			}
		}
	}
	if len(out) != 1 {
		t.Errorf("%s has %d answers about %s", agent, len(out), use)
		return ""
	}
	return out[0]
}

func TestAgents(t *testing.T) {
	const list = "User-agent: GPTBot\nUser-agent: OAI-SearchBot\nUser-agent: ChatGPT-User\nDisallow: /\n\n" +
		"User-agent: Google-Extended\nDisallow: /\n\nUser-agent: Kangaroo Bot\nDisallow: /\n\nUser-agent: *\nContent-Usage: train-ai=n\nAllow: /\n"
	groups, _ := agentsOf(t, list, nil)
	for _, c := range [][3]string{
		{"GPTBot", "training", "declined; robots disallow Disallow: /"},
		{"CCBot", "training", "declined; aipref_robots disallow train-ai=n"},
		{"Kangaroo Bot", "training", "declined; robots disallow Disallow: /"},
		{"OAI-SearchBot", "search_indexing", "declined; robots disallow Disallow: /"},
		{"Googlebot", "search_indexing", "unknown"},
		{"Google-Extended", "training", "declined; robots disallow google-extended: Disallow: /; aipref_robots disallow train-ai=n"},
		{"Google-Extended", "rag", "declined; robots disallow google-extended: Disallow: /"},
		{"Claude-User", "rag", "unknown"},
	} {
		if got := answerTo(t, groups, c[0], c[1]); got != c[2] {
			t.Errorf("%s, %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
	seen := 0
	for _, g := range groups {
		seen += len(g.Agents)
		if (g.Crawler != "") != (g.Edge == "") || g.Edge != "" && g.Edge != "unchecked" {
			t.Errorf("%v: crawler %q, edge %q", g.Agents, g.Crawler, g.Edge)
		}
	}
	if seen != len(agents.Known) {
		t.Errorf("%d agents, of %d", seen, len(agents.Known))
	}
	if !slices.IsSortedFunc(groups, func(a, b exports.AgentGroup) int {
		return slices.Index(exports.AgentClasses, a.Class) - slices.Index(exports.AgentClasses, b.Class)
	}) {
		t.Error("the classes are not in their order")
	}
}

// Applebot has the rules for Googlebot where robots.txt does not name it. What
// other standards say to Googlebot is not said to it.
func TestFollowers(t *testing.T) {
	const deny, allow = "User-agent: *\nDisallow: /\n\n", "User-agent: *\nAllow: /\n\n"
	for robots, want := range map[string]string{
		allow + "User-agent: Googlebot\nDisallow: /\n":                                       "declined; robots disallow Disallow: /",
		deny + "User-agent: Googlebot\nAllow: /\n":                                           "unknown",
		deny + "User-agent: Googlebot\nUser-agent: Applebot-Extended\nAllow: /\n":            "unknown",
		deny + "User-agent: Googlebot\nAllow: /\n\nUser-agent: Applebot\nDisallow: /a\n":     "unknown",
		allow + "User-agent: Googlebot\nDisallow: /\n\nUser-agent: Applebot\nDisallow: /a\n": "unknown",
		deny: "declined; robots disallow Disallow: /",
		"User-agent: *\nContent-Signal: search=no\nDisallow: /\n\nUser-agent: Googlebot\nContent-Signal: search=yes\nAllow: /\n": "declined; content_signal disallow search=no",
		"User-agent: Googlebot\nContent-Signal: search=yes\nAllow: /\n":                                                          "unknown",
	} {
		groups, _ := agentsOf(t, robots, nil)
		assert.Equal(t, answerTo(t, groups, "Applebot", "search_indexing"), want, "%q", robots)
	}
	groups, _ := agentsOf(t, "User-agent: Googlebot\nDisallow: /\n", nil)
	if got, want := answerTo(t, groups, "Applebot-Extended", "training"), "declined; robots disallow Disallow: /"; got != want {
		t.Errorf("Applebot-Extended: %q, want %q", got, want)
	}
	groups, _ = agentsOf(t, "User-agent: Googlebot\nAllow: /\n\nUser-agent: Applebot-Extended\nDisallow: /\n", nil)
	if got, want := answerTo(t, groups, "Applebot-Extended", "training"), "declined; robots disallow applebot-extended: Disallow: /"; got != want {
		t.Errorf("Applebot-Extended: %q, want %q", got, want)
	}
}

// A licence that robots.txt names for everybody is in force for an agent that follows
// the rules for another.
func TestFollowersHaveTheLicence(t *testing.T) {
	robots := channel.ParseRobots(channel.Input{URL: home + "/robots.txt", Body: []byte("User-agent: *\nLicense: " + home + "/license.xml\nAllow: /\n\nUser-agent: Googlebot\nAllow: /\n"), CheckedAt: 1})
	rsl := channel.ParseRSL(channel.Input{URL: home + "/license.xml", CheckedAt: 1, Body: []byte(
		`<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">search</prohibits></license></content></rsl>`)})
	doc := &rights.RightsDocument{SiteURL: home + "/", AsksAllowed: true, Documents: []statements.Document{robots.Document, rsl.Document}}
	groups, _ := rights.NewJudge(doc, "1970-01-01T00:01:00Z").Agents(&rights.Resource{}, nil)
	if got := answerTo(t, groups, "Applebot", "search_indexing"); !strings.HasPrefix(got, "declined; rsl disallow") {
		t.Errorf("%q", got)
	}
}

func TestAgentsThatNobodyNames(t *testing.T) {
	groups, warnings := agentsOf(t, "", nil)
	assert.Equal(t, len(warnings), 0, "warnings %v", warnings)
	for _, g := range groups {
		for _, u := range g.Uses {
			if u.Verdict != "unknown" || len(u.Told) != 0 {
				t.Errorf("%v, %s: %s %v", g.Agents, u.Use, u.Verdict, u.Told)
			}
		}
	}
}

func TestAgentWarnings(t *testing.T) {
	for name, c := range map[string]struct {
		robots string
		stated []exports.Preference
		want   []string // use: agents, then what to disallow instead
	}{
		"training alone":             {"User-agent: GPTBot\nDisallow: /\n", nil, nil},
		"a token for training":       {"User-agent: Google-Extended\nDisallow: /\n", nil, nil},
		"search alone":               {"User-agent: OAI-SearchBot\nDisallow: /\n", nil, nil},
		"a path":                     {"User-agent: *\nDisallow: /private/\n", nil, nil},
		"search beside":              {"User-agent: GPTBot\nUser-agent: OAI-SearchBot\nDisallow: /\n", nil, []string{"search_indexing: OAI-SearchBot; GPTBot"}},
		"in groups of their own":     {"User-agent: GPTBot\nDisallow: /\n\nUser-agent: Claude-User\nDisallow: /\n", nil, []string{"rag: Claude-User; ClaudeBot"}},
		"Googlebot":                  {"User-agent: Googlebot\nDisallow: /\n", nil, []string{"search_indexing: Googlebot Applebot; Google-Extended Applebot-Extended"}},
		"Applebot":                   {"User-agent: Applebot\nDisallow: /\n", nil, []string{"search_indexing: Applebot; Applebot-Extended"}},
		"two of one operator":        {"User-agent: GPTBot\nUser-agent: Google-Agent\nUser-agent: Google-GeminiNotebook\nDisallow: /\n", nil, []string{"rag: Google-Agent Google-GeminiNotebook; Google-Extended"}},
		"no narrower token":          {"User-agent: CCBot\nUser-agent: PerplexityBot\nDisallow: /\n", nil, []string{"search_indexing: PerplexityBot; "}},
		"declined in the registry":   {"User-agent: Googlebot\nDisallow: /\n", []exports.Preference{{Use: "search_indexing", Declared: "disallow"}}, nil},
		"declined by name":           {"User-agent: Applebot\nContent-Signal: search=no\nDisallow: /\n", nil, nil},
		"declined by another's name": {"User-agent: Googlebot\nContent-Signal: search=no\nDisallow: /\n", nil, []string{"search_indexing: Applebot; Applebot-Extended"}},
		"opened by name": {"User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: bingbot\nAllow: /\n", []exports.Preference{{Use: "rag", Declared: "disallow"}},
			[]string{"search_indexing: OAI-SearchBot Claude-SearchBot Meta-WebIndexer Amzn-SearchBot PerplexityBot MistralAI-Index YouBot; GPTBot ClaudeBot Meta-ExternalAgent FacebookBot Amazonbot"}},
	} {
		_, warnings := agentsOf(t, c.robots, nil, c.stated...)
		var got []string
		for _, w := range warnings {
			got = append(got, fmt.Sprintf("%s: %s; %s", w.Use, strings.Join(w.Agents, " "), strings.Join(w.Instead, " ")))
			if w.Statement != "Disallow: /" || w.URL != home+"/robots.txt" || !strings.HasPrefix(w.Locator, "line ") {
				t.Errorf("%s: %q at %s %s", name, w.Statement, w.URL, w.Locator)
			}
		}
		assert.EqualSlices(t, got, c.want, "%s", name)
	}
}

func TestAgentWarningsNameTheCDN(t *testing.T) {
	_, warnings := agentsOf(t, "# BEGIN Cloudflare Managed content\nUser-agent: *\nDisallow: /\n# END Cloudflare Managed Content\n", nil)
	if len(warnings) != 2 || warnings[0].Origin != "cdn" {
		t.Errorf("%+v", warnings)
	}
}

// The worst of the samples of a class counts.
func TestAgentsAtTheEdge(t *testing.T) {
	report := func(samples string) []origin.Signal {
		return []origin.Signal{{Signal: "rsl"}, {Signal: "edge_access_control", Report: `{"samples":[` + samples + `]}`}}
	}
	sample := func(class, result string) string { return `{"class":"` + class + `","result":"` + result + `"}` }
	for samples, want := range map[string]string{
		"":                           "unchecked",
		sample("training", "match"):  "match",
		sample("inference", "match"): "unchecked",
		sample("training", "match") + "," + sample("training", "not_told_apart"):                                           "not_told_apart",
		sample("training", "not_told_apart") + "," + sample("training", "unreachable") + "," + sample("training", "match"): "unreachable",
		sample("training", "unreachable") + "," + sample("training", "mismatch") + "," + sample("search", "match"):         "mismatch",
		sample("training", "something else"): "unchecked",
	} {
		groups, _ := agentsOf(t, "", report(samples))
		for _, g := range groups {
			if slices.Contains(g.Agents, "GPTBot") && g.Edge != want {
				t.Errorf("%s: %s, want %s", samples, g.Edge, want)
			}
		}
	}
	if groups, _ := agentsOf(t, "", []origin.Signal{{Report: "garbage"}, {Report: "{}"}}); groups[0].Edge != "unchecked" {
		t.Errorf("edge %q", groups[0].Edge)
	}
}

// What a channel says is quoted up to a bound.
func TestAgentsQuoteLittle(t *testing.T) {
	groups, _ := agentsOf(t, "User-agent: *\nContent-Usage: train-ai=n\n"+strings.Repeat("Content-Usage: train-ai=n, x=\"é"+strings.Repeat("é", 30)+"\"\n", 20), nil)
	for _, g := range groups {
		for _, u := range g.Uses {
			for _, x := range u.Told {
				if len(x.Statement) > 170 || !strings.HasPrefix(x.Statement, "train-ai=n") {
					t.Errorf("%q", x.Statement)
				}
			}
		}
	}
}
