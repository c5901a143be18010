package access

import (
	"strings"

	"colophon/exports"
)

// Agent is who asks.
type Agent struct {
	Token    string // product token, "" for nobody we know
	Class    string // of exports.AgentClasses
	Identity string // verified, claimed, unverified
}

// Use is the use for which an agent of that class fetches; false for one that
// is let through.
func (a *Agent) Use() (exports.Use, bool) {
	switch a.Class {
	case "training":
		return exports.UseTraining, true
	case "inference":
		return exports.UseRAG, true
	}
	return "", false
}

// agents are the product tokens of AI agents as they stand in User-Agent, with
// the class of what they fetch for, as their operators document it. The last
// three are this service's own, for checking what an edge declares.
const agents = `
ai2bot training
aihitbot training
amazonbot training
anthropic-ai training
applebot-extended training
bytespider training
ccbot training
chatgpt-user inference
claude-searchbot search
claude-user inference
claude-web training
claudebot training
cohere-ai inference
cohere-training-data-crawler training
crawl4ai inference
diffbot training
duckassistbot inference
facebookbot training
firecrawlagent inference
google-cloudvertexbot inference
google-extended training
gptbot training
iaskspider inference
icc-crawler training
imagesiftbot training
img2dataset training
kangaroo bot training
meta-externalagent training
meta-externalfetcher inference
mistralai-user inference
novaact inference
oai-searchbot search
omgilibot training
pangubot training
perplexity-user inference
perplexitybot search
phindbot inference
quillbot inference
timpibot training
velenpublicwebcrawler training
webzio-extended training
youbot search
colophon-check-training training
colophon-check-inference inference
colophon-check-search search
`

// TestToken is the product token with which this service checks what an edge
// does with a class of agents.
func TestToken(class string) string { return "Colophon-Check-" + class }

// AgentOf tells by User-Agent who asks. A client that names no agent we know
// is taken for a person.
func AgentOf(userAgent string) Agent {
	ua := strings.ToLower(userAgent)
	for rest := agents[1:]; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		cut := strings.LastIndexByte(line, ' ')
		if at := strings.Index(ua, line[:cut]); at >= 0 && wholeToken(ua, at, cut) {
			return Agent{Token: userAgent[at : at+cut], Class: line[cut+1:], Identity: "unverified"}
		}
	}
	return Agent{Class: "unknown", Identity: "unverified"}
}

// wholeToken keeps "notgptbot" and "gptbots" from being gptbot.
func wholeToken(s string, at, length int) bool {
	return (at == 0 || !tokenByte(s[at-1])) && (at+length == len(s) || !tokenByte(s[at+length]))
}

func tokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// signers are the hosts whose Web Bot Auth signatures name an agent that we
// know, with its class.
const signers = `
chatgpt.com chatgpt-user inference
bedrock-agentcore.amazonaws.com novaact inference
`

// agentOfSigner is the agent behind a verified signature. One that is not
// listed is known by its host; what it fetches for is not.
func agentOfSigner(host string) Agent {
	for rest := signers[1:]; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		f := strings.Fields(line)
		if len(f) == 3 && f[0] == host {
			return Agent{Token: f[1], Class: f[2], Identity: "verified"}
		}
	}
	return Agent{Token: host, Class: "other", Identity: "verified"}
}
