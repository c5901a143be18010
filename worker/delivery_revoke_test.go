package worker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/worker"
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

// TestRevocationInTheMiddleOfAnAnswer checks that a right which ends during an
// answer ends before the next item.
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
		"grant expired": func(m *market) { m.later(2 * time.Minute) },
	} {
		for _, target := range []string{exports.PathDeliveryFeed, exports.PathDeliveryItems, exports.PathDeliveryDelta} {
			t.Run(name+" "+target, func(t *testing.T) {
				m := newMarket(t)
				credential := m.buyer("byr_main", "active")
				m.site("site-a", origin.Approved)
				for _, id := range []string{"ent_1", "ent_2", "ent_3", "ent_4"} {
					m.page("site-a", id, "/a/"+id, "active", 1)
					long := strings.Repeat("long ", 30000) + token(id, 1) // each item is sent as a separate piece
					must(t, m.store.PutPage(context.Background(), pageOf(m, id), &origin.Body{Text: long, Markdown: long, SHA256: "x", ChangedAt: seedTime}))
				}
				m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main", ValidUntil: exports.Instant(m.now().Add(time.Minute))}, "site-a")
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
				assert.Lacks(t, "an item was sent after the right had ended", body, token("ent_3", 1), token("ent_4", 1))
			})
		}
	}
}

func pageOf(m *market, entry string) origin.Page {
	p, err := m.store.Page(context.Background(), entry)
	must(m, err)
	return p
}

// TestBodyStoreRefuses checks that the body store opens nothing for a permit
// that Check did not issue, that is too old, or whose right has ended since.
func TestBodyStoreRefuses(t *testing.T) {
	ctx := context.Background()
	m := newMarket(t)
	secret := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	m.page("site-a", "ent_1", "/a/ent_1", "active", 1)
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
	bodies := rights.NewBodyStore(m.store, nil, m.now)
	permit := func() rights.Permit {
		buyer, err := m.store.Buyer(ctx, "byr_main")
		must(t, err)
		grants, err := m.store.GrantsOf(ctx, "byr_main")
		must(t, err)
		items, err := m.store.ItemsByID(ctx, []string{"ent_1"})
		must(t, err)
		p, denial := rights.Check(&rights.Claim{Buyer: &buyer, Credential: credentialID(secret), Grants: grants, Item: &items[0], Use: exports.UseRAG, At: m.now(), Decision: "dec_1"})
		if denial != "" {
			t.Fatal(denial)
		}
		return p
	}
	opens := func(p rights.Permit) bool {
		c, err := bodies.Body(ctx, p, "markdown")
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
		"grant suspended":    {func() { m.state("grt_1", "suspended") }, func() { m.state("grt_1", "active") }},
		"page withdrawn":     {func() { m.page("site-a", "ent_1", "/a/ent_1", "withdrawn", 1) }, func() { m.page("site-a", "ent_1", "/a/ent_1", "active", 1) }},
		"site closed":        {func() { m.site("site-a", origin.Closed) }, func() { m.site("site-a", origin.Approved) }},
		"buyer suspended":    {func() { m.buyer("byr_main", "suspended") }, func() { m.buyer("byr_main", "active") }},
		"credential revoked": {func() { m.credentialState(credentialID(secret), "revoked") }, func() { m.credentialState(credentialID(secret), "active") }},
		"grant rewritten":    {func() { m.state("grt_1", "suspended"); m.state("grt_1", "active") }, func() {}},
		"site left grant":    {func() { m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}) }, func() { m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a") }},
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

// TestCredentialEndsInTheMiddleOfAnAnswer checks that a credential which ends
// during an answer ends the answer: the next item is not started, and the
// transfer is cut instead of completed.
func TestCredentialEndsInTheMiddleOfAnAnswer(t *testing.T) {
	ends := map[string]func(m *market, id string){
		"revoked":   func(m *market, id string) { m.credentialState(id, "revoked") },
		"suspended": func(m *market, id string) { m.credentialState(id, "suspended") },
		"expired":   func(m *market, _ string) { m.later(2 * time.Minute) },
	}
	targets := []string{exports.PathDeliveryFeed, exports.PathDeliveryItems, exports.PathDeliveryDelta}
	for name, end := range ends {
		for _, target := range targets {
			t.Run(name+" "+target, func(t *testing.T) {
				m := newMarket(t)
				m.buyer("byr_main", "active")
				secret := m.credential("byr_main", "active", exports.Instant(m.now().Add(time.Minute)))
				m.longPages("site-a", 4)
				m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")

				resp := m.handle(context.Background(), newRequest(secret, target))
				if resp.Status != 200 {
					t.Fatalf("%d %s", resp.Status, resp.Body)
				}
				out := &halfway{}
				out.act = func(writes int) {
					if writes == 2 {
						end(m, credentialID(secret))
					}
				}
				cut := resp.Stream(out)

				body := out.String()
				if !strings.Contains(body, token("ent_2", 1)) {
					t.Errorf("what was sent before is missing: %d bytes", len(body))
				}
				assert.Lacks(t, "an item was sent after the credential had ended", body, token("ent_3", 1), token("ent_4", 1))
				if cut == nil {
					t.Error("the answer ended as if it were whole")
				}
			})
		}
	}
}

// longPages adds an approved site with pages ent_1 to ent_n, each sent as a
// separate write.
func (m *market) longPages(site string, n int) {
	m.Helper()
	m.site(site, origin.Approved)
	for i := range n {
		id := fmt.Sprintf("ent_%d", i+1)
		m.page(site, id, "/a/"+id, "active", 1)
		long := strings.Repeat("long ", 30000) + token(id, 1)
		must(m, m.store.PutPage(context.Background(), pageOf(m, id), &origin.Body{Text: long, Markdown: long, SHA256: "x", ChangedAt: seedTime}))
	}
}

// TestRightEndsWhileAnObjectIsRead checks that a text outside the store is
// delivered only if the right still exists once the text has been read.
func TestRightEndsWhileAnObjectIsRead(t *testing.T) {
	ends := map[string]func(m *market, credential string){
		"nothing ends":       func(*market, string) {},
		"credential revoked": func(m *market, id string) { m.credentialState(id, "revoked") },
		"grant revoked":      func(m *market, _ string) { m.state("grt_1", "revoked") },
		"page rewritten":     func(m *market, _ string) { m.emptyPage("site-a", "ent_1") },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			var m *market
			var secret string
			reads := 0
			objects := func(_ context.Context, key string) ([]byte, error) {
				if reads++; reads == 1 {
					end(m, credentialID(secret))
				}
				return []byte("object " + key), nil
			}
			m = newMarket(t, func(d *worker.Deps) { d.Objects = objects })
			secret = m.buyer("byr_main", "active")
			m.site("site-a", origin.Approved)
			m.emptyPage("site-a", "ent_1")
			m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")

			body := m.get(secret, exports.PathDeliveryFeed).body

			first := strings.Contains(body, "object ent_1/2.markdown")
			if first != (name == "nothing ends") {
				t.Errorf("first edition delivered: %v: %s", first, body)
			}
			if name == "page rewritten" && !strings.Contains(body, "object ent_1/4.markdown") {
				t.Errorf("the new edition is not delivered: %s", body)
			}
		})
	}
}

// emptyPage adds a page whose text is stored elsewhere. It is written twice,
// first with a text: each call makes two editions.
func (m *market) emptyPage(site, entry string) {
	m.Helper()
	m.page(site, entry, "/a/"+entry, "active", 1)
	must(m, m.store.PutPage(context.Background(), pageOf(m, entry), &origin.Body{SHA256: "x", ChangedAt: seedTime}))
}

// TestCheckAndDeliveryAgree checks that the rights check and the delivery say
// the same about a right that has ended.
func TestCheckAndDeliveryAgree(t *testing.T) {
	ends := map[string]func(m *market){
		"grant_revoked":       func(m *market) { m.state("grt_1", "revoked") },
		"grant_suspended":     func(m *market) { m.state("grt_1", "suspended") },
		"grant_expired":       func(m *market) { m.later(2 * time.Hour) },
		"grant_suspended too": func(m *market) { m.buyer("byr_main", "suspended") },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			m := newMarket(t)
			secret := m.buyer("byr_main", "active")
			m.site("site-a", origin.Approved)
			m.page("site-a", "ent_1", "/a/ent_1", "active", 1)
			m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main", ValidUntil: exports.Instant(m.now().Add(time.Hour))}, "site-a")
			want, _, _ := strings.Cut(name, " ")

			before := m.get(secret, exports.PathRightsCheck+"?entry_id=ent_1&use=rag")
			end(m)
			after := m.get(secret, exports.PathRightsCheck+"?entry_id=ent_1&use=rag")
			buyer, err := m.store.Buyer(context.Background(), "byr_main")
			must(t, err)
			grants, err := m.store.GrantsOf(context.Background(), "byr_main")
			must(t, err)
			items, err := m.store.ItemsByID(context.Background(), []string{"ent_1"})
			must(t, err)

			assert.Contains(t, "before", before.body, `"grant":"grant_active"`)
			if !strings.Contains(after.body, `"grant":"`+want+`"`) {
				t.Errorf("the check does not say %s: %s", want, after.body)
			}
			if check := rights.CheckGrants(&buyer, grants, &items[0], exports.Instant(m.now()), nil); check.Reason != want {
				t.Errorf("the delivery says %s", check.Reason)
			}
		})
	}
}
