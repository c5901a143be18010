package email_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"colophon/internal/assert"
	"colophon/internal/notify"
	"colophon/internal/notify/email"
	"colophon/internal/notify/email/emailtest"
	"colophon/internal/notify/letter"
	"colophon/internal/origin"
)

var must = assert.NoError

const link = "https://registry.example/inbox/ibx_secret/req_1"

// writeLetter returns a letter to a publisher.
func writeLetter(_ context.Context, m notify.Message) (letter.Message, error) {
	return letter.Message{
		Service: "Coast Registry", To: "desk@harbor.example", ID: m.ID, Date: m.At, Subject: "An inquiry to Harbor & Ledger has arrived",
		Text: "An inquiry to Harbor & Ledger:\n" + link + "\n", HTML: `<p>Harbor &amp; Ledger <a href="` + link + `">inbox</a></p>`,
		Unsubscribe: "https://registry.example/letters/whk_1/key",
	}, nil
}

// newMessage returns the notification of a publisher's new request.
func newMessage(kind, status string) notify.Message {
	return notify.Message{
		URL: "mailto:desk@harbor.example", ID: "evt_1_s2", At: time.Date(2026, 11, 20, 9, 2, 0, 0, time.UTC),
		Event:    origin.Event{EventID: "evt_1_s2", Kind: kind, SiteID: "harbor", RequestID: "req_1", Status: status, At: "2026-11-20T09:02:00Z"},
		Receiver: origin.Webhook{WebhookID: "whk_1", SiteID: "harbor"},
	}
}

// readParts reads a letter and returns its header and its texts by media type.
func readParts(t *testing.T, raw []byte) (mail.Header, map[string]string) {
	t.Helper()
	msg, err := mail.ReadMessage(bytes.NewReader(raw))
	must(t, err)
	media, params, err := mime.ParseMediaType(msg.Header.Get("Content-Type"))
	if err != nil || media != "multipart/alternative" {
		t.Fatalf("a letter of type %q: %v", media, err)
	}
	parts := map[string]string{}
	reader := multipart.NewReader(msg.Body, params["boundary"])
	for {
		part, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			return msg.Header, parts
		}
		must(t, err)
		media, _, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
		must(t, err)
		text, err := io.ReadAll(quotedprintable.NewReader(part))
		must(t, err)
		parts[media] = string(text)
	}
}

// TestLetterArrives sends over STARTTLS with a password, and over TLS from the
// first byte, to servers that accept nothing else.
func TestLetterArrives(t *testing.T) {
	for _, security := range []string{"starttls", "tls"} {
		t.Run(security, func(t *testing.T) {
			server := emailtest.NewServer(t, security)
			post := email.Post(server.Config, writeLetter)
			for range 2 { // an event may be sent again
				answer, err := post(t.Context(), newMessage(notify.KindState, "delivered"))
				if err != nil || answer.Status != 200 {
					t.Fatalf("answer %+v: %v", answer, err)
				}
			}
			letters := server.Letters()
			if len(letters) != 2 || letters[0].To != "desk@harbor.example" || letters[0].From != server.Config.From {
				t.Fatalf("the server has %+v", letters)
			}
			header, parts := readParts(t, letters[0].Data)
			again, _ := readParts(t, letters[1].Data)
			if id := header.Get("Message-Id"); id != "<evt_1_s2@registry.example>" || again.Get("Message-Id") != id {
				t.Errorf("ids %q and %q", id, again.Get("Message-Id"))
			}
			for name, want := range map[string]string{
				"Subject": "An inquiry to Harbor & Ledger has arrived", "Date": "Fri, 20 Nov 2026 09:02:00 +0000", "Auto-Submitted": "auto-generated",
				"List-Unsubscribe":      "<https://registry.example/letters/whk_1/key>",
				"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
			} {
				assert.Equal(t, header.Get(name), want, "%s", name)
			}
			if !strings.Contains(parts["text/plain"], "\n"+link+"\r\n") || !strings.Contains(parts["text/html"], `href="`+link+`"`) {
				t.Errorf("a part lacks the link:\n%s\n%s", parts["text/plain"], parts["text/html"])
			}
			if !strings.Contains(parts["text/html"], "Harbor &amp; Ledger") || strings.Contains(parts["text/html"], "<script") {
				t.Errorf("the part in HTML: %s", parts["text/html"])
			}
		})
	}
}

// TestInternationalReceivers checks that a domain is sent in its DNS form, and
// that a local part beyond ASCII is sent only to a server that offers SMTPUTF8
// (RFC 6531).
func TestInternationalReceivers(t *testing.T) {
	for _, c := range []struct {
		to      string
		offered bool
		arrives string // "" if it is held
	}{
		{"desk@bücher.example", false, "desk@xn--bcher-kva.example"},
		{"desk@bücher.example", true, "desk@xn--bcher-kva.example"},
		{"desk@BÜCHER.example", false, "desk@xn--bcher-kva.example"},
		{"desk@例え。テスト", false, "desk@xn--r8jz45g.xn--zckzah"},
		{"редакция@harbor.example", true, "редакция@harbor.example"},
		{"редакция@harbor.example", false, ""},
		{"é@bücher.example", true, "é@xn--bcher-kva.example"},
		{"é@bücher.example", false, ""},
	} {
		server := emailtest.NewServer(t, "starttls")
		if c.offered {
			server.OfferUTF8()
		}
		post := email.Post(server.Config, func(ctx context.Context, m notify.Message) (letter.Message, error) {
			l, err := writeLetter(ctx, m)
			l.To = c.to
			return l, err
		})
		m := newMessage(notify.KindState, "delivered")
		m.URL = notify.MailScheme + c.to
		answer, err := post(t.Context(), m)
		letters := server.Letters()
		if c.arrives == "" {
			if err == nil || answer.Final || !strings.Contains(err.Error(), "SMTPUTF8") || strings.Contains(err.Error(), "bcher") || len(letters) != 0 {
				t.Errorf("%s, offered %v: %+v, %v, %+v", c.to, c.offered, answer, err, letters)
			}
			continue
		}
		if err != nil || len(letters) != 1 || letters[0].To != c.arrives || letters[0].UTF8 != c.offered {
			t.Errorf("%s, offered %v: %v, %+v", c.to, c.offered, err, letters)
		}
	}
}

// TestServersThatRefuse checks that whatever a server does gives one error,
// which does not name the receiver.
func TestServersThatRefuse(t *testing.T) {
	final := map[string]bool{"unknown receiver": true, "unknown receiver, plainly": true}
	for name, spoil := range map[string]func(*emailtest.Server){
		"wrong password":        func(s *emailtest.Server) { s.Config.Password = "other" },
		"untrusted certificate": func(s *emailtest.Server) { s.Config.Roots = nil },
		"unknown receiver": func(s *emailtest.Server) {
			s.Refuse = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no desk@harbor.example here"}
		},
		"unknown receiver, plainly": func(s *emailtest.Server) {
			s.Refuse = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.NoEnhancedCode, Message: "no such user"}
		},
		"no relay": func(s *emailtest.Server) {
			s.Refuse = &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "relay access denied"}
		},
		"busy":         func(s *emailtest.Server) { s.Refuse = &smtp.SMTPError{Code: 451, Message: "later"} },
		"no STARTTLS":  func(s *emailtest.Server) { s.ForgetTLS() },
		"nobody there": func(s *emailtest.Server) { s.Config.Server = "127.0.0.1:1" },
	} {
		t.Run(name, func(t *testing.T) {
			server := emailtest.NewServer(t, "starttls")
			spoil(server)
			post := email.Post(server.Config, writeLetter)
			answer, err := post(t.Context(), newMessage(notify.KindMessage, "delivered"))
			assert.Equal(t, answer.Final, final[name], "refused for good")
			if err == nil || strings.Contains(err.Error(), "desk@harbor.example") {
				t.Errorf("the error is %v", err)
			}
			if letters := server.Letters(); len(letters) != 0 {
				t.Errorf("the server took %+v", letters)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	good := email.Config{Server: "smtp.example:587", From: "registry@example.org", User: "u", Password: "p"}
	for name, change := range map[string]func(*email.Config){
		"no port":             func(c *email.Config) { c.Server = "smtp.example" },
		"port 0":              func(c *email.Config) { c.Server = "smtp.example:0" },
		"plain, far away":     func(c *email.Config) { c.Security = "none" },
		"unknown security":    func(c *email.Config) { c.Security = "ssl3" },
		"a name in from":      func(c *email.Config) { c.From = "Registry <registry@example.org>" },
		"no from":             func(c *email.Config) { c.From = "" },
		"line break in from":  func(c *email.Config) { c.From = "a@example.org\r\nBcc: b@example.org" },
		"user, no password":   func(c *email.Config) { c.Password = "" },
		"password, no user":   func(c *email.Config) { c.User = "" },
		"plain, this machine": func(c *email.Config) { c.Server, c.Security = "127.0.0.1:25", "none" },
		"unchanged":           func(*email.Config) {},
		"no server":           func(c *email.Config) { *c = email.Config{} },
	} {
		c := good
		change(&c)
		err := c.Validate()
		fine := name == "plain, this machine" || name == "unchanged" || name == "no server"
		if fine != (err == nil) || err != nil && !errors.Is(err, email.ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
