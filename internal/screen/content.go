package screen

import (
	"cmp"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"colophon/exports"
	"colophon/internal/rights"
)

// Content counts what a data set consists of: its domains, and the reservations
// behind the verdicts. A Job counts it only on request, because there may be
// millions of domains.
type Content struct {
	Bytes   int64              `json:"bytes"`   // of texts
	Nowhere int64              `json:"nowhere"` // rows without a web address
	NoText  int64              `json:"no_text"` // rows with a web address alone
	Domains map[string]*Volume `json:"domains"`
	// By use and channel.
	Reservations map[string]map[string]*Reservation `json:"reservations"`
	Written      int64                              `json:"written"` // rows in the results
}

// Volume is how much of a data set something is.
type Volume struct {
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
}

// Reservation is what the statements of one channel reserve in a data set.
type Reservation struct {
	Rows        int64  `json:"rows"`
	LeftOut     int64  `json:"left_out"` // of them, rows that are not in the results
	FirstRead   string `json:"first_read,omitempty"`
	LastRead    string `json:"last_read,omitempty"`
	FromNetwork int64  `json:"from_network,omitempty"` // rows for which a CDN wrote the statement
}

// origins of a row: where it comes from, and what reserves it.
type origins struct {
	domain       string // "" without a web address
	bytes        int64
	reservations []reserved
}

// reserved is a channel whose statements decided that a use is reserved.
type reserved struct {
	use, channel, origin, first, last string
}

func newContent() *Content {
	return &Content{Domains: map[string]*Volume{}, Reservations: map[string]map[string]*Reservation{}}
}

// add counts a row; written says whether it is in the results.
func (c *Content) add(o *origins, written bool) {
	c.Bytes += o.bytes
	if written {
		c.Written++
	}
	if o.domain == "" {
		c.Nowhere++
	} else {
		v := c.Domains[o.domain]
		if v == nil {
			v = &Volume{}
			c.Domains[o.domain] = v
		}
		v.Rows++
		v.Bytes += o.bytes
		if o.bytes == 0 {
			c.NoText++
		}
	}
	for _, s := range o.reservations {
		c.reserve(s, written)
	}
}

func (c *Content) reserve(s reserved, written bool) {
	if c.Reservations[s.use] == nil {
		c.Reservations[s.use] = map[string]*Reservation{}
	}
	r := c.Reservations[s.use][s.channel]
	if r == nil {
		r = &Reservation{FirstRead: s.first}
		c.Reservations[s.use][s.channel] = r
	}
	r.Rows++
	if !written {
		r.LeftOut++
	}
	if s.origin != "" {
		r.FromNetwork++
	}
	if s.first != "" && (r.FirstRead == "" || s.first < r.FirstRead) {
		r.FirstRead = s.first
	}
	r.LastRead = max(r.LastRead, s.last)
}

// DomainShare is a domain with its part of a data set.
type DomainShare struct {
	Domain string `json:"domain"`
	Volume
	Share float64 `json:"share"` // percent
}

// measure says by what domains are compared: the bytes of their texts, or their
// rows if no row has both an address and a text.
func (c *Content) measure() string {
	for _, v := range c.Domains {
		if v.Bytes > 0 {
			return "bytes"
		}
	}
	return "rows"
}

// largest returns the largest domains of the data set by a measure, in falling
// order, as many as keep returns for the number of all.
func (c *Content) largest(measure string, keep func(all int) int) []DomainShare {
	bySize := func(v Volume) int64 {
		if measure == "bytes" {
			return v.Bytes
		}
		return v.Rows
	}
	list, all := make([]DomainShare, 0, len(c.Domains)), int64(0)
	for _, domain := range slices.Sorted(maps.Keys(c.Domains)) {
		v := *c.Domains[domain]
		list = append(list, DomainShare{Domain: domain, Volume: v})
		all += bySize(v)
	}
	slices.SortStableFunc(list, func(a, b DomainShare) int { return cmp.Compare(bySize(b.Volume), bySize(a.Volume)) })
	list = list[:min(len(list), keep(len(list)))]
	for i := range list {
		list[i].Share = float64(bySize(list[i].Volume)) * 100 / float64(max(all, 1))
	}
	return list
}

// originsOf returns where a row comes from, and what reserves it.
func (m *Matcher) originsOf(row *Row, found *Result) *origins {
	o := &origins{bytes: int64(len(row.Text)), domain: domainOf(row.URL)}
	for i := range found.Uses {
		o.reservations = append(o.reservations, found.Uses[i].reserved...)
	}
	return o
}

// domainOf returns the registrable domain of an address according to the Public
// Suffix List, or its host if it has none; "" for a text that is not a web
// address.
func domainOf(address string) string {
	if !isWebAddress(address) {
		return ""
	}
	host := ""
	if u, err := url.Parse(strings.TrimSpace(address)); err == nil {
		host = strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	} else if plain, ok := hostOf(nil, strings.TrimSpace(address)); ok { // browsers are not as strict
		host = string(plain)
	}
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil && net.ParseIP(host) == nil {
		return domain
	}
	return host
}

// reservationsOf returns the channels on whose statements a verdict on a
// resource rests. Resources that share an answer share them too.
func (m *Matcher) reservationsOf(judge *rights.Judge, answer *rights.Answer, about *rights.Resource, use exports.Use) []reserved {
	key := decided{answer, use}
	if list, known := m.decided[key]; known {
		return list
	}
	byChannel := map[string]*reserved{}
	for _, s := range judge.Statements(about, use) {
		r := byChannel[s.Channel]
		if r == nil {
			r = &reserved{use: string(use), channel: s.Channel, first: s.CheckedAt}
			byChannel[s.Channel] = r
		}
		if s.CheckedAt != "" && (r.first == "" || s.CheckedAt < r.first) {
			r.first = s.CheckedAt
		}
		r.last = max(r.last, s.CheckedAt)
		r.origin = max(r.origin, s.Origin)
	}
	var list []reserved
	for _, channel := range slices.Sorted(maps.Keys(byChannel)) {
		list = append(list, *byChannel[channel])
	}
	if len(m.decided) >= maxDecided {
		clear(m.decided)
	}
	m.decided[key] = list
	return list
}

// decided is a verdict whose statements are known.
type decided struct {
	answer *rights.Answer
	use    exports.Use
}

// maxDecided bounds the verdicts that a matcher remembers.
const maxDecided = 1 << 16
