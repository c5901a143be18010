package rights

import (
	"sync"

	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// KeptDocument is what one version of the facts about a site says, in a form
// that can be kept for later questions. It says so from one instant until
// another, not beyond.
type KeptDocument struct {
	Document    *RightsDocument // nil for a site that may not appear
	From, Until string          // RFC 3339; Until is "" if no later instant changes it
}

// KeptDocumentAt returns what the origin's facts about a site say at an instant
// (RFC 3339), which is the present unless past is set. A document about the past
// is not for keeping: it has no end. It returns an error if a stored row cannot
// be read.
func KeptDocumentAt(x *origin.SiteRights, at string, past bool) (*KeptDocument, error) {
	k := &KeptDocument{From: at}
	if closed, gone := ClosedDocument(&x.Site); gone {
		k.Document = closed
		return k, nil
	}
	f := SiteSnapshot{
		Site: x.Site, Preferences: x.Preferences, Passports: x.Passports, Offers: x.Offers, Evidence: x.Evidence, Policies: x.Policies,
	}
	var err error
	k.Document, _, err = documentAt(&f, at, past)
	k.Until = f.changesAfter(at)
	return k, err
}

// changesAfter returns the first instant after at, at which the document of the
// present may say something else although no fact was written, or "" if there
// is none.
func (f *SiteSnapshot) changesAfter(at string) (first string) {
	note := func(instant string) {
		if instant > at && (first == "" || instant < first) {
			first = instant
		}
	}
	note(f.firstPolicy())
	for i := range f.Evidence {
		e := &f.Evidence[i]
		note(e.Since)
		note(e.CheckedAt)
		note(e.ReplacedAt)
	}
	for i := range f.Policies {
		note(f.Policies[i].EffectiveFrom)
		note(f.Policies[i].EffectiveUntil)
	}
	return first
}

// HoldsAt reports whether the document says at an instant what it says at From.
func (k *KeptDocument) HoldsAt(at string) bool {
	return k.From <= at && (k.Until == "" || at < k.Until)
}

func (k *KeptDocument) Members(m *wire.Members) {
	wire.OrNull(m, "document", &k.Document)
	m.String("from", &k.From)
	inactive, notYet := false, false
	if k.Document != nil {
		inactive, notYet = k.Document.inactive, k.Document.notYet
	}
	m.Bool("inactive", &inactive)
	m.Bool("not_yet", &notYet)
	m.String("until", &k.Until)
	if k.Document != nil && !m.Writing() {
		k.Document.inactive, k.Document.notYet = inactive, notYet
	}
}

// KeepJudgements makes the document keep its answers to questions without a
// buyer, for as long as time alone does not change them. It is for processes
// whose memory outlasts a request.
func (s *RightsDocument) KeepJudgements() {
	s.judgements = &judgements{index: statements.NewIndex(s.Documents), site: s.caseOf(&Resource{})}
}

// maxJudgements bounds the judgements of one document.
const maxJudgements = 32

// judgements are what a document answered from one instant until another, by
// audience and by what applies to the resource.
type judgements struct {
	index *statements.Index
	site  Case

	mu          sync.Mutex
	from, until int64
	known       map[string]Judgement
}

// evaluate is Evaluate for a question without a buyer. The answer is shared and
// must not be changed.
func (j *judgements) evaluate(s *RightsDocument, r *Resource, q Question) Judgement {
	about := addressOf(s, r)
	key := append(make([]byte, 0, 256), q.UserType+"\n"+q.Territory+"\n"+q.Agent+"\n"...)
	key = j.site.appendScope(key, r)
	key = j.index.AppendScope(key, about)

	j.mu.Lock()
	defer j.mu.Unlock()
	if j.known == nil || q.At < j.from || q.At >= j.until || len(j.known) >= maxJudgements {
		j.from, j.until, j.known = q.At, s.nextChange(q.At), map[string]Judgement{}
	}
	found, seen := j.known[string(key)]
	if !seen {
		found = s.judge(j.site.aboutResource(r), j.channelAnswers(about, q.Agent), q)
		j.known[string(key)] = found
	}
	return found
}

func (j *judgements) channelAnswers(about, agent string) []statements.Answer {
	if agent == "" {
		return j.index.Answers(about)
	}
	return j.index.Combine(about, agent)
}

// nextChange returns the first instant after at, at which answers may change
// with time alone.
func (s *RightsDocument) nextChange(at int64) int64 {
	next := int64(noEnd)
	for _, t := range s.changeInstants() {
		if t > at {
			next = min(next, t)
		}
	}
	return next
}
