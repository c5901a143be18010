package letter

import (
	"strconv"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/notify"
	"colophon/internal/wire"
)

// API is a mail API over HTTP that takes a letter as one POST of JSON:
//
//	{"from":"Service <notices@registry.example>","headers":{"Auto-Submitted":"auto-generated",…},"html":"…",
//	 "subject":"…","text":"…","to":["desk@harbor.example"]}
//
// With a key that begins with whsec_ the POST is a webhook of the Standard
// Webhooks convention, signed as notifications are: for a program of the
// operator's own. Any other key is sent as a bearer token.
type API struct {
	URL  string // https
	Key  string
	From string // address that letters come from
}

// Configured reports whether letters can be sent.
func (a API) Configured() bool { return a.URL != "" && a.Key != "" && a.From != "" }

// Valid reports whether letters can be sent with the settings. Plain HTTP is
// accepted for this machine only.
func (a API) Valid() bool {
	scheme, rest, found := strings.Cut(a.URL, "://")
	local := strings.HasPrefix(rest, "127.0.0.1:") || strings.HasPrefix(rest, "localhost:")
	secure := scheme == "https" || scheme == "http" && local
	return found && secure && rest != "" && a.Key != "" && !strings.ContainsAny(a.Key+a.URL, "\r\n ") && exports.ValidEmail(a.From)
}

// Write returns the POST of a letter: its headers and its body. A second POST
// of the same letter has the same Idempotency-Key.
func (a API) Write(l Message, now time.Time) (header [][2]string, body []byte) {
	from := exports.ASCIIEmail(a.From)
	_, domain, _ := strings.Cut(from, "@")
	headers := []wire.Member{
		wire.M("Auto-Submitted", wire.String("auto-generated")),
		wire.M("List-Unsubscribe", wire.String("<"+l.Unsubscribe+">")),
		wire.M("List-Unsubscribe-Post", wire.String(exports.OneClick)),
		wire.M("Message-ID", wire.String("<"+l.ID+"@"+domain+">")),
	}
	v := wire.Object(
		wire.M("from", wire.String(quotedName(l.Service)+" <"+from+">")), wire.M("headers", wire.Object(headers...)), wire.M("html", wire.String(l.HTML)),
		wire.M("subject", wire.String(l.Subject)), wire.M("text", wire.String(l.Text)), wire.M("to", wire.Strings(exports.ASCIIEmail(l.To))),
	)
	body = v.Append(nil)
	header = [][2]string{
		{"content-type", "application/json"}, {"user-agent", "colophon/" + exports.Version}, {"idempotency-key", l.ID},
	}
	if !strings.HasPrefix(a.Key, credential.Webhook.Prefix) {
		return append(header, [2]string{"authorization", "Bearer " + a.Key}), body
	}
	timestamp := strconv.FormatInt(now.Unix(), 10)
	return append(header,
		[2]string{"webhook-id", l.ID}, [2]string{"webhook-timestamp", timestamp},
		[2]string{"webhook-signature", notify.Signature(a.Key, l.ID, timestamp, body)}), body
}

// Judge returns the meaning of the API's answer. A refusal of the letter itself
// (RFC 9110: 400, 406, 413, 422) is final; after any other failure, such as an
// unknown key, sending is tried again.
func (a API) Judge(status int, retryAfter time.Duration) notify.Answer {
	final := status == 400 || status == 406 || status == 413 || status == 422
	return notify.Answer{Status: status, RetryAfter: retryAfter, Final: final}
}

// quotedName returns a name before an address (RFC 5322): in quotes, without
// what would end them.
func quotedName(name string) string {
	out := []byte{'"'}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; c {
		case '"', '\\', '\r', '\n':
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
}
