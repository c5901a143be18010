package rights

import (
	"sync"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
)

// Precompute makes the snapshot ready to give vectors. latest is the instant
// of the origin's last change (RFC 3339): what is published is judged then. It
// fails as RightsDocumentAt does.
func (f *SiteSnapshot) Precompute(latest string) error {
	if !Public(f.Site) {
		return nil
	}
	own := f.PolicyChanged()
	for _, e := range f.Evidence {
		own = max(own, e.CheckedAt)
	}
	latest = max(latest, own)
	doc, _, err := RightsDocumentAt(f, latest)
	if err != nil {
		return err
	}
	f.shared = newSharedEvaluator(doc, doc.lastChange(own, latest))
	return nil
}

// lastChange returns the last instant, from own to latest, at which an answer
// about the site could become another one: where something began or ended.
// Until latest nothing changes, so what is judged then is as good as what is
// judged at latest, and stays the same while only time passes.
func (s *RightsDocument) lastChange(own, latest string) string {
	last, _ := parseUnix(own)
	limit, _ := parseUnix(latest)
	for _, t := range s.changeInstants() {
		if t > last && t <= limit {
			last = t
		}
	}
	return formatInstant(last)
}

// changeInstants lists the instants at which time alone changes what is answered, in
// unix seconds and no order.
func (s *RightsDocument) changeInstants() []int64 {
	var out []int64
	for i := range s.Documents {
		d := &s.Documents[i]
		out = append(out, d.CheckedAt)
		if d.ValidUntil != 0 {
			out = append(out, d.ValidUntil+1)
		}
	}
	for i := range s.Preferences {
		since, _ := parseUnix(s.Preferences[i].Since)
		out = append(out, since)
	}
	for i := range s.Offers {
		from, _ := parseUnix(s.Offers[i].ValidFrom)
		until, _ := parseUnix(s.Offers[i].ValidUntil)
		out = append(out, from, until)
	}
	return out
}

// newSharedEvaluator returns the evaluator made by Precompute. If Precompute was not called,
// it makes one for the instant of the site's own last change. A site that is not public, or
// cannot be read, gets an evaluator of an empty document.
func (f *SiteSnapshot) newSharedEvaluator() *sharedEvaluator {
	if f.shared == nil {
		if f.Precompute("") != nil || f.shared == nil {
			return newSharedEvaluator(&RightsDocument{}, "")
		}
	}
	return f.shared
}

// JudgedAt returns the instant at which every vector of the site was judged.
func (f *SiteSnapshot) JudgedAt() string { return f.newSharedEvaluator().at }

// Vector returns the rights vector of the whole site: one letter for each use
// in the fixed order, as its home page answers when every offer counts.
func (f *SiteSnapshot) Vector() string {
	return f.newSharedEvaluator().ofSite().Vector
}

// ResourceRights returns for each use what follows for the whole site, why, and from
// which statements.
func (f *SiteSnapshot) ResourceRights() exports.ResourceRights {
	r := f.newSharedEvaluator()
	j := r.doc.Evaluate(Resource{}, r.query, nil, false)
	return j.ResourceRights(Resource{}, exports.UseWords(), false)
}

// Conflicts returns the uses on which the channels of the site disagree.
func (f *SiteSnapshot) Conflicts() []exports.Conflict {
	return f.newSharedEvaluator().ofSite().Conflicts
}

// Doubts returns the statements of the publisher that its channels do not
// confirm.
func (f *SiteSnapshot) Doubts() []exports.StatementDoubt {
	return f.newSharedEvaluator().ofSite().Confirmations()
}

// VectorFor returns the rights vector of one page.
func (f *SiteSnapshot) VectorFor(p *origin.Page) string {
	about := ResourceOf(p)
	return f.newSharedEvaluator().evaluateVector(&about)
}

// ResourceOf returns a registered page as a question is about it.
func ResourceOf(p *origin.Page) Resource {
	r := Resource{EntryID: p.EntryID, URL: p.CanonicalURL, ContentFormat: p.ContentFormat, PublishedAt: p.PublishedAt}
	if p.State != "active" {
		r.State = EntryWithdrawn
	}
	return r
}

// sharedEvaluator answers the unnamed question for many resources of one site
// at one instant. Pages to which the same statements and offers apply share
// one evaluation. It may be used from several goroutines.
type sharedEvaluator struct {
	doc   *RightsDocument
	at    string
	index *statements.Index
	query Question
	site  Case // what holds for every page of the site

	mu     sync.Mutex
	answer *Answer           // about the site as a whole
	known  map[string]string // vectors: an answer takes a hundred times their room
}

func newSharedEvaluator(s *RightsDocument, at string) *sharedEvaluator {
	r := &sharedEvaluator{doc: s, at: at, index: statements.NewIndex(s.Documents), known: map[string]string{}}
	r.query.At, _ = parseUnix(at)
	r.site = s.caseOf(&Resource{})
	return r
}

// ofSite answers for the site as a whole. The answer is shared and must not be
// changed.
func (r *sharedEvaluator) ofSite() *Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answer == nil {
		r.answer = r.evaluateResource(&Resource{})
	}
	return r.answer
}

// evaluateVector answers for a resource.
func (r *sharedEvaluator) evaluateVector(about *Resource) string {
	var room [256]byte
	key := r.appendKey(room[:0], about)

	r.mu.Lock()
	known := r.known[string(key)]
	r.mu.Unlock()
	if known != "" {
		return known
	}

	vector := r.evaluateResource(about).Vector
	r.mu.Lock()
	if len(r.known) < maxKnown {
		r.known[string(key)] = vector
	}
	r.mu.Unlock()
	return vector
}

func (r *sharedEvaluator) evaluateResource(about *Resource) *Answer {
	c := r.site.aboutResource(about)
	found := r.index.Answers(r.resourceAddress(about))
	for i := range found {
		c.Evidence = append(c.Evidence, EvidenceOf(&found[i]))
	}
	a := Evaluate(&c, r.query)
	return &a
}

// resourceAddress returns where a resource is: a site as a whole is its home
// page.
func (r *sharedEvaluator) resourceAddress(about *Resource) string {
	if about.URL == "" {
		return r.doc.SiteURL
	}
	return about.URL
}

// maxKnown bounds what one site costs in memory.
const maxKnown = 4096

// appendKey appends what distinguishes pages that are judged differently: which statements and offers
// apply, and the state of the page.
func (r *sharedEvaluator) appendKey(key []byte, about *Resource) []byte {
	c := r.site.aboutResource(about)
	key = append(key, about.State...)
	key = append(key, '/')
	for i := range c.Offers {
		key = append(key, byte(c.compareScope(&c.Offers[i])))
	}
	if about.URL == "" {
		key = append(key, '*')
	}
	return r.index.AppendScope(append(key, '/'), r.resourceAddress(about))
}

// Judge answers the unnamed question about many resources of one site at one
// instant, as Evaluate would. It may be used from several goroutines.
type Judge struct {
	shared *sharedEvaluator

	mu    sync.Mutex
	known map[string]*Answer
}

// NewJudge judges by a document at an instant (RFC 3339).
func NewJudge(doc *RightsDocument, at string) *Judge {
	return &Judge{shared: newSharedEvaluator(doc, at), known: map[string]*Answer{}}
}

// Evaluate answers for a resource, without the statements of channels, which Statements
// returns. The answer is shared and must not be changed.
func (j *Judge) Evaluate(about *Resource) Judgement {
	var room [256]byte
	key := j.shared.appendKey(room[:0], about)
	j.mu.Lock()
	defer j.mu.Unlock()
	a := j.known[string(key)]
	if a == nil {
		a = j.shared.evaluateResource(about)
		if len(j.known) < maxKnown {
			j.known[string(key)] = a
		}
	}
	return Judgement{Answer: a, doc: j.shared.doc}
}

// Statements returns those on which the verdict on a use of a resource rests.
func (j *Judge) Statements(about *Resource, use exports.Use) []exports.Evidence {
	judged := j.shared.doc.Evaluate(*about, j.shared.query, nil, false)
	return judged.ResourceRights(*about, []string{string(use)}, false).Evidence
}

// CombineVerdicts returns the verdict for two resources together: that of both,
// or the one that allows less.
func CombineVerdicts(a, b string) string { return combineVerdicts(a, b) }
