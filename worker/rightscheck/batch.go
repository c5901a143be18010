package rightscheck

import (
	"context"
	"errors"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Bounds of a batch of rights checks.
const (
	maxBatchBody = 512 << 10
	maxBatchRead = 800 // published files, where they answer
)

// Batch answers the rights check for many keys at once: what each of them
// alone would be answered, less the evidence.
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
	q := &batchQuestion{id: c.ID, now: s.Now()}
	for _, u := range exports.Uses {
		asked, err := asksAbout(body.Uses, u)
		if err != nil {
			return nil, err
		}
		if asked || len(body.Uses) == 0 {
			q.uses = append(q.uses, string(u))
		}
	}
	for _, url := range body.URLs {
		q.addKey("url", url)
	}
	for _, digest := range body.Fingerprints {
		q.addKey("fingerprint", digest)
	}
	for _, id := range body.EntryIDs {
		q.addKey("entry_id", id)
	}
	return q, nil
}

// asksAbout tells whether a list of uses, some perhaps under another name, has
// one of them.
func asksAbout(words []string, use exports.Use) (asked bool, err error) {
	for _, w := range words {
		u, _, ok := exports.ParseUse(w)
		if !ok {
			return false, &problem.Failure{Code: "unsupported_use", Detail: "Not a use: \"" + request.ShortenPrintable(w) + "\".",
				Fields: []wire.FieldError{{Pointer: "/uses", Code: "not_in_list", Allowed: exports.UseWords()}}}
		}
		asked = asked || u == use
	}
	return asked, nil
}

// addKey brings a key into its one form. One that has none is answered as such,
// and is no reason to refuse the others.
func (q *batchQuestion) addKey(name, value string) {
	k := batchKey{}
	k.now = q.now
	k.at = q.now
	k.Key = name
	k.Value = value
	k.At = exports.Instant(q.now)
	switch name {
	case "url":
		canonical, err := urlkey.Address(value)
		if err != nil {
			k.fault = "cannot be used: " + err.Error()
		}
		k.Normalized = canonical
	case "fingerprint":
		k.Normalized = strings.ToLower(value)
		if len(value) != 64 || strings.Trim(k.Normalized, "0123456789abcdef") != "" {
			k.fault = "must be 64 hex digits"
		}
	default:
		k.Normalized = value
		if !exports.ValidEntryID(value) {
			k.fault = "is not an entry id"
		}
	}
	if k.fault != "" {
		k.Normalized = ""
	}
	q.keys = append(q.keys, k)
}

// answerBatch asks the origin, and published files when there is none or it fails.
func (s *Service) answerBatch(ctx context.Context, q *batchQuestion) (*exports.RightsBatchAnswer, error) {
	if s.Rights != nil {
		from := &originBatch{rights: s.Rights}
		err := from.readBatch(ctx, q)
		if err == nil {
			return q.answerFrom(ctx, from, "origin")
		}
		var refused *problem.Failure
		if errors.As(err, &refused) || ctx.Err() != nil {
			return nil, err
		}
		if s.Log != nil {
			s.Log("rights batch " + q.id + ": answered from published files: " + err.Error())
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

// countedAssets reads each file once, and no more than some files.
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

// answerFrom answers every key from one record.
func (q *batchQuestion) answerFrom(ctx context.Context, from source, by string) (*exports.RightsBatchAnswer, error) {
	at := exports.Instant(q.now)
	x := &batchAnswering{batchQuestion: q, from: from, at: at, until: q.now.Unix() + 7*24*60*60, judges: map[string]*rights.Judge{}}
	a := &exports.RightsBatchAnswer{AnsweredBy: by, EvaluatedAt: at, Uses: q.uses, Results: make([]exports.RightsBatchResult, len(q.keys))}
	for i := range q.keys {
		if err := x.answerKey(ctx, &q.keys[i], &a.Results[i]); err != nil {
			return nil, err
		}
	}
	a.ValidUntil = exports.Instant(time.Unix(x.until, 0))
	return a, nil
}

// batchAnswering keeps what one batch has judged.
type batchAnswering struct {
	*batchQuestion
	from   source
	at     string
	until  int64
	judges map[string]*rights.Judge // by site id, nil for a site that may not appear
}

func (x *batchAnswering) answerKey(ctx context.Context, k *batchKey, r *exports.RightsBatchResult) error {
	r.Key = k.Key
	r.Value = k.Value
	r.Normalized = k.Normalized
	r.Basis = "none"
	r.Fault = k.fault
	if k.fault == "" {
		if err := x.answerResources(ctx, k, r); err != nil {
			return err
		}
	}
	if len(r.Candidates) == 0 {
		r.Unknown = exports.UnknownUses(x.uses)
	}
	return nil
}

// answerResources adds what a key is about, as the check of a single key finds it.
func (x *batchAnswering) answerResources(ctx context.Context, k *batchKey, r *exports.RightsBatchResult) error {
	found, err := x.from.findResources(ctx, &k.Question)
	if err != nil {
		return err
	}
	known := func(siteID string) (bool, error) {
		if _, read := x.judges[siteID]; !read {
			doc, err := x.from.siteDocument(ctx, &k.Question, siteID)
			if err != nil {
				return false, err
			}
			x.judges[siteID] = nil
			if doc != nil {
				x.judges[siteID] = rights.NewJudge(doc, x.at)
			}
		}
		return x.judges[siteID] != nil, nil
	}
	if found, err = k.matchResources(ctx, x.from, found, known); err != nil {
		return err
	}
	for i := range found {
		x.judgeResource(&found[i], r)
	}
	return nil
}

// judgeResource adds how a resource of a site stands.
func (x *batchAnswering) judgeResource(about *match, r *exports.RightsBatchResult) {
	judge := x.judges[about.siteID]
	answer := judge.Answer(&about.Resource)
	standing := exports.BatchStanding{
		EntryID: about.EntryID, SiteID: about.siteID, URL: about.URL, Vector: answer.Vector, Successor: about.successor, SuccessorURL: about.successorURL,
	}
	for i := range answer.Uses {
		u := &answer.Uses[i]
		if exports.OneOf(string(u.Use), x.uses) {
			standing.Uses = append(standing.Uses, exports.BatchUse{
				Use: string(u.Use), Verdict: u.Verdict, Reason: u.Reason, DependsOn: u.DependsOn, Resource: judge.Ask(u, about.URL),
			})
		}
	}
	r.Candidates = append(r.Candidates, standing)
	r.Basis = about.basis
	x.until = min(x.until, answer.ValidUntil)
}

// originBatch answers from the origin, of which it reads everything at once.
type originBatch struct {
	rights origin.Rights
	pages  map[string][]origin.Page // by URL, entry id and digest
	hosts  map[string][]string
	sites  map[string]*origin.SiteRights
}

// readBatch reads what a batch is about: in five statements, however many keys
// there are.
func (l *originBatch) readBatch(ctx context.Context, q *batchQuestion) error {
	found, err := l.rights.RightsPages(ctx, q.lookups())
	if err != nil {
		return err
	}
	if len(found.Pages) > origin.MaxBatchFound || len(found.Hosts) > origin.MaxBatchFound {
		return problem.Reject("/urls", "too_many", "The keys have more than 4000 candidates. Ask for fewer at once.")
	}
	l.pages = map[string][]origin.Page{}
	l.hosts = map[string][]string{}
	l.sites = map[string]*origin.SiteRights{}
	var ids []string
	need := func(siteID string) {
		if _, known := l.sites[siteID]; !known {
			l.sites[siteID] = nil
			ids = append(ids, siteID)
		}
	}
	for _, p := range found.Pages {
		l.filePage(&p)
		need(p.SiteID)
	}
	for _, h := range found.Hosts {
		l.hosts[h.Host] = append(l.hosts[h.Host], h.SiteID)
		need(h.SiteID)
	}
	if len(ids) == 0 {
		return nil
	}
	sites, err := l.rights.RightsOfSites(ctx, ids, exports.Instant(q.now))
	for i := range sites {
		l.sites[sites[i].Site.SiteID] = &sites[i]
	}
	return err
}

// filePage files a page under each of its keys. No two kinds of key look alike.
func (l *originBatch) filePage(p *origin.Page) {
	keys := []string{p.CanonicalURL, p.EntryID}
	if p.Portable != "" {
		keys = append(keys, p.Portable)
	}
	if p.Registry != "" && p.Registry != p.Portable {
		keys = append(keys, p.Registry)
	}
	for _, key := range keys {
		if len(l.pages[key]) < maxCandidates {
			l.pages[key] = append(l.pages[key], *p)
		}
	}
}

// lookups lists the keys of a batch by kind, each once.
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
			for _, u := range append(urlkey.SamePage(key.Normalized), key.Normalized) {
				add(&k.URLs, u)
			}
			host := urlkey.HostOf(key.Normalized)
			add(&k.Hosts, host)
			if other := urlkey.OtherWWW(host); other != "" {
				add(&k.Hosts, other)
			}
		case "fingerprint":
			add(&k.Fingerprints, key.Normalized)
		default:
			add(&k.EntryIDs, key.Normalized)
		}
	}
	return k
}

func (l *originBatch) findResources(_ context.Context, q *Question) ([]match, error) {
	keys := []string{q.Normalized}
	if q.Key == "url" {
		keys = append(keys, urlkey.SamePage(q.Normalized)...)
	}
	var out []match
	for _, key := range keys {
		for i := range l.pages[key] {
			out = append(out, matchPage(q, &l.pages[key][i]))
		}
	}
	return out[:min(len(out), maxCandidates)], nil
}

func (l *originBatch) siteDocument(_ context.Context, q *Question, siteID string) (*rights.RightsDocument, error) {
	if x := l.sites[siteID]; x != nil {
		return documentOf(x, q)
	}
	return nil, nil
}

func (l *originBatch) sitesOf(_ context.Context, _ *Question, host string) ([]string, error) {
	return l.hosts[host], nil
}
