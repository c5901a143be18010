package worker_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/worker"
	"colophon/worker/edge"
	"colophon/worker/limit"
)

// join posts the form with which sites ask to be listed.
func (s *service) join(path string, fields url.Values) *edge.Response {
	return s.handle(context.Background(), &edge.Request{
		Method: "POST", Path: path, Remote: "192.0.2.7", ID: "rid_join", Body: []byte(fields.Encode()),
		Header: edge.Header{{Name: "content-type", Value: "application/x-www-form-urlencoded"}, {Name: "accept", Value: "text/html"}},
	})
}

func (s *service) see(path string) *edge.Response {
	return s.handle(context.Background(), &edge.Request{Method: "GET", Path: path, Remote: "192.0.2.7", ID: "rid_join", Header: edge.Header{{Name: "accept", Value: "text/html"}}})
}

// TestJoin checks that an address enters the queue once, that its page says
// what to place and its state, and that anything but a site's address is
// refused.
func TestJoin(t *testing.T) {
	s := newService(t)
	for _, typed := range []string{"", "site", "localhost", "127.0.0.1", "http://10.0.0.1/", "https://[::1]/", "printer.local", "https://u:p@site.example/", "site.example:8080", "a..example", "xn--é.example"} {
		resp := s.join("/join/", url.Values{"address": {typed}})
		if resp.Status != 422 || !strings.Contains(string(resp.Body), "not the address of a site") {
			t.Errorf("%q: %d", typed, resp.Status)
		}
	}
	if resp := s.join("/join/", url.Values{"address": {"https://bot.example/"}, "website": {"x"}}); resp.Status != 422 {
		t.Errorf("the field that people do not see is filled: %d", resp.Status)
	}
	resp := s.join("/join/", url.Values{"address": {"HTTPS://Site.Example/about?x=1"}})
	page := resp.Header.Get("location")
	if resp.Status != 303 || !strings.HasPrefix(page, "/join/jns_") {
		t.Fatalf("%d %s", resp.Status, resp.Body)
	}
	shown := s.see(page)
	for _, want := range []string{"Waiting for the operator", "The site has not been checked yet", "https://site.example/.well-known/colophon-publisher.json", "&#34;colophon_publisher&#34;: &#34;1&#34;", "_colophon.site.example. TXT", `href="/editor/#file=%7B%0A%20%20%22colophon_publisher%22`} {
		if shown.Status != 200 || !strings.Contains(string(shown.Body), want) {
			t.Errorf("the page (%d) lacks %q", shown.Status, want)
		}
	}
	if c := shown.Header.Get("cache-control"); c != "private, no-store" || shown.Header.Get("access-control-allow-origin") != "" {
		t.Errorf("the page is cached %q or shared", c)
	}
	assert.Lacks(t, "it offers a look that this program cannot make", string(shown.Body), "Look again")
	if again := s.join("/join/", url.Values{"address": {"site.example"}}); again.Status != 200 || !strings.Contains(string(again.Body), "already waiting for the operator") || strings.Contains(string(again.Body), "jns_") {
		t.Errorf("sent twice: %d %s", again.Status, again.Body)
	}
	ctx := context.Background()
	list, err := s.store.JoinsOf(ctx, origin.JoinWaiting, 10)
	if err != nil || len(list) != 1 || list[0].Host != "site.example" || strings.Contains(fmt.Sprint(list[0]), page[len("/join/"):]) {
		t.Fatalf("%v, the queue is %+v", err, list)
	}
	for _, wrong := range []string{"/join/jns_x", page + "x", strings.ToUpper(page)} {
		if resp := s.see(wrong); resp.Status != 404 {
			t.Errorf("%s: %d", wrong, resp.Status)
		}
	}

	j := list[0]
	j.State, j.Reason = origin.JoinDeclined, "No <b>pages</b>."
	must(t, s.store.PutJoin(ctx, j))
	if body := string(s.see(page).Body); !strings.Contains(body, "No &lt;b&gt;pages&lt;/b&gt;.") || strings.Contains(body, "What to place") {
		t.Errorf("declined, it says %s", body)
	}
	j.ExpiresAt = "2001-01-01T00:00:00Z"
	must(t, s.store.PutJoin(ctx, j))
	if resp := s.see(page); resp.Status != 404 {
		t.Errorf("expired, it is %d", resp.Status)
	}
	log := strings.Join(s.lines, "\n")
	assert.Lacks(t, "the log has the secret", log, "jns_")
}

// TestJoinLook checks that what is found is shown as text, whatever a site
// says, and that the check can be repeated.
func TestJoinLook(t *testing.T) {
	looks := 0
	s := newService(t, func(d *worker.Deps) {
		d.LookAt = func(_ context.Context, host string) (exports.JoinFound, bool) {
			looks++
			return exports.JoinFound{
				At: "2026-11-23T10:00:00Z", Address: "https://" + host + "/x", File: "read", Control: "well_known", Name: "<script>x</script>\u202e",
				Public: []string{"Offer a: 5 EUR"}, Channels: []string{"rsl: https://" + host + "/r.xml"}, Missing: []string{fmt.Sprintf("look %d", looks)},
			}, true
		}
	})
	page := s.join("/join/", url.Values{"address": {"site.example"}}).Header.Get("location")
	body := string(s.see(page).Body)
	for _, want := range []string{"&lt;script&gt;x", "Offer a: 5 EUR", "rsl: https://site.example/r.xml", "look 1", "Look again"} {
		assert.Contains(t, "the page lacks", body, want)
	}
	assert.Lacks(t, "a site writes markup, or turns the text around", body, "<script>x", "\u202e")
	if resp := s.join(page, url.Values{}); resp.Status != 303 || !strings.Contains(string(s.see(page).Body), "look 2") {
		t.Errorf("looked again: %d", resp.Status)
	}
}

// TestJoinLimits checks that the number of requests from one address, and the
// queue, are limited.
func TestJoinLimits(t *testing.T) {
	s := newService(t, withLimits(limit.DefaultPolicies()))
	statuses := map[int]int{}
	for i := range 12 {
		statuses[s.join("/join/", url.Values{"address": {fmt.Sprintf("s%d.example", i)}}).Status]++
	}
	if statuses[303] != 10 || statuses[429] != 2 {
		t.Errorf("twelve requests: %v", statuses)
	}
	full := newService(t)
	for i := range 1000 {
		must(t, full.store.PutJoin(context.Background(), origin.Join{JoinID: fmt.Sprint("jn_", i), Host: fmt.Sprintf("w%d.example", i), State: origin.JoinWaiting, ExpiresAt: "2099-01-01T00:00:00Z"}))
	}
	if resp := full.join("/join/", url.Values{"address": {"one-more.example"}}); resp.Status != 503 || resp.Header.Get("retry-after") == "" {
		t.Errorf("a full queue: %d", resp.Status)
	}
	none := newService(t, func(d *worker.Deps) { d.Origin = nil })
	if resp := none.join("/join/", url.Values{"address": {"site.example"}}); resp.Status != 503 {
		t.Errorf("without a store: %d", resp.Status)
	}
}

// brokenJoins is a store that fails in an unexpected way.
type brokenJoins struct{ worker.Origin }

func (brokenJoins) JoinsByLookup(context.Context, string) ([]origin.Join, error) {
	return nil, errors.New("disk on fire")
}

// TestJoinSecretStaysOutOfLogs checks that a failure is logged without the
// address of the page.
func TestJoinSecretStaysOutOfLogs(t *testing.T) {
	s := newService(t, func(d *worker.Deps) { d.Origin = brokenJoins{} })
	resp := s.see("/join/jns_secret-of-somebody")
	log := strings.Join(s.lines, "\n")
	if resp.Status != 500 || !strings.Contains(log, "disk on fire") || strings.Contains(log, "secret-of-somebody") {
		t.Errorf("answered %d, logged %q", resp.Status, log)
	}
}
