package intake

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/assert"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/listing"
	"colophon/internal/origin"
	"colophon/internal/paging"
	"colophon/internal/staticindex"
	"colophon/worker/auth"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/problem"
	"colophon/worker/request"
)

var intakeTime = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// memory holds counters and spent proofs.
type memory struct {
	origin.Counters
	counts map[string]int64
	spent  map[string]bool
	ends   string // of the last spent proof
}

func (m *memory) read(names []string) []origin.Counter {
	var out []origin.Counter
	for _, name := range names {
		out = append(out, origin.Counter{Name: name, Count: m.counts[name]})
	}
	return out
}

func (m *memory) Counts(_ context.Context, names []string) ([]origin.Counter, error) {
	return m.read(names), nil
}

func (m *memory) Bump(_ context.Context, counters []origin.Counter) ([]origin.Counter, error) {
	var names []string
	for _, c := range counters {
		m.counts[c.Name]++
		names = append(names, c.Name)
	}
	return m.read(names), nil
}

func (m *memory) SpendProof(_ context.Context, nonce, expires string) (bool, error) {
	fresh := !m.spent[nonce]
	m.spent[nonce], m.ends = true, expires
	return fresh, nil
}

// of returns how often a caller was counted against a quota.
func (m *memory) of(quota string) (n int64) {
	for name, count := range m.counts {
		if strings.HasPrefix(name, quota+" ") {
			n += count
		}
	}
	return n
}

// newIntake returns a service with small quotas and proofs of four bits.
func newIntake() (*Service, *memory) {
	m := &memory{counts: map[string]int64{}, spent: map[string]bool{}}
	policies := []limit.Policy{
		{Name: "inquiry", Quotas: []limit.Quota{{Name: "inquiry", Calls: 4, Window: 3600}}},
		{Name: "inquiry-email", Quotas: []limit.Quota{{Name: "inquiry-email", Calls: 6, Window: 3600}}},
		{Name: "letters", Quotas: []limit.Quota{{Name: "letters", Calls: 2, Window: 3600}}},
	}
	limits := &limit.Limits{Policies: policies, Secret: []byte("secret")}
	clock, random := func() time.Time { return intakeTime }, strings.NewReader(strings.Repeat("random bytes", 1000))
	return &Service{
		Inquiries: inquiry.Service{Now: clock, Rand: random}, Limits: limits, Tokens: &auth.Service{Secret: []byte("secret")},
		Spam: &AntiSpam{BaseURL: "https://registry.example", ProofBits: 4, Counters: m, Limits: limits, Now: clock, Rand: random},
	}, m
}

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

// nonceOf returns a nonce that the service signed.
func nonceOf(s *Service, end time.Time, bits string) string {
	unix := strconv.FormatInt(end.Unix(), 10)
	return "random." + unix + "." + bits + "." + s.Spam.sealProof("random", unix, bits)
}

// solve finds an answer with exactly that many zero bits.
func solve(nonce string, bits int) string {
	for i := 0; ; i++ {
		if answer := strconv.Itoa(i); zeroBits(nonce+":"+answer) == bits {
			return answer
		}
	}
}

// TestZeroBits counts the leading zero bits of digests, which sha256sum
// confirms.
func TestZeroBits(t *testing.T) {
	for text, want := range map[string]int{
		"abc": 0,  // ba7816bf…
		"1":   1,  // 6b86b273…
		"39":  4,  // 0b918943…
		"286": 10, // 00328ce5…
	} {
		if got := zeroBits(text); got != want {
			t.Errorf("%q: %d bits, not %d", text, got, want)
		}
	}
}

func TestCheckProof(t *testing.T) {
	s, _ := newIntake()
	later := intakeTime.Add(time.Minute)
	nonce := nonceOf(s, later, "4")
	other, _ := newIntake()
	other.Spam.Limits.Secret = []byte("another secret")
	for _, c := range []struct {
		name, nonce, answer string
		least               int
		want                bool
	}{
		{"an answer", nonce, solve(nonce, 4), 4, true},
		{"one with more bits", nonce, solve(nonce, 6), 4, true},
		{"one with fewer bits", nonce, solve(nonce, 3), 4, false},
		{"an easier challenge", nonce, solve(nonce, 6), 5, false},
		{"no answer", nonce, "", 4, false},
		{"a long answer", nonce, strings.Repeat("a", 201), 0, false},
		{"it ended", nonceOf(s, intakeTime, "4"), solve(nonceOf(s, intakeTime, "4"), 4), 4, false},
		{"another server's", nonceOf(other, later, "4"), solve(nonceOf(other, later, "4"), 4), 4, false},
		{"an end that was changed", strings.Replace(nonce, ".17", ".27", 1), solve(strings.Replace(nonce, ".17", ".27", 1), 4), 4, false},
		{"bits that were changed", strings.Replace(nonce, ".4.", ".0.", 1), "a", 0, false},
		{"a part more", nonce + ".a", solve(nonce+".a", 4), 4, false},
		{"nothing", "", "", 0, false},
	} {
		end, ok := s.Spam.checkProof(c.nonce, c.answer, c.least)
		if ok != c.want || ok && end != later.Unix() {
			t.Errorf("%s: %v, ends %d", c.name, ok, end)
		}
	}
}

func TestProofOf(t *testing.T) {
	for header, want := range map[string][2]string{
		"nonce=a.b;answer=c": {"a.b", "c"}, "answer=c; nonce=a": {"a", "c"}, "nonce=a==;answer==": {"a==", "="},
		"": {}, "nonce": {}, "other=a;answer=c": {"", "c"},
	} {
		if nonce, answer := proofOf(header); nonce != want[0] || answer != want[1] {
			t.Errorf("%q: %q and %q", header, nonce, answer)
		}
	}
}

// TestProofIsSpent checks that a proof is accepted once and remembered until
// its challenge ends.
func TestProofIsSpent(t *testing.T) {
	s, m := newIntake()
	nonce := nonceOf(s, intakeTime.Add(time.Minute), "4")
	proof := "nonce=" + nonce + ";answer=" + solve(nonce, 4)
	for i, want := range []bool{true, false} {
		if ok, err := s.Spam.spendWork(t.Context(), proof, 0); ok != want || err != nil {
			t.Errorf("time %d: %v, %v", i, ok, err)
		}
	}
	assert.Equal(t, m.ends, "2026-06-01T12:01:00Z", "kept until")
	if ok, err := s.Spam.spendWork(t.Context(), "nonce=a;answer=b", 0); ok || err != nil || len(m.spent) != 1 {
		t.Errorf("a proof of nothing: %v, %v, %d spent", ok, err, len(m.spent))
	}
}

// TestChallengeCanBeAnswered solves a challenge as it is sent: it must be as
// hard as it says and last ten minutes.
func TestChallengeCanBeAnswered(t *testing.T) {
	s, _ := newIntake()
	for more, bits := range map[int]string{0: "4", groupBits: "6"} {
		var f *problem.Failure
		if err := s.Spam.newChallenge(more); !errors.As(err, &f) || f.Code != "anti_spam_challenge" {
			t.Fatalf("no challenge: %v", err)
		}
		challenge := f.More[0].Value
		nonce := challenge.Get("nonce").Text
		difficulty, _ := strconv.Atoi(bits)
		end, ok := s.Spam.checkProof(nonce, solve(nonce, difficulty), difficulty)
		if !ok || end != intakeTime.Add(10*time.Minute).Unix() || strings.Split(nonce, ".")[2] != bits {
			t.Errorf("%s: %v, ends %d", nonce, ok, end)
		}
	}
	s.Spam.ProofBits = 0
	if s.Spam.proofBits() != 18 {
		t.Errorf("by itself %d bits", s.Spam.proofBits())
	}
}

func publicCall() *request.Call {
	return &request.Call{Request: &edge.Request{Method: "POST", Remote: "192.0.2.1"}}
}

// TestCountPublicRequest checks that a request counts against its address and
// its sender. An address past half its quota must do a proof of work; a form
// without a proof is held.
func TestCountPublicRequest(t *testing.T) {
	for _, c := range []struct {
		name   string
		before int64 // requests of the address so far
		email  int64 // requests of the sender so far
		form   bool
		proven bool
		code   string
		doubt  string
		after  int64
	}{
		{"the first", 0, 0, false, false, "", "", 1},
		{"half the quota", 1, 0, false, false, "", "", 2},
		{"past half of it", 2, 0, false, false, "anti_spam_challenge", "", 2},
		{"with a proof", 2, 0, false, true, "", "", 3},
		{"by form", 2, 0, true, false, "", "many requests from one address, by form", 3},
		{"by form with a proof", 2, 0, true, true, "", "", 3},
		{"the last", 3, 0, false, true, "", "", 4},
		{"one too many", 4, 0, false, true, "quota_exceeded", "", 4},
		{"one too many of the sender", 0, 6, false, false, "quota_exceeded", "", 0},
	} {
		s, m := newIntake()
		call := publicCall()
		sub := &submission{body: &inquiries.PublicRequest{SiteID: "site-a", RequesterEmail: "A@b.example"}, form: c.form}
		for _, w := range s.Spam.quotaWindows(call, sub.body) {
			m.counts[w.Counter.Name] = map[string]int64{"inquiry": c.before, "inquiry-email": c.email}[w.Quota.Name]
		}
		if c.proven {
			nonce := nonceOf(s, intakeTime.Add(time.Minute), "4")
			sub.proof = "nonce=" + nonce + ";answer=" + solve(nonce, 4)
			call.Header.Set("service-proof", sub.proof)
		}
		var header edge.Header
		doubt, err := s.Spam.countPublicRequest(t.Context(), call, sub, &header)
		if failureCode(err) != c.code || doubt != c.doubt || m.of("inquiry") != c.after {
			t.Errorf("%s: %v, doubt %q, counted %d", c.name, err, doubt, m.of("inquiry"))
		}
		if !header.Has("ratelimit") {
			t.Errorf("%s: nothing tells of the quota", c.name)
		}
	}
}

// TestCountedOnce checks that each further publisher of a form counts only
// against its sender.
func TestCountedOnce(t *testing.T) {
	s, m := newIntake()
	sub := &submission{body: &inquiries.PublicRequest{SiteID: "site-a", RequesterEmail: "a@b.example"}, counted: true}
	var header edge.Header
	if _, err := s.Spam.countPublicRequest(t.Context(), publicCall(), sub, &header); err != nil || m.of("inquiry") != 0 || m.of("inquiry-email") != 1 {
		t.Errorf("%v: counted %v", err, m.counts)
	}
}

// TestCountShortlist checks that five publishers count as one request, and that
// more than one publisher requires a proof of work.
func TestCountShortlist(t *testing.T) {
	for _, c := range []struct {
		publishers int
		before     int64
		proven     bool
		code       string
		held       bool
		after      int64
	}{
		{1, 0, false, "", false, 1},
		{1, 2, false, "", true, 3},
		{2, 0, false, "", true, 1},
		{2, 0, true, "", false, 1},
		{5, 0, true, "", false, 1},
		{6, 0, true, "", false, 2},
		{20, 0, true, "", false, 4},
		{20, 1, true, "quota_exceeded", false, 1},
	} {
		s, m := newIntake()
		call := publicCall()
		sub := &submission{body: &inquiries.PublicRequest{SiteID: "site-a", RequesterEmail: "a@b.example"}, form: true}
		m.counts[s.Spam.quotaWindows(call, sub.body)[0].Counter.Name] = c.before
		if c.proven {
			nonce := nonceOf(s, intakeTime.Add(time.Minute), "6")
			sub.proof = "nonce=" + nonce + ";answer=" + solve(nonce, 6)
		}
		var header edge.Header
		doubt, err := s.Spam.countShortlist(t.Context(), call, sub, c.publishers, &header)
		if failureCode(err) != c.code || (doubt != "") != c.held || m.of("inquiry") != c.after || m.of("inquiry-email") != 0 {
			t.Errorf("%d publishers after %d: %v, doubt %q, counted %v", c.publishers, c.before, err, doubt, m.counts)
		}
	}
}

// TestQuotaWindows checks that senders are counted regardless of capitals and
// separately at each publisher, and that no counter contains an address.
func TestQuotaWindows(t *testing.T) {
	s, _ := newIntake()
	names := func(call *request.Call, site, email string) string {
		var out []string
		for _, w := range s.Spam.quotaWindows(call, &inquiries.PublicRequest{SiteID: site, RequesterEmail: email}) {
			out = append(out, w.Counter.Name)
		}
		return strings.Join(out, ", ")
	}
	base := names(publicCall(), "site-a", "a@b.example")
	other := publicCall()
	other.Remote = "192.0.2.2"
	if names(publicCall(), "site-a", "A@B.example") != base || names(publicCall(), "site-b", "a@b.example") == base || names(other, "site-a", "a@b.example") == base {
		t.Error("senders are not told apart as they should be")
	}
	assert.Lacks(t, "a counter is called", base, "192.0.2.1", "b.example")
	unknown := publicCall()
	unknown.Remote = ""
	if got := names(unknown, "site-a", "a@b.example"); strings.Contains(got, "inquiry ") || got == "" {
		t.Errorf("without an address: %s", got)
	}
}

// TestSpendNonce checks that a signature's nonce is accepted once for each
// signing host.
func TestSpendNonce(t *testing.T) {
	s, m := newIntake()
	for i, c := range []struct {
		host, nonce string
		want        bool
	}{{"a.example", "n", true}, {"a.example", "n", false}, {"b.example", "n", true}, {"a.example", "m", true}} {
		assert.Equal(t, (nonces{m}).Spend(t.Context(), c.host, c.nonce, intakeTime), c.want, "%d, %q of %s", i, c.nonce, c.host)
	}
	assert.Equal(t, m.ends, "2026-06-01T12:00:00Z", "kept until")
	call := publicCall()
	call.Header.Set("signature-input", `sig=("@authority");keyid="k"`)
	call.Header.Set("host", "registry.example")
	if s.Spam.isSigned(t.Context(), call) {
		t.Error("a signature was taken although no signers are known")
	}
}

// signerKeys accepts every signature.
type signerKeys struct{}

func (signerKeys) Verify(context.Context, string, string, []byte, []byte) bool { return true }

// TestIsSigned checks that signatures for this service's name are accepted,
// also with the https port.
func TestIsSigned(t *testing.T) {
	s, _ := newIntake()
	s.Spam.Keys = signerKeys{}
	for host, want := range map[string]bool{"registry.example": true, "registry.example:443": true, "Registry.example": true, "registry.example:8443": false, "other.example": false, "": false} {
		call := publicCall()
		call.Header.Set("host", host)
		call.Header.Set("signature-agent", `"https://bot.example"`)
		call.Header.Set("signature-input", fmt.Sprintf(`s=("@authority" "signature-agent");created=%d;expires=%d;keyid="k";tag="web-bot-auth"`, intakeTime.Unix(), intakeTime.Unix()+60))
		call.Header.Set("signature", "s=:"+base64.StdEncoding.EncodeToString(make([]byte, 64))+":")
		assert.Equal(t, s.Spam.isSigned(t.Context(), call), want, "%q", host)
	}
}

// brokenStore is a store that cannot be read.
type brokenStore struct{ inquiry.Store }

func (brokenStore) RequestByKey(context.Context, string, string) (origin.Request, error) {
	return origin.Request{}, origin.ErrUnavailable
}

// TestSubmitWithoutAStore checks that a retry is not taken for a new request
// while the store is out of reach.
func TestSubmitWithoutAStore(t *testing.T) {
	s, _ := newIntake()
	s.Inquiries.Store = brokenStore{}
	checked := errors.New("taken for a new request")
	_, err := s.Submit(t.Context(), &origin.Request{KeyScope: "public:x", Key: "k"}, func() error { return checked })
	if !errors.Is(err, origin.ErrUnavailable) {
		t.Error(err)
	}
}

// TestChooseLetters checks that a sender's address is asked to confirm itself,
// at most as often a day as its quota allows.
func TestChooseLetters(t *testing.T) {
	s, _ := newIntake()
	ask := func(email string) string {
		t.Helper()
		letters, err := s.chooseLetters(t.Context(), &submission{body: &inquiries.PublicRequest{RequesterEmail: email}})
		if err != nil {
			t.Fatal(err)
		}
		return letters
	}
	assert.Equal(t, ask("a@b.example"), "", "where no letters are sent")
	s.Letters = true
	for i, want := range []string{origin.LettersUnconfirmed, origin.LettersUnconfirmed, origin.LettersNone} {
		assert.Equal(t, ask([]string{"a@b.example", "A@b.example", "a@b.example"}[i]), want, "time %d", i)
	}
	assert.Equal(t, ask("c@b.example"), origin.LettersUnconfirmed, "another address")
	if letters, err := s.chooseLetters(t.Context(), &submission{letters: origin.LettersConfirmed}); letters != origin.LettersConfirmed || err != nil {
		t.Errorf("chosen before: %q, %v", letters, err)
	}
}

// siteTable knows sites by id.
type siteTable struct {
	origin.SiteReader
	sites map[string]origin.Site
}

func (x siteTable) Site(_ context.Context, id string) (origin.Site, error) {
	s, ok := x.sites[id]
	if !ok {
		return s, origin.ErrNotFound
	}
	return s, nil
}

// publisherTable finds publishers by words in their names.
type publisherTable [][2]string // id and name

func (x publisherTable) PartnerCatalog(_ context.Context, ask staticindex.Ask, _ listing.PublisherFilter) (*listing.Publishers, error) {
	out := &listing.Publishers{}
	for _, p := range x {
		if strings.Contains(strings.ToLower(p[1]), strings.ToLower(ask.Q)) {
			out.Data = append(out.Data, exports.PublisherHit{PublisherSummary: exports.PublisherSummary{SiteID: p[0], Name: p[1]}})
		}
	}
	return out, nil
}

func formsOf(s *Service) *Forms {
	open := origin.Site{State: origin.Approved, Visibility: "public", AcceptsInquiries: true}
	closed, hidden, pending := open, open, open
	closed.AcceptsInquiries, hidden.Visibility, pending.State = false, "hidden", origin.Pending
	s.Sites = siteTable{sites: map[string]origin.Site{"harbor": open, "tide": open, "closed": closed, "hidden": hidden, "pending": pending}}
	return &Forms{Service: s, Catalog: publisherTable{{"harbor", "Harbor Ledger"}, {"tide", "Tide"}, {"tide-two", "Tide Two"}, {"closed", "Shut"}}}
}

// TestOpenSite checks that a site that is not public is answered like one that
// does not exist.
func TestOpenSite(t *testing.T) {
	s, _ := newIntake()
	formsOf(s)
	for id, want := range map[string][2]string{
		"harbor": {"", ""}, "closed": {"site_not_accepting_inquiries", "site_not_accepting_inquiries"},
		"hidden": {"site_not_found", "validation_failed"}, "pending": {"site_not_found", "validation_failed"}, "none": {"site_not_found", "validation_failed"},
	} {
		partner, public := failureCode(s.CheckSite(t.Context(), id)), failureCode(siteRefused(s.openSite(t.Context(), id)))
		if partner != want[0] || public != want[1] {
			t.Errorf("%s: %q for partners, %q for the public", id, partner, public)
		}
	}
}

func TestSplitPublishers(t *testing.T) {
	for text, want := range map[string][]string{
		"a, b\nc": {"a", "b", "c"}, "a\n\n a ,": {"a"}, "": nil, " , \n": nil,
		"https://registry.example/publishers/harbor/": {"harbor"}, "/publishers/harbor/x": {"harbor"},
	} {
		assert.EqualSlices(t, splitPublishers(text), want, "%q", text)
	}
}

// TestResolvePublishers checks that publishers are found by id, and by names
// that match only one.
func TestResolvePublishers(t *testing.T) {
	s, _ := newIntake()
	f := formsOf(s)
	for text, want := range map[string]string{
		"harbor": "harbor", "HARBOR": "harbor", "Harbor Ledger": "harbor", "ledger": "harbor", "tide": "tide", "Tide\nharbor": "tide harbor", "harbor\nHarbor Ledger": "harbor",
		"": "required", "nobody": "site_not_found", "harbor\nnobody": "site_not_found", "Shut": "site_not_found", "closed": "site_not_found", "hidden": "site_not_found",
		"t": "site_not_found", // in the names of several
		strings.Join(strings.Split("abcdefghijklmnopqrstu", ""), ","): "too_many",
	} {
		sites, err := f.resolvePublishers(t.Context(), text)
		got := strings.Join(sites, " ")
		var fault *problem.Failure
		if errors.As(err, &fault) {
			got = fault.Fields[0].Code
		}
		if got != want {
			t.Errorf("%q: %q, not %q (%v)", text, got, want, err)
		}
	}
}

// groupStore has the requests of one group.
type groupStore struct {
	inquiry.Store
	rows []origin.Request
}

func (g groupStore) RequestsOf(context.Context, origin.RequestFilter) ([]origin.Request, error) {
	return g.rows, nil
}

// TestOpenGroup checks that a group's token opens those of its conversations
// that still have it.
func TestOpenGroup(t *testing.T) {
	s, _ := newIntake()
	f := formsOf(s)
	row := func(id, token, expires string) origin.Request {
		return origin.Request{RequestID: id, TokenHash: credential.Digest(token), TokenExpires: expires}
	}
	s.Inquiries.Store = groupStore{rows: []origin.Request{
		row("req_4", "token", "2026-05-31T00:00:00Z"), row("req_3", "token", "2026-06-01T12:00:01Z"), row("req_2", "replaced", "2026-06-01T12:00:01Z"), row("req_1", "token", "2026-07-01T00:00:00Z"), row("req_0", "token", "2026-06-01T12:00:00Z"),
	}}
	for token, want := range map[string]string{"token": "req_1 req_3", "replaced": "req_2", "other": "thread_not_found", "": "thread_not_found"} {
		rows, err := f.openGroup(t.Context(), "grp_1", token)
		var ids []string
		for i := range rows {
			ids = append(ids, rows[i].RequestID)
		}
		assert.Equal(t, strings.Join(ids, " ")+failureCode(err), want, "%q", token)
	}
	s.Inquiries.Store = nil
	if _, err := f.openGroup(t.Context(), "grp_1", "token"); failureCode(err) != "origin_unavailable" {
		t.Errorf("without a store: %v", err)
	}
}

// threadStore has one conversation of three messages, and one token.
type threadStore struct {
	inquiry.Store
	hash string
}

func (x *threadStore) MessagesOf(_ context.Context, _ string, after int64, limit int) ([]origin.Message, error) {
	var out []origin.Message
	for seq := after + 1; seq <= 3 && len(out) < limit; seq++ {
		out = append(out, origin.Message{Seq: seq, At: "2026-01-01T00:00:00Z"})
	}
	return out, nil
}

func (x *threadStore) History(context.Context, ...string) ([]origin.Move, error) { return nil, nil }

func (x *threadStore) ReplaceToken(_ context.Context, _, oldHash, newHash, _ string) (bool, error) {
	if oldHash != x.hash {
		return false, nil
	}
	x.hash = newHash
	return true, nil
}

// TestReadThread reads a page of messages, with a cursor if there are more.
func TestReadThread(t *testing.T) {
	s, _ := newIntake()
	formsOf(s)
	s.Inquiries.Store = &threadStore{}
	for _, c := range []struct {
		after  int64
		limit  int
		listed int
		next   string
	}{{0, 3, 3, ""}, {0, 2, 2, paging.Keyset("messages", "2")}, {2, 2, 1, ""}, {1, 1, 1, paging.Keyset("messages", "2")}, {0, 0, 0, ""}} {
		thread, err := s.readThread(t.Context(), origin.Request{SiteID: "harbor", State: "in_review"}, c.after, c.limit)
		if err != nil || len(thread.Messages) != c.listed || thread.NextCursor != c.next || thread.Limit != int64(c.limit) {
			t.Errorf("%d after %d: %d messages, next %q, %v", c.limit, c.after, len(thread.Messages), thread.NextCursor, err)
		}
	}
}

// TestRotateToken checks that a token is replaced once, for whoever is first.
func TestRotateToken(t *testing.T) {
	s, _ := newIntake()
	s.Inquiries.Store = &threadStore{hash: "old"}
	for i, c := range []struct{ state, want string }{{"in_review", ""}, {"in_review", "thread_not_found"}, {"withdrawn", "other"}} {
		resp, err := s.rotateToken(t.Context(), origin.Request{ThreadID: "thr_1", State: c.state, TokenHash: "old"})
		if failureCode(err) != c.want || err == nil && resp.Status != 201 {
			t.Errorf("%d, %s: %v", i, c.state, err)
		}
	}
}

// TestPublicToken checks that a call's token is derived from its
// Idempotency-Key, so that a retry gets the same one, and that another sender
// or text gets another.
func TestPublicToken(t *testing.T) {
	s, _ := newIntake()
	token := func(key, email, fingerprint string) (string, origin.Request) {
		t.Helper()
		r := origin.Request{BuyerEmail: email}
		text, err := s.publicToken(&submission{key: key, fingerprint: fingerprint}, &r)
		if err != nil || text == "" {
			t.Fatalf("no token: %v", err)
		}
		return text, r
	}
	first, r := token("k", "a@b.example", "f")
	same, again := token("k", "A@b.example", "f")
	if first != same || r.KeyScope != again.KeyScope || r.Key != "k" || r.Fingerprint != "f" || strings.Contains(r.KeyScope, "b.example") {
		t.Errorf("a retry: %q and %q, %+v", first, same, r)
	}
	for _, other := range [][3]string{{"l", "a@b.example", "f"}, {"k", "c@b.example", "f"}, {"k", "a@b.example", "g"}, {"", "a@b.example", "f"}} {
		if text, _ := token(other[0], other[1], other[2]); text == first {
			t.Errorf("%q has the same token", other)
		}
	}
	if one, r := token("", "a@b.example", "f"); r.Key != "" || r.KeyScope != "" {
		t.Errorf("without a key %q is claimed for %+v", one, r)
	}
}

// TestTalkActs checks that an answer is offered instead of a message, and that
// withdrawing is offered.
func TestTalkActs(t *testing.T) {
	for _, c := range []struct{ allowed, want []string }{
		{nil, nil}, {[]string{"text"}, []string{"text message"}}, {[]string{"text", "answer", "withdraw"}, []string{"answer answer", "withdraw "}},
		{[]string{"rotate_token"}, nil},
	} {
		var got []string
		for _, a := range talkActs(c.allowed) {
			got = append(got, a.Kind+" "+a.Writes)
		}
		assert.EqualSlices(t, got, c.want, "%q", c.allowed)
	}
}

// TestReadForm checks that a form which fills in the hidden field is held.
func TestReadForm(t *testing.T) {
	s, _ := newIntake()
	f := formsOf(s)
	for body, doubt := range map[string]string{"": "", "&website=x": "honeypot"} {
		call := publicCall()
		call.Header.Set("content-type", "application/x-www-form-urlencoded")
		call.Body = bytes.Join([][]byte{[]byte("requester_name=A&requester_email=a%40b.example&intended_use=Grounding+of+answers&requested_scope=All+the+tide+tables&message=Hello,+we+would+like+to+ask&proof=p"), []byte(body)}, nil)
		form, err := call.ParseForm(exports.MaxBody)
		if err != nil {
			t.Fatal(err)
		}
		sub, err := f.readForm(call, form, "harbor")
		if err != nil || sub.doubt != doubt || !sub.form || sub.proof != "p" || sub.body.SiteID != "harbor" || sub.body.RequesterEmail != "a@b.example" {
			t.Errorf("%q: %v, %+v", body, err, sub)
		}
	}
}

// TestSameRequestTwice checks what makes two public requests the same: site,
// address in any case, use and scope.
func TestSameRequestTwice(t *testing.T) {
	mark := func(site, email, use, scope string) string {
		return publicRequest(&inquiries.PublicRequest{SiteID: site, RequesterEmail: email, IntendedUse: use, RequestedScope: scope}).Dedupe
	}
	first := mark("site-a", "a@b.example", "u", "s")
	assert.Equal(t, mark("site-a", "A@B.example", "u", "s"), first, "an address in capitals is another sender")
	for _, other := range []string{mark("site-b", "a@b.example", "u", "s"), mark("site-a", "c@b.example", "u", "s"), mark("site-a", "a@b.example", "v", "s"), mark("site-a", "a@b.example", "u", "t")} {
		if other == first {
			t.Error("another request counts as the same")
		}
	}
}
