package worker_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/worker"
)

// streams are the answers that carry content item by item.
var streams = []string{exports.PathDeliveryFeed, exports.PathDeliveryItems, exports.PathDeliveryDelta}

// orderedBodies notes when a body is opened.
type orderedBodies struct {
	origin.Bodies
	opened func()
}

func (b orderedBodies) OpenBody(ctx context.Context, ask origin.BodyAsk) (origin.LicensedBody, error) {
	b.opened()
	return b.Bodies.OpenBody(ctx, ask)
}

// An item is sent before the next one is opened: none waits, opened, while its
// right could end.
func TestItemsAreSentOneByOne(t *testing.T) {
	for _, target := range streams {
		t.Run(target, func(t *testing.T) {
			var order []string
			m := newMarket(t, func(d *worker.Deps) {
				d.Bodies = orderedBodies{d.Bodies, func() { order = append(order, "open") }}
			})
			credential := m.buyer("byr_main", "active")
			m.site("site-a", origin.Approved)
			for i := range 4 {
				id := fmt.Sprintf("ent_%d", i)
				m.page("site-a", id, "/a/"+id, "active", 1)
			}
			m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
			resp := m.handle(context.Background(), newRequest(credential, target))
			out := &halfway{}
			out.act = func(int) { order = append(order, "write") }

			must(t, resp.Stream(out))

			want := slices.Repeat([]string{"open", "write"}, 4)
			if len(order) < len(want) || !slices.Equal(order[:len(want)], want) {
				t.Errorf("order: %v", order)
			}
		})
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
