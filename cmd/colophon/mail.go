package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/notify"
	"colophon/internal/notify/email"
	"colophon/internal/notify/letter"
	"colophon/internal/originsql"
)

// readMailSettings reads the password and checks the rest.
func (e *env) readMailSettings(c *email.Config) error {
	var err error
	if c.Password, err = e.readMailSecret("COLOPHON_SMTP_PASSWORD", "password_file", c.PasswordFile); err != nil {
		return err
	}
	if c.Key, err = e.readMailSecret("COLOPHON_MAIL_KEY", "key_file", c.KeyFile); err != nil {
		return err
	}
	if c.User == "" {
		c.Password = "" // of another program's server
	}
	return c.Validate()
}

// readMailSecret reads a secret from the environment, or else from the file that
// a setting names, "" without both.
func (e *env) readMailSecret(variable, setting, path string) (string, error) {
	if text := e.getenv(variable); text != "" || path == "" {
		return text, nil
	}
	if !filepath.IsAbs(path) {
		path = e.registryPath(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", email.ErrConfig, setting, err)
	}
	return strings.TrimSpace(string(data)), nil
}

// postMail sends notifications by e-mail with the settings and the secret of
// this registry.
func (e *env) postMail(s settings, store *originsql.Store) (notify.PostFunc, error) {
	secret, err := e.loadSecret()
	if err != nil {
		return nil, err
	}
	w := letter.Writer{Service: s.Name, BaseURL: s.BaseURL, Contact: s.Contact, Secret: secret, Store: store, Now: time.Now}
	return email.Post(s.Mail, w.WriteLetter), nil
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
	to := cmp.Or(c.Server, "the mail API of [mail]")
	if err := c.Check(ctx); err != nil {
		x.addFailure("mail", "look at [mail] in colophon.toml", "%s takes no letters: %v", to, err)
		return
	}
	x.addPassed("mail", "%s takes letters from %s", to, c.From)
}
