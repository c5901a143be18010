package rights

import (
	"sync"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
)

// Precompute prepares the snapshot to return vectors. latest is the instant of
// the origin's last change (RFC 3339), at which published facts are judged. It
// returns the same errors as RightsDocumentAt.
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
// about the site could change because something began or ended. A verdict
// judged then equals one judged at latest, and its date stays the same while
// only time passes.
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

// changeInstants returns the instants at which answers change with time alone,
// in unix seconds and in no particular order.
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

// newSharedEvaluator returns the evaluator made by Precompute or, if Precompute
// was not called, one for the instant of the site's own last change. A site
// that is not public or cannot be read gets an evaluator of an empty document.
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

// Vector returns the rights vector of the whole site, one letter for each use
// in their fixed order: the verdicts on its home page if every offer counted.
func (f *SiteSnapshot) Vector() string {
	return f.newSharedEvaluator().ofSite().Vector
}

// ResourceRights returns, for each use, the verdict on the whole site, its
// reason and the statements behind it.
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

// ResourceOf returns a registered page as the subject of a question.
func ResourceOf(p *origin.Page) Resource {
	r := Resource{EntryID: p.EntryID, URL: p.CanonicalURL, ContentFormat: p.ContentFormat, PublishedAt: p.PublishedAt}
	if p.State != "active" {
		r.State = EntryWithdrawn
	}
	return r
}

// sharedEvaluator answers questions that name no audience about many resources
// of one site at one instant. Pages to which the same statements and offers
// apply share one evaluation. It is safe for concurrent use.
type sharedEvaluator struct {
	doc   *RightsDocument
	at    string
	index *statements.Index
	query Question
	site  Case // what holds for every page of the site

	mu     sync.Mutex
	answer *Answer           // about the site as a whole
	known  map[string]string // vectors only: an answer takes a hundred times the memory
}

func newSharedEvaluator(s *RightsDocument, at string) *sharedEvaluator {
	r := &sharedEvaluator{doc: s, at: at, index: statements.NewIndex(s.Documents), known: map[string]string{}}
	r.query.At, _ = parseUnix(at)
	r.site = s.caseOf(&Resource{})
	return r
}

// ofSite returns the answer for the site as a whole, which is shared and must
// not be changed.
func (r *sharedEvaluator) ofSite() *Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answer == nil {
		r.answer = r.evaluateResource(&Resource{})
	}
	return r.answer
}

// evaluateVector returns the rights vector of a resource.
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
	found := r.index.Answers(addressOf(r.doc, about))
	for i := range found {
		c.Evidence = append(c.Evidence, EvidenceOf(&found[i]))
	}
	a := Evaluate(&c, r.query)
	return &a
}

// maxKnown bounds the vectors remembered for one site.
const maxKnown = 4096

// appendKey appends everything by which pages can be judged differently: which
// statements and offers apply, and the state of the page.
func (r *sharedEvaluator) appendKey(key []byte, about *Resource) []byte {
	return r.index.AppendScope(r.site.appendScope(key, about), addressOf(r.doc, about))
}

// appendScope appends the state of a resource and which offers of the site apply
// to it.
func (c Case) appendScope(key []byte, about *Resource) []byte {
	c = c.aboutResource(about)
	key = append(key, about.State...)
	key = append(key, '/')
	for i := range c.Offers {
		key = append(key, byte(c.compareScope(&c.Offers[i])))
	}
	if about.URL == "" {
		key = append(key, '*')
	}
	return append(key, '/')
}

// Judge answers questions that name no audience about many resources of one
// site at one instant, as Evaluate would. It is safe for concurrent use.
type Judge struct {
	shared *sharedEvaluator

	mu    sync.Mutex
	known map[string]*Answer
}

// NewJudge returns a Judge that uses a document as of an instant (RFC 3339).
func NewJudge(doc *RightsDocument, at string) *Judge {
	return &Judge{shared: newSharedEvaluator(doc, at), known: map[string]*Answer{}}
}

// Evaluate returns the answer about a resource, without the statements of
// channels, which Statements returns. The answer is shared and must not be
// changed.
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

// Statements returns the statements behind the verdict on one use of a
// resource.
func (j *Judge) Statements(about *Resource, use exports.Use) []exports.Evidence {
	judged := j.shared.doc.Evaluate(*about, j.shared.query, nil, false)
	return judged.ResourceRights(*about, []string{string(use)}, false).Evidence
}

// CombineVerdicts returns the verdict on two resources together: the common
// one, or the one that allows less.
func CombineVerdicts(a, b string) string { return combineVerdicts(a, b) }
