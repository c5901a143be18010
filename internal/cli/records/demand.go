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

var (
	demandFlags = noun.Flags{Record: &registry.Demand{}, Names: map[string]string{"id": "", "state": ""}}
	DemandNoun  = noun.Description[origin.Demand]{
		Word: "need", Argument: "DEMAND_ID", Key: "demand_id", Lister: "demand list", Row: demandRow,
		Find: findDemand, All: (*originsql.Store).Demand,
		Table: noun.Table{Line: "{demand_id}  {state:8}  {uses}  until {expires_at}  {headline}"},
	}
)

// DemandCommand manages buyers' needs.
func DemandCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "demand", Short: "Manage buyers' needs",
		Long: "A need is held until you approve it, which confirms that its buyer wants it public. It is then listed until it\n" +
			"expires or is closed. The buyer's name stays private unless --buyer-display gives one.",
	}
	cmd.AddCommand(demandAdd(e), demandState(e, "approve", registry.DemandApproved, "Make a need public, as its buyer agreed"),
		demandState(e, "close", registry.DemandClosed, "Take a need out of the catalog"), ListCommand(e, &DemandNoun, "List buyers' needs, public and held"))
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
			return writeDemand(cmd.Context(), e, args[0], demandFlags.Value(cmd, more...))
		},
	}
	demandFlags.AddTo(cmd)
	return cmd
}

func demandState(e *cli.Env, verb, state, short string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " DEMAND_ID", Short: short, Args: cli.ExactArgs("DEMAND_ID"),
		Example: "  colophon demand " + verb + " tide-tables",
		RunE: func(cmd *cobra.Command, args []string) error {
			err := e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				d, err := DemandNoun.Get(cmd.Context(), store, args[0])
				if err == nil && state == registry.DemandApproved && d.ExpiresAt != "" && d.ExpiresAt <= cli.Now() {
					return fmt.Errorf("the need %q expired at %s; \"colophon demand add\" adds another", args[0], d.ExpiresAt)
				}
				return err
			})
			if err != nil {
				return err
			}
			return writeDemand(cmd.Context(), e, args[0], wire.Object(wire.M("id", wire.String(args[0])), wire.M("state", wire.String(state))))
		},
	}
}

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

func writeDemand(ctx context.Context, e *cli.Env, slug string, item wire.Value) error {
	return applyFlags(ctx, e, "demand", &demandFlags, item, func(store *originsql.Store) error {
		d, err := findDemand(store, ctx, slug)
		if err != nil {
			return err
		}
		if registry.DemandState(&d) == registry.DemandHeld {
			e.PrintNext("colophon demand approve %s --dir %s", d.DemandID, e.Path)
		} else {
			e.PrintNext("colophon build --dir %s", e.Path)
		}
		return e.PrintOne(&DemandNoun.Table, demandRow(&d))
	})
}

// demandStatus returns the state of a need, or "expired".
func demandStatus(d *origin.Demand) string {
	state := registry.DemandState(d)
	if state == registry.DemandApproved && d.ExpiresAt != "" && d.ExpiresAt <= cli.Now() {
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
