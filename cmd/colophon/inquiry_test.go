package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

// operator runs commands in one registry.
type operator struct {
	*testing.T
	dir string
}

// newOperator returns an operator of a registry with two publishers.
func newOperator(t *testing.T) operator {
	o := operator{t, filepath.Join(t.TempDir(), "reg")}
	fixtures.publishers.copyTo(t, o.dir)
	return o
}

// newBuilt returns an operator of the same registry after a build.
func newBuilt(t *testing.T) operator {
	o := operator{t, filepath.Join(t.TempDir(), "reg")}
	fixtures.built.copyTo(t, o.dir)
	return o
}

func (o operator) run(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = runProgram(context.Background(), append(args, "--dir", o.dir), strings.NewReader("From the standard input.\n"), &out, &errs, emptyEnvironment)
	return code, out.String(), errs.String()
}

// ok runs a command that must succeed and returns its first line.
func (o operator) ok(args ...string) string {
	o.Helper()
	code, out, errs := o.run(args...)
	if code != 0 {
		o.Fatalf("%v: exit code %d: %s", args, code, errs)
	}
	first, _, _ := strings.Cut(out, "\n")
	return first
}

// no runs a command that must fail with a code and a word in its error.
func (o operator) no(code int, word string, args ...string) {
	o.Helper()
	got, _, errs := o.run(args...)
	if got != code || !strings.Contains(errs, word) {
		o.Errorf("%v: exit code %d, not %d; %q does not tell %q", args, got, code, errs, word)
	}
}

// data runs a command with --json and decodes its data into v.
func (o operator) data(v any, args ...string) {
	o.Helper()
	code, out, errs := o.run(append(args, "--json")...)
	if code != 0 {
		o.Fatalf("%v: %s", args, errs)
	}
	doc := struct{ Data any }{v}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		o.Fatalf("%v: %v in %s", args, err, out)
	}
}

// submit stores a request as the worker would.
func (o operator) submit(heldFor string) string {
	o.Helper()
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}}
	var id string
	err := e.WithStore(context.Background(), func(store *originsql.Store) error {
		r, _, err := cli.NewInquiryService(store).Submit(context.Background(), origin.Request{SiteID: "harbor-ledger", Channel: "public", BuyerName: "R. \x1b[31mExample", BuyerEmail: "r@example.org",
			IntendedUse: "Grounding", RequestedScope: "/x/*", Message: "Hello there.", HeldFor: heldFor, BudgetCents: -1, TermMonths: -1, TokenHash: "x"})
		id = r.RequestID
		if err != nil {
			return err
		}
		return cli.NewInquiryService(store).Deliver(context.Background(), r)
	})
	if err != nil {
		o.Fatal(err)
	}
	return id
}

func TestInquiryCommands(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	id := o.submit("")
	if _, out, _ := o.run("inquiry", "list"); !strings.Contains(out, id) || strings.Contains(out, "\x1b") {
		t.Errorf("list: %q", out)
	}
	if _, out, _ := o.run("inquiry", "show", id); !strings.Contains(out, "r@example.org") || !strings.Contains(out, "Hello there.") {
		t.Errorf("show: %q", out)
	}
	o.no(1, "there is no inquiry", "inquiry", "show", "req_nothing")
	o.no(1, "is delivered, which does not allow this", "inquiry", "hold", id)
	o.no(2, "is not one of", "inquiry", "reply", id, "--kind", "accept", "--body", "x")
	o.no(2, "cannot be sent", "inquiry", "reply", id)
	if got := o.ok("inquiry", "reply", id, "--body-file", "-"); !strings.HasSuffix(got, " in_discussion") {
		t.Errorf("reply: %q", got)
	}
	if got := o.ok("inquiry", "reply", id, "--kind", "indicative_terms", "--uses", "rag", "--amount-cents", "100", "--currency", "EUR"); !strings.HasSuffix(got, " terms_indicated") {
		t.Errorf("terms: %q", got)
	}
	o.no(2, "cannot be sent", "inquiry", "reply", id, "--kind", "indicative_terms", "--uses", "rag", "--amount-cents", "1", "--currency", "XXX")
	o.no(2, "transfer needs --to", "inquiry", "move", id, "transfer")
	o.no(2, "--reason", "inquiry", "move", id, "decline", "--reason", "mood")
	if got := o.ok("inquiry", "move", id, "transfer", "--to", "quay-times"); !strings.HasPrefix(got, id+" transferred req_") {
		t.Errorf("transfer: %q", got)
	}
	held := o.submit("honeypot")
	var list []map[string]any
	o.data(&list, "inquiry", "list", "--state", "held")
	if len(list) != 1 || list[0]["request_id"] != held || list[0]["held_for"] != "honeypot" {
		t.Errorf("held: %v", list)
	}
	assert.Equal(t, o.ok("inquiry", "release", held), held+" delivered", "release")
	if got := o.ok("inquiry", "tick"); !strings.HasPrefix(got, "0 delivered, 0 reminded") {
		t.Errorf("tick: %q", got)
	}
}

func TestPartnerCommands(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	org := o.ok("partner", "add", "Example Labs", "--scope", "catalog:read", "--email", "desk@example-labs.example")
	o.no(2, "is not one of", "partner", "add", "X", "--scope", "everything")
	o.no(1, "there is no partner", "partner", "key", "issue", "org_nothing")
	secret := o.ok("partner", "key", "issue", org, "--env", "test", "--days", "30", "--label", "ci")
	if !strings.HasPrefix(secret, "ptk_test_") || len(secret) != len("ptk_test_")+43 {
		t.Errorf("a key is %q", secret)
	}
	raw, err := os.ReadFile(filepath.Join(o.dir, registrydir.OriginFile))
	if err != nil || bytes.Contains(raw, []byte(secret)) {
		t.Errorf("the store holds the secret (%v)", err)
	}
	var list []struct {
		Keys []struct {
			KeyID string `json:"key_id"`
			Last4 string `json:"last4"`
			State string `json:"state"`
		} `json:"keys"`
	}
	o.data(&list, "partner", "list")
	if len(list) != 1 || len(list[0].Keys) != 1 || list[0].Keys[0].Last4 != secret[len(secret)-4:] {
		t.Fatalf("list: %+v", list)
	}
	key := list[0].Keys[0].KeyID
	o.ok("partner", "key", "suspend", key)
	o.ok("partner", "key", "resume", key)
	o.ok("partner", "key", "revoke", key)
	o.no(1, "for good", "partner", "key", "resume", key)
	o.ok("partner", "suspend", org)
	o.data(&list, "partner", "list")
	assert.Equal(t, list[0].Keys[0].State, "revoked", "list: %+v", list)
}

func TestInboxLinkCommand(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	var link struct {
		LinkID string `json:"link_id"`
		URL    string `json:"url"`
	}
	o.data(&link, "publisher", "inbox-link", "harbor-ledger")
	if !strings.HasPrefix(link.URL, "https://registry.example/inbox/ibx_") {
		t.Errorf("link: %+v", link)
	}
	o.no(1, "there is no publisher", "publisher", "inbox-link", "nobody-here")
	o.no(1, "no inbox link", "publisher", "inbox-link", "quay-times", "--revoke", link.LinkID)
	assert.Equal(t, o.ok("publisher", "inbox-link", "harbor-ledger", "--revoke", link.LinkID), link.LinkID+" revoked", "revoke")
}

func TestWebhookCommands(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	got := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header.Get("Webhook-Id") }))
	defer receiver.Close()
	o.no(2, "https", "webhook", "add", "http://desk.example/hook")
	o.no(2, "without credentials", "webhook", "add", "https://a:b@desk.example/hook")
	if secret := o.ok("webhook", "add", receiver.URL, "--site", "harbor-ledger", "--allow-private"); !strings.HasPrefix(secret, credential.Webhook.Prefix) {
		t.Errorf("signing key %q", secret)
	}
	o.submit("")
	assert.Equal(t, o.ok("webhook", "send"), "1 sent, 0 failed", "send")
	select {
	case id := <-got:
		if !strings.HasPrefix(id, "evt_") {
			t.Errorf("event %q", id)
		}
	default:
		t.Error("nothing was received")
	}
	if _, out, _ := o.run("webhook", "list"); !strings.Contains(out, "delivered") {
		t.Errorf("list: %q", out)
	}
}
