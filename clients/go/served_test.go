package colophon_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	colophon "colophon/clients/go"
	"colophon/clients/go/api"
)

// demo has examples and secrets of the served demo.
type demo struct {
	SiteID           string            `json:"site_id"`
	EntryID          string            `json:"entry_id"`
	URL              string            `json:"url"`
	PartnerKeys      map[string]string `json:"partner_keys"`
	BuyerCredentials map[string]string `json:"buyer_credentials"`
}

// served returns the registry that COLOPHON_BASE and COLOPHON_DEMO name; "make
// test-clients" starts both hosts.
func served(t *testing.T) (base string, facts demo) {
	t.Helper()
	base = os.Getenv("COLOPHON_BASE")
	data, err := os.ReadFile(os.Getenv("COLOPHON_DEMO"))
	if base == "" || err != nil {
		t.Fatalf("COLOPHON_BASE and COLOPHON_DEMO name no demo: run \"make test-clients\" (%v)", err)
	}
	must(t, json.Unmarshal(data, &facts))
	return base, facts
}

func newClient(t *testing.T, base string, facts demo, more ...colophon.Option) *colophon.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	options := []colophon.Option{
		colophon.WithPartnerKey(facts.PartnerKeys["full"]), colophon.WithBuyerCredential(facts.BuyerCredentials["granted"]),
		colophon.WithHTTPClient(&http.Client{Transport: transport, Timeout: time.Minute}), colophon.WithRetries(6, 10*time.Millisecond),
	}
	c, err := colophon.New(base, append(options, more...)...)
	must(t, err)
	return c
}

// collect returns everything that a walk yields.
func collect[T any](t *testing.T, walk iter.Seq2[T, error]) []T {
	t.Helper()
	var out []T
	for one, err := range walk {
		if err != nil {
			t.Fatalf("after %d: %v", len(out), err)
		}
		out = append(out, one)
	}
	return out
}

func ptr[T any](v T) *T { return &v }

// TestWalkTenThousandRecords checks that paging yields each record of the
// registry once, and a stream of lines the same records.
func TestWalkTenThousandRecords(t *testing.T) {
	base, facts := served(t)
	c := newClient(t, base, facts)
	stats, err := colophon.Read[api.Stats](c.API.GetNetworkStats(t.Context(), &api.GetNetworkStatsParams{}))
	must(t, err)
	want := stats.RegisteredPages
	if want < 10_000 {
		t.Fatalf("the registry has %d pages only", want)
	}
	seen := map[string]bool{}
	order := []string{}
	for r, err := range c.Feed(t.Context(), api.LicensingFeedParams{Limit: ptr(100)}) {
		must(t, err)
		if seen[r.EntryId] {
			t.Fatalf("%s came twice", r.EntryId)
		}
		seen[r.EntryId] = true
		order = append(order, r.EntryId)
	}
	if len(order) != want {
		t.Errorf("paging went through %d of %d records", len(order), want)
	}
	lines := []string{}
	for r, err := range c.FeedLines(t.Context(), api.LicensingFeedNdjsonParams{}) {
		must(t, err)
		lines = append(lines, r.EntryId)
	}
	if !slices.Equal(lines, order) {
		t.Errorf("%d lines, %d records, or in another order", len(lines), len(order))
	}
}

// TestWalkRecordsOfSite walks a publisher's records to the end with several
// page sizes.
func TestWalkRecordsOfSite(t *testing.T) {
	base, facts := served(t)
	c := newClient(t, base, facts)
	ctx := t.Context()
	publishers, err := colophon.Read[api.PublisherList](c.API.ListMarketplacePublishers(ctx, &api.ListMarketplacePublishersParams{}))
	must(t, err)
	largest := slices.MaxFunc(publishers.Data, func(a, b api.PublisherSummary) int { return a.RegisteredPages - b.RegisteredPages })
	first, err := colophon.Read[api.RecordList](c.API.SiteRecords(ctx, largest.SiteId, &api.SiteRecordsParams{}))
	must(t, err)
	if first.Page.Total <= 200 {
		t.Fatalf("%s has %d records only", largest.SiteId, first.Page.Total)
	}
	for _, limit := range []*int{nil, ptr(100)} {
		seen := map[string]bool{}
		for _, r := range collect(t, c.SiteRecords(ctx, largest.SiteId, api.SiteRecordsParams{Limit: limit})) {
			if seen[r.EntryId] || r.SiteId != largest.SiteId {
				t.Fatalf("%s of %s came twice, or is not of %s", r.EntryId, r.SiteId, largest.SiteId)
			}
			seen[r.EntryId] = true
		}
		if len(seen) != first.Page.Total {
			t.Errorf("%d records, want %d", len(seen), first.Page.Total)
		}
	}
}

// TestBreakOff checks that a walk that is stopped sends no further request.
func TestBreakOff(t *testing.T) {
	base, facts := served(t)
	c := newClient(t, base, facts)
	got := 0
	for range c.Feed(t.Context(), api.LicensingFeedParams{Limit: ptr(2)}) {
		if got++; got == 3 {
			break
		}
	}
	for range c.FeedLines(t.Context(), api.LicensingFeedNdjsonParams{Limit: ptr(2)}) {
		if got++; got == 6 {
			break
		}
	}
	if got != 6 {
		t.Errorf("got %d", got)
	}
}

// counting counts the requests that go through it.
type counting struct {
	http.RoundTripper
	requests int
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.requests++
	return c.RoundTripper.RoundTrip(r)
}

// TestWalksOfAllLists checks that the walks of the other lists go on from page
// to page: each asks for as many pages as its records fill.
func TestWalksOfAllLists(t *testing.T) {
	base, facts := served(t)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	asked := &counting{RoundTripper: transport}
	c := newClient(t, base, facts, colophon.WithHTTPClient(&http.Client{Transport: asked, Timeout: time.Minute}))
	ctx := t.Context()
	publisher, err := colophon.Read[api.Publisher](c.API.GetPublisher(ctx, facts.SiteID, &api.GetPublisherParams{}))
	must(t, err)
	if publisher.SiteId != facts.SiteID {
		t.Errorf("asked for %q, got %q", facts.SiteID, publisher.SiteId)
	}
	for _, list := range []struct {
		name   string
		limit  int
		length func() int
	}{
		{"inventory", 7, func() int {
			return len(collect(t, c.Inventory(ctx, facts.SiteID, api.GetPublisherInventoryParams{Limit: ptr(7)})))
		}},
		{"search", 2, func() int {
			return len(collect(t, c.Search(ctx, api.SearchContentCatalogParams{Q: ptr("tide"), Limit: ptr(2)})))
		}},
		{"demand", 2, func() int { return len(collect(t, c.Demand(ctx, api.BuyerDemandParams{Limit: ptr(2)}))) }},
		{"offers", 3, func() int { return len(collect(t, c.Offers(ctx, api.LicenseCatalogParams{Limit: ptr(3)}))) }},
		{"map", 3, func() int { return len(collect(t, c.RightsMap(ctx, api.AiRightsMapParams{Limit: ptr(3)}))) }},
		{"ledger", 2, func() int {
			return len(collect(t, c.Ledger(ctx, api.LedgerSearchParams{Q: ptr("tide"), Limit: ptr(2)})))
		}},
		{"partner", 3, func() int {
			return len(collect(t, c.PartnerSearch(ctx, api.PartnerCatalogSearchParams{Limit: ptr(3)})))
		}},
	} {
		asked.requests = 0
		n := list.length()
		if pages := (n + list.limit - 1) / list.limit; pages < 2 || asked.requests != pages {
			t.Errorf("%s: %d records came in %d requests, want more than one page of %d", list.name, n, asked.requests, list.limit)
		}
	}
}

func inquiry(facts demo, mark string) api.PartnerRequest {
	return api.PartnerRequest{
		SiteId: facts.SiteID, BuyerName: "R. Example", BuyerEmail: "r@example.org", IntendedUse: "Grounding of answers " + mark,
		RequestedScope: "/shipping/*", Message: "We would like to ground answers on your tide tables.",
	}
}

// TestRetryCreatesOneRequest checks that a retry sends the same key and creates
// no second request. The connection is cut after the service accepted the
// request and before its whole answer arrived.
func TestRetryCreatesOneRequest(t *testing.T) {
	base, facts := served(t)
	direct := newClient(t, base, facts)
	before := collect(t, direct.PartnerRequests(t.Context(), api.PartnerListRequestsParams{}))

	for _, budget := range []int64{0, 300} { // no answer at all, or half of one
		p := newCutter(t, base, budget, budget)
		key := colophon.NewIdempotencyKey()
		created, err := newClient(t, p.base, facts).CreatePartnerRequest(t.Context(), inquiry(facts, key), key)
		must(t, err)
		if p.count() != 2 {
			t.Fatalf("%d connections were cut, want 2", p.count())
		}
		after := collect(t, direct.PartnerRequests(t.Context(), api.PartnerListRequestsParams{}))
		if len(after) != len(before)+1 {
			t.Errorf("%d requests were created", len(after)-len(before))
		}
		again, err := direct.CreatePartnerRequest(t.Context(), inquiry(facts, key), key)
		if err != nil || again.RequestId != created.RequestId {
			t.Errorf("the same key gave %v, %v, not %s", again, err, created.RequestId)
		}
		if _, err := direct.CreatePartnerRequest(t.Context(), inquiry(facts, "other"), key); colophon.CodeOf(err) != "idempotency_conflict" {
			t.Errorf("another body under the same key: %v", err)
		}
		before = after
	}
}

// TestRetriesOfOtherWrites checks that public inquiries, messages and snapshots
// succeed although the connection is cut before the first answer, and that the
// retried message is added once.
func TestRetriesOfOtherWrites(t *testing.T) {
	base, facts := served(t)
	direct := newClient(t, base, facts)
	ctx := t.Context()
	p := newCutter(t, base, 0)
	body := api.PublicRequest{
		SiteId: facts.SiteID, RequesterName: "R. Example", RequesterEmail: "r@example.org", IntendedUse: "Grounding " + colophon.NewIdempotencyKey(),
		RequestedScope: "/shipping/*", Message: "We would like to ground answers on your tide tables.",
	}
	receipt, err := newClient(t, p.base, facts).CreateRequest(ctx, body, "")
	if err != nil || p.count() != 1 {
		t.Fatalf("%v, %d cuts", err, p.count())
	}
	thread, token := receipt.Conversation.ThreadId, receipt.Conversation.Token

	p = newCutter(t, base, 0)
	if _, err := newClient(t, p.base, facts).PostMessage(ctx, thread, token, api.Message{Body: ptr("May the answers show the tables?")}); err != nil || p.count() != 1 {
		t.Fatalf("%v, %d cuts", err, p.count())
	}
	talk, err := direct.Conversation(ctx, thread, token)
	must(t, err)
	if len(talk.Messages) != 2 {
		t.Errorf("the conversation has %d messages, want the inquiry and one more", len(talk.Messages))
	}

	p = newCutter(t, base, 0)
	snapshot, err := newClient(t, p.base, facts).CreateSnapshot(ctx, api.Snapshot{Label: ptr("weekly")}, "")
	if err != nil || p.count() != 1 || snapshot.SnapshotId == "" {
		t.Errorf("%v, %v, %d cuts", snapshot, err, p.count())
	}
}

// TestStreamsGoOn checks that a stream which is cut in the middle continues
// from there.
func TestStreamsGoOn(t *testing.T) {
	base, facts := served(t)
	direct := newClient(t, base, facts)
	ctx := t.Context()
	budgets := []int64{4_000, 700, 9_000, 20_000} // 700: within the headers or just after
	streams := map[string]func(c *colophon.Client) any{
		"feed": func(c *colophon.Client) any {
			var out []api.FeedRecord
			for r, err := range c.FeedLines(ctx, api.LicensingFeedNdjsonParams{}) {
				must(t, err)
				r.Cursor = nil // it names the page that the record was read from
				out = append(out, r)
			}
			return out
		},
		"delivery": func(c *colophon.Client) any {
			var out []string
			for _, l := range collect(t, c.Deliver(ctx, api.DeliveryFeedParams{})) {
				out = append(out, l.Item.ItemId+" "+l.Item.Content.Text)
			}
			return out
		},
		"delta": func(c *colophon.Client) any {
			var out []string
			for _, l := range collect(t, c.Changes(ctx, "", api.DeliveryDeltaParams{})) {
				if l.Upsert != nil {
					out = append(out, l.Upsert.Cursor+" "+l.Upsert.Item.ItemId)
				}
			}
			return out
		},
	}
	for name, read := range streams {
		want := read(direct)
		if reflect.ValueOf(want).Len() < 20 {
			t.Fatalf("%s: only %d lines", name, reflect.ValueOf(want).Len())
		}
		p := newCutter(t, base, budgets...)
		if got := read(newClient(t, p.base, facts)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d lines after cuts, %d without, or others", name, reflect.ValueOf(got).Len(), reflect.ValueOf(want).Len())
		}
		if p.count() != len(budgets) {
			t.Errorf("%s: %d connections were cut, want %d", name, p.count(), len(budgets))
		}
	}
}

// TestHopelessStream checks that a walk fails if every answer of its stream is
// cut.
func TestHopelessStream(t *testing.T) {
	base, facts := served(t)
	p := newCutter(t, base, slices.Repeat([]int64{1_100}, 50)...)
	c := newClient(t, p.base, facts)
	for _, err := range c.Deliver(t.Context(), api.DeliveryFeedParams{}) {
		if err != nil {
			if p.count() > 40 {
				t.Errorf("given up after %d cuts", p.count())
			}
			return
		}
	}
	t.Error("no error")
}

func TestRecordVerifies(t *testing.T) {
	base, facts := served(t)
	c := newClient(t, base, facts)
	keys, err := c.Keys(t.Context())
	must(t, err)
	text, err := colophon.ReadBytes(c.API.GetRecord(t.Context(), facts.EntryID, &api.GetRecordParams{}))
	must(t, err)
	record, err := keys.VerifyRecord(text)
	if err != nil || record.EntryId != facts.EntryID || record.CanonicalUrl != facts.URL {
		t.Fatalf("%v, %+v", err, record)
	}
	title, _ := json.Marshal(record.Source.Title)
	for what, tampered := range map[string][]byte{
		"title":  bytes.Replace(text, title, []byte(`"Another title"`), 1),
		"site":   bytes.ReplaceAll(text, []byte(facts.SiteID), []byte("somebody-else")),
		"added":  bytes.Replace(text, []byte(`{`), []byte(`{"allowed":true,`), 1),
		"signed": bytes.Replace(text, []byte(`"signature_b64u":"`), []byte(`"signature_b64u":"AAAA`), 1),
	} {
		if _, err := keys.VerifyRecord(tampered); !errors.Is(err, colophon.ErrSignature) {
			t.Errorf("%s: %v", what, err)
		}
	}
	twice := bytes.Replace(text, []byte(`{`), []byte(`{"site_id":"somebody-else",`), 1)
	if _, err := keys.VerifyRecord(twice); !errors.Is(err, colophon.ErrMalformed) {
		t.Errorf("a member that is there twice: %v", err)
	}
	if _, err := (colophon.Keys{}).VerifyRecord(text); !errors.Is(err, colophon.ErrUnknownKey) {
		t.Errorf("without keys: %v", err)
	}
	forged := slices.Clone(keys)
	forged[0].X = strings.Repeat("A", 43)
	if _, err := forged.VerifyRecord(text); !errors.Is(err, colophon.ErrUnknownKey) {
		t.Errorf("a key under the id of another: %v", err)
	}
	expired := slices.Clone(keys)
	expired[0].Exp = int(record.Proof.Created.Unix())
	if _, err := expired.VerifyRecord(text); !errors.Is(err, colophon.ErrKeyPeriod) {
		t.Errorf("a record made when the key had ended: %v", err)
	}
}

func TestReceiptVerifies(t *testing.T) {
	base, facts := served(t)
	c := newClient(t, base, facts)
	keys, err := c.Keys(t.Context())
	must(t, err)
	ask := func(use api.RightsCheckParamsUse) []byte {
		text, err := colophon.ReadBytes(c.API.RightsCheck(t.Context(), &api.RightsCheckParams{EntryId: &facts.EntryID, Use: &[]api.RightsCheckParamsUse{use}}))
		must(t, err)
		return text
	}
	text, other := ask("rag"), ask("training")
	answer, err := keys.VerifyReceipt(text)
	if err != nil || len(answer.Candidates) != 1 || bool(answer.GrantsRights) {
		t.Fatalf("%v, %+v", err, answer)
	}
	verdict := string(answer.Candidates[0].Uses[0].Verdict)
	at := bytes.Index(text, []byte(`"`+verdict+`"`))
	tampered := slices.Concat(text[:at], []byte(`"signal_allow"`), text[at+len(verdict)+2:])
	if _, err := keys.VerifyReceipt(tampered); !errors.Is(err, colophon.ErrOtherAnswer) {
		t.Errorf("a changed verdict: %v", err)
	}
	tampered = bytes.ReplaceAll(text, []byte(`"`+verdict+`"`), []byte(`"signal_allow"`))
	if _, err := keys.VerifyReceipt(tampered); !errors.Is(err, colophon.ErrSignature) {
		t.Errorf("a changed verdict, also in the receipt: %v", err)
	}
	if _, err := keys.VerifyReceipt(withReceiptOf(t, text, other)); !errors.Is(err, colophon.ErrOtherAnswer) {
		t.Errorf("the receipt of another answer: %v", err)
	}
}

// withReceiptOf returns an answer with another answer's receipt.
func withReceiptOf(t *testing.T, answer, other []byte) []byte {
	t.Helper()
	var a, b map[string]json.RawMessage
	must(t, errors.Join(json.Unmarshal(answer, &a), json.Unmarshal(other, &b)))
	a["receipt"] = b["receipt"]
	out, err := json.Marshal(a)
	must(t, err)
	return out
}

func TestProblems(t *testing.T) {
	base, facts := served(t)
	c := newClient(t, base, facts)
	_, err := colophon.Read[api.Publisher](c.API.GetPublisher(t.Context(), "nobody", &api.GetPublisherParams{}))
	var p *colophon.Problem
	if !errors.As(err, &p) || p.Status != 404 || p.RequestId == "" || colophon.CodeOf(err) != p.Code {
		t.Errorf("%v", err)
	}
	facts.PartnerKeys["full"] = "nobody"
	if _, err := newClient(t, base, facts).CreatePartnerRequest(t.Context(), inquiry(facts, "x"), ""); colophon.CodeOf(err) != "credential_invalid" {
		t.Errorf("a wrong key: %v", err)
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
