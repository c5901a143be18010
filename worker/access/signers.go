package access

import "strings"

// signers binds product tokens to the hosts that may sign for them: the hosts
// at which the agent's operator publishes its key directory (Web Bot Auth).
// Each row is a host and token: host, product token, class, day on which the
// source was read, source. A signature of any other host proves that host and
// no token.
const signers = "" +
	"chatgpt.com chatgpt-user inference 2025-08-04 help.openai.com/articles/11845367-chatgpt-agent-allowlisting\n" +
	"agent.bot.goog google-agent inference 2026-11-21 developers.google.com/crawling/docs/web-bot-auth\n"

// The identities of an agent, from the weakest.
const (
	identityUnverified = "unverified"        // it only says who it is
	identityClaimed    = "claimed"           // its signature proves nothing
	identityUnlisted   = "verified_unlisted" // its signature proves a host that is bound to no token
	identityVerified   = "verified"          // its signature proves a host that may sign for its token
)

// signedBy returns the agent behind a valid signature of a host. claimed is the
// agent it claims to be, which counts only if the host may sign for it.
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

// unlistedAgent returns the agent of a signer to which no token is bound: its
// host is its name. It fetches for what it says, and is also denied what its
// claimed name is denied.
func unlistedAgent(host string, claimed Agent) Agent {
	a := Agent{Token: host, Class: "other", Identity: identityUnlisted, Claimed: claimed.Token}
	if claimed.Token != "" {
		a.Class = claimed.Class
	}
	return a
}
