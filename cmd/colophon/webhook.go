package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/registrydir"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/intake"
	"colophon/internal/notify"
	"colophon/internal/notify/webhook"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/usage"
)

var webhookNoun = noun.Description[origin.Webhook]{
	Word: "webhook", About: "a receiver", Argument: "WEBHOOK_ID", Key: "webhook_id", Lister: "webhook list",
	Find: (*originsql.Store).Webhook, Put: (*originsql.Store).PutWebhook, All: allWebhooks,
	Row: func(h *origin.Webhook) map[string]any {
		return map[string]any{"webhook_id": h.WebhookID, "site_id": h.SiteID, "url": h.URL, "state": h.State}
	},
	SetState: func(h *origin.Webhook, state, _, at string) error { return setHeld(&h.State, &h.ChangedAt, state, at) },
	Table:    noun.Table{Line: "{webhook_id}  {state:6}  {breaker:9}  waiting {waiting}  failed {failed}  {url}  {site_id}"},
}

func allWebhooks(store *originsql.Store, ctx context.Context) (all []origin.Webhook, err error) {
	receivers, err := store.Receivers(ctx)
	for i := range receivers {
		all = append(all, receivers[i].Webhook)
	}
	return all, err
}

func webhookCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "webhook", Short: "Manage receivers of notifications"}
	cmd.AddCommand(webhookAdd(e), webhookList(e), stateCommand(e, &webhookNoun, "pause", "paused"), stateCommand(e, &webhookNoun, "resume", "active"), webhookRetry(e), webhookSend(e))
	return cmd
}

// receiverTimeout bounds one attempt to post a notification.
const receiverTimeout = 10 * time.Second

// newSender sends what is in the outbox of a store, to public addresses only
// unless a webhook allows others, and by e-mail if there is a server for it.
func (e *env) newSender(s registrydir.Settings, store *originsql.Store) (*notify.Sender, error) {
	public := intake.PublicClient(receiverTimeout, false, nil)
	private := intake.PublicClient(receiverTimeout, true, nil)
	sender := &notify.Sender{
		Outbox: store,
		Now:    time.Now,
		Post:   webhook.Post(public, private),
		Log:    func(line string) { e.PrintNote("%s", line) },
	}
	if !s.Mail.Configured() {
		return sender, nil
	}

	postMail, err := e.postMail(s, store)
	if err != nil {
		return nil, err
	}
	postWeb := sender.Post
	sender.Mail = true
	sender.Post = func(ctx context.Context, m notify.Message) (notify.Answer, error) {
		if strings.HasPrefix(m.URL, notify.MailScheme) {
			return postMail(ctx, m)
		}
		return postWeb(ctx, m)
	}
	return sender, nil
}

func webhookAdd(e *env) *cobra.Command {
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
			if err := checkReceiver(args[0], allowPrivate); err != nil {
				return err
			}
			if digest && !strings.HasPrefix(args[0], notify.MailScheme) {
				return usage.Errorf("--digest is for mailto: addresses, not for %q", args[0])
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				w := origin.Webhook{SiteID: site, URL: args[0], AllowPrivate: allowPrivate, Digest: digest}
				if strings.HasPrefix(w.URL, notify.MailScheme) {
					return e.addMailReceiver(cmd.Context(), store, w)
				}
				return e.addWebhook(cmd.Context(), store, w)
			})
		},
	}
	cmd.Flags().StringVar(&site, "site", "", "only events of this publisher (default: all)")
	cmd.Flags().BoolVar(&digest, "digest", false, "one letter a day at most (mailto: only)")
	cmd.Flags().BoolVar(&allowPrivate, "allow-private", false, "it may be at an address that is not public, such as 127.0.0.1 or 10.0.0.1")
	return cmd
}

// checkReceiver refuses an address that is no place for notifications: https,
// or http to the same machine, without credentials, and public unless private
// ones are allowed. What a name leads to is looked at when it is used.
func checkReceiver(address string, allowPrivate bool) error {
	if strings.HasPrefix(address, notify.MailScheme) {
		return checkMailReceiver(address)
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return usage.Errorf("%q is not an https address without credentials", address)
	}
	host := u.Hostname()
	ip, notIP := netip.ParseAddr(host)
	local := host == "localhost" || notIP == nil && ip.IsLoopback()
	if u.Scheme == "http" && !local {
		return usage.Errorf("%q is not an https address without credentials", address)
	}
	if !allowPrivate && (local || notIP == nil && !intake.IsPublic(ip)) {
		return usage.Errorf("%q is not a public address; --allow-private lets a receiver be there", address)
	}
	return nil
}

func (e *env) addWebhook(ctx context.Context, store *originsql.Store, w origin.Webhook) error {
	secret, _, _, err := inquiry.NewSecret(rand.Reader, inquiry.PrefixWebhook)
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
func (e *env) addMailReceiver(ctx context.Context, store *originsql.Store, w origin.Webhook) error {
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

// putReceiver gives a new receiver its id and stores it.
func putReceiver(ctx context.Context, store *originsql.Store, w origin.Webhook) (id string, err error) {
	if w.SiteID != "" {
		if _, err := cli.SiteNoun.Get(ctx, store, w.SiteID); err != nil {
			return "", err
		}
	}
	if id, err = newInquiryService(store).NewID("whk_"); err != nil {
		return "", err
	}
	w.WebhookID, w.State = id, "active"
	w.CreatedAt, w.ChangedAt = cli.Now(), cli.Now()
	return id, store.PutWebhook(ctx, w)
}

func webhookList(e *env) *cobra.Command {
	var failed bool
	var receiver string
	var before int64
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List receivers, their state and their notifications", Args: cli.ExactArgs(),
		Long: "List receivers with the state of their circuit breaker, and the newest notifications; with --failed those that were\n" +
			"given up. \"colophon webhook retry\" sends these again.",
		Example: "  colophon webhook list\n  colophon webhook list --failed --webhook whk_01J9ZQ3M8V",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usage.Errorf("--limit is %d, not at least 1", limit)
			}
			filter := origin.EventFilter{ReceiverKind: origin.ReceiverWebhook, ReceiverID: receiver, Before: before, Limit: limit + 1}
			if failed {
				filter.State = origin.EventFailed
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				list, err := readWebhooks(cmd.Context(), store, filter)
				if err != nil {
					return err
				}
				return e.PrintResult(list, list.printTable)
			})
		},
	}
	cmd.Flags().BoolVar(&failed, "failed", false, "only notifications that were given up")
	cmd.Flags().StringVar(&receiver, "webhook", "", "only notifications to this receiver")
	cmd.Flags().Int64Var(&before, "before", 0, "go on after a list that was cut: its next_before")
	cmd.Flags().IntVar(&limit, "limit", 50, "notifications at most")
	return cmd
}

func webhookRetry(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "retry WEBHOOK_ID", Short: "Send a receiver's undelivered notifications again", Args: cli.ExactArgs("WEBHOOK_ID"),
		Long:    "Let the notifications that were given up wait again, and ask the receiver now, whatever it answered before.",
		Example: "  colophon webhook retry whk_01J9ZQ3M8V",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			if _, err := webhookNoun.Get(cmd.Context(), store, args[0]); err != nil {
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

func webhookSend(e *env) *cobra.Command {
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
				sender, err := e.newSender(s, store)
				if err != nil {
					return err
				}
				total, err := sendAll(cmd.Context(), sender)
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

// sendAll sends until nothing more is due.
func sendAll(ctx context.Context, s *notify.Sender) (total notify.Result, err error) {
	for {
		round, err := s.Once(ctx)
		total.Delivered += round.Delivered
		total.Failed += round.Failed
		idle := round.Delivered+round.Failed == 0
		if err != nil || idle || !round.More {
			return total, err
		}
	}
}

// inboxLinkCommand issues and revokes links to the private inbox of a
// publisher.
func inboxLinkCommand(e *env) *cobra.Command {
	var label, revoke string
	var days int
	cmd := &cobra.Command{
		Use: "inbox-link SITE_ID", Short: "Create a link to a publisher's private inbox, shown once", Args: cli.ExactArgs("SITE_ID"),
		Example: "  colophon publisher inbox-link harbor-ledger --label \"licensing desk\" --days 90",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			if _, err := cli.SiteNoun.Get(cmd.Context(), store, args[0]); err != nil {
				return err
			}
			if revoke != "" {
				links, err := store.LinksOf(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return e.revokeLink(cmd, store, links, args[0], revoke)
			}
			return e.showNewLink(cmd.Context(), store, args[0], "", label, days)
		}),
	}
	addInboxLinkFlags(cmd, &label, &revoke, &days)
	return cmd
}

func addInboxLinkFlags(cmd *cobra.Command, label, revoke *string, days *int) {
	cmd.Flags().StringVar(label, "label", "", "for whom it is (private)")
	cmd.Flags().IntVar(days, "days", 90, "days until it expires")
	cmd.Flags().StringVar(revoke, "revoke", "", "take back the link of this id instead")
}

// showNewLink makes a link and shows its address.
func (e *env) showNewLink(ctx context.Context, store *originsql.Store, siteID, publisherID, label string, days int) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	link, secret, err := newInquiryService(store).IssueInboxLink(ctx, store, siteID, publisherID, label, days)
	if err != nil {
		return err
	}
	address := s.BaseURL + exports.PathInbox + secret
	e.PrintNote("link %s until %s: whoever has it reads and answers; take it back with --revoke %s", link.LinkID, link.ExpiresAt, link.LinkID)
	return e.PrintResult(map[string]string{"link_id": link.LinkID, "url": address, "expires_at": link.ExpiresAt}, func(w io.Writer) { fmt.Fprintln(w, address) })
}

// revokeLink takes back one of the links of owner.
func (e *env) revokeLink(cmd *cobra.Command, store *originsql.Store, links []origin.InboxLink, owner, linkID string) error {
	for _, l := range links {
		if l.LinkID == linkID {
			inquiry.RevokeCredential(&l.Credential, cli.Now())
			if err := store.PutLink(cmd.Context(), l); err != nil {
				return err
			}
			return e.PrintResult(map[string]string{"link_id": linkID, "state": l.State}, func(w io.Writer) { fmt.Fprintln(w, linkID, l.State) })
		}
	}
	return fmt.Errorf("%q has no inbox link %q; its id was told when it was made, and \"colophon audit --kind inbox_links\" has it", owner, linkID)
}
