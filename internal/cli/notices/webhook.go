// Package notices implements the commands for what is sent to publishers,
// operators and requesters: webhooks and letters.
package notices

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/cli/records"
	"colophon/internal/credential"
	"colophon/internal/notify"
	"colophon/internal/notify/webhook"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/usage"
)

// WebhookNoun describes receivers of notifications.
var WebhookNoun = noun.Description[origin.Webhook]{
	Word: "webhook", About: "a receiver", Argument: "WEBHOOK_ID", Key: "webhook_id", Lister: "webhook list",
	Find: (*originsql.Store).Webhook, Put: (*originsql.Store).PutWebhook, All: allWebhooks,
	Row: func(h *origin.Webhook) map[string]any {
		return map[string]any{"webhook_id": h.WebhookID, "site_id": h.SiteID, "url": h.URL, "state": h.State}
	},
	SetState: func(h *origin.Webhook, state, _, at string) error {
		return records.SetHeld(&h.State, &h.ChangedAt, state, at)
	},
	Table: noun.Table{Line: "{webhook_id}  {state:6}  {breaker:9}  waiting {waiting}  failed {failed}  {url}  {site_id}"},
}

func allWebhooks(store *originsql.Store, ctx context.Context) (all []origin.Webhook, err error) {
	receivers, err := store.Receivers(ctx)
	for i := range receivers {
		all = append(all, receivers[i].Webhook)
	}
	return all, err
}

// WebhookCommand manages receivers of notifications.
func WebhookCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "webhook", Short: "Manage receivers of notifications"}
	cmd.AddCommand(webhookAdd(e), webhookList(e), records.StateCommand(e, &WebhookNoun, "pause"), records.StateCommand(e, &WebhookNoun, "resume"), webhookRetry(e), webhookSend(e))
	return cmd
}

func webhookAdd(e *cli.Env) *cobra.Command {
	var site string
	var allowPrivate, digest bool
	cmd := &cobra.Command{
		Use: "add URL", Short: "Add a receiver: a URL, whose signing key is shown once, or an e-mail address", Args: cli.ExactArgs("URL"),
		Long: "Add a receiver of notifications. They go to public addresses only: a name that leads to a private address, now or\n" +
			"later, is refused, and redirects are not followed. A receiver in your own network needs --allow-private.\n" +
			"A mailto: address gets letters, sent by \"colophon serve\" and \"colophon webhook send\" through the server in [mail] of\n" +
			"colophon.toml. With --site they hold a private link to the publisher's inbox: give only the publisher's own address.\n" +
			"With --digest such an address gets one letter a day at most, with all that happened; a link in each letter changes that.",
		Example: "  colophon webhook add https://desk.harbor-ledger.example/hooks --site harbor-ledger\n" +
			"  colophon webhook add mailto:desk@harbor-ledger.example --site harbor-ledger\n" +
			"  colophon webhook add http://127.0.0.1:9000/hooks --allow-private",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := webhook.CheckAddress(args[0], allowPrivate); err != nil {
				return err
			}
			if digest && !strings.HasPrefix(args[0], notify.MailScheme) {
				return usage.Errorf("--digest is for mailto: addresses, not for %q", args[0])
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				w := origin.Webhook{SiteID: site, URL: args[0], AllowPrivate: allowPrivate, Digest: digest}
				if strings.HasPrefix(w.URL, notify.MailScheme) {
					return addMailReceiver(cmd.Context(), e, store, w)
				}
				return addWebhook(cmd.Context(), e, store, w)
			})
		},
	}
	cmd.Flags().StringVar(&site, "site", "", "only events of this publisher (default: all)")
	cmd.Flags().BoolVar(&digest, "digest", false, "one letter a day at most (mailto: only)")
	cmd.Flags().BoolVar(&allowPrivate, "allow-private", false, "it may be at an address that is not public, such as 127.0.0.1 or 10.0.0.1")
	return cmd
}

func addWebhook(ctx context.Context, e *cli.Env, store *originsql.Store, w origin.Webhook) error {
	secret, err := credential.Webhook.New(rand.Reader)
	if err != nil {
		return err
	}
	w.Secret = secret
	id, err := putReceiver(ctx, store, w)
	if err != nil {
		return err
	}
	e.PrintNote("webhook %s: keep the signing key, it is shown only now", id)
	return e.PrintResult(map[string]string{"webhook_id": id, "secret": secret}, func(w io.Writer) { fmt.Fprintln(w, secret) })
}

// addMailReceiver adds an e-mail address, whose letters are not signed.
func addMailReceiver(ctx context.Context, e *cli.Env, store *originsql.Store, w origin.Webhook) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	id, err := putReceiver(ctx, store, w)
	if err != nil {
		return err
	}
	if !s.Mail.Configured() {
		e.PrintWarning("colophon.toml has no [mail]: letters wait until it names a server")
	}
	return e.PrintResult(map[string]string{"webhook_id": id}, func(w io.Writer) { fmt.Fprintln(w, id) })
}

// putReceiver assigns a new receiver its id and stores it.
func putReceiver(ctx context.Context, store *originsql.Store, w origin.Webhook) (id string, err error) {
	if w.SiteID != "" {
		if _, err := cli.SiteNoun.Get(ctx, store, w.SiteID); err != nil {
			return "", err
		}
	}
	if id, err = cli.NewInquiryService(store).NewID("whk_"); err != nil {
		return "", err
	}
	w.WebhookID, w.State = id, "active"
	w.CreatedAt, w.ChangedAt = cli.Now(), cli.Now()
	return id, store.PutWebhook(ctx, w)
}

func webhookList(e *cli.Env) *cobra.Command {
	var failed bool
	var before int64
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List receivers, their state and their notifications", Args: cli.ExactArgs(),
		Long: "List receivers with the state of their circuit breaker, and the newest notifications; with --failed those that were\n" +
			"given up. \"colophon webhook retry\" sends these again.",
		Example: "  colophon webhook list\n  colophon webhook list --failed",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usage.Errorf("--limit is %d, not at least 1", limit)
			}
			filter := origin.EventFilter{ReceiverKind: origin.ReceiverWebhook, Before: before, Limit: limit}
			if failed {
				filter.State = origin.EventFailed
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				list, err := notify.List(cmd.Context(), store, filter, cli.Now())
				if err != nil {
					return err
				}
				return e.PrintResult(list, func(w io.Writer) { printWebhooks(w, list) })
			})
		},
	}
	cmd.Flags().BoolVar(&failed, "failed", false, "only notifications that were given up")
	cmd.Flags().Int64Var(&before, "before", 0, "go on after a list that was cut: its next_before")
	cmd.Flags().IntVar(&limit, "limit", 50, "notifications at most")
	return cmd
}

var eventTable = noun.Table{Line: "  {at}  {state:9}  {kind}  {request_id}  attempts {attempts}  {last_error}"}

func printWebhooks(w io.Writer, l *notify.Listing) {
	for _, row := range noun.RowsOf(l.Webhooks) {
		WebhookNoun.Print(w, row)
		if row["failing_since"] != nil {
			(&noun.Table{Line: "  failing since {failing_since}, next attempt {retry_at}: {last_error}"}).Print(w, row)
		}
	}
	eventTable.Print(w, noun.RowsOf(l.Events)...)
	if l.NextBefore > 0 {
		fmt.Fprintf(w, "  more: --before %d\n", l.NextBefore)
	}
}

func webhookRetry(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "retry WEBHOOK_ID", Short: "Send a receiver's undelivered notifications again", Args: cli.ExactArgs("WEBHOOK_ID"),
		Long:    "Queue the notifications that were given up again, and send them now, whatever the receiver answered before.",
		Example: "  colophon webhook retry whk_01J9ZQ3M8V",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			if _, err := WebhookNoun.Get(cmd.Context(), store, args[0]); err != nil {
				return err
			}
			n, err := store.RetryEvents(cmd.Context(), args[0], cli.Now())
			if err != nil {
				return err
			}
			return e.PrintResult(map[string]int64{"waiting": n}, func(w io.Writer) { fmt.Fprintf(w, "%d notifications wait again\n", n) })
		}),
	}
}

func webhookSend(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "send", Short: "Send what is due now, once", Args: cli.ExactArgs(),
		Long:    "A server sends by itself. This is for installations that answer from the edge: run it from a timer.",
		Example: "  colophon webhook send",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := e.ReadSettings()
			if err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				sender, err := e.NewSender(s, store)
				if err != nil {
					return err
				}
				total, err := sender.SendAll(cmd.Context())
				if err != nil {
					return err
				}
				return e.PrintResult(map[string]int{"sent": total.Delivered, "failed": total.Failed}, func(w io.Writer) {
					fmt.Fprintf(w, "%d sent, %d failed\n", total.Delivered, total.Failed)
				})
			})
		},
	}
}
