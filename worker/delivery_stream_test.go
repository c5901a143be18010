package worker_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/worker"
)

// streams are the answers that carry content item by item.
var streams = []string{exports.PathDeliveryFeed, exports.PathDeliveryItems, exports.PathDeliveryDelta}

// orderedBodies records when bodies are opened, and how many.
type orderedBodies struct {
	worker.Origin
	opened func(n int)
}

func (b orderedBodies) OpenBodies(ctx context.Context, asks []origin.BodyAsk) ([]*origin.LicensedBody, error) {
	b.opened(len(asks))
	return b.Origin.OpenBodies(ctx, asks)
}

// TestItemsAreSentBeforeOthersAreOpened checks that opened texts are sent
// before anything else is opened, and at once: no opened text waits while its
// right could end. Texts larger than what a connection accepts within moments
// are not opened together.
func TestItemsAreSentBeforeOthersAreOpened(t *testing.T) {
	const long = 50 << 10 // three of them are too much at once
	for _, tc := range []struct {
		target      string
		size, pages int
		want        string
	}{
		{exports.PathDeliveryFeed, 10, 45, "open 20, write, open 20, write, open 5, write"},
		{exports.PathDeliveryItems, 10, 45, "open 20, write, open 20, write, open 5, write"},
		{exports.PathDeliveryDelta, 10, 45, "open 20, write, open 20, write, open 5, write"},
		{exports.PathDeliveryDelta, long, 5, "open 2, write, open 2, write, open 1, write"},
		{"snapshot", 10, 46, "open 20, write, open 20, write, open 5, write"},
		{"snapshot", long, 6, "open 2, write, open 2, write, open 1, write"},
		{exports.PathDeliveryFeed, long, 5, "open 2, write, open 2, write, open 1, write"},
		{exports.PathDeliveryItems, 4 * long, 3, "open 1, write, open 1, write, open 1, write"},
	} {
		t.Run(fmt.Sprint(tc.target, tc.size), func(t *testing.T) {
			var order []string
			m := newMarket(t, func(d *worker.Deps) {
				d.Origin = orderedBodies{d.Origin, func(n int) { order = append(order, fmt.Sprint("open ", n)) }}
			})
			credential := m.buyer("byr_main", "active")
			m.site("site-a", origin.Approved)
			for i := range tc.pages {
				m.sizedPage("site-a", fmt.Sprintf("ent_%02d", i), tc.size)
			}
			m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
			target := tc.target
			if target == "snapshot" {
				target = exports.PathDeliveryFeed + "?snapshot=" + m.snapshot(credential)
				m.page("site-a", "ent_01", "/a/ent_01", "withdrawn", 1) // its tombstone is sent with the texts around it
			}
			resp := m.handle(context.Background(), newRequest(credential, target))
			out := &halfway{}
			out.act = func(int) { order = append(order, "write") }

			must(t, resp.Stream(out))

			if got := strings.Join(order, ", "); !strings.HasPrefix(got, tc.want) {
				t.Errorf("%s\nwant %s", got, tc.want)
			}
		})
	}
}

// snapshot makes a snapshot of what a buyer may hold and returns its id.
func (m *market) snapshot(credential string) string {
	m.Helper()
	a := m.send("POST", credential, exports.PathDeliverySnapshots, "{}")
	_, rest, _ := strings.Cut(a.body, `"snapshot_id":"`)
	id, _, found := strings.Cut(rest, `"`)
	if !found {
		m.Fatalf("no snapshot: %s", a.body)
	}
	return id
}

// sizedPage adds a page with a text of about size bytes.
func (m *market) sizedPage(site, entry string, size int) {
	m.Helper()
	m.page(site, entry, "/a/"+entry, "active", 1)
	text := strings.Repeat("x", size) + token(entry, 1)
	must(m, m.store.PutPage(context.Background(), pageOf(m, entry), &origin.Body{Text: text, Markdown: text, SHA256: "x", ChangedAt: seedTime}))
}

// TestFetchedTextsAreSentBeforeOthersAreOpened checks the same for texts
// outside the store, whose length is not in the table: what was fetched and is
// too much at once is fetched again with the next batch.
func TestFetchedTextsAreSentBeforeOthersAreOpened(t *testing.T) {
	var order []string
	fetched := strings.Repeat("y", 50<<10)
	m := newMarket(t, func(d *worker.Deps) {
		d.Origin = orderedBodies{d.Origin, func(n int) { order = append(order, fmt.Sprint("open ", n)) }}
		d.Objects = func(_ context.Context, key string) ([]byte, error) {
			order = append(order, "fetch")
			return []byte(fetched), nil
		}
	})
	credential := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	for i := range 4 {
		m.emptyPage("site-a", fmt.Sprintf("ent_%d", i))
	}
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
	resp := m.handle(context.Background(), newRequest(credential, exports.PathDeliveryFeed))
	out := &halfway{}
	out.act = func(int) { order = append(order, "write") }

	must(t, resp.Stream(out))

	const want = "open 4, fetch, fetch, fetch, open 2, write, open 2, fetch, fetch, open 2, write"
	if got := strings.Join(order, ", "); !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
	if n := strings.Count(out.String(), fetched); n != 4 {
		t.Errorf("%d texts came", n)
	}
}

// TestFetchedTextOfAnEarlierEdition checks that a text is not sent if its page
// got another edition while it was fetched: the new one is.
func TestFetchedTextOfAnEarlierEdition(t *testing.T) {
	var m *market
	m = newMarket(t, func(d *worker.Deps) {
		d.Objects = func(_ context.Context, key string) ([]byte, error) {
			must(t, m.store.PutPage(context.Background(), pageOf(m, "ent_1"), &origin.Body{Text: "the later edition", SHA256: "y", ChangedAt: seedTime}))
			return []byte("the earlier edition"), nil
		}
	})
	credential := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	m.emptyPage("site-a", "ent_1")
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
	resp := m.handle(context.Background(), newRequest(credential, exports.PathDeliveryFeed))
	var out strings.Builder

	must(t, resp.Stream(&out))

	if got := out.String(); strings.Contains(got, "the earlier edition") || !strings.Contains(got, "the later edition") {
		t.Error(got)
	}
}

// TestAnswerEndsWithItsTime checks that an answer which has lasted its maximum
// time ends like a full one: with the cursor from which the next one continues.
func TestAnswerEndsWithItsTime(t *testing.T) {
	for _, target := range streams {
		t.Run(target, func(t *testing.T) {
			m := newMarket(t)
			credential := m.buyer("byr_main", "active")
			m.longPages("site-a", 4)
			m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
			resp := m.handle(context.Background(), newRequest(credential, target))
			out := &halfway{}
			out.act = func(writes int) {
				if writes == 2 {
					m.later(5 * time.Minute)
				}
			}

			must(t, resp.Stream(out))
			first := out.String()
			cursor := cursorOf(first)
			second := m.get(credential, target+"?"+cursor).body

			if strings.Contains(first, token("ent_3", 1)) || cursor == "" {
				t.Fatalf("the answer went on, or has no cursor %q", cursor)
			}
			for i := 1; i <= 4; i++ {
				text := token(fmt.Sprintf("ent_%d", i), 1)
				if n := strings.Count(first+second, text); n != 1 {
					t.Errorf("%s came %d times", text, n)
				}
			}
		})
	}
}

// cursorOf returns the parameter with which the answer continues, "" if there
// is none.
func cursorOf(body string) string {
	for member, parameter := range map[string]string{`"next_cursor":"`: "cursor", `"cursor":"`: "since"} {
		at := strings.LastIndex(body, member)
		if at < 0 || parameter == "since" && !strings.Contains(body, `"type":"checkpoint"`) {
			continue
		}
		value, _, _ := strings.Cut(body[at+len(member):], `"`)
		return parameter + "=" + value
	}
	return ""
}

// TestMetadataOfARightThatEnded checks that rights are checked again for
// metadata that is read slowly.
func TestMetadataOfARightThatEnded(t *testing.T) {
	m := newMarket(t)
	credential := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	for i := range 60 {
		id := fmt.Sprintf("ent_%02d", i)
		m.page("site-a", id, "/a/"+id, "active", 1)
	}
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
	resp := m.handle(context.Background(), newRequest(credential, exports.PathDeliveryFeed+"?fields=meta"))
	out := &halfway{}
	out.act = func(writes int) {
		if writes == 1 {
			m.state("grt_1", "revoked")
			m.later(3 * time.Second)
		}
	}

	must(t, resp.Stream(out))

	if body := out.String(); !strings.Contains(body, `"ent_00"`) || strings.Contains(body, `"ent_59"`) {
		t.Errorf("%d writes, %d bytes: the last item came although the grant was revoked", out.writes, len(body))
	}
}

// lateRights changes what a buyer may have after its rights were read, and lets
// another answer to the buyer report it first.
type lateRights struct {
	worker.Origin
	change func()
}

func (d *lateRights) FeedSince(ctx context.Context, buyerID string, sequence int64, limit int) (origin.Feed, []origin.Holding, []origin.Item, error) {
	if change := d.change; change != nil {
		d.change = nil
		change()
	}
	return d.Origin.FeedSince(ctx, buyerID, sequence, limit)
}

// TestDeltaByRightsOlderThanItsEvents checks that a delta, whose cursor passes
// an event for good, describes the event by rights that are no older.
func TestDeltaByRightsOlderThanItsEvents(t *testing.T) {
	m := newMarket(t)
	credential := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	m.page("site-a", "ent_1", "/a/ent_1", "active", 1)
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
	other := m.handle
	late := &lateRights{Origin: m.deps.Origin}
	m.deps.Origin = late
	m.handle = worker.New(m.deps)
	told := m.get(credential, exports.PathDeliveryDelta)
	for _, tc := range []struct{ name, before, after, want string }{
		{"given back", "suspended", "active", `"type":"upsert"`},
		{"taken away", "active", "suspended", `"type":"tombstone"`},
	} {
		m.state("grt_1", tc.before)
		since := exports.PathDeliveryDelta + "?" + cursorOf(m.get(credential, exports.PathDeliveryDelta+"?"+cursorOf(told.body)).body)
		late.change = func() {
			m.state("grt_1", tc.after)
			resp := other(context.Background(), newRequest(credential, since))
			must(t, resp.Stream(&strings.Builder{}))
		}

		got := m.get(credential, since)

		if !strings.Contains(got.body, tc.want) || !strings.Contains(got.body, `"complete":true`) || strings.Contains(got.body, "BODY") != (tc.after == "active") {
			t.Errorf("%s: %d %s", tc.name, got.status, got.body)
		}
		told = got
	}
}

// TestDeltaThatABudgetEnds checks that a delta which a budget ends is not
// complete and continues at its cursor.
func TestDeltaThatABudgetEnds(t *testing.T) {
	m := newMarket(t, func(d *worker.Deps) { d.Budget.Bodies = 2 })
	credential := m.buyer("byr_main", "active")
	m.longPages("site-a", 3)
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")

	first := m.get(credential, exports.PathDeliveryDelta).body
	second := m.get(credential, exports.PathDeliveryDelta+"?"+cursorOf(first)).body

	if strings.Count(first, `"type":"upsert"`) != 2 || strings.Contains(first, `"complete":true`) {
		t.Errorf("first: %.400s", first)
	}
	if strings.Count(second, `"type":"upsert"`) != 1 || !strings.Contains(second, `"complete":true`) {
		t.Errorf("second: %.400s", second)
	}
}

// TestDeltaOfUsesTakenAway checks that a buyer who has the current item gets
// its new uses, without its text.
func TestDeltaOfUsesTakenAway(t *testing.T) {
	m := newMarket(t)
	credential := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	m.page("site-a", "ent_1", "/a/ent_1", "active", 1)
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main", Uses: []string{"rag", "summarization"}}, "site-a")
	told := m.get(credential, exports.PathDeliveryDelta)
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main", Uses: []string{"rag"}}, "site-a")

	got := m.get(credential, exports.PathDeliveryDelta+"?"+cursorOf(told.body))

	if !strings.Contains(got.body, `"type":"rights"`) || !strings.Contains(got.body, `"removed_uses":["summarization"]`) || strings.Contains(got.body, "BODY") {
		t.Error(got.body)
	}
}
