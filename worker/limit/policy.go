package limit

import (
	"strconv"
	"strings"
)

// Quota is one window of a rate policy: a number of calls in a number of
// seconds.
type Quota struct {
	Name   string // as the RateLimit headers name it
	Calls  int64
	Window int64 // seconds
}

// Policy is a named set of quotas; a call must fit all of them. Rows of
// exports.Surface name their policy in Limits.
type Policy struct {
	Name    string
	Purpose string // for the page of settings
	Quotas  []Quota
}

// PolicyCredential is the policy for presented credentials that were refused.
// Its calls are counted for each client address, separately from every owner's
// quotas.
const PolicyCredential = "credential"

// DefaultPolicies returns the policies of a server that configures none.
func DefaultPolicies() []Policy {
	minute := func(name string, calls int64) []Quota { return []Quota{{name, calls, 60}} }
	return []Policy{
		{"anon", "Calls of tools over MCP, for each client address.", minute("anon", 600)},
		{"rights", "Rights checks, for each client address.", minute("rights", 600)},
		{"batch", "Batches of rights checks, for each client address.", minute("batch", 20)},
		{PolicyCredential, "Refused credentials, for each client address.", minute(PolicyCredential, 30)},
		{"prepare", "Preparing intents, running examples and verification, for each client address.", minute("prepare", 30)},
		{"inquiry", "Licensing requests from the public, for each client address.", []Quota{{"inquiry", 5, 3600}, {"inquiry-day", 20, 86400}}},
		{"inquiry-email", "Licensing requests from the public, for each e-mail address and publisher.", []Quota{{"inquiry-email", 3, 86400}}},
		{"thread", "Reading a conversation, for each conversation.", minute("thread", 60)},
		{"thread-post", "Posting to a conversation, for each conversation.", []Quota{{"thread-post", 20, 3600}}},
		{"partner", "Calls of partners that read, for each organization.", []Quota{{"partner", 120, 60}, {"partner-day", 20000, 86400}}},
		{"intake", "Licensing requests from partners, for each organization.", []Quota{{"intake", 30, 60}, {"intake-day", 500, 86400}}},
		{"gateway", "The licensed gateway, for each buyer.", minute("gateway", 300)},
		{"content", "Delivery of licensed content, for each buyer.", minute("content", 60)},
		{"reports", "Reports of use, for each organization and buyer.", []Quota{{"reports", 30, 60}, {"reports-day", 1000, 86400}}},
		{"demand", "Needs that buyers send by form, for each client address.", []Quota{{"demand", 5, 3600}, {"demand-day", 20, 86400}}},
		{"join", "Sites that ask to be listed, and live looks at sites that nobody registered, for each client address.", []Quota{{"join", 10, 3600}, {"join-day", 30, 86400}}},
		{"letters", "Letters that ask somebody to confirm an e-mail address, for each address.", []Quota{{"letters", 5, 86400}}},
		{"inbox", "A publisher's private inbox, for each link.", minute("inbox", 120)},
	}
}

// ParsePolicies returns the default policies with the quotas changed as text says,
// such as "inquiry=10 inquiry-day=100": names and numbers of calls, separated
// by spaces. Windows cannot be changed. It returns a *PoliciesError with the
// first word that is not the name of a quota with a number of calls, 0 or more.
func ParsePolicies(text string) ([]Policy, error) {
	list := DefaultPolicies()
	for _, word := range strings.Fields(text) {
		name, calls, _ := strings.Cut(word, "=")
		n, err := strconv.ParseInt(calls, 10, 64)
		if err != nil || n < 0 || !setQuota(list, name, n) {
			return nil, &PoliciesError{word}
		}
	}
	return list, nil
}

// PoliciesError reports a word that ParsePolicies does not understand.
type PoliciesError struct{ Word string }

func (e *PoliciesError) Error() string {
	return "rate limits: " + strconv.Quote(e.Word) + " is not the name of a quota, \"=\" and a number of calls"
}

func setQuota(list []Policy, name string, calls int64) bool {
	for i := range list {
		for j := range list[i].Quotas {
			if list[i].Quotas[j].Name == name {
				list[i].Quotas[j].Calls = calls
				return true
			}
		}
	}
	return false
}

// QuotasOf returns the quotas of a policy, or nil for an unknown policy.
func QuotasOf(list []Policy, name string) []Quota {
	for i := range list {
		if list[i].Name == name {
			return list[i].Quotas
		}
	}
	return nil
}

// policyHeader returns the value of the RateLimit-Policy header for quotas:
// "partner";q=120;w=60, "partner-day";q=20000;w=86400.
func policyHeader(quotas []Quota) string {
	s := ""
	for i, q := range quotas {
		if i > 0 {
			s += ", "
		}
		s += "\"" + q.Name + "\";q=" + strconv.FormatInt(q.Calls, 10) + ";w=" + strconv.FormatInt(q.Window, 10)
	}
	return s
}
