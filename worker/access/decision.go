package access

// Situation is everything known about a request when it is decided.
type Situation struct {
	Verdict     string // on the use for which the request is made, one of exports.Verdicts
	Token       Token  // the licence that was presented
	NeedsToken  bool   // a token is required here
	Unpaid      bool   // an existing provider states a price that has not been paid
	Blocked     bool   // the publisher does not admit this agent
	Unproven    bool   // the publisher demands a proven identity, and there is none
	LegalHold   bool
	ServerDown  bool // the licence cannot be checked now
	DenyUnknown bool // a use about which nothing is stated counts as not offered
}

// Token is the state of a presented licence.
type Token uint8

// The states of a presented licence.
const (
	NoToken Token = iota
	GoodToken
	BadToken      // malformed, expired or revoked
	OtherUseToken // valid, but not for this use or path
)

// Decision is a denial: its status, its reason, and the error of RSL's licence
// challenge, "" if RSL has none for it.
type Decision struct {
	Status int
	Reason string // of exports.DenialReasons
	Code   string // of exports.ProblemKinds
	RSL    string
}

// The denials.
var (
	serverDown   = Decision{503, "license_server_unreachable", "license_server_unreachable", "server_error"}
	legalHold    = Decision{451, "legal_hold", "legal_hold", ""}
	tokenInvalid = Decision{401, "token_invalid", "token_invalid", "invalid_token"}
	tokenMissing = Decision{401, "token_missing", "token_missing", "invalid_request"}
	otherUse     = Decision{403, "grant_scope_mismatch", "grant_scope_mismatch", "insufficient_scope"}
	unproven     = Decision{403, "agent_not_identified", "agent_not_identified", ""}
	blocked      = Decision{403, "agent_blocked", "agent_blocked", ""}
	notOffered   = Decision{403, "use_not_offered", "use_not_offered", ""}
	unpaid       = Decision{402, "payment_required", "payment_required", "invalid_request"}
	noLicense    = Decision{402, "no_license", "license_required", "invalid_request"}
)

// Decide reports whether a request is denied, and how. Causes that cannot be
// determined now come first, then those that no licence removes, then those
// that one does.
func Decide(s Situation) (d Decision, denied bool) {
	switch {
	case s.LegalHold:
		return legalHold, true
	case s.ServerDown:
		return serverDown, true
	case s.Token == BadToken:
		return tokenInvalid, true
	case s.Token == OtherUseToken:
		return otherUse, true
	case s.Blocked:
		return blocked, true
	case s.Unproven:
		return unproven, true
	case s.Token == GoodToken, s.Verdict == "licensed":
		return Decision{}, false
	}
	return decideUnlicensed(s)
}

func decideUnlicensed(s Situation) (Decision, bool) {
	switch s.Verdict {
	case "declined":
		return notOffered, true
	case "license_required":
		switch {
		case s.Unpaid:
			return unpaid, true
		case s.NeedsToken:
			return tokenMissing, true
		}
		return noLicense, true
	case "signal_allow":
		return Decision{}, false
	}
	return notOffered, s.DenyUnknown
}
