// Package agents is the table of known agents: crawlers, assistants, search
// crawlers and the tokens by which operators let sites decide about training.
// Guards, readers of robots.txt and the pages of publishers read this one table.
package agents

import (
	"strings"

	"colophon/exports"
)

// Agent is one product token.
type Agent struct {
	Token    string        // in lower case, as it is compared
	Name     string        // as its operator writes it
	Operator string        // "" if it is not known
	Uses     []exports.Use // what its pages are fetched for, the main use first
	Source   *Document     // nil if no document of its operator was found

	// Crawler is the token of the crawler that fetches the pages, if this token
	// stands for a purpose and never sends a request.
	Crawler string

	// Follows is the token whose rules of robots.txt the agent follows where it
	// is not named itself, if its operator says so.
	Follows string

	// MayIgnore is set if the operator says that rules of robots.txt may not
	// apply to the agent, because people ask for each page that it fetches.
	MayIgnore bool
}

// Document is an operator's document about its agents.
type Document struct {
	URL   string
	Dated string // day that the copy which was read bears, "" if it bears none
	Read  string // day on which it was read
}

// Class returns one of exports.AgentClasses: what the agent fetches for.
func (a *Agent) Class() string {
	switch a.Uses[0] {
	case exports.UseTraining:
		return "training"
	case exports.UseRAG:
		return "inference"
	}
	return "search"
}

// Trains reports whether training is among the uses of the agent.
func (a *Agent) Trains() bool {
	for _, u := range a.Uses {
		if u == exports.UseTraining {
			return true
		}
	}
	return false
}

// Fetcher returns the token by which robots.txt addresses whoever fetches the
// pages. It ends before the first space (RFC 9309, section 2.2.1).
func (a *Agent) Fetcher() string {
	if a.Crawler != "" {
		return a.Crawler
	}
	token, _, _ := strings.Cut(a.Token, " ")
	return token
}

// TrainingTokens returns the names of an operator's tokens that are about
// training alone or about training and grounding.
func TrainingTokens(operator string) []string {
	var out []string
	for i := range Known {
		if a := &Known[i]; operator != "" && a.Operator == operator && a.Trains() && a.Source != nil {
			out = append(out, a.Name)
		}
	}
	return out
}
