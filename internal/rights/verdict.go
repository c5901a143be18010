package rights

import (
	"math"

	"colophon/exports"
	"colophon/internal/origin"
)

// State is the state of an entry or its publisher.
type State string

// The states. The zero State is an active entry of an active publisher.
const (
	Active            State = ""
	EntryWithdrawn    State = "entry_withdrawn"
	PublisherInactive State = "publisher_inactive"
	NoStatementYet    State = "no_statement_yet" // the question is about a time before the first known policy
)

// Case is everything known about one resource or, if Path is empty, about a
// site, for which every offer of it counts. Instants are unix seconds.
type Case struct {
	State         State
	SiteID        string
	Path          string // with query; selects offers
	ContentFormat string // "" if unknown: an offer limited by it may or may not count
	PublishedAt   int64  // 0 if unknown, likewise
	Preferences   []Stated
	Offers        []Licence
	Evidence      []Evidence
	Grants        []Grant // of the buyer who asks
	Buyer         bool    // a buyer credential was presented
}

// Stated is the publisher's own statement about one use, with the evidence id
// by which it is cited.
type Stated struct {
	exports.Preference
	Evidence string
}

// Licence is an offer, with the evidence id by which it is cited.
type Licence struct {
	exports.Offer
	Evidence string
}

// Grant is a licence, with the buyer that holds it.
type Grant struct {
	origin.Grant
	Holder *origin.Buyer
}

// Question says which audience a rights question is about, and when. An empty
// member is left open: every audience that the statements distinguish is then
// judged, and the answer holds for all of them; see UseVerdict.
type Question struct {
	UserType  string // of exports.UserTypes
	Territory string // ISO 3166-1 alpha-2 or EU
	Agent     string // robots product token
	At        int64  // unix seconds; required
}

// Answer is the verdict on each of the eight uses.
type Answer struct {
	Vector     string // public: grants are ignored
	Uses       [8]UseVerdict
	Conflicts  []exports.Conflict
	NotApplied []exports.NotApplied // evidence that was found but did not count
	ValidUntil int64                // first instant at which time alone may change it
}

// UseVerdict is the verdict on one use. If a question leaves the audience open
// and audiences get different verdicts, it is license_required if some audience
// can get a licence, and otherwise the strictest of them, but never
// signal_allow. Audiences then gives the verdict of each.
type UseVerdict struct {
	Use          exports.Use
	Verdict      string // of exports.Verdicts
	Reason       string // of exports.ReasonCodes
	Grant        string // the state of the buyer's grants, a reason code; "" for anyone else
	SignalsAgree bool
	LicenseIDs   []string
	GrantIDs     []string
	Obligations  []string
	Retention    string   // how long a copy may be kept, exports.RetentionUnknown when nothing is said
	Basis        []string // evidence ids
	DependsOn    []string // agent, territory, user_type
	Confirmation string   // of the publisher's own statement: contradicted, unconfirmed, or "" if there is no doubt
	Audiences    []exports.AudienceVerdict
	ValidUntil   int64

	// SomeoneMayAsk reports whether some audience, even one that the question
	// excludes, can get further by asking.
	SomeoneMayAsk bool
}

// noEnd is the end of an answer that time alone does not change.
const noEnd = math.MaxInt64

// Evaluate judges a case. The same case and question always give the same
// answer: it reads no clock. Unknown never becomes allowed, a stale permission
// no longer allows while a stale prohibition still restricts, and contradicting
// channels give the most restrictive of their statements.
func Evaluate(c *Case, q Question) Answer {
	readings := readingsOf(c.Evidence, q.Agent)
	a := Answer{ValidUntil: noEnd}
	vector := make([]byte, 0, len(exports.Uses))
	for i, use := range exports.Uses {
		v, general := evaluateUse(c, q, use, readings)
		if v.Verdict == "declined" && !v.SomeoneMayAsk {
			v.SomeoneMayAsk = someoneMayAsk(c, q, use)
		}
		vector = append(vector, letterOf(v.Verdict, v.SignalsAgree))
		general.applyGrants(&v)
		v.addRetentionDuty()
		a.ValidUntil = min(a.ValidUntil, v.ValidUntil)
		if conflict, ok := general.findConflict(); ok && v.Verdict != "withdrawn" {
			a.Conflicts = append(a.Conflicts, conflict)
		}
		a.NotApplied = append(a.NotApplied, general.notApplied...)
		a.Uses[i] = v
	}
	a.Vector = string(vector)
	return a
}

// someoneMayAsk reports whether an audience other than the one in the question
// can get further by asking.
func someoneMayAsk(c *Case, q Question, use exports.Use) bool {
	open := Question{At: q.At}
	if q == open {
		return false
	}
	v, _ := evaluateUse(c, open, use, readingsOf(c.Evidence, ""))
	return v.SomeoneMayAsk
}

// letterOf returns the letter of a verdict in a rights vector, in lower case if
// the signals disagree.
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

// StricterThan reports whether a verdict leaves less open than another.
func (v *UseVerdict) StricterThan(x *UseVerdict) bool {
	return verdictRank(v.Verdict) < verdictRank(x.Verdict)
}

// verdictRank returns the rank of a verdict, lowest for the least favourable.
// unknown ranks above license_required: a guard may let a use through if
// nothing is known about it, but not if it is known to need a licence.
func verdictRank(verdict string) int {
	switch verdict {
	case "withdrawn":
		return 0
	case "declined":
		return 1
	case "license_required":
		return 2
	case "unknown":
		return 3
	case "signal_allow":
		return 4
	}
	return 5
}
