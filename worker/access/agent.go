package access

import (
	"strings"

	"colophon/exports"
)

// Agent is the sender of a request.
type Agent struct {
	Token    string // product token, "" if unknown
	Class    string // of exports.AgentClasses
	Identity string // of exports.AgentIdentities
	Claimed  string // product token that it claims without proof, if Token is another name
}

// Use returns the use for which an agent of that class fetches; ok is false for
// a class that is let through.
func (a *Agent) Use() (exports.Use, bool) {
	switch a.Class {
	case "training":
		return exports.UseTraining, true
	case "inference":
		return exports.UseRAG, true
	}
	return "", false
}

// agents lists the product tokens of AI agents as they appear in User-Agent,
// with the class of what they fetch for. Each row names where the agent's
// operator documents it, or * if no such documentation was found and the row
// follows the public list github.com/ai-robots-txt/ai.robots.txt. Tokens that
// only appear in robots.txt and never send a request (Google-Extended,
// Applebot-Extended, Webzio-Extended) are left out.
const agents = "" +
	"ai2bot training\n" + // allenai.org/crawler
	"ai2bot-dolma training\n" + // allenai.org/crawler
	"aihitbot training\n" + // www.aihitdata.com/about
	"amazonbot training\n" + // developer.amazon.com/amazonbot
	"amzn-searchbot search\n" + // developer.amazon.com/amazonbot
	"amzn-user inference\n" + // developer.amazon.com/amazonbot
	"anthropic-ai training\n" + // *
	"bytespider training\n" + // *
	"ccbot training\n" + // commoncrawl.org/ccbot
	"chatgpt-user inference\n" + // developers.openai.com/api/docs/bots
	"claude-searchbot search\n" + // support.claude.com/en/articles/8896518
	"claude-user inference\n" + // support.claude.com/en/articles/8896518
	"claude-web training\n" + // *
	"claudebot training\n" + // support.claude.com/en/articles/8896518
	"cohere-ai inference\n" + // *
	"cohere-training-data-crawler training\n" + // *
	"cotoyogi training\n" + // ds.rois.ac.jp/en_center8/en_crawler
	"crawl4ai inference\n" + // *
	"deepseekbot training\n" + // *
	"diffbot training\n" + // *
	"duckassistbot inference\n" + // duckduckgo.com/duckduckgo-help-pages/results/duckassistbot
	"facebookbot training\n" + // developers.facebook.com/docs/sharing/bot
	"firecrawlagent inference\n" + // *
	"gemini-deep-research inference\n" + // *
	"google-agent inference\n" + // developers.google.com/search/docs/crawling-indexing/overview-google-crawlers
	"google-cloudvertexbot inference\n" + // developers.google.com/search/docs/crawling-indexing/overview-google-crawlers
	"google-notebooklm inference\n" + // *
	"googleagent-mariner inference\n" + // *
	"googleagent-urlcontext inference\n" + // *
	"gptbot training\n" + // developers.openai.com/api/docs/bots
	"iaskspider inference\n" + // *
	"icc-crawler training\n" + // *
	"imagesiftbot training\n" + // imagesift.com/about
	"img2dataset training\n" + // github.com/rom1504/img2dataset
	"kangaroo bot training\n" + // *
	"kimi-user inference\n" + // *
	"laiondownloader training\n" + // laion.ai/faq
	"manus-user inference\n" + // *
	"meta-externalagent training\n" + // developers.facebook.com/docs/sharing/webmasters/web-crawlers
	"meta-externalfetcher inference\n" + // developers.facebook.com/docs/sharing/webmasters/web-crawlers
	"meta-webindexer search\n" + // developers.facebook.com/docs/sharing/webmasters/web-crawlers
	"mistralai-index search\n" + // docs.mistral.ai/robots
	"mistralai-user inference\n" + // docs.mistral.ai/robots
	"novaact inference\n" + // *
	"oai-searchbot search\n" + // developers.openai.com/api/docs/bots
	"omgili training\n" + // webz.io/blog/web-data/what-is-the-omgili-bot-and-why-is-it-crawling-your-website
	"omgilibot training\n" + // *
	"pangubot training\n" + // *
	"perplexity-user inference\n" + // docs.perplexity.ai/guides/bots
	"perplexitybot search\n" + // docs.perplexity.ai/guides/bots
	"phindbot inference\n" + // *
	"quillbot inference\n" + // *
	"sbintuitionsbot training\n" + // www.sbintuitions.co.jp/en/bot
	"tavilybot inference\n" + // *
	"timpibot training\n" + // *
	"velenpublicwebcrawler training\n" + // *
	"youbot search\n" + // about.you.com/youbot
	"colophon-check-training training\n" + // our own, for checking what an edge declares
	"colophon-check-inference inference\n" +
	"colophon-check-search search\n"

// TestToken returns the product token with which this service checks what an
// edge does with a class of agents.
func TestToken(class string) string { return "Colophon-Check-" + class }

// AgentOf returns the agent that a User-Agent names. A client that names no
// known agent is treated as a person; one that names several, as the first that
// a policy may deny, so that adding the name of a search crawler gains nothing.
func AgentOf(userAgent string) Agent {
	found, ua := Agent{Class: "unknown", Identity: "unverified"}, toLower(userAgent)
	eachAgent(func(token, class string) bool {
		at := findToken(ua, token)
		if at < 0 {
			return true
		}
		_, known := found.Use()
		_, watched := (&Agent{Class: class}).Use()
		if found.Token == "" || watched && !known {
			found.Token, found.Class = userAgent[at:at+len(token)], class
		}
		return !watched
	})
	return found
}

// eachAgent calls f with each row of the table until it returns false.
func eachAgent(f func(token, class string) bool) {
	for rest := agents; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if cut := strings.LastIndexByte(line, ' '); !f(line[:cut], line[cut+1:]) {
			return
		}
	}
}

// toLower lower-cases the letters of product tokens and keeps every byte in its
// place.
func toLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// findToken returns the index of a whole token in s: neither "notgptbot" nor
// "gptbots" contains gptbot.
func findToken(s, token string) int {
	for at := 0; ; at++ {
		next := strings.Index(s[at:], token)
		if next < 0 {
			return -1
		}
		at += next
		end := at + len(token)
		if (at == 0 || !tokenByte(s[at-1])) && (end == len(s) || !tokenByte(s[end])) {
			return at
		}
	}
}

func tokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}
