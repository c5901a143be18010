package records

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

var (
	offerFlags = noun.Flags{Record: &registry.Offer{}, Names: map[string]string{"slug": ""}}
	offerNoun  = noun.Description[origin.Offer]{
		Word: "offer", Key: "license_id", Lister: "offer list", Row: offerRow,
		Table: noun.Table{Line: "{license_id}  {status:8}  {site_id}/{slug}  {payment_model}[ {amount} {currency}]  {title}"},
	}
)

// OfferCommand manages publishers' offers.
func OfferCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "offer", Short: "Manage publishers' offers",
		Long: "An offer says what can be licensed, and at what price. It grants nothing: a grant is entered with \"grant add\"\n" +
			"after a contract was made elsewhere.",
	}
	cmd.AddCommand(offerWrite(e, true), offerWrite(e, false), offerStatus(e, "pause", "paused", "Stop an offer from being asked for; \"offer set --status offered\" takes it up again"),
		offerStatus(e, "withdraw", "retired", "Take an offer out of the catalog; its history stays"), offerList(e), offerShow(e))
	return cmd
}

func offerWrite(e *cli.Env, add bool) *cobra.Command {
	var terms string
	cmd := &cobra.Command{Use: "set SITE_ID SLUG", Short: "Change an offer: what no flag names stays as it is", Args: cli.ExactArgs("SITE_ID", "SLUG")}
	cmd.Example = "  colophon offer set harbor-ledger grounding --amount 0.02 --currency EUR"
	if add {
		cmd.Use, cmd.Short = "add SITE_ID SLUG", "Add an offer"
		cmd.Example = "  colophon offer add harbor-ledger grounding --title \"Grounded answers\" --permits rag,summarization --payment-model use \\\n" +
			"    --amount 0.015 --currency EUR --unit grounded_answer --terms-url https://harbor-ledger.example/terms --terms-file terms.txt"
	}
	offerFlags.AddTo(cmd)
	cmd.Flags().StringVar(&terms, "terms-file", "", "file with the terms, of which the SHA-256 is stored")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var more []wire.Member
		if terms != "" {
			if cmd.Flags().Changed("terms-sha256") {
				return usage.Errorf("--terms-file and --terms-sha256 both give the digest: leave one out")
			}
			digest, err := fileDigest(terms)
			if err != nil {
				return err
			}
			more = append(more, wire.M("terms_sha256", wire.String(digest)))
		}
		return writeOffer(cmd.Context(), e, args[0], args[1], add, offerFlags.Value(cmd, more...))
	}
	return cmd
}

func fileDigest(path string) (string, error) {
	data, err := os.ReadFile(path)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

func offerStatus(e *cli.Env, verb, status, short string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " SITE_ID SLUG", Short: short, Args: cli.ExactArgs("SITE_ID", "SLUG"),
		Example: "  colophon offer " + verb + " harbor-ledger grounding",
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeOffer(cmd.Context(), e, args[0], args[1], false, wire.Object(wire.M("status", wire.String(status))))
		},
	}
}

// writeOffer writes an offer as a document would.
func writeOffer(ctx context.Context, e *cli.Env, siteID, slug string, add bool, members wire.Value) error {
	err := e.WithStore(ctx, func(store *originsql.Store) error { return checkOffer(ctx, store, siteID, slug, add) })
	if err != nil {
		return err
	}
	members.Members = append(members.Members, wire.M("slug", wire.String(slug)))
	source, err := SourceOf(wire.M("publishers", wire.Array(wire.Object(wire.M("site_id", wire.String(siteID)), wire.M("offers", wire.Array(members))))))
	if err == nil {
		err = ApplySources(ctx, e, []registry.Source{source}, nil, func(*registry.Plan) error { return tellOffer(ctx, e, siteID, slug) })
	}
	return noun.Faults(err, noun.Part{At: "/publishers/0/offers/0", Flags: &offerFlags})
}

// checkOffer returns an error if a new offer already exists, or if one to be
// changed does not.
func checkOffer(ctx context.Context, store *originsql.Store, siteID, slug string, add bool) error {
	if !exports.ValidSlug(slug) {
		return usage.Errorf("SLUG %q is not like grounded-answers: small letters, digits and hyphens", slug)
	}
	_, err := findOffer(ctx, store, siteID, slug)
	switch {
	case errors.Is(err, errNoOffer) && add:
		return nil
	case err == nil && add:
		return fmt.Errorf("publisher %q has an offer %q already; change it with \"colophon offer set %s %s\"", siteID, slug, siteID, slug)
	}
	return err
}

var errNoOffer = errors.New("no such offer")

func findOffer(ctx context.Context, store *originsql.Store, siteID, slug string) (o origin.Offer, err error) {
	if _, err := cli.SiteNoun.Get(ctx, store, siteID); err != nil {
		return o, err
	}
	offers, err := store.OffersOf(ctx, siteID)
	if err != nil {
		return o, err
	}
	for _, o := range offers {
		if o.Slug == slug {
			return o, nil
		}
	}
	return o, fmt.Errorf("%w: publisher %q has no offer %q; \"colophon offer list --site %s\" shows them", errNoOffer, siteID, slug, siteID)
}

// offerRow returns an offer as the operator sees it, with the id of the offer
// that it supersedes.
func offerRow(o *origin.Offer) map[string]any {
	row := noun.Row((*registry.Offer)(o), nil)
	for name, value := range map[string]string{
		"license_id": o.LicenseID, "site_id": o.SiteID, "changed_at": o.ChangedAt, "source": o.Source, "evidence_url": o.EvidenceURL, "evidence_sha256": o.EvidenceSHA256,
	} {
		row[name] = value
	}
	return row
}

func tellOffer(ctx context.Context, e *cli.Env, siteID, slug string) error {
	e.PrintNext("colophon build --dir %s", e.Path)
	return e.WithStore(ctx, func(store *originsql.Store) error {
		o, err := findOffer(ctx, store, siteID, slug)
		if err != nil {
			return err
		}
		return e.PrintOne(&offerNoun.Table, offerRow(&o))
	})
}

func offerList(e *cli.Env) *cobra.Command {
	var site string
	cmd := &cobra.Command{
		Use: "list", Short: "List offers, those of one publisher or all", Args: cli.ExactArgs(), Long: offerNoun.Legend(),
		Example: "  colophon offer list --site harbor-ledger",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			offers, err := offersOf(cmd.Context(), store, site)
			if err != nil {
				return err
			}
			return e.PrintTable(&offerNoun.Table, offerNoun.Rows(offers))
		}),
	}
	cmd.Flags().StringVar(&site, "site", "", "only those of this publisher")
	return cmd
}

func offersOf(ctx context.Context, store *originsql.Store, siteID string) ([]origin.Offer, error) {
	if siteID != "" {
		if _, err := cli.SiteNoun.Get(ctx, store, siteID); err != nil {
			return nil, err
		}
		return store.OffersOf(ctx, siteID)
	}
	sites, err := store.Sites(ctx)
	if err != nil {
		return nil, err
	}
	var all []origin.Offer
	for _, s := range sites {
		offers, err := store.OffersOf(ctx, s.SiteID)
		if err != nil {
			return nil, err
		}
		all = append(all, offers...)
	}
	return all, nil
}

func offerShow(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "show SITE_ID SLUG", Short: "Show one offer", Args: cli.ExactArgs("SITE_ID", "SLUG"),
		Example: "  colophon offer show harbor-ledger grounding",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			o, err := findOffer(cmd.Context(), store, args[0], args[1])
			if err != nil {
				return err
			}
			row := offerRow(&o)
			return e.PrintResult(row, func(w io.Writer) { offerNoun.Show(w, row) })
		}),
	}
}
