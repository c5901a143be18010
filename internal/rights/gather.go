package rights

import (
	"cmp"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
)

// evaluation holds the statements that count for one use and one group of
// agents.
type evaluation struct {
	c   *Case
	q   Question
	use exports.Use

	inquiry    string
	conditions []string
	retained   []retained  // what is said about keeping a copy, whoever asks
	signals    []signal    // those that say something
	offers     []openOffer // in scope
	paused     bool        // an offer in scope is paused
	faded      bool        // a permission was not checked recently enough
	unread     bool        // a document that may mention the use was not read completely
	until      int64       // first instant at which the answer may change
	notApplied []exports.NotApplied
}

// signal is one statement, made by a channel or by the publisher itself.
type signal struct {
	id      string
	channel string
	effect  Effect
	options []Option // of a permission, at least one
	stale   bool     // its validity ended: it still restricts, but no longer permits
	end     int64    // of its validity, 0 if none
}

// retained is how long a copy may be kept, with the evidence that says so.
type retained struct {
	id, retention string
}

// openOffer is an offer in scope for the use. An offer that has ended permits
// nothing, but still excludes whom it excluded until something newer is known.
type openOffer struct {
	*Licence
	ended    bool
	possible bool // whether it counts depends on something unknown about the resource
}

// gatherStatements collects the statements about the use at the instant of the
// question.
func (v *evaluation) gatherStatements(told *reading) {
	v.until = noEnd
	newest := v.gatherPreference()
	for _, e := range told.evidence {
		if e.Use == v.use {
			v.gatherEvidence(e)
			if e.CheckedAt <= v.q.At {
				newest = max(newest, e.CheckedAt)
			}
		}
	}
	for i := range v.c.Offers {
		v.gatherOffer(&v.c.Offers[i], newest)
	}
	slices.SortFunc(v.signals, func(a, b signal) int {
		return cmp.Or(channelIndex(a.channel)-channelIndex(b.channel), strings.Compare(a.id, b.id))
	})
	slices.SortFunc(v.offers, func(a, b openOffer) int { return strings.Compare(a.LicenseID, b.LicenseID) })
}

// notePassedOver notes the evidence addressed to particular agents, which does
// not count for a question without an agent.
func (v *evaluation) notePassedOver() {
	for i := range v.c.Evidence {
		e := &v.c.Evidence[i]
		if e.Agent != "" && e.Use == v.use && e.Effect != Unknown {
			v.noteSkipped(e.Channel, e.Value, "agent_specific")
		}
	}
}

// gatherPreference adds the publisher's own statement and returns the instant
// of the newest one.
func (v *evaluation) gatherPreference() (newest int64) {
	v.inquiry = "unstated"
	for i := range v.c.Preferences {
		p := &v.c.Preferences[i]
		if p.Use != string(v.use) {
			continue
		}
		since, dated := parseUnix(p.Since)
		if dated && since > v.q.At {
			v.noteSkipped(publisherStatement, p.Declared, "not_yet_stated")
			v.limitValidity(since)
			continue
		}
		newest = max(newest, since)
		if stricterInquiry(p.Inquiry, v.inquiry) {
			v.inquiry = p.Inquiry
		}
		v.conditions = append(v.conditions, p.Conditions...)
		v.addRetention(p.Evidence, p.Retention)
		s := signal{id: p.Evidence, channel: publisherStatement, effect: Effect(p.Declared)}
		switch s.effect {
		case Allow:
			s.options = []Option{{Effect: Allow}}
			v.signals = append(v.signals, s)
		case Disallow:
			v.signals = append(v.signals, s)
		}
	}
	return newest
}

// stricterInquiry puts not_offered before what invites an inquiry, so that the
// result does not depend on the order of several statements about one use.
func stricterInquiry(a, b string) bool {
	rank := []string{"unstated", "welcome", "conditional", "not_offered"}
	return slices.Index(rank, a) > slices.Index(rank, b)
}

func (v *evaluation) gatherEvidence(e *Evidence) {
	if e.CheckedAt > v.q.At {
		v.noteSkipped(e.Channel, e.Value, "not_yet_observed")
		v.limitValidity(e.CheckedAt)
		return
	}
	v.unread = v.unread || e.Why == statements.WhyUnread
	v.addRetention(e.ID, e.Retention)
	if e.Effect == Unknown || e.Effect == "" {
		if e.Why != "" {
			v.noteSkipped(e.Channel, e.Value, e.Why)
		}
		return
	}
	s := signal{id: e.ID, channel: e.Channel, effect: e.Effect, options: e.Options, stale: e.isStale(v.q.At)}
	if !s.stale {
		s.end = e.ValidUntil
	}
	if e.Effect != Disallow && len(s.options) == 0 {
		s.options = []Option{{Effect: e.Effect}}
	}
	if s.stale && e.Effect == Allow {
		v.faded = true
		v.noteSkipped(e.Channel, e.Value, "stale_evidence")
	}
	v.signals = append(v.signals, s)
}

// gatherOffer adds an offer if it is in scope for the use. newest is the
// instant of the newest statement or observation about the use.
func (v *evaluation) gatherOffer(o *Licence, newest int64) {
	if !slices.Contains(o.Permits, string(v.use)) || slices.Contains(o.Prohibits, string(v.use)) {
		return
	}
	scope := v.c.compareScope(o)
	if scope == notCovered {
		return
	}
	open := openOffer{Licence: o, possible: scope == perhapsCovered}
	from, _ := parseUnix(o.ValidFrom)
	until, ends := parseUnix(o.ValidUntil)
	switch {
	case o.Status == "retired":
	case from > v.q.At:
		v.limitValidity(from)
	case ends && until <= v.q.At:
		if o.Status == "offered" && newest < until {
			open.ended = true
			v.offers = append(v.offers, open)
		}
	case o.Status == "paused":
		v.paused = true
		v.noteSkipped("offer", o.LicenseID, "offer_paused")
	case o.Status == "offered":
		v.offers = append(v.offers, open)
		if ends {
			v.limitValidity(until)
		}
	}
}

// coverage says whether a resource is in the scope of an offer.
type coverage uint8

const (
	notCovered coverage = iota
	perhapsCovered
	isCovered
)

// compareScope reports whether a resource is in the scope of an offer. A site
// as a whole, which has no path, is in the scope of each of its offers.
func (c *Case) compareScope(o *Licence) coverage {
	s := &o.Scope
	if !pathInScope(c.Path, s.Paths, s.Excludes) {
		return notCovered
	}
	covered := min(c.formatInScope(s), c.dateInScope(s))
	if covered == perhapsCovered && c.Path == "" {
		return isCovered
	}
	return covered
}

func (c *Case) formatInScope(s *exports.OfferScope) coverage {
	switch {
	case len(s.ContentFormats) == 0 || slices.Contains(s.ContentFormats, c.ContentFormat):
		return isCovered
	case c.ContentFormat == "":
		return perhapsCovered
	}
	return notCovered
}

func (c *Case) dateInScope(s *exports.OfferScope) coverage {
	after, limited := parseUnix(s.PublishedAfter)
	switch {
	case !limited || c.PublishedAt >= after:
		return isCovered
	case c.PublishedAt == 0:
		return perhapsCovered
	}
	return notCovered
}

// pathInScope reports whether a path is in a scope. An empty path means the
// whole site, which every scope touches.
func pathInScope(path string, paths, excludes []string) bool {
	if path == "" {
		return true
	}
	for _, p := range excludes {
		if exports.MatchPattern(p, path) {
			return false
		}
	}
	for _, p := range paths {
		if exports.MatchPattern(p, path) {
			return true
		}
	}
	return len(paths) == 0
}

// limitValidity brings the end of the answer's validity forward.
func (v *evaluation) limitValidity(instant int64) {
	if instant != 0 && instant < v.until {
		v.until = instant
	}
}

func (v *evaluation) addRetention(id, retention string) {
	if retention != "" {
		v.retained = append(v.retained, retained{id, retention})
	}
}

func (v *evaluation) noteSkipped(channel, value, why string) {
	v.notApplied = append(v.notApplied, exports.NotApplied{Use: string(v.use), Channel: channel, Value: value, Why: why})
}

// listAudiences returns every audience that limits a statement about the use.
func (v *evaluation) listAudiences() []*Audience {
	var out []*Audience
	for i := range v.signals {
		for k := range v.signals[i].options {
			out = append(out, &v.signals[i].options[k].Audience)
		}
	}
	for _, o := range v.offers {
		out = append(out, o.audienceOf())
	}
	return out
}

func (o *Licence) audienceOf() *Audience {
	return &Audience{UserTypes: o.UserTypes, Territories: o.Territories, NotTerritories: o.NotIn}
}

// stillCounts reports whether a signal counts when channels are compared: a
// stale permission contradicts nothing.
func (s *signal) stillCounts() bool { return !s.stale || s.effect != Allow }

// channelsDisagree reports whether some signal allows and another does not.
func (v *evaluation) channelsDisagree() bool {
	allows, restricts := false, false
	for i := range v.signals {
		if s := &v.signals[i]; s.stillCounts() {
			allows = allows || s.effect == Allow
			restricts = restricts || s.effect == Disallow || s.effect == Priced
		}
	}
	return allows && restricts
}

// findConflict returns the channels that disagree, with one value for each.
func (v *evaluation) findConflict() (exports.Conflict, bool) {
	if !v.channelsDisagree() {
		return exports.Conflict{}, false
	}
	c := exports.Conflict{Use: string(v.use)}
	taken := Priced
	for i := range v.signals {
		s := &v.signals[i]
		if !s.stillCounts() {
			continue
		}
		if s.effect == Disallow {
			taken = Disallow
		}
		n := len(c.Between)
		if n > 0 && c.Between[n-1] == s.channel {
			c.Values[n-1] = string(stricterEffect(Effect(c.Values[n-1]), s.effect))
			continue
		}
		c.Between = append(c.Between, s.channel)
		c.Values = append(c.Values, string(s.effect))
	}
	c.Taken = string(taken)
	return c, true
}

func stricterEffect(a, b Effect) Effect {
	order := []Effect{Unknown, Allow, Priced, Disallow}
	return order[max(slices.Index(order, a), slices.Index(order, b), 0)]
}
