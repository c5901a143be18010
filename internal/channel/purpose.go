package channel

import "slices"

// A purposeToken stands in User-agent lines for a purpose. No crawler identifies
// itself by it: its rules are about what an operator does with pages that another
// crawler of its own has fetched.
type purposeToken struct {
	token   string
	crawler string // the one that fetches, in lower case
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
// that every operator would share. Its abstract was available, its tokens were not.
var purposeTokens = []purposeToken{
	{"google-extended", "googlebot", "train-or-ground"},
	{"applebot-extended", "applebot", "train"},
}

// readPurposes says to the crawler behind a purpose token what the groups of that
// token say, beside what is said to the crawler itself. It restricts a use: where the
// crawler may go it leaves alone.
func (g *groupReader) readPurposes() {
	for _, p := range purposeTokens {
		for i := range g.groups {
			own := &g.groups[i]
			if !slices.Contains(own.agents, p.token) && !slices.Contains(own.listed, p.token) {
				continue
			}
			for _, s := range own.statements {
				if s.Channel == Robots && s.Word == "crawl" {
					s.Agent, s.Word, s.Text = p.crawler, p.word, p.token+": "+s.Text
					g.r.addStatement(s)
					g.r.addAgent(p.crawler)
				}
			}
		}
	}
	g.r.sortAgents()
}
