package records

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/iscc"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/rights"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

var (
	reservationFlags = noun.Flags{Record: &registry.Reservation{}, Names: map[string]string{"publisher": "", "code": "", "state": ""}}

	// ReservationNoun describes reservations of content.
	ReservationNoun = noun.Description[origin.Reservation]{
		Word: "reservation", Argument: "RESERVATION_ID", Key: "reservation_id", Lister: "reservation list", Row: reservationRow,
		Find: (*originsql.Store).Reservation, All: (*originsql.Store).Reservations,
		Table: noun.Table{Line: "{reservation_id}  {state:9}  {publisher}  {uses}  {code}[  {author_display}]"},
	}
)

// ReservationCommand manages reservations of content.
func ReservationCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "reservation", Short: "Manage reservations of content",
		Long: "A reservation says that uses of a content are reserved, wherever copies of it are. It is the statement of an author or\n" +
			"performer for which a publisher vouches, and no proof. Its content is named by a code: the portable fingerprint of a\n" +
			"text, or an ISCC. Rights checks, screening and the check page find it by that code alone.",
	}
	show := showCommand(e, &ReservationNoun, "Show one reservation")
	show.Example = "  colophon reservation show rsv_pxl5mb5mmnydcmarwqhy7pr4sk"
	cmd.AddCommand(reservationAdd(e), reservationList(e), show, reservationWithdraw(e))
	return cmd
}

func reservationAdd(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "add SITE_ID CODE", Short: "Add a reservation, or change the one for the same content", Args: cli.ExactArgs("SITE_ID", "CODE"),
		Long: "SITE_ID is the publisher that vouches for the statement. CODE is the portable fingerprint of a text (64 hex digits) or an\n" +
			"ISCC of 64 bits or more. What no flag names stays as it is. A withdrawn reservation holds again.",
		Example: "  colophon reservation add harbor-ledger ISCC:EADTJCW2DT555KK6DEQAR5DQT7VYJGZM6CXHG3BM56WOMQDDVS7754I \\\n" +
			"    --uses training,datasets --author-display \"M. Visser\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			item := reservationFlags.Value(cmd, wire.M("publisher", wire.String(args[0])), wire.M("code", wire.String(args[1])),
				wire.M("state", wire.String(registry.ReservationActive)))
			return writeReservation(cmd.Context(), e, args[0], args[1], item)
		},
	}
	reservationFlags.AddTo(cmd)
	return cmd
}

func reservationWithdraw(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "withdraw RESERVATION_ID", Short: "Withdraw a reservation: it is shown no more", Args: cli.ExactArgs("RESERVATION_ID"),
		Example: "  colophon reservation withdraw rsv_pxl5mb5mmnydcmarwqhy7pr4sk",
		RunE: func(cmd *cobra.Command, args []string) error {
			var r origin.Reservation
			err := e.WithStore(cmd.Context(), func(store *originsql.Store) (err error) {
				r, err = ReservationNoun.Get(cmd.Context(), store, args[0])
				return err
			})
			if err != nil {
				return err
			}
			if r.WithdrawnAt != "" {
				return fmt.Errorf("the reservation %q was withdrawn at %s", args[0], r.WithdrawnAt)
			}
			return writeReservation(cmd.Context(), e, r.SiteID, r.Code, wire.Object(wire.M("publisher", wire.String(r.SiteID)),
				wire.M("code", wire.String(r.Code)), wire.M("state", wire.String(registry.ReservationWithdrawn))))
		},
	}
}

// writeReservation writes a reservation as a document would.
func writeReservation(ctx context.Context, e *cli.Env, siteID, code string, item wire.Value) error {
	normal, err := iscc.NormalizeCode(code)
	if err != nil {
		return usage.Errorf("CODE %q is neither a portable fingerprint (64 hex digits) nor an ISCC of content of 64 bits or more, such as ISCC:EADTJCW…", code)
	}
	err = e.WithStore(ctx, func(store *originsql.Store) error {
		_, err := cli.SiteNoun.Get(ctx, store, siteID)
		return err
	})
	if err != nil {
		return err
	}
	return applyFlags(ctx, e, "reservations", &reservationFlags, item, func(store *originsql.Store) error {
		r, err := ReservationNoun.Get(ctx, store, rights.ReservationID(siteID, normal))
		if err != nil {
			return err
		}
		e.PrintNext("colophon build --dir %s", e.Path)
		return e.PrintOne(&ReservationNoun.Table, reservationRow(&r))
	})
}

func reservationList(e *cli.Env) *cobra.Command {
	var site string
	cmd := &cobra.Command{
		Use: "list", Short: "List reservations, those of one publisher or all", Args: cli.ExactArgs(), Long: ReservationNoun.Legend(),
		Example: "  colophon reservation list --site harbor-ledger",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			list, err := reservationsOf(cmd.Context(), store, site)
			if err != nil {
				return err
			}
			return e.PrintTable(&ReservationNoun.Table, ReservationNoun.Rows(list))
		}),
	}
	cmd.Flags().StringVar(&site, "site", "", "only those of this publisher")
	return cmd
}

func reservationsOf(ctx context.Context, store *originsql.Store, siteID string) ([]origin.Reservation, error) {
	if siteID == "" {
		return store.Reservations(ctx)
	}
	if _, err := cli.SiteNoun.Get(ctx, store, siteID); err != nil {
		return nil, err
	}
	return store.ReservationsOf(ctx, siteID)
}

// reservationRow returns a reservation as the operator sees it.
func reservationRow(r *origin.Reservation) map[string]any {
	row := noun.Row(registry.ReservationOf(r), nil)
	for name, value := range map[string]string{
		"reservation_id": r.ReservationID, "withdrawn_at": r.WithdrawnAt, "changed_at": r.ChangedAt, "source": r.Source,
		"evidence_url": r.EvidenceURL, "evidence_sha256": r.EvidenceSHA256,
	} {
		row[name] = value
	}
	return row
}
