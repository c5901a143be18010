package rights

import (
	"sync"

	"colophon/exports"
	"colophon/internal/channel/said"
	"colophon/internal/origin"
)

// Precompute makes the facts ready to give vectors. at is the instant of the
// origin's last change: what the site shows as a whole is judged then. What is
// signed about a page is judged at the instant of the site's own last change,
// so that time that only passed makes no new records.
func (f *SiteSnapshot) Precompute(at string) error {
	if !Public(f.Site) {
		return nil
	}
	own := f.PolicyChanged()
	for _, e := range f.Evidence {
		own = max(own, e.CheckedAt)
	}
	for _, x := range []struct {
		at  string
		out **rulings
	}{{max(at, own), &f.overview}, {own, &f.asOf}} {
		s, _, err := RightsDocumentAt(f, x.at)
		if err != nil {
			return err
		}
		*x.out = newRulings(s, x.at)
	}
	return nil
}

// precomputed returns the rulings, made for the site's own last change when
// Precompute was not called.
func (f *SiteSnapshot) precomputed(signed bool) *rulings {
	if f.overview == nil {
		if f.Precompute("") != nil || f.overview == nil {
			return newRulings(&RightsDocument{}, "")
		}
	}
	if signed {
		return f.asOf
	}
	return f.overview
}

// Vector is the rights vector of the whole site: one letter for each use in
// the fixed order, as its home page answers when every offer counts.
func (f *SiteSnapshot) Vector() string { return f.whole().Vector }

// Conflicts are the uses on which the channels of the site disagree.
func (f *SiteSnapshot) Conflicts() []exports.Conflict { return f.whole().Conflicts }

func (f *SiteSnapshot) whole() Answer {
	r := f.precomputed(false)
	return r.judge(&Resource{})
}

// VectorFor is the rights vector of one page.
func (f *SiteSnapshot) VectorFor(p *origin.Page) string {
	r := f.precomputed(false)
	return r.vector(p)
}

func (r *rulings) vector(p *origin.Page) string {
	about := ResourceOf(p)
	a := r.judge(&about)
	return a.Vector
}

// ResourceOf is a registered page as a question is about it.
func ResourceOf(p *origin.Page) Resource {
	r := Resource{EntryID: p.EntryID, URL: p.CanonicalURL, ContentFormat: p.ContentFormat, PublishedAt: p.PublishedAt}
	if p.State != "active" {
		r.State = EntryWithdrawn
	}
	return r
}

// rulings answers for many resources of one site at one instant. Pages to
// which the same statements and offers apply share one evaluation. It may be
// used from several goroutines.
type rulings struct {
	doc   *RightsDocument
	index *said.Index
	query Query

	mu    sync.Mutex
	known map[string]Answer
}

func newRulings(s *RightsDocument, at string) *rulings {
	r := &rulings{doc: s, index: said.NewIndex(s.Documents), query: Query{AnyAudience: true}, known: map[string]Answer{}}
	r.query.At, _ = unix(at)
	return r
}

func (r *rulings) judge(about *Resource) Answer {
	c := r.doc.facts(about)
	key := r.key(about, &c)
	r.mu.Lock()
	a, ok := r.known[key]
	r.mu.Unlock()
	if ok {
		return a
	}
	url := about.URL
	if url == "" {
		url = r.doc.SiteURL
	}
	found := r.index.Combine(url, "")
	for i := range found {
		e := EvidenceOf(&found[i])
		e.ID = e.Channel
		c.Evidence = append(c.Evidence, e)
	}
	a = Evaluate(&c, r.query)
	r.mu.Lock()
	if len(r.known) < maxKnown {
		r.known[key] = a
	}
	r.mu.Unlock()
	return a
}

// maxKnown bounds what one site costs in memory.
const maxKnown = 4096

// key tells apart what is judged differently: which statements and offers
// apply, and the state of the page.
func (r *rulings) key(about *Resource, c *Case) string {
	url := about.URL
	if url == "" {
		url = r.doc.SiteURL
	}
	bits := bitset{}
	for i := range c.Offers {
		bits.add(c.covers(&c.Offers[i]))
	}
	bits.add(about.URL == "")
	return string(about.State) + string(bits.bytes) + r.index.Scope(url)
}

type bitset struct {
	bytes []byte
	n     int
}

func (b *bitset) add(yes bool) {
	if b.n%8 == 0 {
		b.bytes = append(b.bytes, 0)
	}
	if yes {
		b.bytes[b.n/8] |= 1 << (b.n % 8)
	}
	b.n++
}
