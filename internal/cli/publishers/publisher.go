// Package publishers implements the commands that add publishers, look at their
// sites and change what the registry holds about them.
package publishers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/cli/records"
	"colophon/internal/enrol"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/urlkey"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

// Command manages publishers.
func Command(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "publisher", Short: "Manage publishers"}
	cmd.AddCommand(
		publisherAdd(e), publisherSet(e), publisherState(e, "approve", origin.Approved, "Let a publisher appear in the next build"),
		publisherState(e, "suspend", origin.Suspended, "Take a publisher out of the next build"),
		publisherState(e, "close", origin.Closed, "Take a publisher out for good: its entries are withdrawn, and the ledger says so"), publisherReopen(e),
		publisherMove(e), records.ListCommand(e, &cli.SiteNoun, "List all publishers"), publisherShow(e), publisherPack(e),
		records.InboxLinkCommand(e),
	)
	return cmd
}

// The flags of a publisher: of the site, of its account, and of its rights
// holder.
var (
	publisherFlags = noun.Flags{Record: &registry.Publisher{}, Names: map[string]string{
		"categories": "category", "countries": "country", "hosts": "host", "languages": "language", "preferences": "use",
		"organization": "", "reason": "", "site_id": "", "state": "",
	}}
	accountFlags = noun.Flags{Record: &registry.Organization{}, Names: map[string]string{"group_name": "", "id": "", "notes": "", "preferences": "", "rights_holder": ""}}
	holderFlags  = noun.Flags{Record: &registry.RightsHolder{}, Names: map[string]string{"basis": "", "name": "rights-holder", "notes": "", "url": "rights-holder-url"}}
)

// publisherFacts are the flags that say more than a member.
type publisherFacts struct {
	uses    []string
	control string
}

func (p *publisherFacts) addFlags(cmd *cobra.Command) {
	publisherFlags.AddTo(cmd)
	accountFlags.AddTo(cmd)
	holderFlags.AddTo(cmd)
	cmd.Flags().StringSliceVar(&p.uses, "use", nil, "USE=INQUIRY[:DECLARED[:CONDITION+CONDITION]], such as rag=welcome:disallow:attribution")
	cmd.Flags().StringVar(&p.control, "domain-control", "", "operator when you vouch for it, or none; proofs cannot be typed, \"refresh\" looks for them")
}

// parsePreference reads USE=INQUIRY[:DECLARED[:CONDITION+CONDITION]] into a
// preference of a document.
func parsePreference(text string) (wire.Value, error) {
	left, right, ok := strings.Cut(text, "=")
	use, _, known := exports.ParseUse(left)
	if !ok || !known {
		return wire.Null(), usage.Errorf("--use %q must begin with one of %s and \"=\"", text, strings.Join(exports.UseWords(), ", "))
	}
	inquiry, rest, _ := strings.Cut(right, ":")
	declared, conditions, _ := strings.Cut(rest, ":")
	return wire.Object(
		wire.M("use", wire.String(string(use))), wire.M("inquiry", wire.String(inquiry)), wire.M("declared", wire.String(cmp.Or(declared, "unknown"))),
		wire.M("conditions", wire.Strings(strings.FieldsFunc(conditions, func(r rune) bool { return r == '+' })...)), wire.M("source", wire.String("publisher")),
	), nil
}

func publisherAdd(e *cli.Env) *cobra.Command {
	var p publisherFacts
	var l cli.LookFlags
	cmd := &cobra.Command{
		Use: "add SITE_ID|URL", Short: "Add a publisher, pending until approved", Args: cli.ExactArgs("SITE_ID|URL"),
		Long: "URL is the home of a site: its own file, " + publisherfile.WellKnown + ", says the rest, and where it stands shows who\n" +
			"controls the site. With a SITE_ID, the flags say what is known; \"refresh\" looks for proofs of its hosts.",
		Example: "  colophon publisher add https://harbor-ledger.example/\n  colophon publisher add harbor-ledger --name \"Harbor Ledger\" --site-url https://harbor-ledger.example/ \\\n    --category trade-logistics --use rag=welcome:disallow:attribution --rights-holder \"Harbor Ledger B.V.\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.Contains(args[0], "://") {
				return addByFile(cmd.Context(), e, args[0], &l)
			}
			return changePublisher(e, cmd, args[0], &p, true)
		},
	}
	p.addFlags(cmd)
	l.AddFlags(cmd)
	l.AddDNS(cmd)
	return cmd
}

func publisherSet(e *cli.Env) *cobra.Command {
	var p publisherFacts
	cmd := &cobra.Command{
		Use: "set SITE_ID", Short: "Change a publisher's details", Args: cli.ExactArgs("SITE_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changePublisher(e, cmd, args[0], &p, false)
		},
	}
	p.addFlags(cmd)
	return cmd
}

// changePublisher writes a publisher as a document would.
func changePublisher(e *cli.Env, cmd *cobra.Command, siteID string, p *publisherFacts, add bool) error {
	ctx := cmd.Context()
	if err := cli.ValidateWord("domain-control", p.control, []string{"operator", "none"}); err != nil {
		return err
	}
	accountID, err := accountOf(ctx, e, siteID, add)
	if err != nil {
		return err
	}
	source, err := p.document(cmd, siteID, accountID, add)
	if err == nil {
		vouch := func(store *originsql.Store) error {
			if p.control == "" {
				return nil
			}
			return enrol.Vouch(ctx, store, siteID, p.control, cli.Now())
		}
		err = records.ApplySources(ctx, e, []registry.Source{source}, vouch, func(*registry.Plan) error { return tellPublisher(ctx, e, siteID, add) })
	}
	return noun.Faults(err, noun.Part{At: "/publishers/0/rights_holder", Flags: &holderFlags}, noun.Part{At: "/publishers/0", Flags: &publisherFlags}, noun.Part{At: "/organizations/0", Flags: &accountFlags})
}

// accountOf returns the id of the account of a publisher. A new publisher must
// not be there, and another one must be.
func accountOf(ctx context.Context, e *cli.Env, siteID string, add bool) (id string, err error) {
	if !exports.ValidSiteID(siteID) {
		return "", usage.Errorf("%q cannot be a site id: 2 to 64 of a-z, 0-9 and \"-\", not beginning with \"-\"", siteID)
	}
	id = "pub_" + siteID
	err = e.WithStore(ctx, func(store *originsql.Store) error {
		s, err := store.Site(ctx, siteID)
		switch {
		case add && err == nil:
			return fmt.Errorf("publisher %q exists already; change it with \"colophon publisher set %s\"", siteID, siteID)
		case add && errors.Is(err, origin.ErrNotFound):
			return nil
		case errors.Is(err, origin.ErrNotFound):
			return cli.SiteNoun.Missing(siteID)
		}
		id = s.PublisherID
		return err
	})
	return id, err
}

// document returns the document that the flags correspond to.
func (p *publisherFacts) document(cmd *cobra.Command, siteID, accountID string, add bool) (s registry.Source, err error) {
	members := []wire.Member{wire.M("site_id", wire.String(siteID))}
	var preferences []wire.Value
	for _, use := range p.uses {
		v, err := parsePreference(use)
		if err != nil {
			return s, err
		}
		preferences = append(preferences, v)
	}
	if len(preferences) > 0 {
		members = append(members, wire.M("preferences", wire.Array(preferences...)))
	}
	if holder := holderFlags.Value(cmd); len(holder.Members) > 0 {
		members = append(members, wire.M("rights_holder", holder))
	}
	site := publisherFlags.Value(cmd, members...)
	lists := []wire.Member{wire.M("publishers", wire.Array(site))}
	if account := accountFlags.Value(cmd, wire.M("id", wire.String(accountID))); len(account.Members) > 1 {
		if name := site.Get("name"); add && name != nil && account.Get("legal_name") == nil {
			account.Members = append(account.Members, wire.M("legal_name", *name))
		}
		lists = append(lists, wire.M("organizations", wire.Array(account)))
	}
	return records.SourceOf(lists...)
}

func tellPublisher(ctx context.Context, e *cli.Env, siteID string, add bool) error {
	return e.WithStore(ctx, func(store *originsql.Store) error {
		s, err := store.Site(ctx, siteID)
		if err != nil {
			return err
		}
		verb := "changed"
		if add {
			verb = "added"
			e.PrintNext("colophon publisher approve %s --dir %s", siteID, e.Path)
		}
		if e.DryRun {
			verb = "would write"
		}
		return showSite(e, s, verb)
	})
}

func publisherState(e *cli.Env, verb string, state origin.SiteState, short string) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: verb + " SITE_ID", Short: short, Args: cli.ExactArgs("SITE_ID"),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			return setState(cmd.Context(), e, store, args[0], state, reason)
		}),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why (private)")
	return cmd
}

func publisherReopen(e *cli.Env) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "reopen SITE_ID", Short: "Bring a closed publisher back, with its history", Args: cli.ExactArgs("SITE_ID"),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			s, err := cli.SiteNoun.Get(cmd.Context(), store, args[0])
			switch {
			case err != nil:
				return err
			case s.State != origin.Closed:
				return fmt.Errorf("publisher %q is %s, not closed; \"colophon publisher approve %s\" lists a pending or suspended one", s.SiteID, s.State, s.SiteID)
			case s.ApprovedAt == "":
				return setState(cmd.Context(), e, store, s.SiteID, origin.Pending, reason)
			}
			return setState(cmd.Context(), e, store, s.SiteID, origin.Approved, reason)
		}),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why (private)")
	return cmd
}

func setState(ctx context.Context, e *cli.Env, store *originsql.Store, siteID string, state origin.SiteState, reason string) error {
	s, err := cli.SiteNoun.Get(ctx, store, siteID)
	if err != nil {
		return err
	}
	if s, err = enrol.SetState(ctx, store, s, state, reason, cli.Now()); err != nil {
		return err
	}
	if err := adviseListed(ctx, e, store, siteID); err != nil {
		return err
	}
	verb := "now"
	if e.DryRun {
		verb = "would be"
	}
	return showSite(e, s, verb)
}

// adviseListed adds the next step for a publisher whose state changed: the
// import of its pages, if it is listed and none is registered.
func adviseListed(ctx context.Context, e *cli.Env, store *originsql.Store, siteID string) error {
	s, err := store.Site(ctx, siteID)
	if err != nil {
		return err
	}
	entries, err := store.PagesOf(ctx, siteID, "", 1)
	if err != nil {
		return err
	}
	if s.State == origin.Approved && len(entries) == 0 {
		e.PrintNext("colophon import --site %s --dir %s", siteID, e.Path)
		return nil
	}
	e.PrintNext("colophon build --dir %s", e.Path)
	return nil
}

func showSite(e *cli.Env, s origin.Site, verb string) error {
	return e.PrintResult(cli.SiteRow(&s), func(w io.Writer) {
		fmt.Fprintf(w, "%s %s: %s (%s, %s, %s)\n", verb, s.SiteID, s.Name, urlkey.Display(s.SiteURL), s.State, s.Visibility)
	})
}

func publisherShow(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "show SITE_ID", Short: "Show one publisher with its preferences", Args: cli.ExactArgs("SITE_ID"),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			s, err := cli.SiteNoun.Get(cmd.Context(), store, args[0])
			if err != nil {
				return err
			}
			prefs, err := store.Preferences(cmd.Context(), s.SiteID)
			if err != nil {
				return err
			}
			row := cli.SiteRow(&s)
			stated := map[string]string{}
			for _, p := range prefs {
				stated[p.Use] = p.Inquiry + ":" + p.Declared
			}
			row["preferences"] = stated
			control, err := controlOf(cmd.Context(), e, store, s)
			if err != nil {
				return err
			}
			row["control"] = control
			row["grace_days"] = s.GraceDays
			return e.PrintResult(row, func(w io.Writer) {
				fmt.Fprintf(w, "%s\n  name         %s\n  site         %s\n  state        %s, %s\n  categories   %s\n  inquiries    %t\n", s.SiteID, s.Name, urlkey.Display(s.SiteURL), s.State, s.Visibility, strings.Join(s.Categories, ", "), s.AcceptsInquiries)
				for _, u := range exports.Uses {
					if v, ok := stated[string(u)]; ok {
						fmt.Fprintf(w, "  %-15s %s\n", u, v)
					}
				}
				printControl(w, control)
			})
		}),
	}
}
