// Package email sends the letters of package letter over SMTP, or through a mail
// API over HTTP.
package email

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wneessen/go-mail"

	"colophon/exports"
	"colophon/internal/notify"
	"colophon/internal/notify/letter"
)

// timeout bounds one letter, from the connection to the server's answer.
const timeout = 20 * time.Second

// ErrConfig is wrapped by errors about a Config that cannot be used.
var ErrConfig = errors.New("invalid mail setting")

// Config is how letters reach an SMTP server. The zero value sends none.
type Config struct {
	Server       string `toml:"server,omitempty" comment:"SMTP server that sends notifications by e-mail, as host:port; without it none are sent."`
	URL          string `toml:"url,omitempty" comment:"Instead of a server: https address of a mail API, or of a program of your own, that takes each letter as a POST of JSON."`
	KeyFile      string `toml:"key_file,omitempty" comment:"File with the key of url alone, relative to this one; or it is in $COLOPHON_MAIL_KEY. One that begins with whsec_ signs the POST."`
	Security     string `toml:"security,omitempty" comment:"starttls, tls from the first byte, or none, which is for a server on this machine; starttls without it."`
	From         string `toml:"from,omitempty" comment:"Address from which they are sent."`
	User         string `toml:"user,omitempty" comment:"Name to log in with. The password is in $COLOPHON_SMTP_PASSWORD or in password_file."`
	PasswordFile string `toml:"password_file,omitempty" comment:"File with the password alone, relative to this one."`

	Key      string         `toml:"-"`
	Password string         `toml:"-"`
	Roots    *x509.CertPool `toml:"-"` // of the server's certificate; nil: the system's
}

// Configured reports whether letters can be sent.
func (c Config) Configured() bool { return c.Server != "" || c.URL != "" }

// api returns how letters reach a mail API.
func (c Config) api() letter.API { return letter.API{URL: c.URL, Key: c.Key, From: c.From} }

// Validate checks a Config. Errors wrap ErrConfig.
func (c Config) Validate() error {
	if !c.Configured() {
		return nil
	}
	if c.URL != "" {
		return c.validateAPI()
	}
	host, port, err := net.SplitHostPort(c.Server)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || host == "" || n < 1 || n > 65535 {
		return fmt.Errorf("%w: server is %q, not host:port", ErrConfig, c.Server)
	}
	switch c.Security {
	case "", "starttls", "tls":
	case "none":
		if !isLocal(host) {
			return fmt.Errorf("%w: security is none, but %s is another machine", ErrConfig, host)
		}
	default:
		return fmt.Errorf("%w: security is %q; it must be starttls, tls or none", ErrConfig, c.Security)
	}
	if !exports.ValidEmail(c.From) {
		return fmt.Errorf("%w: from is %q, not an address", ErrConfig, c.From)
	}
	if (c.User == "") != (c.Password == "") {
		return fmt.Errorf("%w: a user and a password go together", ErrConfig)
	}
	return nil
}

func (c Config) validateAPI() error {
	switch {
	case c.Server != "":
		return fmt.Errorf("%w: server and url exclude each other; set one of them", ErrConfig)
	case c.Key == "":
		return fmt.Errorf("%w: url needs a key, in $COLOPHON_MAIL_KEY or key_file", ErrConfig)
	case !exports.ValidEmail(c.From):
		return fmt.Errorf("%w: from is %q, not an address", ErrConfig, c.From)
	case !c.api().Valid():
		return fmt.Errorf("%w: url is not an https address", ErrConfig)
	}
	return nil
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// newClient returns a client for one connection.
func (c Config) newClient() (*mail.Client, error) {
	host, portText, err := net.SplitHostPort(c.Server)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(portText)
	if err != nil {
		return nil, err
	}
	trust := &tls.Config{ServerName: host, RootCAs: c.Roots, MinVersion: tls.VersionTLS12}
	options := []mail.Option{mail.WithPort(port), mail.WithTimeout(timeout), mail.WithTLSConfig(trust)}
	switch c.Security {
	case "tls":
		options = append(options, mail.WithSSL())
	case "none":
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if c.User != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(c.User), mail.WithPassword(c.Password))
	}
	return mail.NewClient(host, options...)
}

// Check connects to the server, logs in and sends nothing. To a mail API it
// sends HEAD; any answer is accepted.
func (c Config) Check(ctx context.Context) error {
	if c.URL != "" {
		return checkAPI(ctx, c.URL)
	}
	client, err := c.newClient()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	return client.Close()
}

// Post returns the Post of a notify.Sender for receivers with a mailto address.
// write makes the letter for each notification.
func Post(c Config, write func(ctx context.Context, m notify.Message) (letter.Message, error)) notify.PostFunc {
	if c.URL != "" {
		return postAPI(c.api(), write)
	}
	return func(ctx context.Context, m notify.Message) (notify.Answer, error) {
		l, err := write(ctx, m)
		if err != nil {
			return notify.Answer{}, err
		}
		msg, err := newMail(c, l)
		if err != nil {
			return notify.Answer{}, err
		}
		client, err := c.newClient()
		if err != nil {
			return notify.Answer{}, err
		}
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		if err := send(ctx, client, msg, l.To); err != nil {
			return notify.Answer{Final: refusesReceiver(err)}, withoutAddress(err, m)
		}
		return notify.Answer{Status: 200}, nil
	}
}

// errNoUTF8 is returned if a server accepts no addresses beyond ASCII. It is
// not final, because the operator can use another server.
var errNoUTF8 = errors.New("the mail server does not offer SMTPUTF8, which an address with letters beyond ASCII before the @ needs")

// send sends a message over its own connection.
func send(ctx context.Context, client *mail.Client, msg *mail.Msg, to string) error {
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return err
	}
	defer client.CloseWithSMTPClient(conn) //nolint:errcheck // the server has answered for the message
	offered, _ := conn.Extension("SMTPUTF8")
	if !offered && strings.ContainsFunc(exports.ASCIIEmail(to), func(r rune) bool { return r >= utf8.RuneSelf }) {
		return errNoUTF8
	}
	return client.SendWithSMTPClient(conn, msg)
}

// newMail returns a letter as an e-mail. Its Message-ID is the same in every
// attempt, by which mail programs recognize a second copy.
func newMail(c Config, l letter.Message) (*mail.Msg, error) {
	msg := mail.NewMsg()
	if err := msg.FromFormat(l.Service, exports.ASCIIEmail(c.From)); err != nil {
		return nil, err
	}
	if err := msg.To(exports.ASCIIEmail(l.To)); err != nil {
		return nil, errors.New("the recipient's address is not valid")
	}
	_, domain, _ := strings.Cut(exports.ASCIIEmail(c.From), "@")
	msg.SetMessageIDWithValue(l.ID + "@" + domain)
	msg.SetDateWithValue(l.Date)
	msg.SetUserAgent("colophon/" + exports.Version)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no automatic answers
	if l.Unsubscribe != "" {
		msg.SetGenHeader("List-Unsubscribe", "<"+l.Unsubscribe+">") // RFC 2369
		msg.SetGenHeader("List-Unsubscribe-Post", exports.OneClick) // RFC 8058
	}
	msg.Subject(l.Subject)
	msg.SetBodyString(mail.TypeTextPlain, l.Text)
	msg.AddAlternativeString(mail.TypeTextHTML, l.HTML)
	return msg, nil
}

// refusesReceiver reports whether a server permanently knows no such receiver:
// a reply of 5yz to RCPT (RFC 5321), except one that concerns the sender (5.7,
// RFC 3463), which the operator can correct.
func refusesReceiver(err error) bool {
	var failed *mail.SendError
	if !errors.As(err, &failed) || failed.Reason != mail.ErrSMTPRcptTo {
		return false
	}
	return failed.ErrorCode() >= 500 && !strings.HasPrefix(failed.EnhancedStatusCode(), "5.7.")
}

// withoutAddress removes the receiver's address from an error, which is stored
// and logged.
func withoutAddress(err error, m notify.Message) error {
	address := strings.TrimPrefix(m.URL, notify.MailScheme)
	return errors.New(strings.NewReplacer(address, "(receiver)", exports.ASCIIEmail(address), "(receiver)").Replace(err.Error()))
}
