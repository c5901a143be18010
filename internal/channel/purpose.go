package channel

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/agents"
	"colophon/internal/channel/statements"
)

// A purposeToken names a purpose in User-agent lines. No crawler identifies
// itself by it: its rules are about what an operator does with pages fetched by
// another of its crawlers.
type purposeToken struct {
	token   string
	crawler string // the one that fetches, in lower case; "*" for everybody
	word    string // in the crosswalk
}

// purposeOf returns the purpose for which an operator documents a token.
//
// draft-kelley-aipref-training-preference-signal-00 (30 October 2026) proposes tokens
// that every operator would share. Its abstract was available, its tokens were not:
// see speaksOfTraining.
func purposeOf(token string) (p purposeToken, ok bool) {
	for i := range agents.Known {
		a := &agents.Known[i]
		if a.Token != token || a.Crawler == "" {
			continue
		}
		p = purposeToken{token, a.Crawler, "train"}
		if slices.Contains(a.Uses, exports.UseRAG) {
			p.word = "train-or-ground"
		}
		return p, true
	}
	return p, false
}

// speaksOfTraining reports whether a token consists only of words for the
// training of models, such as "ai-training" or "no-train". Whatever list of
// shared tokens is agreed on, such a token names a purpose rather than a
// crawler, so what its group disallows is a reservation towards everybody.
func speaksOfTraining(token string) bool {
	training := false
	for word := range strings.FieldsFuncSeq(token, func(r rune) bool { return r == '-' || r == '_' }) {
		switch word {
		case "train", "training":
			training = true
		case "ai", "ml", "llm", "genai", "gen", "model", "models", "no", "purpose", "policy":
		default:
			return false
		}
	}
	return training
}

// readPurposes applies the groups of a purpose token to the crawler behind it, or
// to everybody if no single crawler is behind it, in addition to the crawler's own
// groups. It restricts a use, and does not change where the crawler may go.
func (g *groupReader) readPurposes() {
	for i := range g.groups {
		own := &g.groups[i]
		for _, token := range slices.Concat(own.agents, own.listed) {
			p, documented := purposeOf(token)
			switch {
			case documented:
				g.restrictPurpose(own, p)
			case speaksOfTraining(token):
				g.restrictPurpose(own, purposeToken{token, "*", "train"})
			}
		}
	}
	g.r.sortAgents()
}

func (g *groupReader) restrictPurpose(own *ruleGroup, p purposeToken) {
	for _, s := range own.statements {
		if s.Channel == statements.Robots && s.Word == "crawl" {
			s.Agent, s.Word, s.Text = p.crawler, p.word, p.token+": "+s.Text
			g.r.addStatement(s)
			g.r.addAgent(p.crawler)
		}
	}
}
