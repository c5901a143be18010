package channel

import (
	"slices"
	"strings"
)

// A purposeToken names a purpose in User-agent lines. No crawler identifies
// itself by it: its rules are about what an operator does with pages fetched by
// another of its crawlers.
type purposeToken struct {
	token   string
	crawler string // the one that fetches, in lower case; "*" for everybody
	word    string // in the crosswalk
}

// purposeTokens are the tokens that operators document, read on 27 November 2026:
//
//   - Google-Extended: training of Gemini models, and grounding. Pages that disallow
//     it are not used for grounding, says Google Cloud's page on grounding with
//     Google Search.
//   - Applebot-Extended: training of Apple's foundation models; it "does not crawl",
//     says Apple's page about Applebot.
//
// draft-kelley-aipref-training-preference-signal-00 (30 October 2026) proposes tokens
// that every operator would share. Its abstract was available, its tokens were not:
// see speaksOfTraining.
var purposeTokens = []purposeToken{
	{"google-extended", "googlebot", "train-or-ground"},
	{"applebot-extended", "applebot", "train"},
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
			at := slices.IndexFunc(purposeTokens, func(p purposeToken) bool { return p.token == token })
			switch {
			case at >= 0:
				g.restrictPurpose(own, purposeTokens[at])
			case speaksOfTraining(token):
				g.restrictPurpose(own, purposeToken{token, "*", "train"})
			}
		}
	}
	g.r.sortAgents()
}

func (g *groupReader) restrictPurpose(own *ruleGroup, p purposeToken) {
	for _, s := range own.statements {
		if s.Channel == Robots && s.Word == "crawl" {
			s.Agent, s.Word, s.Text = p.crawler, p.word, p.token+": "+s.Text
			g.r.addStatement(s)
			g.r.addAgent(p.crawler)
		}
	}
}
