package rightscheck

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/problem"
	"colophon/worker/request"
)

var checkTime = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// failureCode returns the code of a refusal, "" for no error and "other" for
// another one.
func failureCode(err error) string {
	var f *problem.Failure
	switch {
	case err == nil:
		return ""
	case errors.As(err, &f):
		return f.Code
	}
	return "other"
}

func TestParseQuestion(t *testing.T) {
	const digest = "823412d1eacb67956220e532959f0104603057c88704863ca38e7cd188fda812"
	s := &Service{Now: func() time.Time { return checkTime }}
	for _, c := range []struct {
		name, query, code, key, normalized string
	}{
		{"an address", "url=https://A.example:443/x%23", "", "url", "https://a.example/x%23"},
		{"an entry", "entry_id=ent_1", "", "entry_id", "ent_1"},
		{"a site", "site_id=site-a", "", "site_id", "site-a"},
		{"a fingerprint in capitals", "fingerprint=" + strings.ToUpper(digest), "", "fingerprint", digest},
		{"no key", "use=rag", "lookup_key_required", "", ""},
		{"two keys", "url=https://a.example/&site_id=site-a", "lookup_key_required", "", ""},
		{"no address", "url=ftp://a.example/", "invalid_parameter", "", ""},
		{"no entry", "entry_id=a.b", "invalid_parameter", "", ""},
		{"no site", "site_id=Site%20A", "invalid_parameter", "", ""},
		{"a short fingerprint", "fingerprint=" + digest[1:], "invalid_parameter", "", ""},
		{"no hex digit", "fingerprint=g" + digest[1:], "invalid_parameter", "", ""},
		{"no use", "site_id=site-a&use=reading", "unsupported_use", "", ""},
		{"a user type", "site_id=site-a&user_type=commercial", "", "site_id", "site-a"},
		{"no user type", "site_id=site-a&user_type=nobody", "invalid_parameter", "", ""},
		{"a territory", "site_id=site-a&territory=EU", "", "site_id", "site-a"},
		{"a territory in small letters", "site_id=site-a&territory=eu", "invalid_parameter", "", ""},
		{"a long territory", "site_id=site-a&territory=USA", "invalid_parameter", "", ""},
		{"an agent", "site_id=site-a&agent=Example-Bot_1.0", "", "site_id", "site-a"},
		{"an agent with a blank", "site_id=site-a&agent=a%20b", "invalid_parameter", "", ""},
		{"a long agent", "site_id=site-a&agent=" + strings.Repeat("a", 65), "invalid_parameter", "", ""},
		{"as long as an agent may be", "site_id=site-a&agent=" + strings.Repeat("a", 64), "", "site_id", "site-a"},
		{"brief", "site_id=site-a&explain=brief", "", "site_id", "site-a"},
		{"another explanation", "site_id=site-a&explain=long", "invalid_parameter", "", ""},
		{"now", "site_id=site-a&at=2026-11-20T09:00:00Z", "", "site_id", "site-a"},
		{"the future", "site_id=site-a&at=2026-11-20T09:00:01Z", "invalid_parameter", "", ""},
		{"no instant", "site_id=site-a&at=yesterday", "invalid_parameter", "", ""},
	} {
		q, err := s.ParseQuestion(callOf(t, c.query))
		if got := failureCode(err); got != c.code {
			t.Errorf("%s: %q, not %q: %v", c.name, got, c.code, err)
		} else if err == nil && (q.Key != c.key || q.Normalized != c.normalized) {
			t.Errorf("%s: %s %q", c.name, q.Key, q.Normalized)
		}
	}
}

func callOf(t *testing.T, query string) *request.Call {
	t.Helper()
	e, _, _ := exports.Find("GET", exports.PathRightsCheck)
	if e == nil {
		t.Fatal("no rights check")
	}
	c := &request.Call{Request: &edge.Request{Method: "GET", Query: query}, Endpoint: e}
	for _, pair := range strings.Split(query, "&") {
		name, text, _ := strings.Cut(pair, "=")
		c.Values = append(c.Values, [2]string{name, strings.NewReplacer("%20", " ").Replace(text)})
	}
	return c
}

// TestQuestionDetails checks how a question states who asks, for which time,
// and how much to explain.
func TestQuestionDetails(t *testing.T) {
	s := &Service{Now: func() time.Time { return checkTime }}
	q, err := s.ParseQuestion(callOf(t, "site_id=site-a&use=training,rag&use=rag&explain=full&at=2026-11-19T00:00:00Z"))
	if err != nil || !q.past || !q.full || q.At != "2026-11-19T00:00:00Z" || !q.at.Equal(checkTime.Add(-33*time.Hour)) || !slices.Equal(q.Uses, []string{"rag", "training"}) {
		t.Errorf("%v, %+v", err, q)
	}
	q, err = s.ParseQuestion(callOf(t, "site_id=site-a"))
	if err != nil || q.past || q.full || q.At != "2026-11-20T09:00:00Z" || len(q.Uses) != len(exports.Uses) {
		t.Errorf("by itself: %v, %+v", err, q)
	}
	for _, c := range []struct {
		header string
		grants Grants
		want   string
	}{
		{"Bearer  byr_1 ", grantsOf{}, "byr_1"},
		{"Bearer byr_1", nil, ""},
		{"Basic byr_1", grantsOf{}, ""},
	} {
		s.Grants = c.grants
		call := callOf(t, "site_id=site-a")
		call.Header.Set("authorization", c.header)
		if q, err := s.ParseQuestion(call); err != nil || q.credential != c.want {
			t.Errorf("%q: %v, %+v", c.header, err, q)
		}
	}
}

// grantsOf knows one credential.
type grantsOf struct{ credential string }

func (g grantsOf) GrantsOf(_ context.Context, credential, _ string) ([]rights.Grant, bool, error) {
	return nil, credential == g.credential, nil
}

// tableSource takes its facts from tables.
type tableSource struct {
	found []match
	hosts map[string][]string
	known []string

	reservations []exports.Reservation
}

func (s *tableSource) findReservations(context.Context, *Question) ([]exports.Reservation, error) {
	return s.reservations, nil
}

func (s *tableSource) findResources(context.Context, *Question) ([]match, error) { return s.found, nil }

func (s *tableSource) siteDocument(_ context.Context, _ *Question, siteID string) (*rights.RightsDocument, error) {
	if !slices.Contains(s.known, siteID) {
		return nil, nil
	}
	return &rights.RightsDocument{SiteID: siteID, SiteURL: "https://" + siteID + ".example/", Policy: &exports.PolicyRef{PolicyID: "pol_" + siteID}}, nil
}

func (s *tableSource) sitesOf(_ context.Context, _ *Question, host string) ([]string, error) {
	return s.hosts[host], nil
}

func matchAt(siteID, basis, url string) match {
	return match{Resource: rights.Resource{EntryID: "ent_" + siteID, URL: url}, siteID: siteID, basis: basis}
}

// TestMatchResources checks which resources a question is about.
func TestMatchResources(t *testing.T) {
	const page, www = "https://a.example/x", "https://www.a.example/x"
	for _, c := range []struct {
		name string
		key  string
		from tableSource
		want []string // site, basis and address
	}{
		{"the page itself, not one like it", "url",
			tableSource{found: []match{matchAt("own", exports.BasisURL, page), matchAt("like", exports.BasisSamePage, www)}, known: []string{"own", "like"}},
			[]string{"own canonical_url " + page}},
		{"two who registered it", "url",
			tableSource{found: []match{matchAt("one", exports.BasisURL, page), matchAt("two", exports.BasisURL, page)}, known: []string{"one", "two"}},
			[]string{"one canonical_url " + page, "two canonical_url " + page}},
		{"a site that may not appear", "url",
			tableSource{found: []match{matchAt("hidden", exports.BasisURL, page), matchAt("like", exports.BasisSamePage, "http://a.example/x")}, known: []string{"like"}},
			[]string{"like same_page http://a.example/x"}},
		{"across www, of nobody's host", "url",
			tableSource{found: []match{matchAt("other", exports.BasisSamePage, www)}, known: []string{"other"}},
			[]string{"other same_page " + www}},
		{"across www, of the host's own site", "url",
			tableSource{found: []match{matchAt("own", exports.BasisSamePage, www)}, known: []string{"own"}, hosts: map[string][]string{"a.example": {"own"}}},
			[]string{"own same_page " + www}},
		{"across www, of another site", "url",
			tableSource{found: []match{matchAt("other", exports.BasisSamePage, www)}, known: []string{"own", "other"}, hosts: map[string][]string{"a.example": {"own"}}},
			[]string{"own website " + page}},
		{"on the same host, of another site", "url",
			tableSource{found: []match{matchAt("other", exports.BasisSamePage, "http://a.example/x")}, known: []string{"own", "other"}, hosts: map[string][]string{"a.example": {"own"}}},
			[]string{"other same_page http://a.example/x"}},
		{"a website", "url", tableSource{known: []string{"own"}, hosts: map[string][]string{"a.example": {"own"}}}, []string{"own website " + page}},
		{"a website under www", "url", tableSource{known: []string{"own"}, hosts: map[string][]string{"www.a.example": {"own"}}}, []string{"own website " + www}},
		{"its own host before www", "url",
			tableSource{known: []string{"own", "www"}, hosts: map[string][]string{"a.example": {"own"}, "www.a.example": {"www"}}},
			[]string{"own website " + page}},
		{"a website that may not appear", "url", tableSource{hosts: map[string][]string{"a.example": {"own"}}}, nil},
		{"a fingerprint has no website", "fingerprint", tableSource{known: []string{"own"}, hosts: map[string][]string{"a.example": {"own"}}}, nil},
	} {
		q := &Question{RightsQuery: exports.RightsQuery{Key: c.key, Normalized: page}}
		found, err := newAnswering(&c.from, "origin", nil).matchResources(t.Context(), q)
		var got []string
		for i := range found {
			got = append(got, found[i].siteID+" "+found[i].basis+" "+found[i].URL)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// TestAnswer checks how an answer is made from matches.
func TestAnswer(t *testing.T) {
	const page = "https://a.example/x"
	until := func(d time.Duration) judge {
		return func(_ context.Context, _ *Question, doc *rights.RightsDocument, r *rights.Resource) (rights.Judgement, error) {
			j := doc.Evaluate(*r, rights.Question{At: checkTime.Unix()}, nil, false)
			j.ValidUntil = checkTime.Add(d).Unix()
			return j, nil
		}
	}
	for _, c := range []struct {
		name       string
		from       tableSource
		past       bool
		valid      time.Duration
		candidates int
		website    bool
		policy     string
		basis      string
		until      string
	}{
		{"nothing known", tableSource{}, false, time.Hour, 0, false, "", "none", "2026-11-27T09:00:00Z"},
		{"one page", tableSource{found: []match{matchAt("own", exports.BasisURL, page)}, known: []string{"own"}}, false, time.Hour, 1, false, "pol_own", "canonical_url", "2026-11-20T10:00:00Z"},
		{"for a week at most", tableSource{found: []match{matchAt("own", exports.BasisURL, page)}, known: []string{"own"}}, false, 1000 * time.Hour, 1, false, "pol_own", "canonical_url", "2026-11-27T09:00:00Z"},
		{"two pages have no common policy", tableSource{found: []match{matchAt("one", exports.BasisURL, page), matchAt("two", exports.BasisURL, page)}, known: []string{"one", "two"}},
			false, time.Hour, 2, false, "", "canonical_url", "2026-11-20T10:00:00Z"},
		{"a website", tableSource{known: []string{"own"}, hosts: map[string][]string{"a.example": {"own"}}}, false, time.Hour, 0, true, "pol_own", "website", "2026-11-20T10:00:00Z"},
		{"two websites", tableSource{known: []string{"one", "two"}, hosts: map[string][]string{"a.example": {"one", "two"}}}, false, time.Hour, 2, false, "", "website", "2026-11-20T10:00:00Z"},
		{"the past", tableSource{found: []match{matchAt("own", exports.BasisURL, page)}, known: []string{"own"}}, true, time.Hour, 1, false, "pol_own", "canonical_url", "2026-11-20T09:00:00Z"},
	} {
		q := &Question{now: checkTime, at: checkTime, past: c.past, RightsQuery: exports.RightsQuery{Key: "url", Normalized: page, Uses: exports.UseWords()}}
		a, err := newAnswering(&c.from, "origin", until(c.valid)).answer(t.Context(), q)
		if err != nil {
			t.Fatal(c.name, err)
		}
		policy := ""
		if a.Policy != nil {
			policy = a.Policy.PolicyID
		}
		if len(a.Candidates) != c.candidates || (a.Website != nil) != c.website || policy != c.policy || a.Basis != c.basis || a.ValidUntil != c.until {
			t.Errorf("%s: %d candidates, website %v, policy %q, %s until %s", c.name, len(a.Candidates), a.Website, policy, a.Basis, a.ValidUntil)
		}
	}
}

// factsOf answers every lookup with the same facts or an error, and counts lookups.
type factsOf struct {
	origin.Rights
	found   origin.RightsFound
	pages   origin.RightsPages
	sites   []origin.SiteRights
	err     error
	lookups []origin.RightsLookup
	reads   []bool // of facts: whether of the past

	reserved []origin.VouchedReservation
	codes    []string // whose reservations were asked for
}

func (r *factsOf) ReservationsByCode(_ context.Context, codes []string, _ bool) ([]origin.VouchedReservation, error) {
	r.codes = append(r.codes, codes...)
	return r.reserved, r.err
}

func (r *factsOf) FindRights(_ context.Context, l origin.RightsLookup) (origin.RightsFound, error) {
	r.lookups = append(r.lookups, l)
	return r.found, r.err
}

func (r *factsOf) RightsPages(context.Context, origin.RightsKeys) (origin.RightsPages, error) {
	return r.pages, r.err
}

func (r *factsOf) RightsOfSites(_ context.Context, _ []string, _ string, past bool) ([]origin.SiteRights, error) {
	r.reads = append(r.reads, past)
	return r.sites, r.err
}

// checkOf returns the service over an origin, with nothing kept.
func checkOf(r *factsOf) *Service { return &Service{Rights: r, Documents: NewMemory(1 << 20)} }

// noFiles is a source without published files.
type noFiles struct{}

func (noFiles) Read(context.Context, string) ([]byte, error) { return nil, fs.ErrNotExist }

// TestAnswerWithoutOrigin checks that published files answer while the origin
// is out of reach, but not about the past and not for a caller that has left.
func TestAnswerWithoutOrigin(t *testing.T) {
	away := errors.New("away")
	refused := problem.New("credential_invalid", "")
	for _, c := range []struct {
		name string
		err  error
		none bool // there is no origin at all
		past bool
		gone bool // the caller has left
		by   string
		code string
		logs int
	}{
		{"the origin answers", nil, false, false, false, "origin", "", 0},
		{"it is away", away, false, false, false, "static", "", 1},
		{"there is none", nil, true, false, false, "static", "", 0},
		{"it is away, for the past", away, false, true, false, "", "origin_unavailable", 1},
		{"there is none, for the past", nil, true, true, false, "", "origin_unavailable", 0},
		{"it answers for the past", nil, false, true, false, "origin", "", 0},
		{"a refusal is an answer", refused, false, false, false, "", "credential_invalid", 0},
		{"nobody waits any more", away, false, false, true, "", "other", 0},
	} {
		logs := 0
		s := &Service{Rights: &factsOf{err: c.err}, Documents: NewMemory(1 << 20), Files: &files.Service{Assets: noFiles{}}, Log: func(string) { logs++ }}
		if c.none {
			s.Rights = nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		if c.gone {
			cancel()
		}
		q := &Question{now: checkTime, at: checkTime, past: c.past, RightsQuery: exports.RightsQuery{Key: "site_id", Normalized: "site-a"}}
		a, err := s.Answer(ctx, q)
		cancel()
		by := ""
		if a != nil {
			by = a.AnsweredBy
		}
		if by != c.by || failureCode(err) != c.code || logs != c.logs {
			t.Errorf("%s: answered by %q, %v, %d lines of log", c.name, by, err, logs)
		}
	}
}

// TestJudgeOfACredential checks that an unknown credential is refused.
func TestJudgeOfACredential(t *testing.T) {
	s := &Service{Grants: grantsOf{"byr_1"}}
	doc := &rights.RightsDocument{SiteID: "own"}
	for credential, want := range map[string]string{"": "", "byr_1": "", "byr_2": "credential_invalid"} {
		if _, err := s.judge(t.Context(), &Question{at: checkTime, credential: credential}, doc, &rights.Resource{}); failureCode(err) != want {
			t.Errorf("%q: %v, not %q", credential, err, want)
		}
	}
}

// TestCheckIsNotKept checks that no cache keeps the answer to a buyer.
func TestCheckIsNotKept(t *testing.T) {
	s := &Service{Rights: &factsOf{}, Documents: NewMemory(DefaultMemory), Grants: grantsOf{"byr_1"}, Now: func() time.Time { return checkTime }}
	for credential, want := range map[string]string{"": "no-store", "Bearer byr_1": "private, no-store"} {
		c := callOf(t, "url=https://a.example/")
		if credential != "" {
			c.Header.Set("authorization", credential)
		}
		resp, err := s.Check(t.Context(), c)
		if err != nil || resp.Header.Get("cache-control") != want || resp.Header.Get("vary") != "authorization" {
			t.Errorf("%q: %+v %v", credential, resp, err)
		}
	}
}

// TestLookupOfAQuestion checks that the origin is asked for a key of the right
// kind, once.
func TestLookupOfAQuestion(t *testing.T) {
	for key, want := range map[string]func(l *origin.RightsLookup) string{
		"url":         func(l *origin.RightsLookup) string { return l.URL },
		"entry_id":    func(l *origin.RightsLookup) string { return l.EntryID },
		"fingerprint": func(l *origin.RightsLookup) string { return l.Fingerprint },
		"site_id":     func(l *origin.RightsLookup) string { return l.SiteID },
	} {
		r := &factsOf{}
		q := &Question{RightsQuery: exports.RightsQuery{Key: key, Normalized: "https://a.example/x", At: "2026"}, past: true}
		l, err := checkOf(r).readQuestion(t.Context(), q)
		if err != nil || len(r.lookups) != 1 || want(&r.lookups[0]) != q.Normalized {
			t.Errorf("%s: %+v, %v", key, r.lookups, err)
		}
		if host := r.lookups[0].Host; (host == "a.example") != (key == "url") {
			t.Errorf("%s: asked for the host %q", key, host)
		}
		if _, known := l.hosts["a.example"]; known != (key == "url") {
			t.Errorf("%s: hosts %v", key, l.hosts)
		}
	}
	r := &factsOf{found: origin.RightsFound{Pages: []origin.Page{{EntryID: "ent_1", SiteID: "own", CanonicalURL: "https://a.example/x"}}, Sites: []origin.SiteVersion{{SiteID: "own"}}}}
	q := &Question{RightsQuery: exports.RightsQuery{Key: "url", Normalized: "https://a.example/x"}}
	l, err := checkOf(r).readQuestion(t.Context(), q)
	if err != nil || len(l.hosts) != 0 {
		t.Errorf("the sites of a page are not those of its host: %v, %v", l.hosts, err)
	}
	r.found.Pages = nil
	for range 2 {
		if _, err := l.sitesOf(t.Context(), q, "a.example"); err != nil || len(r.lookups) != 2 {
			t.Errorf("a host is read once: %d lookups, %v", len(r.lookups), err)
		}
	}
}

// TestReservations checks that reservations are candidates beside the entries of
// a content, each on its own, and that they are found by content alone.
func TestReservations(t *testing.T) {
	one := exports.Reservation{ReservationID: "rsv_1", SiteID: "one", Publisher: "One", Uses: []string{"training"}, Since: "2026-01-01T00:00:00Z"}
	two := exports.Reservation{ReservationID: "rsv_2", SiteID: "two", Publisher: "Two", Uses: []string{"rag", "training"}, Since: "2026-02-01T00:00:00Z", Source: "https://two.example/file"}
	entry := matchAt("own", exports.BasisPortable, "https://own.example/x")
	free := func(_ context.Context, _ *Question, doc *rights.RightsDocument, r *rights.Resource) (rights.Judgement, error) {
		return doc.Evaluate(*r, rights.Question{At: 1}, nil, false), nil
	}
	for _, c := range []struct {
		name, key string
		from      tableSource
		want      string
	}{
		{"alone", "fingerprint", tableSource{reservations: []exports.Reservation{one}}, "content: rsv_1 one UDUUUUUU"},
		{"by ISCC", "iscc", tableSource{reservations: []exports.Reservation{one}}, "content: rsv_1 one UDUUUUUU"},
		{"of two publishers", "fingerprint", tableSource{reservations: []exports.Reservation{one, two}}, "content: rsv_1 one UDUUUUUU, rsv_2 two DDUUUUUU"},
		{"beside an entry", "fingerprint", tableSource{found: []match{entry}, known: []string{"own"}, reservations: []exports.Reservation{one}}, "portable_fingerprint: ent_own own UUUUUUUU, rsv_1 one UDUUUUUU"},
		{"of an address", "url", tableSource{reservations: []exports.Reservation{one}}, "none: "},
		{"of an entry", "entry_id", tableSource{reservations: []exports.Reservation{one}}, "none: "},
	} {
		q := &Question{RightsQuery: exports.RightsQuery{Key: c.key, Normalized: "x", Uses: exports.UseWords()}}
		a, err := newAnswering(&c.from, "origin", free).answer(t.Context(), q)
		must(t, err)
		var got []string
		for i := range a.Candidates {
			x := &a.Candidates[i]
			id := x.EntryID
			if x.Reservation != nil {
				id = x.Reservation.ReservationID
			}
			got = append(got, id+" "+x.SiteID+" "+x.RightsVector)
		}
		assert.Equal(t, a.Basis+": "+strings.Join(got, ", "), c.want, "%s", c.name)
	}

	q := &Question{RightsQuery: exports.RightsQuery{Key: "fingerprint", Uses: []string{"training", "research"}}}
	a, _ := newAnswering(&tableSource{reservations: []exports.Reservation{two}}, "origin", free).answer(t.Context(), q)
	text := string(wire.Append(nil, a))
	assert.Contains(t, "the text", text,
		`"canonical_url":null`, `"channel":"content_reservation"`, `"reason":"content_reserved"`, `"url":"https://two.example/file"`, `"action":"none"`,
		`"vouched_by":{"name":"Two","site_id":"two"}`, `"status":"single"`, `"grants_rights":false`, "a statement and no proof", `"retention":"unknown"`,
	)
	if len(a.Candidates[0].Uses) != 2 || regexp.MustCompile(`(?i)owner|rights.?holder`).MatchString(text) {
		t.Errorf("%s", text)
	}
	if r := exports.AbridgeAnswer(a); r.Candidates[0].ReservationID != "rsv_2" || r.Candidates[0].Uses[0].Verdict != "declined" {
		t.Errorf("in a batch: %+v", r)
	}
}

// TestReservationsOfOrigin checks which reservations of the origin count.
func TestReservationsOfOrigin(t *testing.T) {
	site := origin.Site{SiteID: "one", Name: "One", State: origin.Approved, Visibility: "public"}
	hidden := origin.Site{SiteID: "two", State: origin.Suspended, Visibility: "public"}
	row := func(site origin.Site, r origin.Reservation) origin.VouchedReservation {
		r.SiteID = site.SiteID
		return origin.VouchedReservation{Reservation: r, Site: site}
	}
	rows := []origin.VouchedReservation{
		row(site, origin.Reservation{ReservationID: "rsv_now", Code: "x", Since: "2026-03-01T00:00:00Z", AuthorDisplay: "A. Author", AuthorName: "secret"}),
		row(site, origin.Reservation{ReservationID: "rsv_past", Code: "x", Since: "2026-01-01T00:00:00Z", WithdrawnAt: "2026-02-01T00:00:00Z"}),
		row(hidden, origin.Reservation{ReservationID: "rsv_hidden", Code: "x"}), row(site, origin.Reservation{ReservationID: "rsv_other", Code: "y"}),
	}
	for at, want := range map[string]string{"": "rsv_now", "2026-01-15T00:00:00Z": "rsv_past", "2026-02-01T00:00:00Z": "", "2026-03-01T00:00:00Z": "rsv_now"} {
		for _, key := range []string{"fingerprint", "iscc", "url"} {
			r := &factsOf{reserved: rows, found: origin.RightsFound{Reserved: key == "fingerprint"}}
			q := &Question{RightsQuery: exports.RightsQuery{Key: key, Normalized: "x", At: at}, past: at != ""}
			l, err := checkOf(r).readQuestion(t.Context(), q)
			must(t, err)
			if asked := key != "url"; asked != slices.Equal(r.codes, []string{"x"}) || (key == "iscc") != (len(r.lookups) == 0) {
				t.Errorf("%s: the reservations of %q were asked for, after %d look-ups", key, r.codes, len(r.lookups))
			}
			if key == "url" {
				continue
			}
			list, _ := l.findReservations(t.Context(), q)
			var got []string
			for i := range list {
				got = append(got, list[i].ReservationID)
				if text := string(wire.Append(nil, &list[i])); strings.Contains(text, "secret") {
					t.Error(text)
				}
			}
			assert.Equal(t, strings.Join(got, " "), want, "%s at %q: %q", key, at, got)
		}
	}
	r := &factsOf{}
	for range 2 * maxCandidates {
		r.reserved = append(r.reserved, rows[0])
	}
	q := &Question{RightsQuery: exports.RightsQuery{Key: "iscc", Normalized: "x"}}
	l, err := checkOf(r).readQuestion(t.Context(), q)
	if list, _ := l.findReservations(t.Context(), q); err != nil || len(list) != maxCandidates {
		t.Errorf("%d reservations of one code, %v", len(list), err)
	}
	for range origin.MaxBatchFound {
		r.reserved = append(r.reserved, rows[0])
	}
	if _, err := checkOf(r).readQuestion(t.Context(), q); failureCode(err) == "" {
		t.Error("more reservations than are read are cut")
	}
}

// TestFoundBy checks by which key a page is reported as found.
func TestFoundBy(t *testing.T) {
	p := &origin.Page{EntryID: "ent_1", CanonicalURL: "https://a.example/x", Portable: "aa", Registry: "bb"}
	for _, c := range []struct{ key, normalized, want string }{
		{"url", "https://a.example/x", exports.BasisURL},
		{"url", "http://a.example/x", exports.BasisSamePage},
		{"entry_id", "ent_1", exports.BasisEntry},
		{"fingerprint", "aa", exports.BasisPortable},
		{"fingerprint", "bb", exports.BasisRegistry},
	} {
		assert.Equal(t, foundBy(&Question{RightsQuery: exports.RightsQuery{Key: c.key, Normalized: c.normalized}}, p), c.want, "%s %s", c.key, c.normalized)
	}
}

// TestOriginPages checks that a page is found by each of its keys, exact
// matches first, and that a withdrawn page's successor is stated.
func TestOriginPages(t *testing.T) {
	l := newOriginSource(nil, nil)
	for _, p := range []origin.Page{
		{EntryID: "ent_3", SiteID: "s", CanonicalURL: "https://a.example/x", State: "active", Portable: "aa", Registry: "aa"},
		{EntryID: "ent_2", SiteID: "s", CanonicalURL: "https://a.example/x", State: "withdrawn", Successor: "ent_9", SuccessorURL: "https://a.example/y", Portable: "aa", Registry: "bb"},
		{EntryID: "ent_1", SiteID: "s", CanonicalURL: "http://a.example/x", State: "active", Successor: "ent_9"},
	} {
		l.addPage(&p)
	}
	for _, c := range []struct {
		key, normalized string
		want            []string
	}{
		{"url", "https://a.example/x", []string{"ent_2 ent_9", "ent_3 ", "ent_1 "}},
		{"url", "https://a.example/z", nil},
		{"fingerprint", "aa", []string{"ent_2 ent_9", "ent_3 "}},
		{"fingerprint", "bb", []string{"ent_2 ent_9"}},
		{"entry_id", "ent_3", []string{"ent_3 "}},
	} {
		q := &Question{RightsQuery: exports.RightsQuery{Key: c.key, Normalized: c.normalized}}
		if c.key == "url" {
			q.setKey(c.key, c.normalized)
		}
		found, err := l.findResources(t.Context(), q)
		var got []string
		for i := range found {
			got = append(got, found[i].EntryID+" "+found[i].successor)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %q, %v", c.key, c.normalized, got, err)
		}
	}
	many := newOriginSource(nil, nil)
	for range maxCandidates + 1 {
		many.addPage(&origin.Page{EntryID: "ent_1", CanonicalURL: "https://a.example/x"})
	}
	if found, _ := many.findResources(t.Context(), &Question{RightsQuery: exports.RightsQuery{Key: "url", Normalized: "https://a.example/x"}}); len(found) != maxCandidates {
		t.Errorf("%d candidates", len(found))
	}
}

// TestSiteDocument checks that the facts of a public site are shown, that of an
// ended site only its end is, and of others nothing.
func TestSiteDocument(t *testing.T) {
	for _, c := range []struct {
		site  origin.Site
		known bool
		name  string
	}{
		{origin.Site{SiteID: "s", Name: "S", State: origin.Approved, Visibility: "public"}, true, "S"},
		{origin.Site{SiteID: "s", Name: "S", State: origin.Approved, Visibility: "hidden"}, false, ""},
		{origin.Site{SiteID: "s", Name: "S", State: origin.Pending, Visibility: "public"}, false, ""},
		{origin.Site{SiteID: "s", Name: "S", State: origin.Suspended, Visibility: "public", ApprovedAt: "2026"}, true, ""},
		{origin.Site{SiteID: "s", Name: "S", State: origin.Suspended, Visibility: "public"}, false, ""},
	} {
		r := &factsOf{sites: []origin.SiteRights{{Site: c.site}}}
		l := newOriginSource(r, NewMemory(1<<20))
		must(t, assert.Err(l.readSites(t.Context(), []origin.SiteVersion{{SiteID: "s"}}, "2026-11-20T09:00:00Z", false)))
		doc, err := l.siteDocument(t.Context(), &Question{}, "s")
		if err != nil || (doc != nil) != c.known || doc != nil && doc.Name != c.name {
			t.Errorf("%+v: %+v, %v", c.site, doc, err)
		}
	}
	if doc, err := newOriginSource(nil, nil).siteDocument(t.Context(), &Question{}, "s"); doc != nil || err != nil {
		t.Errorf("a site that is not there: %v, %v", doc, err)
	}
}

// TestBatchBounds checks that a batch is refused if its keys have more
// candidates than may be judged.
func TestBatchBounds(t *testing.T) {
	for _, c := range []struct {
		pages, hosts int
		code         string
	}{
		{origin.MaxBatchFound, origin.MaxBatchFound, ""},
		{origin.MaxBatchFound + 1, 0, "validation_failed"},
		{0, origin.MaxBatchFound + 1, "validation_failed"},
	} {
		r := &factsOf{pages: origin.RightsPages{Pages: make([]origin.Page, c.pages), Hosts: make([]origin.HostSite, c.hosts)}}
		if _, err := checkOf(r).readBatch(t.Context(), &batchQuestion{now: checkTime}); failureCode(err) != c.code {
			t.Errorf("%d pages, %d hosts: %v", c.pages, c.hosts, err)
		}
	}
}

// TestBatchLookups checks that each key of a batch is looked up once, and an
// invalid one not at all.
func TestBatchLookups(t *testing.T) {
	q := &batchQuestion{now: checkTime, uses: exports.UseWords()}
	for _, url := range []string{"https://a.example/x", "https://a.example/x", "ftp://a.example/"} {
		q.addKey("url", url)
	}
	q.addKey("entry_id", "ent_1")
	q.addKey("entry_id", "a.b")
	q.addKey("fingerprint", strings.Repeat("A", 64))
	k := q.lookups()
	urls := append(urlkey.SamePage("https://a.example/x"), "https://a.example/x")
	if !slices.Equal(k.URLs, urls) || !slices.Equal(k.Hosts, []string{"a.example", "www.a.example"}) || !slices.Equal(k.EntryIDs, []string{"ent_1"}) || !slices.Equal(k.Fingerprints, []string{strings.Repeat("a", 64)}) {
		t.Errorf("%+v", k)
	}
	a, err := q.answerFrom(t.Context(), &tableSource{}, "origin")
	if err != nil || len(a.Results) != 6 || a.Results[0].Fault != "" || a.Results[2].Fault == "" || a.Results[4].Fault == "" || a.ValidUntil != "2026-11-27T09:00:00Z" {
		t.Errorf("%v, %+v", err, a)
	}
}

// TestBatchIsValidWhileAllOfItIs checks that a batch is valid until the
// earliest end of its answers.
func TestBatchIsValidWhileAllOfItIs(t *testing.T) {
	for _, order := range [][]string{{"site-a", "site-b"}, {"site-b", "site-a"}} {
		q := &batchQuestion{now: checkTime, uses: exports.UseWords()}
		for _, id := range order {
			q.addKey("site_id", id)
		}
		a, err := q.answerFrom(t.Context(), &endingSource{}, "origin")
		if err != nil || a.ValidUntil != "2026-11-21T00:00:00Z" {
			t.Errorf("%v: until %s, %v", order, a.ValidUntil, err)
		}
	}
}

// endingSource knows sites; the first has an offer that ends.
type endingSource struct{ tableSource }

func (endingSource) findResources(_ context.Context, q *Question) ([]match, error) {
	return []match{{siteID: q.Normalized, basis: "site_id"}}, nil
}

func (endingSource) siteDocument(_ context.Context, _ *Question, siteID string) (*rights.RightsDocument, error) {
	doc := &rights.RightsDocument{SiteID: siteID}
	if siteID == "site-a" {
		doc.Offers = []exports.Offer{{LicenseID: "lic_1", Status: "offered", Permits: []string{"rag"}, ValidUntil: "2026-11-21T00:00:00Z"}}
	}
	return doc, nil
}
