package edgecheck

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/record"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

var must = assert.NoError

func TestParseAccessRules(t *testing.T) {
	rule := func(site, path, class string) string {
		return fmt.Sprintf(`{"site_id":%q,"host":"a.example","path":%q,"class":%q,"decision":"deny","status":403}`, site, path, class)
	}
	manifest := func(rules ...string) string { return `{"declared_posture":[` + strings.Join(rules, ",") + `]}` }
	many := slices.Repeat([]string{rule("a", "/x/*", "training")}, maxRows+1)
	for _, c := range []struct {
		name, document, site, want string // the paths, or what the error says
	}{
		{"the longest path first", manifest(rule("a", "/*", "training"), rule("a", "/longer/*", "training"), rule("b", "/b/*", "training")), "", "/longer/* /b/* /*"},
		{"one site", manifest(rule("a", "/*", "training"), rule("b", "/b/*", "training")), "b", "/b/*"},
		{"more than are asked", manifest(many...), "", strings.TrimSpace(strings.Repeat("/x/* ", maxRows))},
		{"no rules", `{}`, "", "the manifest declares no access rules"},
		{"no JSON", `{`, "", "the manifest is not valid"},
		{"an unknown class", manifest(rule("a", "/*", "training"), rule("a", "/*", "poets")), "", "row 2 of the access rules is not understood"},
		{"a path that is none", manifest(rule("a", "x", "training")), "", "row 1 of the access rules is not understood"},
		{"no host", manifest(strings.Replace(rule("a", "/*", "training"), "a.example", "", 1)), "", "row 1 of the access rules is not understood"},
		{"an unknown class of another site", manifest(rule("b", "/*", "poets"), rule("a", "/*", "training")), "a", "/*"},
	} {
		rows, err := ParseAccessRules([]byte(c.document), c.site)
		var paths []string
		for _, r := range rows {
			paths = append(paths, r.Path)
		}
		got := strings.Join(paths, " ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// edge is a server whose answer to each path a test sets.
type edge struct {
	*httptest.Server
	answers map[string]func(w http.ResponseWriter, r *http.Request)
}

func newEdge(t *testing.T) *edge {
	t.Helper()
	e := &edge{answers: map[string]func(http.ResponseWriter, *http.Request){}}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer := e.answers[r.URL.Path]; answer != nil {
			answer(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

const (
	host = "a.example"
	home = "http://" + host
)

// client returns a client that reaches the edge as host.
func (e *edge) client(t *testing.T) *http.Client {
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, e.Listener.Addr().String())
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// deny answers with a denial; fields of it that are set to "" are left out.
func deny(status int, cache, link, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", cache)
		w.Header().Set("Link", link)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

const (
	licence = `<https://a.example/license.xml>; rel="license"`
	routes  = `{"access_response":{"routes":[]}}`
)

var checkTime = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

func newChecker(t *testing.T, e *edge) *Checker {
	return &Checker{
		Client: e.client(t), Contact: "desk@registry.example", Scheme: "http", Now: func() time.Time { return checkTime },
		Token: func(class string) string { return "Check-" + class },
	}
}

// TestCheck compares answers of an edge with what it declares.
func TestCheck(t *testing.T) {
	whole := deny(403, "no-store", licence, routes)
	for _, c := range []struct {
		name     string
		decision string
		status   int64
		answer   func(http.ResponseWriter, *http.Request)
		result   string
		fault    string
	}{
		{"a denial as declared", "deny", 403, whole, "match", ""},
		{"another status", "deny", 402, whole, "mismatch", "declared 402, answered 403"},
		{"no denial", "deny", 403, deny(200, "", "", "open"), "not_told_apart", "declared 403, answered 200"},
		{"a denial that may be cached", "deny", 403, deny(403, "max-age=60", licence, routes), "mismatch", "the denial may be cached"},
		{"a denial without a licence", "deny", 403, deny(403, "no-store", "", routes), "mismatch", "the denial links to no licence"},
		{"a denial without routes", "deny", 403, deny(403, "no-store", licence, `{}`), "mismatch", "the denial shows no route in machine-readable form"},
		{"open as declared", "allow", 200, deny(200, "", "", "open"), "match", ""},
		{"open, without the page", "allow", 200, deny(404, "", "", ""), "match", ""},
		{"declared open, and denied", "allow", 200, whole, "mismatch", "declared open, answered 403"},
		{"declared open, and unavailable", "allow", 200, deny(503, "", "", ""), "mismatch", "declared open, answered 503"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEdge(t)
			e.answers["/a/"] = c.answer
			r, err := newChecker(t, e).Check(t.Context(), []Row{{Host: host, Path: "/a/*", Class: "training", Decision: c.decision, Status: c.status}})
			must(t, err)
			s := r.Samples[0]
			if s.Result != c.result || strings.Join(s.Faults, "; ") != c.fault || s.URL != home+"/a/" || s.Receipt != "" {
				t.Errorf("%+v, want %s: %s", s, c.result, c.fault)
			}
			if want := strings.Count(c.result, "mismatch"); r.Count("mismatch") != want {
				t.Errorf("%d mismatches, want %d", r.Count("mismatch"), want)
			}
		})
	}
}

// TestCheckSaysWhoAsks checks that each request names the check, its class and
// whom to ask, and that the report says so.
func TestCheckSaysWhoAsks(t *testing.T) {
	e := newEdge(t)
	asked := ""
	e.answers["/page"] = func(_ http.ResponseWriter, r *http.Request) { asked = r.UserAgent() }
	c := newChecker(t, e)
	c.Sample = map[string]string{"/a/*": "/page"}
	r, err := c.Check(t.Context(), []Row{{Host: host, Path: "/a/*", Class: "training", Decision: "allow"}})
	if want := "Check-training/1.0 (checks what this edge declares; +desk@registry.example)"; err != nil || asked != want {
		t.Errorf("asked as %q, %v, want %q", asked, err, want)
	}
	if r.CheckedAt != "2026-11-28T12:00:00Z" || !strings.HasPrefix(r.IdentifiedAs, "Check-CLASS/1.0 ") {
		t.Errorf("the report is of %s, identified as %s", r.CheckedAt, r.IdentifiedAs)
	}
	e.Close()
	if r, err := c.Check(t.Context(), []Row{{Host: host, Path: "/a/*", Class: "training", Decision: "allow"}}); err != nil || r.Samples[0].Result != "unreachable" || r.Samples[0].Observed != 0 {
		t.Errorf("of an edge that is away: %+v, %v", r.Samples, err)
	}
}

// TestClassesThatAreToldApart checks that a wrong answer is a mismatch only
// where the edge answers classes differently at all.
func TestClassesThatAreToldApart(t *testing.T) {
	e := newEdge(t)
	e.answers["/a/"] = func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.UserAgent(), "search") {
			w.WriteHeader(http.StatusNoContent)
		}
	}
	rows := []Row{{Host: host, Path: "/a/*", Class: "training", Decision: "deny", Status: 403}}
	for class, want := range map[string]string{"training": "not_told_apart", "search": "mismatch"} {
		r, err := newChecker(t, e).Check(t.Context(), append(rows, Row{Host: host, Path: "/a/*", Class: class, Decision: "allow"}))
		if err != nil || r.Samples[0].Result != want {
			t.Errorf("beside %s: %s, %v, want %s", class, r.Samples[0].Result, err, want)
		}
	}
}

// TestReceiptsOfDenials checks which receipts count: those that a key of the
// registry signed, for this address, these routes and this moment.
func TestReceiptsOfDenials(t *testing.T) {
	file, err := record.NewKeyFile([32]byte{1}, checkTime.Unix()-1000, checkTime.Unix()+1000, record.KeyActive)
	must(t, err)
	key, err := file.Key()
	must(t, err)
	signer, err := file.Signer()
	must(t, err)
	keys, err := record.NewKeySet(key)
	must(t, err)

	e := newEdge(t)
	address, err := urlkey.URLKey(home + "/a/")
	must(t, err)
	list := wire.Array(wire.Object(wire.M("rel", wire.String("prepare-intent"))))
	digest := func(b []byte) string {
		sum := sha256.Sum256(b)
		return hex.EncodeToString(sum[:])
	}
	for _, c := range []struct {
		name          string
		address, list string
		at            time.Time
		kid           string
		flip          bool
		want          string
	}{
		{name: "as it should be", want: ReceiptValid},
		{name: "at the end of its time", at: checkTime.Add(-receiptAge), want: ReceiptValid},
		{name: "too old", at: checkTime.Add(-receiptAge - time.Second), want: ReceiptInvalid},
		{name: "of the future", at: checkTime.Add(receiptAge + time.Second), want: ReceiptInvalid},
		{name: "of another address", address: digest([]byte("https://a.example/")), want: ReceiptInvalid},
		{name: "of other routes", list: "sha-256:" + digest([]byte("[]")), want: ReceiptInvalid},
		{name: "of an unknown key", kid: "nobody", want: ReceiptInvalid},
		{name: "with another signature", flip: true, want: ReceiptInvalid},
	} {
		text := func(value, otherwise string) wire.Value {
			if value == "" {
				value = otherwise
			}
			return wire.String(value)
		}
		at := c.at
		if at.IsZero() {
			at = checkTime
		}
		payload := wire.Object(wire.M("at", wire.String(exports.Instant(at))), wire.M("routes_digest", text(c.list, "sha-256:"+digest(list.Append(nil)))), wire.M("url_sha256", text(c.address, digest([]byte(address)))))
		signature, err := signer.Sign(payload.Append([]byte(exports.DenialContext + "\n")))
		must(t, err)
		if c.flip {
			signature[0] ^= 1
		}
		body := wire.Object(wire.M("access_response", wire.Object(
			wire.M("receipt", wire.Object(wire.M("kid", text(c.kid, file.KeyID)), wire.M("payload", payload), wire.M("signature_b64u", wire.String(base64.RawURLEncoding.EncodeToString(signature))))),
			wire.M("routes", list),
		)))
		e.answers["/a/"] = deny(403, "no-store", licence, string(body.Append(nil)))
		checkReceipt(t, e, keys, c.name, c.want)
	}
	e.answers["/a/"] = deny(403, "no-store", licence, routes)
	checkReceipt(t, e, keys, "none", ReceiptNone)
}

func checkReceipt(t *testing.T, e *edge, keys record.KeySet, name, want string) {
	t.Helper()
	c := newChecker(t, e)
	c.Keys = keys
	r, err := c.Check(t.Context(), []Row{{Host: host, Path: "/a/*", Class: "training", Decision: "deny", Status: 403}})
	must(t, err)
	assert.Equal(t, r.Samples[0].Receipt, want, "%s: the receipt", name)
	valid, invalid := r.Receipts()
	if valid != strings.Count(want, ReceiptValid)-strings.Count(want, ReceiptInvalid) || invalid != strings.Count(want, ReceiptInvalid) {
		t.Errorf("%s: %d valid, %d invalid", name, valid, invalid)
	}
}

// TestReportAsPublished checks the members of a report.
func TestReportAsPublished(t *testing.T) {
	r := Report{CheckedAt: "2026-11-28T12:00:00Z", IdentifiedAs: "Check", Samples: []Sample{
		{Row: Row{Path: "/a/*", Class: "training", Decision: "deny", Status: 403}, URL: "https://a.example/a/", Observed: 200, Result: "mismatch", Faults: []string{"open"}},
	}}
	want := `{"checked_at":"2026-11-28T12:00:00Z","grants_rights":false,"identified_as":"Check","mismatches":1,"samples":[{"class":"training","declared":"deny","declared_status":403,` +
		`"faults":["open"],"observed_status":200,"path":"/a/*","receipt":null,"result":"mismatch","url":"https://a.example/a/"}]}`
	if got := string(r.Value().Append(nil)); got != want {
		t.Errorf("the report is\n%s, want\n%s", got, want)
	}
}
