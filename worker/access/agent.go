package access

import (
	"strings"

	"colophon/exports"
	"colophon/internal/agents"
)

// Agent is the sender of a request.
type Agent struct {
	Token    string // product token, "" if unknown
	Class    string // of exports.AgentClasses
	Identity string // how far it proved who it is: identityVerified or another of these
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

// checkTokens are the product tokens with which this service checks what an
// edge does with each class of agents.
const checkTokens = "" +
	"colophon-check-training training\n" +
	"colophon-check-inference inference\n" +
	"colophon-check-search search\n"

// TestToken returns the product token with which this service checks what an
// edge does with a class of agents.
func TestToken(class string) string { return "Colophon-Check-" + class }

// AgentOf returns the agent that a User-Agent names. A client that names no
// known agent is treated as a person; one that names several, as the first that
// a policy may deny, so that adding the name of a search crawler gains nothing.
func AgentOf(userAgent string) Agent {
	found, ua := Agent{Class: "unknown", Identity: identityUnverified}, toLower(userAgent)
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

// eachAgent calls f with the token and class of each agent that sends requests,
// and with those of this service's own checks, until f returns false.
func eachAgent(f func(token, class string) bool) {
	for i := range agents.Known {
		if a := &agents.Known[i]; a.Crawler == "" && !f(a.Token, a.Class()) {
			return
		}
	}
	for rest := checkTokens; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if token, class, _ := strings.Cut(line, " "); !f(token, class) {
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
