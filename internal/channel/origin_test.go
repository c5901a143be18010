package channel

import (
	"os"
	"strings"
	"testing"

	"colophon/internal/agents"
	"colophon/internal/assert"
	"colophon/internal/channel/statements"
)

const cdnBlock = "# BEGIN Cloudflare Managed content\n\nUser-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\nAllow: /\n\n" +
	"User-agent: GPTBot\nDisallow: /\n\n# END Cloudflare Managed Content\n"

func TestLinesOfTheCDN(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		said string   // "own" and "cdn" statements
		warn []string // of cdn_contradicts_publisher
	}{
		"in front of the publisher's": {
			cdnBlock + "\nUser-agent: *\nDisallow: /drafts/\n",
			"cdn search, cdn ai-train, cdn use-reference, cdn Allow: /, cdn Disallow: /, own Disallow: /drafts/", nil,
		},
		"against an agent that the publisher lets in": {
			cdnBlock + "User-agent: GPTBot\nAllow: /\n",
			"cdn search, cdn ai-train, cdn use-reference, cdn Allow: /, cdn Disallow: /, own Allow: /",
			[]string{`line 8 gptbot: "Disallow: /"; the publisher's own line 12: "Allow: /"`},
		},
		"against everybody whom the publisher lets in": {
			"User-agent: *\nAllow: /\nContent-Signal: ai-train=yes\n" + strings.ToUpper(cdnBlock),
			"", []string{
				`line 7 *: "ai-train=no"; the publisher's own line 3: "ai-train=yes"`,
				`line 11 gptbot: "Disallow: /"; the publisher's own line 2: "Allow: /"`,
			},
		},
		"of which a part of the site is kept out": {cdnBlock + "User-agent: GPTBot\nAllow: /news/\n", "", nil},
		"a mention of the marker":                 {"# see BEGIN Cloudflare Managed content\nUser-agent: *\nDisallow: /\n", "own Disallow: /", nil},
	} {
		r := ParseRobots(Input{Body: []byte(c.body)})
		var said, warn []string
		for _, s := range r.Statements {
			text := s.Text
			if s.Channel == statements.ContentSignal {
				text = s.Word
			}
			if s.Origin == "" {
				s.Origin = "own"
			}
			said = append(said, s.Origin+" "+text)
		}
		for _, w := range r.Warnings {
			if w.Code == "cdn_contradicts_publisher" {
				warn = append(warn, w.Locator+" "+w.Detail)
			}
		}
		if c.said != "" && strings.Join(said, ", ") != c.said {
			t.Errorf("%s: said %s", name, strings.Join(said, ", "))
		}
		assert.EqualSlices(t, warn, c.warn, "%s: warned", name)
	}
}

// TestOriginInAnswers checks that the evidence for a line names its origin, and
// that two groups with the same rules and different origins stay separate.
func TestOriginInAnswers(t *testing.T) {
	r := ParseRobots(Input{URL: "https://x.example/robots.txt", Body: []byte(cdnBlock + "User-agent: CCBot\nDisallow: /\n")})
	for agent, want := range map[string]string{"gptbot": "cdn", "ccbot": ""} {
		for _, a := range statements.Combine(documents(r), "/a", agent) {
			if a.Channel == statements.Robots && a.Use == "training" && (len(a.Sources) != 1 || a.Sources[0].Origin != want) {
				t.Errorf("%s: %+v", agent, a.Sources)
			}
		}
	}
}

// TestPurposeTokens checks that a token for an operator's purpose restricts
// what the pages its crawler fetches are used for, not where the crawler may
// go.
func TestPurposeTokens(t *testing.T) {
	for name, c := range map[string]struct{ body, path, agent, want string }{
		"training and grounding":         {"User-agent: Google-Extended\nDisallow: /\n", "/a", "Googlebot", "DDDUUUUU"},
		"training":                       {"User-agent: Applebot-Extended\nDisallow: /\n", "/a", "Applebot", "UDDUUUUU"},
		"nobody else":                    {"User-agent: Google-Extended\nDisallow: /\n", "/a", "Bingbot", ""},
		"everybody in general":           {"User-agent: Google-Extended\nDisallow: /\n", "/a", "", ""},
		"a part of the site":             {"User-agent: Google-Extended\nDisallow: /\nAllow: /open/\n", "/open/a", "Googlebot", "UUUUUUUU"},
		"beside the crawler's own group": {"User-agent: Googlebot\nDisallow: /x\n\nUser-agent: Google-Extended\nDisallow: /\n", "/x", "Googlebot", "DDDDDDUD"},
		"a permission stays none":        {"User-agent: Google-Extended\nAllow: /\n", "/a", "Googlebot", "UUUUUUUU"},
		"shared by all, anybody":         {"User-agent: AI-Training\nDisallow: /\n", "/a", "", "UDDUUUUU"},
		"shared by all, one crawler":     {"User-agent: ai-train\nDisallow: /\n", "/a", "GPTBot", "UDDUUUUU"},
		"shared, beside a group":         {"User-agent: GPTBot\nAllow: /\n\nUser-agent: no_train\nDisallow: /\n", "/a", "GPTBot", "UDDUUUUU"},
		"shared, beside a closed group":  {"User-agent: GPTBot\nDisallow: /\n\nUser-agent: train-ai\nDisallow: /\n", "/a", "GPTBot", "DDDDDDUD"},
		"shared, listed":                 {"User-agent: GPTBot, llm-training\nDisallow: /\n", "/a", "ccbot", "UDDUUUUU"},
		"shared, beside everybody":       {"User-agent: *\nAllow: /\n\nUser-agent: training\nDisallow: /\n", "/a", "ccbot", "UDDUUUUU"},
		"shared, below a path":           {"User-agent: training\nDisallow: /x/\n", "/x/b", "ccbot", "UDDUUUUU"},
		"shared, above a path":           {"User-agent: training\nDisallow: /x/\n", "/a", "ccbot", ""},
		"shared, opened again":           {"User-agent: training\nDisallow: /\nAllow: /a\n", "/a", "ccbot", "UUUUUUUU"},
		"shared, a permission":           {"User-agent: ai-training\nAllow: /\n", "/a", "ccbot", "UUUUUUUU"},
		"a crawler named like it":        {"User-agent: trainbot\nDisallow: /\n", "/a", "ccbot", ""},
		"a crawler of training wheels":   {"User-agent: training-wheels\nDisallow: /\n", "/a", "ccbot", ""},
		"beside what everybody is told":  {"User-agent: *\nDisallow: /x\n\nUser-agent: Google-Extended\nDisallow: /y\n", "/x", "Googlebot", "DDDDDDUD"},
	} {
		r := ParseRobots(Input{Body: []byte(c.body)})
		assert.Equal(t, read([]Result{r}, c.path, c.agent, statements.Robots), c.want, "%s", name)
	}
	rules := ParseCrawlRules([]byte("User-agent: Google-Extended\nDisallow: /\n"), "Googlebot")
	if !rules.AllowsPath("/a") {
		t.Error("the token shuts the crawler out")
	}
}

// TestVersionsAreDocumented checks that the documentation names the version of
// every channel, and every purpose token.
func TestVersionsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../site/docs/rights.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Which version of which standard")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, name := range statements.Names {
		if !strings.Contains(table, "`"+string(name)+"`") {
			t.Errorf("no version of %s", name)
		}
	}
	for i := range agents.Known {
		a := &agents.Known[i]
		if a.Crawler != "" && !strings.Contains(strings.ToLower(table), "| `"+a.Token+"` | `"+a.Crawler+"` |") {
			t.Errorf("the token %s is not in the table", a.Token)
		}
	}
}

// TestListedAgentsKeepTheLicence checks that the licence for everybody also
// applies to agents that share a user-agent line, which by RFC 9309 is no group
// of theirs.
func TestListedAgentsKeepTheLicence(t *testing.T) {
	robots := robotsFile("User-agent: *\nLicense: https://harbor.example/license.xml\n\nUser-agent: A, B\nDisallow: /x\n")
	licence := rslFile(rslDoc(`<content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content>`))
	assert.Equal(t, read([]Result{robots, licence}, "https://harbor.example/y", "b", statements.RSL), "UDDUUUUU", "got")
}
