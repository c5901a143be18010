package email_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"colophon/internal/notify"
	"colophon/internal/notify/email"
)

// posted is what a mail API received.
type posted struct {
	From, Subject, Text, HTML string
	To                        []string
	Headers                   map[string]string
}

// TestMailAPI sends through a server that checks a bearer token and one that
// checks a signature, in the form that package letter documents.
func TestMailAPI(t *testing.T) {
	for _, key := range []string{"re_secret", "whsec_secret"} {
		t.Run(key, func(t *testing.T) {
			var got posted
			var header http.Header
			var raw []byte
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				raw, _ = io.ReadAll(r.Body)
				header = r.Header
				if r.Method != "POST" || json.Unmarshal(raw, &got) != nil {
					w.WriteHeader(400)
				}
			}))
			defer server.Close()
			c := email.Config{URL: server.URL + "/emails", From: "notices@registry.example", Key: key}
			must(t, c.Validate())
			answer, err := email.Post(c, writeLetter)(t.Context(), newMessage(notify.KindState, "delivered"))
			if err != nil || answer.Status != 200 {
				t.Fatalf("answer %+v: %v", answer, err)
			}
			want := map[string]string{
				"Auto-Submitted": "auto-generated", "List-Unsubscribe": "<https://registry.example/letters/whk_1/key>",
				"List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "Message-ID": "<evt_1_s2@registry.example>",
			}
			if got.From != `"Coast Registry" <notices@registry.example>` || len(got.To) != 1 || got.To[0] != "desk@harbor.example" ||
				got.Subject != "An inquiry to Harbor & Ledger has arrived" || !strings.Contains(got.Text, link) || !strings.Contains(got.HTML, link) || !maps.Equal(got.Headers, want) {
				t.Errorf("it got %s", raw)
			}
			signed := notify.Signature(key, header.Get("webhook-id"), header.Get("webhook-timestamp"), raw)
			switch {
			case header.Get("idempotency-key") != "evt_1_s2":
				t.Errorf("the key of a repeat is %q", header.Get("idempotency-key"))
			case strings.HasPrefix(key, "whsec_"):
				if header.Get("webhook-signature") != signed || header.Get("webhook-id") != "evt_1_s2" || header.Get("authorization") != "" {
					t.Errorf("signed as %q", header)
				}
			case header.Get("authorization") != "Bearer re_secret" || header.Get("webhook-signature") != "":
				t.Errorf("authorized as %q", header)
			}
		})
	}
}

// TestFinalRefusals checks that a letter which an API refuses for its content
// (RFC 9110) is not sent again, but one that it defers, or refuses for an
// unknown key, is.
func TestFinalRefusals(t *testing.T) {
	for status, final := range map[int]bool{
		400: true, 406: true, 413: true, 422: true,
		202: false, 302: false, 401: false, 403: false, 404: false, 408: false, 409: false, 429: false, 500: false, 503: false,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		c := email.Config{URL: server.URL, From: "notices@registry.example", Key: "k"}
		answer, err := email.Post(c, writeLetter)(t.Context(), newMessage(notify.KindState, "delivered"))
		if err != nil || answer.Status != status || answer.Final != final {
			t.Errorf("%d: %+v %v", status, answer, err)
		}
		server.Close()
	}
}

// TestMailAPIsThatRefuse checks that the outbox decides by the API's answer,
// and that an error does not contain the API's address, which may hold a
// secret.
func TestMailAPIsThatRefuse(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(429)
	}))
	c := email.Config{URL: server.URL + "/secret-path", From: "notices@registry.example", Key: "k"}
	post := email.Post(c, writeLetter)
	answer, err := post(t.Context(), newMessage(notify.KindState, "delivered"))
	if err != nil || answer.Status != 429 || answer.RetryAfter.Seconds() != 7 {
		t.Errorf("answer %+v: %v", answer, err)
	}
	if answer.Final {
		t.Error("a letter that was put off counts as refused for good")
	}
	server.Close()
	if _, err := post(t.Context(), newMessage(notify.KindState, "delivered")); err == nil || strings.Contains(err.Error(), "secret-path") {
		t.Errorf("the error is %v", err)
	}
	for name, bad := range map[string]email.Config{
		"no key":           {URL: "https://api.example/", From: "a@example.org"},
		"plain, far away":  {URL: "http://api.example/", From: "a@example.org", Key: "k"},
		"no from":          {URL: "https://api.example/", Key: "k"},
		"server and url":   {URL: "https://api.example/", Server: "smtp.example:587", From: "a@example.org", Key: "k"},
		"break in the key": {URL: "https://api.example/", From: "a@example.org", Key: "k\r\nX: y"},
	} {
		if bad.Validate() == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
