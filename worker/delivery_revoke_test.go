package worker_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/worker/edge"
)

// halfway lets a test act while an answer is being sent.
type halfway struct {
	strings.Builder
	writes int
	act    func(writes int)
}

func (h *halfway) Write(p []byte) (int, error) {
	h.writes++
	h.act(h.writes)
	return h.Builder.Write(p)
}

// A right that ends while an answer is sent ends before the next item.
func TestRevocationInTheMiddleOfAnAnswer(t *testing.T) {
	for name, end := range map[string]func(m *market){
		"grant revoked":       func(m *market) { m.state("grt_1", "revoked") },
		"grant suspended":     func(m *market) { m.state("grt_1", "suspended") },
		"publisher suspended": func(m *market) { m.site("site-a", origin.Suspended) },
		"publisher left": func(m *market) {
			must(m, m.store.SetGrantSite(context.Background(), "grt_1", "site-a", false, seedTime))
		},
		"buyer suspended": func(m *market) { m.buyer("byr_main", "suspended") },
		"scope narrowed": func(m *market) {
			m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main", Paths: []string{"/nothing/*"}}, "site-a")
		},
		"grant expired": func(m *market) { m.later(2 * time.Hour) },
	} {
		for _, target := range []string{exports.PathDeliveryFeed, exports.PathDeliveryItems, exports.PathDeliveryDelta} {
			t.Run(name+" "+target, func(t *testing.T) {
				m := newMarket(t)
				credential := m.buyer("byr_main", "active")
				m.site("site-a", origin.Approved)
				for _, id := range []string{"ent_1", "ent_2", "ent_3", "ent_4"} {
					m.page("site-a", id, "/a/"+id, "active", 1)
					long := strings.Repeat("long ", 5000) + token(id, 1) // each item is a piece of its own
					must(t, m.store.PutPage(context.Background(), pageOf(m, id), &origin.Body{Text: long, Markdown: long, SHA256: "x", ChangedAt: seedTime}))
				}
				m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main", ValidUntil: exports.Instant(m.now().Add(time.Hour))}, "site-a")
				r := &edge.Request{Method: "GET", Path: target, ID: "rid_x", Header: edge.Header{{Name: "authorization", Value: "Bearer " + credential}}}
				resp := m.handle(context.Background(), r)
				if resp.Status != 200 {
					t.Fatalf("%d %s", resp.Status, resp.Body)
				}
				out := &halfway{}
				out.act = func(writes int) {
					if writes == 2 {
						end(m)
					}
				}
				must(t, resp.Stream(out))
				body := out.String()
				if !strings.Contains(body, token("ent_1", 1)) || !strings.Contains(body, token("ent_2", 1)) {
					t.Errorf("what was sent before is missing: %d bytes", len(body))
				}
				if strings.Contains(body, token("ent_3", 1)) || strings.Contains(body, token("ent_4", 1)) {
					t.Error("an item was sent after the right had ended")
				}
			})
		}
	}
}

func pageOf(m *market, entry string) origin.Page {
	p, err := m.store.Page(context.Background(), entry)
	must(m, err)
	return p
}

// No request that begins after a revocation was committed gets content, over
// a thousand rounds of readers and a revocation at the same time.
func TestRevokeAndReadAtTheSameTime(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	m := newMarket(t)
	revokeAndRead(m, rounds, m.get)
}

func revokeAndRead(t *market, rounds int, get func(credential, target string) answer) {
	m := t
	credential := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	for _, id := range []string{"ent_1", "ent_2"} {
		m.page("site-a", id, "/a/"+id, "active", 1)
	}
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main", State: "revoked"}, "site-a")
	targets := []string{exports.PathDeliveryItems, exports.PathDeliveryFeed, exports.PathDeliveryDelta + "?since=c.0"}
	var served, refused atomic.Int64
	for round := range rounds {
		m.state("grt_1", "active")
		var committed atomic.Bool
		var readers sync.WaitGroup
		for i := range 2 {
			readers.Go(func() {
				for n := 0; n < 2 || !committed.Load() || n < 4; n++ {
					after := committed.Load()
					a := get(credential, targets[(round+i+n)%len(targets)])
					has := strings.Contains(a.body, "BODY-")
					if has {
						served.Add(1)
					} else {
						refused.Add(1)
					}
					if after && has {
						t.Errorf("round %d: content after the revocation: %d %.300s", round, a.status, a.body)
						return
					}
				}
			})
		}
		m.state("grt_1", "revoked")
		committed.Store(true)
		readers.Wait()
		if t.Failed() {
			return
		}
	}
	if served.Load() == 0 || refused.Load() < int64(rounds) {
		t.Errorf("%d answers with content, %d without: the race was never run", served.Load(), refused.Load())
	}
	t.Logf("%d rounds: %d answers with content, %d without", rounds, served.Load(), refused.Load())
}

// The vault opens nothing for a permit that was not made by Check, that is
// too old, or whose right ended since.
func TestVaultRefuses(t *testing.T) {
	ctx := context.Background()
	m := newMarket(t)
	m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	m.page("site-a", "ent_1", "/a/ent_1", "active", 1)
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
	vault := rights.NewVault(m.store, nil, m.now)
	permit := func() rights.Permit {
		buyer, err := m.store.Buyer(ctx, "byr_main")
		must(t, err)
		grants, err := m.store.GrantsOf(ctx, "byr_main")
		must(t, err)
		items, err := m.store.ItemsByID(ctx, []string{"ent_1"})
		must(t, err)
		p, denial := rights.Check(&rights.Claim{Buyer: &buyer, Grants: grants, Item: &items[0], Use: exports.UseRAG, At: m.now(), Decision: "dec_1"})
		if denial != nil {
			t.Fatal(denial.Reason)
		}
		return p
	}
	opens := func(p rights.Permit) bool {
		c, err := vault.Body(ctx, p, "markdown")
		if err != nil && !errors.Is(err, rights.ErrNotPermitted) {
			t.Fatal(err)
		}
		if err != nil && c != (rights.Content{}) {
			t.Error("a refusal has content")
		}
		return err == nil && strings.Contains(c.Text, token("ent_1", 1))
	}
	if !opens(permit()) {
		t.Fatal("a fresh permit opens nothing")
	}
	if opens(rights.Permit{}) {
		t.Error("an empty permit opens")
	}
	old := permit()
	m.later(rights.PermitLife + time.Second)
	if opens(old) {
		t.Error("an old permit opens")
	}
	early := permit()
	m.later(-time.Hour)
	if opens(early) {
		t.Error("a permit from the future opens")
	}
	m.later(time.Hour)
	for name, change := range map[string][2]func(){
		"grant suspended": {func() { m.state("grt_1", "suspended") }, func() { m.state("grt_1", "active") }},
		"page withdrawn":  {func() { m.page("site-a", "ent_1", "/a/ent_1", "withdrawn", 1) }, func() { m.page("site-a", "ent_1", "/a/ent_1", "active", 1) }},
		"site closed":     {func() { m.site("site-a", origin.Closed) }, func() { m.site("site-a", origin.Approved) }},
		"buyer suspended": {func() { m.buyer("byr_main", "suspended") }, func() { m.buyer("byr_main", "active") }},
		"grant rewritten": {func() { m.state("grt_1", "suspended"); m.state("grt_1", "active") }, func() {}},
		"site left grant": {func() { m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}) }, func() { m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a") }},
		"grant of another": {func() {
			m.buyer("byr_b", "active")
			m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_b"}, "site-a")
		}, func() { m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a") }},
	} {
		p := permit()
		change[0]()
		if opens(p) {
			t.Errorf("%s: the permit still opens", name)
		}
		change[1]()
		if !opens(permit()) {
			t.Errorf("%s: nothing opens after it was undone", name)
		}
	}
}
