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

// orderedBodies notes when bodies are opened, and how many.
type orderedBodies struct {
	origin.Bodies
	opened func(n int)
}

func (b orderedBodies) OpenBodies(ctx context.Context, asks []origin.BodyAsk) ([]*origin.LicensedBody, error) {
	b.opened(len(asks))
	return b.Bodies.OpenBodies(ctx, asks)
}

// What is opened is sent before anything else is opened, and at once: nothing
// waits, opened, while its right could end. More than a connection takes over
// within moments is not opened together.
func TestItemsAreSentBeforeOthersAreOpened(t *testing.T) {
	const long = 50 << 10 // three of them are too much at once
	for _, tc := range []struct {
		target      string
		size, pages int
		want        string
	}{
		{exports.PathDeliveryFeed, 10, 45, "open 20, write, open 20, write, open 5, write"},
		{exports.PathDeliveryItems, 10, 45, "open 20, write, open 20, write, open 5, write"},
		{exports.PathDeliveryDelta, 10, 3, "open 1, write, open 1, write, open 1, write"},
		{exports.PathDeliveryFeed, long, 5, "open 2, write, open 2, write, open 1, write"},
		{exports.PathDeliveryItems, 4 * long, 3, "open 1, write, open 1, write, open 1, write"},
	} {
		t.Run(fmt.Sprint(tc.target, tc.size), func(t *testing.T) {
			var order []string
			m := newMarket(t, func(d *worker.Deps) {
				d.Bodies = orderedBodies{d.Bodies, func(n int) { order = append(order, fmt.Sprint("open ", n)) }}
			})
			credential := m.buyer("byr_main", "active")
			m.site("site-a", origin.Approved)
			for i := range tc.pages {
				m.sizedPage("site-a", fmt.Sprintf("ent_%02d", i), tc.size)
			}
			m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
			resp := m.handle(context.Background(), newRequest(credential, tc.target))
			out := &halfway{}
			out.act = func(int) { order = append(order, "write") }

			must(t, resp.Stream(out))

			if got := strings.Join(order, ", "); !strings.HasPrefix(got, tc.want) {
				t.Errorf("%s\nwant %s", got, tc.want)
			}
		})
	}
}

// sizedPage adds a page with a text of about so many bytes.
func (m *market) sizedPage(site, entry string, size int) {
	m.Helper()
	m.page(site, entry, "/a/"+entry, "active", 1)
	text := strings.Repeat("x", size) + token(entry, 1)
	must(m, m.store.PutPage(context.Background(), pageOf(m, entry), &origin.Body{Text: text, Markdown: text, SHA256: "x", ChangedAt: seedTime}))
}

// A text that lies outside the store is not longer in its table: what was
// fetched and is too much at once is fetched again with the next.
func TestFetchedTextsAreSentBeforeOthersAreOpened(t *testing.T) {
	var order []string
	fetched := strings.Repeat("y", 50<<10)
	m := newMarket(t, func(d *worker.Deps) {
		d.Bodies = orderedBodies{d.Bodies, func(n int) { order = append(order, fmt.Sprint("open ", n)) }}
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

// A text that was fetched while its page got another edition is not sent: the
// new one is.
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

// An answer that has lasted its time ends as one that is full does: with the
// cursor from which the next one goes on.
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

// cursorOf is the parameter by which the answer goes on, "" none.
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

// Metadata that is read slowly is decided about anew.
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
