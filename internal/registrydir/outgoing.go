package registrydir

import (
	"context"
	"strings"
	"sync"
	"time"

	"colophon/internal/inquiry"
	"colophon/internal/intake"
	"colophon/internal/notify"
	"colophon/internal/notify/email"
	"colophon/internal/notify/letter"
	"colophon/internal/notify/webhook"
	"colophon/internal/originsql"
	"colophon/internal/pause"
)

// receiverTimeout bounds one attempt to post a notification.
const receiverTimeout = 10 * time.Second

// NewSender returns a sender of what is in the outbox of a store, to public
// addresses only unless a webhook allows others, and by e-mail if there is a
// server for it.
func (d *Dir) NewSender(s Settings, store *originsql.Store) (*notify.Sender, error) {
	post := webhook.Post(intake.PublicClient(receiverTimeout, false, nil), intake.PublicClient(receiverTimeout, true, nil))
	sender := &notify.Sender{Outbox: store, Now: time.Now, Post: post, Mail: s.Mail.Configured(), Log: func(line string) { d.note("%s", line) }}
	if !sender.Mail {
		return sender, nil
	}
	secret, err := d.LoadSecret()
	if err != nil {
		return nil, err
	}
	w := letter.Writer{Service: s.Name, BaseURL: s.BaseURL, Contact: s.Contact, Secret: secret, Store: store, Now: time.Now}
	mail := email.Post(s.Mail, w.WriteLetter)
	sender.Post = func(ctx context.Context, m notify.Message) (notify.Answer, error) {
		if strings.HasPrefix(m.URL, notify.MailScheme) {
			return mail(ctx, m)
		}
		return post(ctx, m)
	}
	return sender, nil
}

// maintainEvery is how long a server waits between two rounds of deadlines.
const maintainEvery = 5 * time.Minute

// StartMaintenance starts a server's background work: sending notifications and
// processing the deadlines of requests. It runs until the returned function is
// called, which waits for what is under way.
func (d *Dir) StartMaintenance(ctx context.Context, s Settings, store *originsql.Store) (stop func(), err error) {
	sender, err := d.NewSender(s, store)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { sender.Run(ctx) }) //nolint:errcheck // it ends with ctx
	group.Go(func() {
		for {
			if _, err := RunMaintenance(ctx, store, time.Now()); err != nil && ctx.Err() == nil {
				d.note("deadlines: %v", err)
			}
			if pause.For(ctx, maintainEvery) != nil {
				return
			}
		}
	})
	return func() {
		cancel()
		group.Wait()
	}, nil
}

// RunMaintenance processes deadlines while the clock is plausible. It removes
// the bytes of erased data from the write-ahead log.
func RunMaintenance(ctx context.Context, store *originsql.Store, now time.Time) (inquiry.MaintenanceResult, error) {
	result, err := inquiry.KeepDeadlines(ctx, store, now)
	if err == nil && result.Erased > 0 && store.DB() != nil {
		err = TruncateLog(ctx, store.DB())
	}
	return result, err
}
