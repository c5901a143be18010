package rights

import (
	"slices"

	"colophon/exports"
	"colophon/internal/wire/order"
)

// judge holds what counts for one use.
type judge struct {
	c   *Case
	q   Query
	use exports.Use

	inquiry    string
	conditions []string
	signals    []signal   // that hold and say something
	offers     []*Licence // open ones in scope
	paused     bool       // an offer in scope is paused
	stale      bool       // something went stale
	byAgent    bool       // an agent is told something else
	until      int64
	notApplied []NotApplied
}

// signal is one statement that holds: of a channel, or of the publisher.
type signal struct {
	id      string
	channel string
	effect  Effect
	options []Option
	fresh   bool
	end     int64
}

func (j *judge) gather(counts, passed []*Evidence) {
	j.until = j.q.At + maxValidity
	j.preference()
	for _, e := range counts {
		if e.Use == j.use {
			j.evidence(e)
		}
	}
	for _, e := range passed {
		if e.Use == j.use && e.Effect != Unknown {
			j.byAgent = j.byAgent || !saysTheSame(e, counts)
			j.skip(e.Channel, e.Value, "agent_specific")
		}
	}
	for i := range j.c.Offers {
		j.offer(&j.c.Offers[i])
	}
	order.By(j.signals, func(a, b *signal) int {
		if d := channelIndex(a.channel) - channelIndex(b.channel); d != 0 {
			return d
		}
		return compareWords(a.id, b.id)
	})
	order.By(j.offers, func(a, b **Licence) int { return compareWords((*a).LicenseID, (*b).LicenseID) })
	j.notApplied = uniqueNotApplied(j.notApplied)
}

// saysTheSame reports whether everybody is told what this agent is told.
func saysTheSame(e *Evidence, counts []*Evidence) bool {
	general := Effect("")
	for _, g := range counts {
		if g.Use == e.Use && g.Channel == e.Channel {
			general = stricter(general, g.Effect)
		}
	}
	return general == e.Effect
}

func (j *judge) preference() {
	j.inquiry = "unstated"
	for i := range j.c.Preferences {
		p := &j.c.Preferences[i]
		if p.Use != string(j.use) {
			continue
		}
		if since, ok := unix(p.Since); ok && since > j.q.At {
			j.skip("publisher_statement", p.Declared, "not_yet_stated")
			j.limit(since)
			continue
		}
		if stricterInquiry(p.Inquiry, j.inquiry) {
			j.inquiry = p.Inquiry
		}
		j.conditions = append(j.conditions, p.Conditions...)
		s := signal{id: p.Evidence, channel: "publisher_statement", effect: Effect(p.Declared), fresh: true}
		switch s.effect {
		case Allow:
			s.options = []Option{{Effect: Allow}}
			j.signals = append(j.signals, s)
		case Disallow:
			j.signals = append(j.signals, s)
		}
	}
}

// stricterInquiry orders not_offered before what invites an inquiry, so that
// a case with several statements of one use does not depend on their order.
func stricterInquiry(a, b string) bool {
	order := func(s string) int {
		switch s {
		case "not_offered":
			return 3
		case "conditional":
			return 2
		case "welcome":
			return 1
		}
		return 0
	}
	return order(a) > order(b)
}

func (j *judge) evidence(e *Evidence) {
	switch {
	case e.CheckedAt > j.q.At:
		j.skip(e.Channel, e.Value, "not_yet_observed")
		return
	case e.Effect == Unknown || e.Effect == "":
		if e.Why != "" {
			j.skip(e.Channel, e.Value, e.Why)
		}
		return
	}
	holds, stale := e.freshness(j.q.At)
	j.stale = j.stale || stale
	if !holds {
		j.skip(e.Channel, e.Value, "stale_evidence")
		return
	}
	s := signal{id: e.ID, channel: e.Channel, effect: e.Effect, options: e.Options, fresh: !stale, end: e.end(j.q.At)}
	if len(s.options) == 0 && e.Effect != Disallow {
		s.options = []Option{{Effect: e.Effect}}
	}
	j.signals = append(j.signals, s)
}

// offer keeps the offers that are open and in scope for the use.
func (j *judge) offer(o *Licence) {
	if !exports.OneOf(string(j.use), o.Permits) || exports.OneOf(string(j.use), o.Prohibits) || !j.c.covers(o) {
		return
	}
	from, _ := unix(o.ValidFrom)
	until, ends := unix(o.ValidUntil)
	switch {
	case o.Status == "retired", ends && until <= j.q.At:
	case from > j.q.At:
		j.limit(from)
	case o.Status == "paused":
		j.paused = true
		j.skip("offer", o.LicenseID, "offer_paused")
	case o.Status == "offered":
		j.offers = append(j.offers, o)
		if ends {
			j.limit(until)
		}
	}
}

// covers tells whether a resource is in the scope of an offer.
func (c *Case) covers(o *Licence) bool {
	s := &o.Scope
	if c.ContentFormat != "" && len(s.ContentFormats) > 0 && !exports.OneOf(c.ContentFormat, s.ContentFormats) {
		return false
	}
	if after, ok := unix(s.PublishedAfter); ok && c.PublishedAt != 0 && c.PublishedAt < after {
		return false
	}
	return pathInScope(c.Path, s.Paths, s.Excludes)
}

// pathInScope: no path is the whole site, which every offer touches.
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

// limit brings the end of the answer's validity forward.
func (j *judge) limit(instant int64) {
	if instant != 0 && instant < j.until {
		j.until = instant
	}
}

func (j *judge) skip(channel, value, why string) {
	j.notApplied = append(j.notApplied, NotApplied{j.use, channel, value, why})
}

// disagree: some signal allows and another does not.
func (j *judge) disagree() bool {
	allows, restricts := false, false
	for _, s := range j.signals {
		allows = allows || s.effect == Allow
		restricts = restricts || s.effect == Disallow || s.effect == Priced
	}
	return allows && restricts
}

// conflict lists the channels that disagree, one value a channel.
func (j *judge) conflict() (exports.Conflict, bool) {
	if !j.disagree() {
		return exports.Conflict{}, false
	}
	c := exports.Conflict{Use: string(j.use)}
	taken := Priced
	for _, s := range j.signals {
		if s.effect == Disallow {
			taken = Disallow
		}
		n := len(c.Between)
		if n > 0 && c.Between[n-1] == s.channel {
			c.Values[n-1] = string(stricter(Effect(c.Values[n-1]), s.effect))
			continue
		}
		c.Between = append(c.Between, s.channel)
		c.Values = append(c.Values, string(s.effect))
	}
	c.Taken = string(taken)
	return c, true
}

func stricter(a, b Effect) Effect {
	order := []Effect{Unknown, Allow, Priced, Disallow}
	return order[max(slices.Index(order, a), slices.Index(order, b), 0)]
}
