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
				return revokeLink(e, cmd, store, links, args[0], revoke)
			}
			return showNewLink(cmd.Context(), e, store, args[0], "", label, days)
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

// showNewLink creates a link and shows its address.
func showNewLink(ctx context.Context, e *cli.Env, store *originsql.Store, siteID, publisherID, label string, days int) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	link, secret, err := cli.NewInquiryService(store).IssueInboxLink(ctx, store, siteID, publisherID, label, days)
	if err != nil {
		return err
	}
	address := s.BaseURL + exports.PathInbox + secret
	e.PrintNote("link %s until %s: anyone with it can read and answer; --revoke %s revokes it", link.LinkID, link.ExpiresAt, link.LinkID)
	return e.PrintResult(map[string]string{"link_id": link.LinkID, "url": address, "expires_at": link.ExpiresAt}, func(w io.Writer) { fmt.Fprintln(w, address) })
}

// revokeLink revokes one of owner's links.
func revokeLink(e *cli.Env, cmd *cobra.Command, store *originsql.Store, links []origin.InboxLink, owner, linkID string) error {
	for _, l := range links {
		if l.LinkID == linkID {
			credential.Revoke(&l.Credential, cli.Now())
			if err := store.PutLink(cmd.Context(), l); err != nil {
				return err
			}
			return e.PrintResult(map[string]string{"link_id": linkID, "state": l.State}, func(w io.Writer) { fmt.Fprintln(w, linkID, l.State) })
		}
	}
	return fmt.Errorf("%q has no inbox link %q; its id was told when it was made, and \"colophon audit --kind inbox_links\" has it", owner, linkID)
}
