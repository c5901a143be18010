package rights

import (
	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// RightsDocument holds every public fact about the rights of one site: its
// publisher's statements and offers, and what its channels say. Every verdict
// follows from it alone, so the published document can answer for a site while
// the origin is unreachable.
type RightsDocument struct {
	SiteID      string
	Name        string
	SiteURL     string
	HumanPage   string
	AsksAllowed bool     // the publisher accepts inquiries
	Hosts       []string // hosts of which control was shown
	Preferences []exports.Preference
	Offers      []exports.Offer // offered and paused ones
	Documents   []statements.Document
	Policy      *exports.PolicyRef
	AsOf        string // instant of the last change

	inactive bool // the publisher is no longer registered
	notYet   bool // the site had not stated anything by the instant asked about

	judgements *judgements // made by KeepJudgements
}

func (s *RightsDocument) Members(m *wire.Members) {
	m.Bool("accepts_inquiries", &s.AsksAllowed)
	m.Time("as_of", &s.AsOf)
	wire.List(m, "documents", &s.Documents)
	m.Flag("grants_rights", false)
	m.Strings("hosts", &s.Hosts)
	m.OptString("human_page", &s.HumanPage)
	m.String("name", &s.Name)
	wire.List(m, "offers", &s.Offers)
	wire.OrNull(m, "policy", &s.Policy)
	wire.List(m, "preference_signals", &s.Preferences)
	m.String("site_id", &s.SiteID)
	m.String("site_url", &s.SiteURL)
}

// AskPage returns the path of the page where to ask for a licence: the request
// form, or the publisher's page if it takes no inquiries here.
func (s *RightsDocument) AskPage() string {
	if s.AsksAllowed {
		return exports.RequestPage(s.SiteID)
	}
	return exports.PublisherPage(s.SiteID)
}

// RightsDocumentAt returns the public facts about a site as they were at an
// instant (RFC 3339). ok is false if the site may not appear. Before the first
// known policy the site counts as having stated nothing. It returns an error if
// a stored row cannot be read.
func RightsDocumentAt(f *SiteSnapshot, at string) (*RightsDocument, bool, error) {
	return documentAt(f, at, true)
}

// RightsDocumentNow is RightsDocumentAt for the present: everything in the
// snapshot counts at once, even if the clock that dated it is ahead.
func RightsDocumentNow(f *SiteSnapshot, now string) (*RightsDocument, bool, error) {
	return documentAt(f, now, false)
}

func documentAt(f *SiteSnapshot, at string, past bool) (*RightsDocument, bool, error) {
	if !Public(f.Site) {
		return nil, false, nil
	}
	s := &RightsDocument{
		SiteID: f.Site.SiteID, Name: f.Site.Name, SiteURL: f.Site.SiteURL, HumanPage: f.Site.HumanPage, AsksAllowed: f.Site.AcceptsInquiries,
	}
	for _, w := range f.Websites {
		if w.Associated {
			s.Hosts = append(s.Hosts, w.Host)
		}
	}
	if first := f.firstPolicy(); first != "" && at < first {
		s.notYet, s.AsOf = true, first
		return s, true, nil
	}
	s.Preferences = f.statedPreferences()
	s.Documents = documents(f.Evidence, at)
	s.AsOf = f.PolicyChanged()
	if f.changedAfter(at) {
		s.Policy = currentPolicy(f)
	} else {
		s.Policy = policyOf(f, s.Documents)
	}
	for i := range f.Offers {
		if o := &f.Offers[i]; o.Status != "retired" {
			if p, ok := Offer(f, o, 0); ok {
				s.Offers = append(s.Offers, p)
			}
		}
	}
	return s, true, s.restore(f, at, past)
}

// changedAfter reports whether any evidence began after at, so that other documents may be
// in force now than were then.
func (f *SiteSnapshot) changedAfter(at string) bool {
	for i := range f.Evidence {
		if f.Evidence[i].Since > at {
			return true
		}
	}
	return false
}

// firstPolicy returns the instant since when the site is known to have stated
// something: the start of the first recorded policy, or else the earliest
// statement. It returns "" for a site that never stated anything.
func (f *SiteSnapshot) firstPolicy() string {
	if len(f.Policies) > 0 {
		return f.Policies[0].EffectiveFrom
	}
	first := ""
	earlier := func(at string) {
		if at != "" && (first == "" || at < first) {
			first = at
		}
	}
	for _, p := range f.Preferences {
		earlier(p.Since)
	}
	for _, p := range f.Passports {
		earlier(p.EffectiveFrom)
	}
	for _, o := range f.Offers {
		earlier(o.ValidFrom)
	}
	for _, e := range f.Evidence {
		earlier(e.Since)
	}
	return first
}

// ClosedDocument returns the document of a publisher that was public and is now
// suspended or closed, which states nothing else. ok is false for any other
// publisher.
func ClosedDocument(s *origin.Site) (*RightsDocument, bool) {
	gone := s.State == origin.Suspended || s.State == origin.Closed
	if !gone || s.Visibility != "public" || s.ApprovedAt == "" {
		return nil, false
	}
	return &RightsDocument{SiteID: s.SiteID, SiteURL: s.SiteURL, AsOf: s.ChangedAt, inactive: true}, true
}

// restore replaces what is stated now by what was stated at an instant, if a
// later policy has superseded that.
func (s *RightsDocument) restore(f *SiteSnapshot, at string, past bool) error {
	v := f.policyAt(at, past)
	if v == nil {
		return nil
	}
	var stated Stance
	if err := wire.Decode([]byte(v.Facts), &stated, wire.Trusted); err != nil {
		return &unreadable{v.SiteID, "policy version", err}
	}
	s.Preferences, s.Offers = stated.Preferences, stated.Offers
	s.Policy = &exports.PolicyRef{PolicyID: "pol_" + v.SiteID, Version: v.Version, Digest: v.Digest, EffectiveFrom: v.EffectiveFrom, HistoryURL: exports.PolicyHistoryPath(v.SiteID)}
	return nil
}

// policyAt returns the superseded policy that was in force at an instant, or
// nil if the present one was. For a past instant, a change that no version
// records yet ends the last version.
func (f *SiteSnapshot) policyAt(at string, past bool) *origin.PolicyVersion {
	for i := range f.Policies {
		v := &f.Policies[i]
		until := v.EffectiveUntil
		if past && i == len(f.Policies)-1 && until == "" && v.Digest != PolicyDigest(f) {
			until = f.PolicyChanged()
		}
		if v.EffectiveFrom <= at && until != "" && at < until {
			return v
		}
	}
	return nil
}

// Stance is what a version of a policy keeps: the publisher's own statements
// and offers, as public records.
type Stance struct {
	Preferences []exports.Preference
	Offers      []exports.Offer
}

func (s *Stance) Members(m *wire.Members) {
	wire.List(m, "offers", &s.Offers)
	wire.List(m, "preferences", &s.Preferences)
}
