package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

// demandDays is how long a need is public that does not say when it ends.
const demandDays = 90

var demandFlags = recordFlags{record: &registry.Demand{}, names: map[string]string{"id": "", "state": ""}}

func demandCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "demand", Short: "Manage buyers' needs",
		Long: "A need is held until you approve it, which confirms that its buyer wants it public. It is then listed until it\n" +
			"expires or is closed. The buyer's name stays private unless --buyer-display gives one.",
	}
	cmd.AddCommand(demandAdd(e), demandState(e, "approve", registry.DemandApproved, "Make a need public, as its buyer agreed"),
		demandState(e, "close", registry.DemandClosed, "Take a need out of the catalog"), demandList(e))
	return cmd
}

func demandAdd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "add SLUG", Short: "Add a need, held until approved", Args: exactArgs("SLUG"),
		Example: "  colophon demand add tide-tables --headline \"Tide tables of the North Sea\" --uses rag,datasets --buyer-name \"Example Labs\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !exports.ValidSlug(args[0]) {
				return usage.Errorf("%q is not a slug such as tide-tables", args[0])
			}
			err := e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				if _, err := findDemand(cmd.Context(), store, args[0]); err == nil {
					return fmt.Errorf("there is a need %q already", args[0])
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
			return e.writeDemand(cmd.Context(), args[0], demandFlags.recordValue(cmd, more...))
		},
	}
	demandFlags.addTo(cmd)
	return cmd
}

func demandState(e *env, verb, state, short string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " DEMAND_ID", Short: short, Args: exactArgs("DEMAND_ID"),
		Example: "  colophon demand " + verb + " tide-tables",
		RunE: func(cmd *cobra.Command, args []string) error {
			err := e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				d, err := findDemand(cmd.Context(), store, args[0])
				if errors.Is(err, origin.ErrNotFound) {
					return fmt.Errorf("there is no need %q; \"colophon demand list\" shows them", args[0])
				}
				if err == nil && state == registry.DemandApproved && d.ExpiresAt != "" && d.ExpiresAt <= nowRFC3339() {
					return fmt.Errorf("the need %q expired at %s; add another", args[0], d.ExpiresAt)
				}
				return err
			})
			if err != nil {
				return err
			}
			return e.writeDemand(cmd.Context(), args[0], wire.Object(wire.M("id", wire.String(args[0])), wire.M("state", wire.String(state))))
		},
	}
}

// findDemand finds a need by its id or slug.
func findDemand(ctx context.Context, store *originsql.Store, slug string) (origin.Demand, error) {
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

func (e *env) writeDemand(ctx context.Context, slug string, item wire.Value) error {
	return e.applyFlags(ctx, "demand", &demandFlags, item, func(store *originsql.Store) error {
		d, err := findDemand(ctx, store, slug)
		if err != nil {
			return err
		}
		if registry.DemandState(&d) == registry.DemandHeld {
			e.printNext("colophon demand approve %s --dir %s", d.DemandID, e.Path)
		} else {
			e.printNext("colophon build --dir %s", e.Path)
		}
		return e.printResult(demandRow(&d), func(w io.Writer) { fmt.Fprintln(w, demandLine(&d)) })
	})
}

// demandStanding is the state of a need, or "expired".
func demandStanding(d *origin.Demand) string {
	state := registry.DemandState(d)
	if state == registry.DemandApproved && d.ExpiresAt != "" && d.ExpiresAt <= nowRFC3339() {
		return "expired"
	}
	return state
}

func demandRow(d *origin.Demand) map[string]any {
	row := rowOf(&registry.Demand{Demand: *d})
	delete(row, "id")
	row["demand_id"], row["state"] = d.DemandID, demandStanding(d)
	row["opted_in_at"], row["changed_at"] = d.OptedInAt, d.ChangedAt
	return row
}

func demandLine(d *origin.Demand) string {
	return fmt.Sprintf("%s  %-8s  %s  until %s  %s", d.DemandID, demandStanding(d), strings.Join(d.Uses, ","), d.ExpiresAt, stripControls(d.Headline))
}

func demandList(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List buyers' needs, public and held", Args: exactArgs(),
		RunE: e.onStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			all, err := store.Demand(cmd.Context())
			if err != nil {
				return err
			}
			return printRows(e, all, demandRow, demandLine)
		}),
	}
}
