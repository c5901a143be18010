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
	f.judge = NewJudge(doc, doc.lastChange(own, latest))
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

// ownJudge returns the judge made by Precompute or, if Precompute was not
// called, one for the instant of the site's own last change. A site that is not
// public or cannot be read gets a judge of an empty document.
func (f *SiteSnapshot) ownJudge() *Judge {
	if f.judge == nil && (f.Precompute("") != nil || f.judge == nil) {
		return NewJudge(&RightsDocument{}, "")
	}
	return f.judge
}

// JudgedAt returns the instant at which every vector of the site was judged.
func (f *SiteSnapshot) JudgedAt() string { return f.ownJudge().at }

// Vector returns the rights vector of the whole site, one letter for each use
// in their fixed order: the verdicts on its home page if every offer counted.
func (f *SiteSnapshot) Vector() string {
	return f.ownJudge().Evaluate(&Resource{}).Vector
}

// ResourceRights returns, for each use, the verdict on the whole site, its
// reason and the statements behind it.
func (f *SiteSnapshot) ResourceRights() exports.ResourceRights {
	j := f.ownJudge()
	judged := j.doc.Evaluate(Resource{}, j.query, nil, false)
	return judged.ResourceRights(Resource{}, exports.UseWords(), false)
}

// Conflicts returns the uses on which the channels of the site disagree.
func (f *SiteSnapshot) Conflicts() []exports.Conflict {
	return f.ownJudge().Evaluate(&Resource{}).Conflicts
}

// Doubts returns the statements of the publisher that its channels do not
// confirm.
func (f *SiteSnapshot) Doubts() []exports.StatementDoubt {
	return f.ownJudge().Evaluate(&Resource{}).Confirmations()
}

// VectorFor returns the rights vector of one page.
func (f *SiteSnapshot) VectorFor(p *origin.Page) string {
	about := ResourceOf(p)
	return f.ownJudge().evaluateVector(&about)
}

// ResourceOf returns a registered page as the subject of a question.
func ResourceOf(p *origin.Page) Resource {
	r := Resource{EntryID: p.EntryID, URL: p.CanonicalURL, ContentFormat: p.ContentFormat, PublishedAt: p.PublishedAt}
	if p.State != "active" {
		r.State = EntryWithdrawn
	}
	return r
}

// Judge answers questions that name no audience about many resources of one
// site at one instant, as Evaluate would. Pages to which the same statements
// and offers apply share one evaluation. It is safe for concurrent use.
type Judge struct {
	doc   *RightsDocument
	at    string
	index *statements.Index
	query Question
	site  Case // what holds for every page of the site

	mu      sync.Mutex
	answers map[string]*Answer
	vectors map[string]string // without their answers, which take a hundred times the memory
}

// NewJudge returns a Judge that uses a document as of an instant (RFC 3339).
func NewJudge(doc *RightsDocument, at string) *Judge {
	j := &Judge{
		doc: doc, at: at, index: statements.NewIndex(doc.Documents), site: doc.caseOf(&Resource{}),
		answers: map[string]*Answer{}, vectors: map[string]string{},
	}
	j.query.At, _ = parseUnix(at)
	return j
}

// Evaluate returns the answer about a resource, without the statements of
// channels, which Statements returns. The answer is shared and must not be
// changed.
func (j *Judge) Evaluate(about *Resource) Judgement {
	var room [256]byte
	key := j.appendKey(room[:0], about)
	j.mu.Lock()
	defer j.mu.Unlock()
	a := j.answers[string(key)]
	if a == nil {
		a = j.evaluateResource(about)
		if len(j.answers) < maxKnown {
			j.answers[string(key)] = a
		}
	}
	return Judgement{Answer: a, doc: j.doc}
}

// Statements returns the statements behind the verdict on one use of a
// resource.
func (j *Judge) Statements(about *Resource, use exports.Use) []exports.Evidence {
	judged := j.doc.Evaluate(*about, j.query, nil, false)
	return judged.ResourceRights(*about, []string{string(use)}, false).Evidence
}

// evaluateVector returns the rights vector of a resource.
func (j *Judge) evaluateVector(about *Resource) string {
	var room [256]byte
	key := j.appendKey(room[:0], about)

	j.mu.Lock()
	known := j.vectors[string(key)]
	j.mu.Unlock()
	if known != "" {
		return known
	}

	vector := j.evaluateResource(about).Vector
	j.mu.Lock()
	if len(j.vectors) < maxKnown {
		j.vectors[string(key)] = vector
	}
	j.mu.Unlock()
	return vector
}

func (j *Judge) evaluateResource(about *Resource) *Answer {
	return j.evaluateFound(about, j.index.Answers(addressOf(j.doc, about)))
}

// evaluateFound judges a resource of which the channels say what was found.
func (j *Judge) evaluateFound(about *Resource, found []statements.Answer) *Answer {
	c := j.site.aboutResource(about)
	for i := range found {
		c.Evidence = append(c.Evidence, EvidenceOf(&found[i]))
	}
	a := Evaluate(&c, j.query)
	return &a
}

// maxKnown bounds the answers and the vectors remembered for one site.
const maxKnown = 4096

// appendKey appends everything by which pages can be judged differently: which
// statements and offers apply, and the state of the page.
func (j *Judge) appendKey(key []byte, about *Resource) []byte {
	return j.index.AppendScope(j.site.appendScope(key, about), addressOf(j.doc, about))
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

// CombineVerdicts returns the verdict on two resources together: the common
// one, or the one that allows less.
func CombineVerdicts(a, b string) string { return combineVerdicts(a, b) }
