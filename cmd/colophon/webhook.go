package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/notify"
	"colophon/internal/notify/webhook"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

func webhookCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "webhook", Short: "Keep the receivers of notifications"}
	cmd.AddCommand(webhookAdd(e), webhookList(e), webhookState(e, "pause", "paused"), webhookState(e, "resume", "active"), webhookRetry(e), webhookSend(e))
	return cmd
}

func webhookAdd(e *env) *cobra.Command {
	var site string
	cmd := &cobra.Command{
		Use: "add URL", Short: "Add a receiver; its signing key is shown once", Args: exact("URL"),
		Example: "  colophon webhook add https://desk.harbor-ledger.example/hooks --site harbor-ledger",
		RunE: func(cmd *cobra.Command, args []string) error {
			u, err := url.Parse(args[0])
			local := err == nil && (u.Hostname() == "127.0.0.1" || u.Hostname() == "::1" || u.Hostname() == "localhost")
			if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && local) {
				return usage("%q is not an https address without credentials", args[0])
			}
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
				if site != "" {
					if _, err := store.Site(cmd.Context(), site); err != nil {
						return noPublisher(site)
					}
				}
				id, err := desk(store).NewID("whk_")
				if err != nil {
					return err
				}
				secret, _, _, err := inquiry.NewSecret(rand.Reader, inquiry.PrefixWebhook)
				if err != nil {
					return err
				}
				if err := store.PutWebhook(cmd.Context(), origin.Webhook{WebhookID: id, SiteID: site, URL: args[0], Secret: secret, State: "active", CreatedAt: stamp(), ChangedAt: stamp()}); err != nil {
					return err
				}
				e.note("webhook %s: keep the signing key, it is shown only now", id)
				return e.answer(map[string]string{"webhook_id": id, "secret": secret}, func(w io.Writer) { fmt.Fprintln(w, secret) })
			})
		},
	}
	cmd.Flags().StringVar(&site, "site", "", "only events of this publisher (default: all)")
	return cmd
}

func webhookList(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List receivers, and the newest notifications", Args: exact(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
				hooks, err := store.Webhooks(cmd.Context())
				if err != nil {
					return err
				}
				events, err := store.Events(cmd.Context(), 50)
				if err != nil {
					return err
				}
				list := []map[string]any{}
				for _, h := range hooks {
					list = append(list, map[string]any{"webhook_id": h.WebhookID, "site_id": h.SiteID, "url": h.URL, "state": h.State})
				}
				return e.answer(map[string]any{"webhooks": list, "events": events}, func(w io.Writer) {
					for _, h := range hooks {
						fmt.Fprintf(w, "%s  %-6s  %s  %s\n", h.WebhookID, h.State, h.URL, h.SiteID)
					}
					for _, x := range events {
						fmt.Fprintf(w, "  %s  %-9s  %s  %s  attempts %d  %s\n", x.At, x.State, x.Kind, x.RequestID, x.Attempts, line(x.LastError))
					}
				})
			})
		},
	}
}

func webhookState(e *env, verb, state string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " WEBHOOK_ID", Short: strings.ToUpper(verb[:1]) + verb[1:] + " a receiver", Args: exact("WEBHOOK_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
				h, err := store.Webhook(cmd.Context(), args[0])
				if err != nil {
					return noWebhook(args[0], err)
				}
				h.State, h.ChangedAt = state, stamp()
				if err := store.PutWebhook(cmd.Context(), h); err != nil {
					return err
				}
				return e.answer(map[string]string{"webhook_id": h.WebhookID, "state": state}, func(w io.Writer) { fmt.Fprintln(w, h.WebhookID, state) })
			})
		},
	}
}

func noWebhook(id string, err error) error {
	if errors.Is(err, origin.ErrNotFound) {
		return fmt.Errorf("there is no webhook %q; \"colophon webhook list\" shows them", id)
	}
	return err
}

func webhookRetry(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "retry WEBHOOK_ID", Short: "Send again what its receiver never took", Args: exact("WEBHOOK_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
				n, err := store.RetryEvents(cmd.Context(), args[0], stamp())
				if err != nil {
					return err
				}
				return e.answer(map[string]int64{"waiting": n}, func(w io.Writer) { fmt.Fprintf(w, "%d notifications wait again\n", n) })
			})
		},
	}
}

func webhookSend(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "send", Short: "Send what is due now, once", Args: exact(),
		Long: "A server sends by itself. This is for installations that answer from the edge: run it from a timer.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
				s := notify.Sender{Outbox: store, Now: time.Now, Post: webhook.Post(webhook.NewClient()), Log: func(l string) { e.note("%s", l) }}
				n, err := s.Once(cmd.Context())
				if err != nil {
					return err
				}
				return e.answer(map[string]int{"sent": n}, func(w io.Writer) { fmt.Fprintf(w, "%d sent\n", n) })
			})
		},
	}
}

// inboxLinkCommand issues and revokes links to the private inbox of a
// publisher.
func inboxLinkCommand(e *env) *cobra.Command {
	var label, revoke string
	var days int
	cmd := &cobra.Command{
		Use: "inbox-link SITE_ID", Short: "Make a link to a publisher's private inbox; it is shown once", Args: exact("SITE_ID"),
		Example: "  colophon publisher inbox-link harbor-ledger --label \"licensing desk\" --days 90",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := e.readSettings()
			if err != nil {
				return err
			}
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
				if _, err := store.Site(cmd.Context(), args[0]); err != nil {
					return noPublisher(args[0])
				}
				if revoke != "" {
					return e.revokeLink(cmd, store, args[0], revoke)
				}
				link, secret, err := newInboxLink(cmd.Context(), store, args[0], label, days)
				if err != nil {
					return err
				}
				address := s.BaseURL + exports.PathInbox + secret
				e.note("link %s until %s: whoever has it reads and answers; take it back with --revoke %s", link.LinkID, link.ExpiresAt, link.LinkID)
				return e.answer(map[string]string{"link_id": link.LinkID, "url": address, "expires_at": link.ExpiresAt}, func(w io.Writer) { fmt.Fprintln(w, address) })
			})
		},
	}
	cmd.Flags().StringVar(&label, "label", "", "for whom it is (private)")
	cmd.Flags().IntVar(&days, "days", 90, "days until it expires")
	cmd.Flags().StringVar(&revoke, "revoke", "", "take back the link of this id instead")
	return cmd
}

func (e *env) revokeLink(cmd *cobra.Command, store *originsql.Store, siteID, linkID string) error {
	links, err := store.LinksOf(cmd.Context(), siteID)
	if err != nil {
		return err
	}
	for _, l := range links {
		if l.LinkID == linkID {
			l.State, l.ChangedAt = "revoked", stamp()
			if err := store.PutLink(cmd.Context(), l); err != nil {
				return err
			}
			return e.answer(map[string]string{"link_id": linkID, "state": l.State}, func(w io.Writer) { fmt.Fprintln(w, linkID, l.State) })
		}
	}
	return fmt.Errorf("publisher %q has no inbox link %q", siteID, linkID)
}
