package worker_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"colophon/exports"
	"colophon/internal/origin"
)

// raceEnd is a way in which a right ends and is restored. After its end, the
// text of all pages, or of one, may no longer be sent.
type raceEnd struct {
	name    string
	page    string // "" means all
	end     func(m *market, credential string)
	restore func(m *market, credential string)
}

var raceEnds = []raceEnd{
	{"credential revoked", "", func(m *market, id string) { m.credentialState(id, "revoked") }, func(m *market, id string) { m.credentialState(id, "active") }},
	{"credential expired", "", func(m *market, id string) { m.credentialExpiry(id, seedTime) }, func(m *market, id string) { m.credentialExpiry(id, "") }},
	{"grant revoked", "", func(m *market, _ string) { m.state("grt_1", "revoked") }, func(m *market, _ string) { m.state("grt_1", "active") }},
	{"grant suspended", "", func(m *market, _ string) { m.state("grt_1", "suspended") }, func(m *market, _ string) { m.state("grt_1", "active") }},
	{"grant expired", "", func(m *market, _ string) { m.raceGrant(seedTime) }, func(m *market, _ string) { m.raceGrant("") }},
	{"buyer suspended", "", func(m *market, _ string) { m.buyerState("byr_main", "suspended") }, func(m *market, _ string) { m.buyerState("byr_main", "active") }},
	{"publisher suspended", "", func(m *market, _ string) { m.site("site-a", origin.Suspended) }, func(m *market, _ string) { m.site("site-a", origin.Approved) }},
	{"publisher closed", "", func(m *market, _ string) { m.site("site-a", origin.Closed) }, func(m *market, _ string) { m.site("site-a", origin.Approved) }},
	{"publisher left the grant", "", func(m *market, _ string) { m.grantSite(false) }, func(m *market, _ string) { m.grantSite(true) }},
	{"page withdrawn", "ent_2", func(m *market, _ string) { m.page("site-a", "ent_2", "/a/ent_2", "withdrawn", 1) }, func(m *market, _ string) { m.page("site-a", "ent_2", "/a/ent_2", "active", 1) }},
}

func (m *market) credentialExpiry(id, at string) {
	m.Helper()
	c, err := m.store.Credential(context.Background(), id)
	must(m, err)
	c.ExpiresAt = at
	must(m, m.store.PutCredential(context.Background(), c))
}

func (m *market) buyerState(id, state string) {
	m.Helper()
	b, err := m.store.Buyer(context.Background(), id)
	must(m, err)
	b.State = state
	must(m, m.store.PutBuyer(context.Background(), b))
}

func (m *market) raceGrant(until string) {
	m.Helper()
	g, err := m.store.Grant(context.Background(), "grt_1")
	must(m, err)
	g.ValidUntil = until
	must(m, m.store.PutGrant(context.Background(), g))
}

func (m *market) grantSite(covered bool) {
	m.Helper()
	must(m, m.store.SetGrantSite(context.Background(), "grt_1", "site-a", covered, seedTime))
}

// raceRequest is one way to request content.
type raceRequest struct{ name, method, target, body string }

func raceRequests(snapshot string) []raceRequest {
	const read = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_licensed_content","arguments":{"uri":"licensed://site-a/ent_2"}}}`
	return []raceRequest{
		{"REST", "GET", exports.PathDeliveryItems, ""},
		{"NDJSON", "GET", exports.PathDeliveryFeed, ""},
		{"delta", "GET", exports.PathDeliveryDelta + "?since=ZGVsdGEgMCAwIA", ""},
		{"snapshot", "GET", exports.PathDeliveryFeed + "?snapshot=" + snapshot, ""},
		{"gateway", "POST", "/mcp/gateway", read},
	}
}

// raceSend sends a request and passes each piece of the answer to take as it is
// written, or the whole answer if pieces cannot be seen. The answer may be cut.
type raceSend func(r raceRequest, credential string, take func(piece string))

// raceRevocations runs readers and the end of a right concurrently, for each
// way to end a right, each way to ask and a number of rounds: no content may be
// started after the commit. A piece is started when the one before it, or the
// request, has been handled.
func raceRevocations(t *testing.T, m *market, rounds int, send raceSend) {
	credential := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	for i := 1; i <= 3; i++ {
		id := fmt.Sprintf("ent_%d", i)
		m.page("site-a", id, "/a/"+id, "active", 1)
	}
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
	requests := raceRequests(takeSnapshot(t, send, credential))

	for _, end := range raceEnds {
		for _, request := range requests {
			t.Run(end.name+"/"+request.name, func(t *testing.T) {
				race := &revocationRace{market: m, send: send, credential: credential, end: end, request: request}
				for round := range rounds {
					if late := race.run(); late != "" {
						t.Fatalf("round %d: content was begun after the commit: %.300s", round, late)
					}
				}
				if race.served.Load() == 0 || race.refused.Load() < int64(rounds) {
					t.Errorf("%d answers with content, %d without: the race was never run", race.served.Load(), race.refused.Load())
				}
			})
		}
	}
}

func takeSnapshot(t *testing.T, send raceSend, credential string) string {
	t.Helper()
	var body strings.Builder
	send(raceRequest{"", "POST", exports.PathDeliverySnapshots, "{}"}, credential, func(piece string) { body.WriteString(piece) })
	_, rest, _ := strings.Cut(body.String(), `"snapshot_id":"`)
	id, _, found := strings.Cut(rest, `"`)
	if !found {
		t.Fatalf("no snapshot: %s", body.String())
	}
	return id
}

// revocationRace is one way to end a right against one way to ask.
type revocationRace struct {
	*market
	send            raceSend
	credential      string
	end             raceEnd
	request         raceRequest
	served, refused atomic.Int64
}

// run runs one round and returns the content that was started after the commit.
func (r *revocationRace) run() string {
	var committed atomic.Bool
	var late atomic.Value
	var readers, warm sync.WaitGroup
	r.end.restore(r.market, credentialID(r.credential))
	warm.Add(2)
	for range 2 {
		readers.Go(func() {
			note := func() {
				if text := r.read(&committed); text != "" {
					late.Store(text)
				}
			}
			note()
			warm.Done()
			for after := false; !after; {
				after = committed.Load() // the last one begins after the commit
				note()
			}
		})
	}
	warm.Wait()
	r.end.end(r.market, credentialID(r.credential))
	committed.Store(true)
	readers.Wait()
	r.end.restore(r.market, credentialID(r.credential))
	text, _ := late.Load().(string)
	return text
}

// read sends one request and returns the piece that was started too late.
func (r *revocationRace) read(committed *atomic.Bool) string {
	late, content := "", false
	over := committed.Load()
	r.send(r.request, r.credential, func(piece string) {
		if strings.Contains(piece, "BODY-"+r.end.page) {
			content = true
			if over {
				late = piece
			}
		}
		over = committed.Load()
	})
	if content {
		r.served.Add(1)
	} else {
		r.refused.Add(1)
	}
	return late
}

// raceRounds returns $COLOPHON_ROUNDS, or few.
func raceRounds(few int) int {
	if n, _ := strconv.Atoi(os.Getenv("COLOPHON_ROUNDS")); n > 0 {
		return n
	}
	return few
}

// pieces passes each Write to a function.
type pieces func(piece string)

func (p pieces) Write(b []byte) (int, error) {
	p(string(b))
	return len(b), nil
}

func TestRevocationRace(t *testing.T) {
	m := newMarket(t)
	raceRevocations(t, m, raceRounds(3), func(r raceRequest, credential string, take func(string)) {
		request := newRequest(credential, r.target)
		request.Method = r.method
		request.Body = []byte(r.body)
		if r.body != "" {
			request.Header.Add("content-type", "application/json")
		}
		resp := m.handle(context.Background(), request)
		take(string(resp.Body))
		if resp.Stream != nil {
			_ = resp.Stream(pieces(take)) // the stream may be cut
		}
	})
}
