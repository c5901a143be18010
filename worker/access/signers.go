package access

import "strings"

// signers binds product tokens to the hosts that may sign for them: the hosts
// at which the operator publishes its key directory (Web Bot Auth). One row a
// host and token: host, product token, class, day on which the source was
// read, source. A signature of any other host proves that host and no token.
const signers = "" +
	"chatgpt.com chatgpt-user inference 2025-08-04 help.openai.com/articles/11845367-chatgpt-agent-allowlisting\n" +
	"agent.bot.goog google-agent inference 2026-11-21 developers.google.com/crawling/docs/web-bot-auth\n"

// The identities of an agent, from the weakest.
const (
	identityUnverified = "unverified"        // it only says who it is
	identityClaimed    = "claimed"           // it brought a signature that proves nothing
	identityUnlisted   = "verified_unlisted" // its signature proves a host that is bound to no token
	identityVerified   = "verified"          // its signature proves a host that may sign for its token
)

// signedBy returns the agent behind a signature of a host that holds. claimed
// is who it says it is: a name counts only when the host may sign for it.
func signedBy(host string, claimed Agent) Agent {
	first := Agent{}
	for rest := signers; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		row := strings.Fields(line)
		if row[0] != host {
			continue
		}
		bound := Agent{Token: row[1], Class: row[2], Identity: identityVerified}
		if toLower(claimed.Token) == bound.Token {
			return bound
		}
		if first.Token == "" {
			first = bound
		}
	}
	if first.Token != "" {
		return first
	}
	return unlistedAgent(host, claimed)
}

// unlistedAgent returns a signer that no token is bound to: its host is its
// name. What it fetches for is what it says, and what its claimed name may not
// do, it may not do either.
func unlistedAgent(host string, claimed Agent) Agent {
	a := Agent{Token: host, Class: "other", Identity: identityUnlisted, Claimed: claimed.Token}
	if claimed.Token != "" {
		a.Class = claimed.Class
	}
	return a
}
