package records

import (
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

// ReservationNoun describes reservations of content.
var ReservationNoun = noun.Description[origin.Reservation]{
	Word: "reservation", Argument: "RESERVATION_ID", Key: "reservation_id", Lister: "reservation list", Row: reservationRow,
	Find: (*originsql.Store).Reservation, All: (*originsql.Store).Reservations, Of: (*originsql.Store).ReservationsOf,
	Table: noun.Table{Line: "{reservation_id}  {state:9}  {publisher}  {uses}  {code}[  {author_display}]"},
	Flags: noun.Flags{Record: &registry.Reservation{}, Names: map[string]string{"publisher": "", "code": "", "state": ""}},
	At:    "/reservations/0", Item: func(r *origin.Reservation) []wire.Member { return nameContent(r.SiteID, r.Code) },
}

// nameContent returns the members by which a document names a reservation.
func nameContent(siteID, code string) []wire.Member {
	return []wire.Member{wire.M("publisher", wire.String(siteID)), wire.M("code", wire.String(code))}
}

// ReservationCommand manages reservations of content.
func ReservationCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "reservation", Short: "Manage reservations of content",
		Long: "A reservation says that uses of a content are reserved, wherever copies of it are. It is the statement of an author or\n" +
			"performer for which a publisher vouches, and no proof. Its content is named by a code: the portable fingerprint of a\n" +
			"text, or an ISCC. Rights checks, screening and the check page find it by that code alone.",
	}
	cmd.AddCommand(reservationAdd(e), ListCommand(e, &ReservationNoun, "List reservations, those of one publisher or all"), showCommand(e, &ReservationNoun, "Show one reservation"),
		changeCommand(e, &ReservationNoun, "withdraw", "Withdraw a reservation: it is shown no more", "state", registry.ReservationWithdrawn, checkHeld))
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
			return addReservation(cmd, e, args[0], args[1])
		},
	}
	ReservationNoun.AddTo(cmd)
	return cmd
}

// checkHeld refuses a reservation that was withdrawn.
func checkHeld(r *origin.Reservation) error {
	if r.WithdrawnAt != "" {
		return fmt.Errorf("the reservation %q was withdrawn at %s", r.ReservationID, r.WithdrawnAt)
	}
	return nil
}

func addReservation(cmd *cobra.Command, e *cli.Env, siteID, code string) error {
	normal, err := iscc.NormalizeCode(code)
	if err != nil {
		return usage.Errorf("CODE %q is neither a portable fingerprint (64 hex digits) nor an ISCC of content of 64 bits or more, such as ISCC:EADTJCW…", code)
	}
	err = e.WithStore(cmd.Context(), func(store *originsql.Store) error {
		_, err := cli.SiteNoun.Get(cmd.Context(), store, siteID)
		return err
	})
	if err != nil {
		return err
	}
	item := ReservationNoun.Value(cmd, append(nameContent(siteID, code), wire.M("state", wire.String(registry.ReservationActive)))...)
	return write(cmd.Context(), e, &ReservationNoun, rights.ReservationID(siteID, normal), item)
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
