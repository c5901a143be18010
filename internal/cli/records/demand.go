package records

import (
	"context"
	"errors"
	"fmt"
	"time"

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

// demandDays is how long a need is public that does not say when it ends.
const demandDays = 90

// DemandNoun describes buyers' needs.
var DemandNoun = noun.Description[origin.Demand]{
	Word: "need", Argument: "DEMAND_ID", Key: "demand_id", Lister: "demand list", Row: demandRow,
	Find: findDemand, All: (*originsql.Store).Demand,
	Table: noun.Table{Line: "{demand_id}  {state:8}  {uses}  until {expires_at}  {headline}"},
	Flags: noun.Flags{Record: &registry.Demand{}, Names: map[string]string{"id": "", "state": ""}},
	At:    "/demand/0", Item: func(d *origin.Demand) []wire.Member { return []wire.Member{wire.M("id", wire.String(d.DemandID))} },
	Next: func(d *origin.Demand, dir string) string {
		if registry.DemandState(d) == registry.DemandHeld {
			return "colophon demand approve " + d.DemandID + " --dir " + dir
		}
		return "colophon build --dir " + dir
	},
}

// DemandCommand manages buyers' needs.
func DemandCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "demand", Short: "Manage buyers' needs",
		Long: "A need is held until you approve it, which confirms that its buyer wants it public. It is then listed until it\n" +
			"expires or is closed. The buyer's name stays private unless --buyer-display gives one.",
	}
	cmd.AddCommand(demandAdd(e), changeCommand(e, &DemandNoun, "approve", "Make a need public, as its buyer agreed", "state", registry.DemandApproved, checkUnexpired),
		changeCommand(e, &DemandNoun, "close", "Take a need out of the catalog", "state", registry.DemandClosed, nil), ListCommand(e, &DemandNoun, "List buyers' needs, public and held"))
	return cmd
}

func demandAdd(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "add SLUG", Short: "Add a need, held until approved", Args: cli.ExactArgs("SLUG"),
		Example: "  colophon demand add tide-tables --headline \"Tide tables of the North Sea\" --uses rag,datasets --buyer-name \"Example Labs\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !exports.ValidSlug(args[0]) {
				return usage.Errorf("SLUG %q is not like tide-tables: small letters, digits and hyphens", args[0])
			}
			err := e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				if _, err := findDemand(store, cmd.Context(), args[0]); err == nil {
					return fmt.Errorf("there is a need %q already; take another SLUG, or end it with \"colophon demand close %s\"", args[0], args[0])
				} else if !errors.Is(err, origin.ErrNotFound) {
					return err
				}
				return nil
			})
			if err != nil {
				return err
			}
			more := []wire.Member{wire.M("id", wire.String(args[0]))}
			if !cmd.Flags().Changed("expires-at") {
				more = append(more, wire.M("expires_at", wire.String(exports.Instant(time.Now().AddDate(0, 0, demandDays)))))
			}
			return write(cmd.Context(), e, &DemandNoun, args[0], DemandNoun.Value(cmd, more...))
		},
	}
	DemandNoun.AddTo(cmd)
	return cmd
}

// checkUnexpired refuses a need that has expired.
func checkUnexpired(d *origin.Demand) error {
	if hasExpired(d) {
		return fmt.Errorf("the need %q expired at %s; \"colophon demand add\" adds another", d.DemandID, d.ExpiresAt)
	}
	return nil
}

func hasExpired(d *origin.Demand) bool { return d.ExpiresAt != "" && d.ExpiresAt <= cli.Now() }

// findDemand finds a need by its id or slug.
func findDemand(store *originsql.Store, ctx context.Context, slug string) (origin.Demand, error) {
	all, err := store.Demand(ctx)
	if err != nil {
		return origin.Demand{}, err
	}
	for _, d := range all {
		if d.DemandID == registry.DemandID(slug) {
			return d, nil
		}
	}
	return origin.Demand{}, origin.ErrNotFound
}

// demandStatus returns the state of a need, or "expired".
func demandStatus(d *origin.Demand) string {
	state := registry.DemandState(d)
	if state == registry.DemandApproved && hasExpired(d) {
		return "expired"
	}
	return state
}

func demandRow(d *origin.Demand) map[string]any {
	row := noun.Row(&registry.Demand{Demand: *d}, map[string]string{"id": "demand_id"})
	row["state"] = demandStatus(d)
	row["opted_in_at"], row["changed_at"] = d.OptedInAt, d.ChangedAt
	return row
}
