package access

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
	serverDown = Decision{503, "license_server_unreachable", "license_server_unreachable", "server_error"}
	unproven   = Decision{403, "agent_not_identified", "agent_not_identified", ""}
	notOffered = Decision{403, "use_not_offered", "use_not_offered", ""}
	noLicense  = Decision{402, "no_license", "license_required", "invalid_request"}
)

// decide reports whether a request is denied, and how. verdict is that on the
// use for which the request is made.
func (g *Guard) decide(verdict string, agent *Agent) (d Decision, denied bool) {
	switch {
	case g.ProveIdentity && agent.Identity != identityVerified:
		return unproven, true
	case verdict == "license_required":
		return noLicense, true
	case verdict == "declined":
		return notOffered, true
	case verdict == "signal_allow":
		return Decision{}, false
	}
	return notOffered, g.DenyUnknown
}
