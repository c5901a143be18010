package rights

import (
	"colophon/exports"
	"colophon/internal/channel/said"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// RightsDocument is everything public that bears on the rights of one site: what its
// publisher states and offers, and what its channels say. From it alone every
// verdict follows, so a published document answers for a site while the origin is
// away.
type RightsDocument struct {
	SiteID      string
	Name        string
	SiteURL     string
	HumanPage   string
	AsksAllowed bool     // the publisher accepts inquiries
	Hosts       []string // hosts of which control was shown
	Preferences []exports.Preference
	Offers      []exports.Offer // offered and paused ones
	Documents   []said.Document
	Policy      *exports.PolicyRef
	AsOf        string // instant of the last change

	inactive bool // the publisher is no longer registered
}

// Members describes the JSON form.
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

// RightsDocumentAt projects the facts of a site as they were at an instant (RFC 3339).
// The second result is false when the site may not appear.
func RightsDocumentAt(f *SiteSnapshot, at string) (*RightsDocument, bool, error) {
	if !Public(f.Site) {
		return nil, false, nil
	}
	docs, err := documents(f.Evidence, at)
	if err != nil {
		return nil, false, err
	}
	s := &RightsDocument{
		SiteID: f.Site.SiteID, Name: f.Site.Name, SiteURL: f.Site.SiteURL, HumanPage: f.Site.HumanPage, AsksAllowed: f.Site.AcceptsInquiries,
		Preferences: f.stated(), Documents: docs, Policy: policy(f), AsOf: f.PolicyChanged(),
	}
	for _, w := range f.Websites {
		if w.Associated {
			s.Hosts = append(s.Hosts, w.Host)
		}
	}
	for i := range f.Offers {
		if o := &f.Offers[i]; o.Status != "retired" {
			if p, ok := Offer(f, o, 0); ok {
				s.Offers = append(s.Offers, p)
			}
		}
	}
	return s, true, s.past(f.Policies, at)
}

// Departed is the document of a publisher that was public and is suspended or
// closed: of it only that is said. The second result is false for any other.
func Departed(s *origin.Site) (*RightsDocument, bool) {
	gone := s.State == origin.Suspended || s.State == origin.Closed
	if !gone || s.Visibility != "public" || s.ApprovedAt == "" {
		return nil, false
	}
	return &RightsDocument{SiteID: s.SiteID, SiteURL: s.SiteURL, AsOf: s.ChangedAt, inactive: true}, true
}

// past puts back what was stated at an instant before the policy in force
// began. Before the first version there is nothing to put back: what holds now
// is judged by its own dates.
func (s *RightsDocument) past(versions []origin.PolicyVersion, at string) error {
	for i := range versions {
		v := &versions[i]
		if v.EffectiveFrom > at || v.EffectiveUntil == "" || v.EffectiveUntil <= at {
			continue
		}
		var stated Stance
		if err := wire.Decode([]byte(v.Facts), &stated, wire.Trusted); err != nil {
			return &unreadable{v.SiteID, "policy version", err}
		}
		s.Preferences, s.Offers = stated.Preferences, stated.Offers
		s.Policy = &exports.PolicyRef{PolicyID: "pol_" + v.SiteID, Version: v.Version, Digest: v.Digest, EffectiveFrom: v.EffectiveFrom, HistoryURL: exports.PolicyHistoryPath(v.SiteID)}
	}
	return nil
}

// Stance is what a version of a policy keeps: the publisher's own statements
// and offers, as public records.
type Stance struct {
	Preferences []exports.Preference
	Offers      []exports.Offer
}

// Members describes the JSON form.
func (s *Stance) Members(m *wire.Members) {
	wire.List(m, "offers", &s.Offers)
	wire.List(m, "preferences", &s.Preferences)
}
