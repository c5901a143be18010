package worker_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/origin"
	"colophon/worker"
	"colophon/worker/edge"
	"colophon/worker/edgehttp"
)

// market is a service with buyers, and with methods to change what they may
// have.
type market struct {
	testing.TB
	*service
	real bool // the service uses the real clock
}

func newMarket(t testing.TB, change ...func(*worker.Deps)) *market {
	return marketOn(t, "sqlite", change...)
}

// marketOn returns a market whose store is opened with a driver.
func marketOn(t testing.TB, driver string, change ...func(*worker.Deps)) *market {
	t.Helper()
	s := &service{store: openWith(t, driver, filepath.Join(t.TempDir(), "origin.db"))}
	m := &market{TB: t, service: s}
	s.deps = depsOf(s.store, s.now)
	s.deps.Log = s.log
	for _, f := range change {
		f(&s.deps)
	}
	s.handle = openapitest.Handler(t, worker.New(s.deps))
	return m
}

const seedTime = "2026-01-01T00:00:00Z"

// site adds an approved site.
func (m *market) site(id string, state origin.SiteState) {
	m.Helper()
	ctx := context.Background()
	must(m, m.store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_" + id, LegalName: id, PrivateNotes: canaryNote, CreatedAt: seedTime}))
	must(m, m.store.PutSite(ctx, origin.Site{SiteID: id, PublisherID: "pub_" + id, Name: "Site " + id, SiteURL: "https://" + id + ".example/",
		State: state, Visibility: "public", AcceptsInquiries: true, CreatedAt: seedTime, ChangedAt: seedTime}))
}

// token returns a text that occurs in one edition of one page and nowhere else.
func token(entry string, edition int) string { return fmt.Sprintf("BODY-%s-%d-END", entry, edition) }

// page adds or edits a page.
func (m *market) page(site, entry, path, state string, edition int) {
	m.Helper()
	text := "text " + token(entry, edition)
	must(m, m.store.PutPage(context.Background(), origin.Page{
		EntryID: entry, SiteID: site, CanonicalURL: "https://" + site + ".example" + path, Title: "Title of " + entry, Byline: []string{"Desk"},
		Terms: []string{"tides"}, Language: "en", ContentFormat: "html", WordCount: 3, PublishedAt: seedTime, ModifiedAt: seedTime,
		RegisteredAt: seedTime, ChangedAt: seedTime, State: state,
	}, &origin.Body{Text: text, Markdown: "# " + text, HTML: "<p>" + text + "</p>", SHA256: credential.Digest(text), ChangedAt: seedTime}))
}

// buyer adds a buyer and returns its credential.
func (m *market) buyer(id, state string) string {
	m.Helper()
	must(m, m.store.PutBuyer(context.Background(), origin.Buyer{BuyerID: id, Name: "Buyer " + id, State: state, ContactEmail: canaryEmail, PrivateNotes: canaryNote, CreatedAt: seedTime, ChangedAt: seedTime}))
	return m.credential(id, "active", "")
}

func (m *market) credential(buyer, state, expires string) string {
	m.Helper()
	secret := "byr_test_" + buyer + "-" + state + expires + "-0000000000000000000000000000000"
	hash := credential.Digest(secret)
	must(m, m.store.PutCredential(context.Background(), origin.BuyerCredential{CredentialID: credentialID(secret), BuyerID: buyer,
		Credential: origin.Credential{Lookup: credential.LookupOf(hash), Hash: hash, State: state, ExpiresAt: expires, CreatedAt: seedTime, ChangedAt: seedTime},
		Last4:      credential.Last4(secret), Environment: "test"}))
	return secret
}

// credentialID returns the id of the credential with a secret.
func credentialID(secret string) string { return "crd_" + credential.Digest(secret)[:12] }

// credentialState changes the state of a credential.
func (m *market) credentialState(id, state string) {
	m.Helper()
	c, err := m.store.Credential(context.Background(), id)
	must(m, err)
	c.State = state
	must(m, m.store.PutCredential(context.Background(), c))
}

// grant adds or replaces a grant; it covers exactly the given sites.
func (m *market) grant(g origin.Grant, sites ...string) {
	m.Helper()
	ctx := context.Background()
	if g.Kind == "" {
		g.Kind = "direct"
	}
	if g.Uses == nil {
		g.Uses = []string{"rag"}
	}
	if g.State == "" {
		g.State = "active"
	}
	if g.ValidFrom == "" {
		g.ValidFrom = seedTime
	}
	g.StateAt, g.DeleteHours, g.Agreement, g.PrivateNotes = exports.Instant(m.now()), 72, canaryNote, canaryNote
	g.CreatedAt, g.ChangedAt = seedTime, exports.Instant(m.now())
	must(m, m.store.PutGrant(ctx, g))
	have, err := m.store.Grant(ctx, g.GrantID)
	must(m, err)
	for _, id := range have.Sites {
		if !slices.Contains(sites, id) {
			must(m, m.store.SetGrantSite(ctx, g.GrantID, id, false, seedTime))
		}
	}
	for _, id := range sites {
		must(m, m.store.SetGrantSite(ctx, g.GrantID, id, true, seedTime))
	}
}

// state changes the state of a grant.
func (m *market) state(grantID, state string) {
	m.Helper()
	g, err := m.store.Grant(context.Background(), grantID)
	must(m, err)
	g.State, g.StateAt, g.ChangedAt = state, exports.Instant(m.now()), exports.Instant(m.now())
	must(m, m.store.PutGrant(context.Background(), g))
}

// answer is a complete answer.
type answer struct {
	status int
	header edge.Header
	body   string
	cut    error
}

// get sends a request with a credential, "" for none.
func (m *market) get(credential, target string) answer { return m.send("GET", credential, target, "") }

func (m *market) send(method, credential, target, body string) answer {
	m.Helper()
	r := newRequest(credential, target)
	if r.Method, r.Body = method, []byte(body); body != "" {
		r.Header.Add("content-type", "application/json")
	}
	resp := m.handle(context.Background(), r)
	a := answer{status: resp.Status, header: resp.Header, body: string(resp.Body)}
	if resp.Stream != nil {
		var out strings.Builder
		a.cut = resp.Stream(&out)
		a.body = out.String()
	}
	return a
}

func newRequest(credential, target string) *edge.Request {
	r := &edge.Request{Method: "GET", ID: "rid_00000000000000000000000000", Remote: "192.0.2.1"}
	r.Path, r.Query, _ = strings.Cut(target, "?")
	if credential != "" {
		r.Header.Add("authorization", "Bearer "+credential)
	}
	return r
}

// server serves the market over HTTP on loopback.
func (m *market) server() *httptest.Server {
	srv := httptest.NewServer(edgehttp.New(m.handle, edgehttp.Options{}))
	m.Cleanup(srv.Close)
	return srv
}

// seen records everything received over a client's connections.
type seen struct {
	base http.RoundTripper
	text *strings.Builder
}

func (s seen) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := s.base.RoundTrip(r)
	if err == nil {
		res.Body = tee{res.Body, s.text}
	}
	return res, err
}

func noWait(context.Context, time.Duration) error { return nil }
