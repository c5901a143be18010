package rightscheck

import (
	"context"
	"errors"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Bounds of a batch of rights checks.
const (
	maxBatchBody = 512 << 10
	maxBatchRead = 800 // published files read, if they answer
)

// Batch answers the rights check for many keys at once, each as a single check
// would, but without the evidence.
func (s *Service) Batch(ctx context.Context, c *request.Call) (*edge.Response, error) {
	var body exports.RightsBatch
	if _, err := c.DecodeBody(&body, maxBatchBody); err != nil {
		return nil, err
	}
	q, err := s.parseBatch(c, &body)
	if err != nil {
		return nil, err
	}
	a, err := s.answerBatch(ctx, q)
	if err != nil {
		return nil, err
	}
	resp := request.Record(200, a)
	resp.Header.Set("cache-control", c.Endpoint.Cache)
	return resp, nil
}

// batchQuestion is a checked batch.
type batchQuestion struct {
	id   string // of the request, for the log
	now  time.Time
	uses []string
	keys []batchKey
}

// batchKey is one key of a batch.
type batchKey struct {
	Question
	fault string // why it cannot be looked up
}

func (s *Service) parseBatch(c *request.Call, body *exports.RightsBatch) (*batchQuestion, error) {
	uses, _, err := parseUses("/uses", body.Uses)
	if err != nil {
		return nil, err
	}
	q := &batchQuestion{id: c.ID, now: s.Now(), uses: uses}
	for _, url := range body.URLs {
		q.addKey("url", url)
	}
	for _, digest := range body.Fingerprints {
		q.addKey("fingerprint", digest)
	}
	for _, code := range body.ISCCs {
		q.addKey("iscc", code)
	}
	for _, id := range body.EntryIDs {
		q.addKey("entry_id", id)
	}
	return q, nil
}

// addKey adds a key. A key without a normal form gets an answer that says so,
// and does not make the batch fail.
func (q *batchQuestion) addKey(name, value string) {
	k := batchKey{Question: Question{now: q.now, at: q.now}}
	k.Uses = q.uses
	k.At = exports.Instant(q.now)
	k.fault = k.setKey(name, value)
	q.keys = append(q.keys, k)
}

// answerBatch asks the origin, or published files if there is no origin or it
// fails.
func (s *Service) answerBatch(ctx context.Context, q *batchQuestion) (*exports.RightsBatchAnswer, error) {
	if s.Rights != nil {
		from, err := s.readBatch(ctx, q)
		if err == nil {
			return q.answerFrom(ctx, from, "origin")
		}
		if !s.originFailed(ctx, "batch "+q.id, err) {
			return nil, err
		}
	}
	counted := &countedAssets{Assets: s.Files.Assets, left: maxBatchRead, read: map[string][]byte{}}
	index := catalog.New(counted, s.Now)
	a, err := q.answerFrom(ctx, publishedSource{index, &files.Service{Assets: counted, Releases: index}}, "static")
	if counted.left < 0 {
		return nil, &problem.Failure{Code: "origin_unavailable", Detail: "Without the origin fewer keys can be answered at once: ask for 50.", Retry: 30}
	}
	return a, err
}

// countedAssets reads each file once, and a limited number of files.
type countedAssets struct {
	files.Assets
	left int
	read map[string][]byte
}

var errManyFiles = errors.New("too many published files for one answer")

// Read returns a file.
func (a *countedAssets) Read(ctx context.Context, key string) ([]byte, error) {
	if b, ok := a.read[key]; ok {
		return b, nil
	}
	if a.left--; a.left < 0 {
		return nil, errManyFiles
	}
	b, err := a.Assets.Read(ctx, key)
	if err == nil {
		a.read[key] = b
	}
	return b, err
}

// answerFrom answers each key as if it were asked alone. Keys share the
// evaluations of a site.
func (q *batchQuestion) answerFrom(ctx context.Context, from source, by string) (*exports.RightsBatchAnswer, error) {
	at := exports.Instant(q.now)
	judges := map[*rights.RightsDocument]*rights.Judge{}
	x := newAnswering(from, by, func(_ context.Context, _ *Question, doc *rights.RightsDocument, r *rights.Resource) (rights.Judgement, error) {
		if judges[doc] == nil {
			judges[doc] = rights.NewJudge(doc, at)
		}
		return judges[doc].Evaluate(r), nil
	})
	out := &exports.RightsBatchAnswer{AnsweredBy: by, EvaluatedAt: at, Uses: q.uses}
	for i := range q.keys {
		k := &q.keys[i]
		a := x.unanswered(&k.Question)
		if k.fault == "" {
			var err error
			if a, err = x.answer(ctx, &k.Question); err != nil {
				return nil, err
			}
		}
		if i == 0 || a.ValidUntil < out.ValidUntil {
			out.ValidUntil = a.ValidUntil
		}
		r := exports.AbridgeAnswer(a)
		r.Fault = k.fault
		out.Results = append(out.Results, r)
	}
	return out, nil
}

// readBatch reads everything that a batch is about, in six statements at most
// however many keys there are.
func (s *Service) readBatch(ctx context.Context, q *batchQuestion) (*originSource, error) {
	l := newOriginSource(s.Rights, s.Documents)
	keys := q.lookups()
	found, err := s.Rights.RightsPages(ctx, keys)
	if err != nil {
		return nil, err
	}
	if len(found.Pages) > origin.MaxBatchFound || len(found.Hosts) > origin.MaxBatchFound {
		return nil, tooManyFound()
	}
	if codes := q.codes(); len(codes) > 0 {
		if err := l.readReservations(ctx, &Question{}, codes...); err != nil {
			return nil, err
		}
	}
	for i := range found.Pages {
		l.addPage(&found.Pages[i])
	}
	for _, host := range keys.Hosts {
		l.hosts[host] = nil
	}
	for _, h := range found.Hosts {
		l.hosts[h.Host] = append(l.hosts[h.Host], h.SiteID)
	}
	_, err = l.readSites(ctx, found.Versions, exports.Instant(q.now), false)
	return l, err
}

func tooManyFound() error {
	return problem.Reject("/urls", "too_many", "The keys have more than 4000 candidates. Ask for fewer at once.")
}

// codes returns the codes of content among the keys of a batch.
func (q *batchQuestion) codes() (codes []string) {
	for i := range q.keys {
		if k := &q.keys[i]; k.fault == "" && (k.Key == "fingerprint" || k.Key == "iscc") {
			codes = append(codes, k.Normalized)
		}
	}
	return codes
}

// lookups returns the distinct keys of a batch by kind.
func (q *batchQuestion) lookups() (k origin.RightsKeys) {
	seen := map[string]bool{}
	add := func(list *[]string, key string) {
		if !seen[key] {
			seen[key] = true
			*list = append(*list, key)
		}
	}
	for i := range q.keys {
		key := &q.keys[i]
		if key.fault != "" {
			continue
		}
		switch key.Key {
		case "url":
			for _, u := range append(key.samePage, key.Normalized) {
				add(&k.URLs, u)
			}
			host := urlkey.HostOf(key.Normalized)
			add(&k.Hosts, host)
			if other := urlkey.OtherWWW(host); other != "" {
				add(&k.Hosts, other)
			}
		case "fingerprint":
			add(&k.Fingerprints, key.Normalized)
		case "iscc":
		default:
			add(&k.EntryIDs, key.Normalized)
		}
	}
	return k
}
