package records

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// InboxLinkCommand issues and revokes links to the private inbox of a
// publisher.
func InboxLinkCommand(e *cli.Env) *cobra.Command {
	return inboxLinkCommand(e, cli.SiteNoun.Argument, "Create a link to a publisher's private inbox, shown once", func(ctx context.Context, store *originsql.Store, id string) (o inboxOwner, err error) {
		if _, err := cli.SiteNoun.Get(ctx, store, id); err != nil {
			return o, err
		}
		o.siteID = id
		o.links, err = store.LinksOf(ctx, id)
		return o, err
	})
}

// inboxOwner is whose inbox a link opens: a site, or the group of one.
type inboxOwner struct {
	siteID, publisherID string
	links               []origin.InboxLink
}

func inboxLinkCommand(e *cli.Env, argument, short string, find func(context.Context, *originsql.Store, string) (inboxOwner, error)) *cobra.Command {
	var label, revoke string
	var days int
	cmd := &cobra.Command{
		Use: "inbox-link " + argument, Short: short, Args: cli.ExactArgs(argument),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			owner, err := find(cmd.Context(), store, args[0])
			if err != nil {
				return err
			}
			if revoke != "" {
				return revokeLink(cmd.Context(), e, store, owner.links, args[0], revoke)
			}
			return showNewLink(cmd.Context(), e, store, owner, label, days)
		}),
	}
	cmd.Flags().StringVar(&label, "label", "", "for whom it is (private)")
	cmd.Flags().IntVar(&days, "days", 90, "days until it expires")
	cmd.Flags().StringVar(&revoke, "revoke", "", "take back the link of this id instead")
	return cmd
}

// showNewLink creates a link and shows its address.
func showNewLink(ctx context.Context, e *cli.Env, store *originsql.Store, owner inboxOwner, label string, days int) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	link, secret, err := cli.NewInquiryService(store).IssueInboxLink(ctx, store, owner.siteID, owner.publisherID, label, days)
	if err != nil {
		return err
	}
	address := s.BaseURL + exports.PathInbox + secret
	e.PrintNote("link %s until %s: anyone with it can read and answer; --revoke %s revokes it", link.LinkID, link.ExpiresAt, link.LinkID)
	return e.PrintResult(map[string]string{"link_id": link.LinkID, "url": address, "expires_at": link.ExpiresAt}, func(w io.Writer) { fmt.Fprintln(w, address) })
}

// revokeLink revokes one of owner's links.
func revokeLink(ctx context.Context, e *cli.Env, store *originsql.Store, links []origin.InboxLink, owner, linkID string) error {
	for _, l := range links {
		if l.LinkID == linkID {
			credential.Revoke(&l.Credential, cli.Now())
			if err := store.PutLink(ctx, l); err != nil {
				return err
			}
			return e.PrintResult(map[string]string{"link_id": linkID, "state": l.State}, func(w io.Writer) { fmt.Fprintln(w, linkID, l.State) })
		}
	}
	return fmt.Errorf("%q has no inbox link %q; its id was told when it was made, and \"colophon audit --kind inbox_links\" has it", owner, linkID)
}
