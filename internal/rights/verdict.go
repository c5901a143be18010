package rights

import (
	"colophon/exports"
	"colophon/internal/origin"
)

// State is what became of an entry or its publisher.
type State string

// The states. The zero State is an active entry of an active publisher.
const (
	Active            State = ""
	EntryWithdrawn    State = "entry_withdrawn"
	PublisherInactive State = "publisher_inactive"
	LegalHold         State = "legal_hold"
)

// Case is all that is known about one resource, or about a site when Path is
// empty (every offer of the site then counts). Instants are unix seconds.
type Case struct {
	State         State
	SiteID        string
	Path          string // with query; selects offers
	ContentFormat string // "" = not known
	PublishedAt   int64  // 0 = not known
	EmbargoUntil  int64  // 0 = none
	Preferences   []Stated
	Offers        []Licence
	Evidence      []Evidence
	Grants        []Grant // of the buyer who asks
	Buyer         bool    // a buyer credential was presented
}

// Stated is what the publisher states about one use, with the evidence id
// under which it is cited.
type Stated struct {
	exports.Preference
	Evidence string
}

// Licence is an offer with the evidence id under which it is cited.
type Licence struct {
	exports.Offer
	Evidence string
}

// Grant is a licence, with the buyer that holds it.
type Grant struct {
	origin.Grant
	Holder *origin.Buyer
}

// Query is the question. Empty members are not stated: the verdict is then
// the least favourable one and says what it depends on.
type Query struct {
	UserType    string
	Territory   string
	Agent       string
	At          int64 // unix seconds; required
	AnyAudience bool  // ignore limits of user type and territory: a site's overview
}

// Answer is the verdict on each of the eight uses.
type Answer struct {
	Vector     string // public: as if nobody held a grant
	Uses       [8]UseVerdict
	Conflicts  []exports.Conflict
	NotApplied []NotApplied
	ValidUntil int64
}

// UseVerdict is the verdict on one use.
type UseVerdict struct {
	Use          exports.Use
	Verdict      string // of exports.Verdicts
	Reason       string // of exports.ReasonCodes
	Grant        string // how a buyer's grants stand, a reason code; "" for anybody else
	SignalsAgree bool
	LicenseIDs   []string
	GrantIDs     []string
	Obligations  []string
	Basis        []string // evidence ids
	DependsOn    []string // agent, territory, user_type
	ValidUntil   int64
}

// NotApplied is evidence that was found and did not count.
type NotApplied struct {
	Use     exports.Use
	Channel string
	Value   string
	Why     string
}

// maxValidity bounds how long any answer may be kept.
const maxValidity = 7 * 24 * 60 * 60

// Evaluate judges a case. The same case and question always give the same
// answer: it reads no clock. Unknown is never allowed, evidence that went
// stale no longer allows, and channels that contradict each other give the
// most restrictive of what they say.
func Evaluate(c *Case, q Query) Answer {
	counts, passed := forAgent(c.Evidence, q.Agent)
	a := Answer{ValidUntil: q.At + maxValidity}
	vector := make([]byte, 0, len(exports.Uses))
	for i, u := range exports.Uses {
		j := judge{c: c, q: q, use: u}
		j.gather(counts, passed)
		v := j.verdict()
		vector = append(vector, letterOf(v.Verdict, v.SignalsAgree))
		j.grants(&v)
		a.Uses[i] = v
		if v.ValidUntil < a.ValidUntil {
			a.ValidUntil = v.ValidUntil
		}
		if conflict, ok := j.conflict(); ok && v.Verdict != "withdrawn" {
			a.Conflicts = append(a.Conflicts, conflict)
		}
		a.NotApplied = append(a.NotApplied, j.notApplied...)
	}
	a.Vector = string(vector)
	return a
}

// letterOf writes a verdict into a rights vector: lower case when the signals
// disagree.
func letterOf(verdict string, agree bool) byte {
	l := byte('U')
	switch verdict {
	case "withdrawn":
		return 'W'
	case "license_required":
		l = 'L'
	case "declined":
		l = 'D'
	case "signal_allow":
		l = 'S'
	}
	if !agree {
		l += 'a' - 'A'
	}
	return l
}

// rank orders verdicts from least to most favourable. Asking for a licence
// and knowing nothing both mean: not without asking.
func rank(verdict string) int {
	switch verdict {
	case "withdrawn":
		return 0
	case "declined":
		return 1
	case "unknown":
		return 2
	case "license_required":
		return 3
	case "signal_allow":
		return 4
	}
	return 5
}
