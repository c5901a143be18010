package notices

import (
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/notify"
	"colophon/internal/notify/email"
	"colophon/internal/notify/letter"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// postMail sends notifications by e-mail with the settings and the secret of
// this registry.
func postMail(e *cli.Env, s registrydir.Settings, store *originsql.Store) (notify.PostFunc, error) {
	secret, err := e.LoadSecret()
	if err != nil {
		return nil, err
	}
	w := letter.Writer{Service: s.Name, BaseURL: s.BaseURL, Contact: s.Contact, Secret: secret, Store: store, Now: time.Now}
	return email.Post(s.Mail, w.WriteLetter), nil
}

// checkMailReceiver refuses an address that no letter can be sent to.
func checkMailReceiver(address string) error {
	if !exports.ValidEmail(strings.TrimPrefix(address, notify.MailScheme)) {
		return usage.Errorf("%q is not mailto: and one e-mail address", address)
	}
	return nil
}
