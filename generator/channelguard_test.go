package generator

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/rights"
	"colophon/worker/access"
	"colophon/worker/edge"
)

// guardedAgents are agents that the guard knows, with the index in exports.Uses
// of the use for which they fetch. The first agent of each use is one that no
// document names.
var guardedAgents = []struct {
	token string
	use   int
}{
	{"Timpibot", 1}, {"DuckAssistBot", 0}, {"GPTBot", 1}, {"ClaudeBot", 1}, {"CCBot", 1}, {"ChatGPT-User", 0}, {"Bytespider", 1},
}

// TestChannelCasesAtTheGuard asks the site's guard the questions of the cases:
// it must not let pass or offer anything that the standards do not permit.
func TestChannelCasesAtTheGuard(t *testing.T) {
	t.Parallel()
	asked, denied := 0, 0
	for _, c := range channelCases(t) {
		docs := c.rightsDocuments()
		for i := range docs {
			docs[i].CheckedAt = caseSeenAt
		}
		g := access.Guard{
			Base: "https://svc.example", Now: func() time.Time { return time.Unix(caseSeenAt, 0) },
			Document: func(context.Context) (*rights.RightsDocument, error) {
				return &rights.RightsDocument{SiteID: "pier-news", SiteURL: caseHome + "/", AsksAllowed: true, Documents: docs}, nil
			},
		}
		named := statements.Agents(docs)
		for _, a := range c.asks {
			path, onSite := strings.CutPrefix(a.url, caseHome)
			if !onSite || a.user != "" || a.place != "" || exports.FreePath(path) {
				continue
			}
			for _, agent := range guardedAgents {
				isNamed := slices.Contains(named, strings.ToLower(agent.token))
				if a.agent == "" && isNamed || a.agent != "" && !strings.EqualFold(a.agent, agent.token) {
					continue
				}
				asked++
				path, query, _ := strings.Cut(path, "?")
				request := edge.Request{Method: "GET", Path: path, Query: query, ID: "rid_x", Header: edge.Header{{Name: "user-agent", Value: agent.token + "/1.0"}}}
				status := 0
				if r := g.Check(context.Background(), &request); r != nil {
					status = r.Status
					denied++
				}
				if least := leastStatus(a.want[agent.use]); status < least {
					t.Errorf("%s:%d %s: %s gets %d, want at least %d: %s", c.file, a.line, c.name, agent.token, status, least, a.why)
				}
			}
		}
	}
	if asked < minimumAsks || denied < asked/4 {
		t.Errorf("%d requests, %d denied: nothing is shown", asked, denied)
	}
}

// leastStatus returns the mildest denial for a letter, 0 if none is required.
func leastStatus(letter byte) int {
	switch letter {
	case 'D':
		return 403
	case 'L':
		return 402
	}
	return 0
}
