package agents

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
)

func TestTableIsWellFormed(t *testing.T) {
	tokens := map[string]*Agent{}
	for i := range Known {
		a := &Known[i]
		if tokens[a.Token] != nil {
			t.Errorf("%s twice", a.Token)
		}
		tokens[a.Token] = a
		assert.Equal(t, strings.ToLower(a.Name), a.Token, "the token of %s", a.Name)
		if len(a.Uses) == 0 || a.Class() == "search" && a.Uses[0] != exports.UseSearchIndexing || !slices.Contains(exports.AgentClasses, a.Class()) {
			t.Errorf("%s is for %v", a.Name, a.Uses)
		}
		if a.MayIgnore && (a.Class() != "inference" || a.Source == nil) {
			t.Errorf("%s may ignore robots.txt, says nobody", a.Name)
		}
		if d := a.Source; d != nil {
			if a.Operator == "" && a.Token != "img2dataset" || !strings.HasPrefix(d.URL, "https://") {
				t.Errorf("%s: document %q of %q", a.Name, d.URL, a.Operator)
			}
			checkDay(t, a.Name, d.Read)
			if d.Dated != "" {
				checkDay(t, a.Name, d.Dated)
			}
		}
	}
	for _, a := range tokens {
		if c := tokens[a.Crawler]; a.Crawler != "" && (c == nil || c.Crawler != "" || c.Operator != a.Operator || a.Fetcher() != c.Token || !a.Trains()) {
			t.Errorf("%s: crawler %q", a.Name, a.Crawler)
		}
		if other := tokens[a.Follows]; a.Follows != "" && (other == nil || other.Follows != "" || a.Crawler != "" || a.Source == nil) {
			t.Errorf("%s follows %q", a.Name, a.Follows)
		}
	}
}

func checkDay(t *testing.T, name, day string) {
	t.Helper()
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func TestTrainingTokens(t *testing.T) {
	for operator, want := range map[string]string{"OpenAI": "GPTBot", "Anthropic": "ClaudeBot", "Google": "Google-Extended", "Apple": "Applebot-Extended", "Perplexity": "", "": ""} {
		assert.Equal(t, strings.Join(TrainingTokens(operator), " "), want, "%q", operator)
	}
}

// The guide shows the table, row by row.
func TestGuideHasTheTable(t *testing.T) {
	text, err := os.ReadFile("../../site/docs/rights.md")
	if err != nil {
		t.Fatal(err)
	}
	want := guideTable()
	assert.Contains(t, "site/docs/rights.md, section Known agents, must have this table", string(text), want)
}

func guideTable() string {
	var b strings.Builder
	b.WriteString("| agent | operator | for | operator’s document | copy of | read on |\n|---|---|---|---|---|---|\n")
	var unread []string
	for i := range Known {
		a := &Known[i]
		if a.Source == nil {
			unread = append(unread, "`"+a.Name+"`")
			continue
		}
		var uses []string
		for _, u := range a.Uses {
			uses = append(uses, string(u))
		}
		words := strings.Join(uses, ", ")
		if a.Crawler != "" {
			words += "; sends no requests, `" + a.Crawler + "` fetches"
		}
		if a.Follows != "" {
			words += "; not named, follows `" + a.Follows + "`"
		}
		if a.MayIgnore {
			words += "; may ignore robots.txt"
		}
		b.WriteString("| `" + a.Name + "` | " + orNone(a.Operator) + " | " + words + " | [" + host(a.Source.URL) + "](" + a.Source.URL + ") | " + orNone(a.Source.Dated) + " | " + a.Source.Read + " |\n")
	}
	b.WriteString("\nNo document of an operator was found for these, which follow a public list or are generally known: " + strings.Join(unread, ", ") + ".\n")
	return b.String()
}

func orNone(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}

func host(url string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(url, "https://"), "/")
	return name
}
