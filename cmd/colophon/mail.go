package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/notify"
	"colophon/internal/notify/email"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// Days of the inbox link in letters: it is made longer when fewer are left.
const (
	mailLinkDays  = 90
	mailLinkRenew = 30
)

// readMailSettings reads the password and checks the rest.
func (e *env) readMailSettings(c *email.Config) error {
	c.Password = e.getenv("COLOPHON_SMTP_PASSWORD")
	if c.Password == "" && c.PasswordFile != "" {
		path := c.PasswordFile
		if !filepath.IsAbs(path) {
			path = e.registryPath(path)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("%w: password_file: %w", email.ErrConfig, err)
		}
		c.Password = strings.TrimSpace(string(data))
	}
	if c.User == "" {
		c.Password = "" // of another program's server
	}
	return c.Validate()
}

// postMail sends notifications by e-mail with the settings and the secret of
// this registry.
func (e *env) postMail(s settings, store *originsql.Store) (notify.PostFunc, error) {
	secret, err := e.loadSecret()
	if err != nil {
		return nil, err
	}
	links := mailLinks{store: store, baseURL: s.BaseURL, secret: secret, now: time.Now}
	w := email.Writer{
		Service: s.Name, BaseURL: s.BaseURL, Contact: s.Contact, Inbox: links.findAddress,
		Publisher: func(ctx context.Context, siteID string) (string, error) {
			site, err := store.Site(ctx, siteID)
			return site.Name, err
		},
	}
	return email.Post(s.Mail, w.WriteLetter), nil
}

// mailLinks are the inbox links in letters. The secret of a link is derived from
// the registry's secret, so that every letter to a receiver has the same link
// and the store keeps no more than its digest.
type mailLinks struct {
	store   origin.InboxLinks
	baseURL string
	secret  []byte
	now     func() time.Time
}

// findAddress returns the address of the inbox for a receiver, "" if an operator
// took its link back.
func (l mailLinks) findAddress(ctx context.Context, m notify.Message) (string, error) {
	token := inquiry.PrefixInbox + inquiry.Sealed(l.secret, "colophon.mail-inbox.v1", m.Receiver.WebhookID)
	hash := inquiry.Digest(token)
	link := origin.InboxLink{
		LinkID: "inb_" + strings.TrimPrefix(m.Receiver.WebhookID, "whk_"), SiteID: m.Receiver.SiteID,
		Lookup: inquiry.LookupOf(hash), Hash: hash, Label: "letters to " + m.Receiver.WebhookID, State: "active",
		CreatedAt: exports.Instant(l.now()),
	}

	known, err := l.store.LinksOf(ctx, link.SiteID)
	if err != nil {
		return "", err
	}
	for _, k := range known {
		if k.LinkID == link.LinkID {
			link = k
		}
	}
	if link.State != "active" {
		return "", nil
	}
	if link.Hash != hash { // the registry's secret was replaced
		link.Lookup, link.Hash = inquiry.LookupOf(hash), hash
		link.ExpiresAt = "" // so that it is written
	}
	if link.ExpiresAt < exports.Instant(l.now().AddDate(0, 0, mailLinkRenew)) {
		link.ExpiresAt = exports.Instant(l.now().AddDate(0, 0, mailLinkDays))
		link.ChangedAt = exports.Instant(l.now())
		if err := l.store.PutLink(ctx, link); err != nil {
			return "", err
		}
	}
	return l.baseURL + exports.PathInbox + token, nil
}

// checkMailReceiver refuses an address that no letter can be sent to.
func checkMailReceiver(address string) error {
	if !exports.ValidEmail(strings.TrimPrefix(address, notify.MailScheme)) {
		return usage("%q is not mailto: and one e-mail address", address)
	}
	return nil
}

// checkMail connects to the SMTP server and logs in.
func (x *examination) checkMail(ctx context.Context) {
	if x.settings == nil || !x.settings.Mail.Configured() {
		return
	}
	c := x.settings.Mail
	if x.offline {
		x.addSkipped("mail", "--offline")
		return
	}
	if err := c.Check(ctx); err != nil {
		x.addFailure("mail", "look at [mail] in colophon.toml", "%s takes no letters: %v", c.Server, err)
		return
	}
	x.addPassed("mail", "%s takes letters from %s", c.Server, c.From)
}
