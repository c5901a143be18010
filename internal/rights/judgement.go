package rights

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/channel/statements"
)

// Resource is the subject of a question: a registered page, an unregistered
// address of a site or, without a URL, the site as a whole.
type Resource struct {
	EntryID       string
	URL           string
	ContentFormat string
	PublishedAt   string
	State         State
}

// Judgement is an answer with the statements behind it.
type Judgement struct {
	*Answer
	doc   *RightsDocument
	found []statements.Answer // what the channels say
	ids   []string            // evidence ids of found
}

// Evaluate answers a question about a resource. All verdicts come from it,
// directly or through a Judge, which shares answers among pages. The answer is
// shared too, and must not be changed.
//
//go:noinline
func (s *RightsDocument) Evaluate(r Resource, q Question, grants []Grant, buyer bool) Judgement {
	if s.judgements != nil && !buyer {
		return s.judgements.evaluate(s, &r, q)
	}
	c := s.caseOf(&r)
	c.Grants = grants
	c.Buyer = buyer
	return s.judge(c, s.channelAnswers(&r, q.Agent), q)
}

// judge answers a question about a case without evidence, of which the channels
// say what was found.
func (s *RightsDocument) judge(c Case, found []statements.Answer, q Question) Judgement {
	j := Judgement{doc: s, found: found, ids: make([]string, len(found))}
	c.Evidence = make([]Evidence, 0, len(found))
	for i := range found {
		a := &found[i]
		e := EvidenceOf(a)
		e.ID = a.Agent + " " + string(a.Channel) + " " + string(a.Use)
		j.ids[i] = e.ID
		c.Evidence = append(c.Evidence, e)
	}
	a := Evaluate(&c, q)
	j.Answer = &a
	return j
}

// channelAnswers returns what the channels say about a resource to one agent
// or, if agent is "", to everybody and to each agent that some channel names.
func (s *RightsDocument) channelAnswers(r *Resource, agent string) []statements.Answer {
	if agent == "" {
		return statements.Answers(s.Documents, addressOf(s, r))
	}
	return statements.Combine(s.Documents, addressOf(s, r), agent)
}

// addressOf returns the address of a resource; that of a site as a whole is its
// home page.
func addressOf(s *RightsDocument, r *Resource) string {
	if r.URL == "" {
		return s.SiteURL
	}
	return r.URL
}

// scopeCase returns the part of a resource's case that the scopes of offers
// depend on.
func (r *Resource) scopeCase() Case {
	c := Case{State: r.State, ContentFormat: r.ContentFormat}
	c.PublishedAt, _ = parseUnix(r.PublishedAt)
	if r.URL != "" {
		_, c.Path = statements.Split(r.URL)
	}
	return c
}

// caseOf returns the case of a resource without the channels' statements.
func (s *RightsDocument) caseOf(r *Resource) Case {
	c := Case{SiteID: s.SiteID}
	switch {
	case s.inactive:
		c.State = PublisherInactive
	case s.notYet:
		c.State = NoStatementYet
	}
	for _, p := range s.Preferences {
		c.Preferences = append(c.Preferences, Stated{p, statementID + p.Use})
	}
	for _, o := range s.Offers {
		c.Offers = append(c.Offers, Licence{o, offerID + o.LicenseID})
	}
	return c.aboutResource(r)
}

// aboutResource returns the case of a site, applied to one of its resources.
func (c Case) aboutResource(r *Resource) Case {
	scope := r.scopeCase()
	c.Path = scope.Path
	c.ContentFormat = scope.ContentFormat
	c.PublishedAt = scope.PublishedAt
	if c.State == Active {
		c.State = scope.State
	}
	return c
}

const (
	statementID = "publisher_statement "
	offerID     = "offer "
)

// EvidenceOf returns what a channel says about one use as evidence, without an
// id.
func EvidenceOf(a *statements.Answer) Evidence {
	e := Evidence{
		Channel: string(a.Channel), Agent: a.Agent, Alike: a.Alike, Use: a.Use, Effect: Effect(a.Effect.String()), Value: a.Value, Why: a.Why, Retention: a.Retention,
	}
	for _, s := range a.Sources {
		e.CheckedAt = max(e.CheckedAt, s.CheckedAt)
		if s.ValidUntil != 0 && (e.ValidUntil == 0 || s.ValidUntil < e.ValidUntil) {
			e.ValidUntil = s.ValidUntil
		}
	}
	for _, o := range a.Options {
		e.Options = append(e.Options, Option{
			Effect: Effect(o.Effect.String()), Obligations: o.Terms.Obligations,
			Audience: Audience{
				UserTypes: o.Terms.UserTypes, NotUserTypes: o.Terms.NotUserTypes,
				Territories: o.Terms.Territories, NotTerritories: o.Terms.NotTerritories,
			},
		})
	}
	return e
}

// statementsOf returns the statements behind a channel's answer.
func statementsOf(a *statements.Answer) []exports.Evidence {
	out := make([]exports.Evidence, len(a.Sources))
	for i := range a.Sources {
		s := &a.Sources[i]
		out[i] = exports.Evidence{
			Channel: string(a.Channel), URL: s.URL, Locator: s.Locator, Statement: s.Text, Origin: s.Origin,
			CheckedAt: formatInstant(s.CheckedAt), ValidUntil: formatInstant(s.ValidUntil), SHA256: s.Digest,
		}
	}
	return out
}

func (j *Judgement) preferenceEvidence(p *exports.Preference) []exports.Evidence {
	return []exports.Evidence{{
		Channel: publisherStatement, URL: exports.PublisherPath(j.doc.SiteID), Locator: "preference_signals[" + p.Use + "]",
		Statement: preferenceWords(p), CheckedAt: p.Since, Confirmation: j.confirmationOf(p.Use),
	}}
}

func preferenceWords(p *exports.Preference) string {
	words := p.Use + ": " + p.Declared + ", inquiry " + p.Inquiry
	if p.Retention != "" {
		words += ", retention " + p.Retention
	}
	return words
}

func offerEvidence(o *exports.Offer) []exports.Evidence {
	return []exports.Evidence{{
		Channel: "offer", URL: exports.OfferPath(o.LicenseID), Statement: o.LicenseID + " " + o.Status, CheckedAt: o.ValidFrom,
		ValidUntil: o.ValidUntil,
	}}
}

func (j *Judgement) confirmationOf(use string) string {
	for i := range j.Uses {
		if u := &j.Uses[i]; string(u.Use) == use {
			return u.Confirmation
		}
	}
	return ""
}

// formatInstant returns unix seconds as text, "" for 0.
func formatInstant(at int64) string {
	if at == 0 {
		return ""
	}
	return exports.Instant(time.Unix(at, 0))
}

// ResourceRights returns a judgement about some uses in its public form. If
// full is set, it includes the statements that decided nothing.
//
//go:noinline
func (j *Judgement) ResourceRights(r Resource, uses []string, full bool) exports.ResourceRights {
	out := exports.ResourceRights{
		EntryID: r.EntryID, SiteID: j.doc.SiteID, URL: r.URL, RightsVector: j.Vector, Policy: j.doc.Policy, Uses: []exports.UseVerdict{},
	}
	if out.URL == "" {
		out.URL = j.doc.SiteURL
	}
	n := newNumbering(j)
	for i := range j.Uses {
		u := &j.Uses[i]
		if !slices.Contains(uses, string(u.Use)) {
			continue
		}
		out.Uses = append(out.Uses, exports.UseVerdict{
			Use: string(u.Use), Verdict: u.Verdict, Reason: u.Reason, SignalsAgree: u.SignalsAgree, LicenseIDs: u.LicenseIDs,
			Obligations: u.Obligations, Retention: u.Retention, Basis: n.renumberBasis(u.Basis), DependsOn: u.DependsOn, Grant: u.Grant, GrantIDs: u.GrantIDs,
			Audiences: u.Audiences, Resource: j.Ask(u, out.URL),
		})
	}
	if full {
		n.renumberBasis(n.all())
	}
	out.Evidence = n.list
	for _, c := range j.Conflicts {
		if slices.Contains(uses, c.Use) {
			out.Conflicts = append(out.Conflicts, c)
		}
	}
	for _, x := range j.NotApplied {
		if slices.Contains(uses, x.Use) {
			out.NotApplied = append(out.NotApplied, x)
		}
	}
	return out
}

// Ask returns url, the resource to name in an inquiry about a use, or "" if asking
// leads nowhere. A declined use can still be asked for if some audience may ask.
func (j *Judgement) Ask(u *UseVerdict, url string) string {
	if !j.doc.AsksAllowed {
		return ""
	}
	switch u.Verdict {
	case "license_required", "unknown":
		return url
	case "declined":
		if u.SomeoneMayAsk {
			return url
		}
	}
	return ""
}

// numbering assigns a short id to each statement that is cited.
type numbering struct {
	*Judgement
	names map[exports.Evidence]string
	list  []exports.Evidence
}

func newNumbering(j *Judgement) *numbering {
	return &numbering{Judgement: j, names: map[exports.Evidence]string{}}
}

// all returns the ids of all evidence, in the order in which it was found.
func (n *numbering) all() []string {
	ids := slices.Clone(n.ids)
	for i := range n.doc.Preferences {
		ids = append(ids, statementID+n.doc.Preferences[i].Use)
	}
	for i := range n.doc.Offers {
		ids = append(ids, offerID+n.doc.Offers[i].LicenseID)
	}
	return ids
}

// statements returns the statements behind an evidence id.
func (n *numbering) statements(id string) []exports.Evidence {
	var out []exports.Evidence
	for i := range n.ids {
		if n.ids[i] == id {
			out = append(out, statementsOf(&n.found[i])...)
		}
	}
	use, stated := strings.CutPrefix(id, statementID)
	for i := range n.doc.Preferences {
		if p := &n.doc.Preferences[i]; stated && p.Use == use {
			out = append(out, n.preferenceEvidence(p)...)
		}
	}
	licence, offered := strings.CutPrefix(id, offerID)
	for i := range n.doc.Offers {
		if o := &n.doc.Offers[i]; offered && o.LicenseID == licence {
			out = append(out, offerEvidence(o)...)
		}
	}
	return out
}

func (n *numbering) renumberBasis(ids []string) []string {
	var out []string
	for _, id := range ids {
		for _, e := range n.statements(id) {
			name := n.numberedName(e)
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

func (n *numbering) numberedName(e exports.Evidence) string {
	if name, known := n.names[e]; known {
		return name
	}
	name := "ev" + strconv.Itoa(len(n.list)+1)
	n.names[e] = name
	e.ID = name
	n.list = append(n.list, e)
	return name
}
