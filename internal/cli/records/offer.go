package records

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

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

var offerNoun = noun.Description[origin.Offer]{
	Word: "offer", Argument: "SITE_ID SLUG", Key: "license_id", Lister: "offer list", Row: offerRow,
	Find: findOffer, All: allOffers, Of: (*originsql.Store).OffersOf,
	Table: noun.Table{Line: "{license_id}  {status:8}  {site_id}/{slug}  {payment_model}[ {amount} {currency}]  {title}"},
	Flags: noun.Flags{Record: &registry.Offer{}, Names: map[string]string{"slug": ""}},
	At:    "/publishers/0/offers/0", Item: func(*origin.Offer) []wire.Member { return nil },
	Wrap: func(id string, item wire.Value) wire.Value {
		siteID, slug, _ := strings.Cut(id, "/")
		item.Members = append(item.Members, wire.M("slug", wire.String(slug)))
		return wire.Object(wire.M("site_id", wire.String(siteID)), wire.M("offers", wire.Array(item)))
	},
}

// OfferCommand manages publishers' offers.
func OfferCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "offer", Short: "Manage publishers' offers",
		Long: "An offer says what can be licensed, and at what price. It grants nothing: a grant is entered with \"grant add\"\n" +
			"after a contract was made elsewhere.",
	}
	cmd.AddCommand(offerWrite(e, true), offerWrite(e, false), changeCommand(e, &offerNoun, "pause", "Stop an offer from being asked for; \"offer set --status offered\" takes it up again", "status", "paused", nil),
		changeCommand(e, &offerNoun, "withdraw", "Take an offer out of the catalog; its history stays", "status", "retired", nil),
		ListCommand(e, &offerNoun, "List offers, those of one publisher or all"), showCommand(e, &offerNoun, "Show one offer"))
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
	offerNoun.AddTo(cmd)
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
		return writeOffer(cmd.Context(), e, args[0], args[1], add, offerNoun.Value(cmd, more...))
	}
	return cmd
}

func fileDigest(path string) (string, error) {
	data, err := os.ReadFile(path)
	return wire.SHA256Hex(data), err
}

// writeOffer adds an offer, or changes one.
func writeOffer(ctx context.Context, e *cli.Env, siteID, slug string, add bool, members wire.Value) error {
	err := e.WithStore(ctx, func(store *originsql.Store) error { return checkOffer(ctx, store, siteID, slug, add) })
	if err != nil {
		return err
	}
	return write(ctx, e, &offerNoun, siteID+"/"+slug, members)
}

// checkOffer returns an error if a new offer already exists, or if one to be
// changed does not.
func checkOffer(ctx context.Context, store *originsql.Store, siteID, slug string, add bool) error {
	if !exports.ValidSlug(slug) {
		return usage.Errorf("SLUG %q is not like grounded-answers: small letters, digits and hyphens", slug)
	}
	_, err := findOffer(store, ctx, siteID+"/"+slug)
	switch {
	case errors.Is(err, errNoOffer) && add:
		return nil
	case err == nil && add:
		return fmt.Errorf("publisher %q has an offer %q already; change it with \"colophon offer set %s %s\"", siteID, slug, siteID, slug)
	}
	return err
}

var errNoOffer = errors.New("no such offer")

// findOffer finds an offer by SITE_ID/SLUG.
func findOffer(store *originsql.Store, ctx context.Context, id string) (o origin.Offer, err error) {
	siteID, slug, _ := strings.Cut(id, "/")
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

func allOffers(store *originsql.Store, ctx context.Context) ([]origin.Offer, error) {
	sites, err := store.Sites(ctx)
	var all []origin.Offer
	for i := 0; i < len(sites) && err == nil; i++ {
		var offers []origin.Offer
		offers, err = store.OffersOf(ctx, sites[i].SiteID)
		all = append(all, offers...)
	}
	return all, err
}
