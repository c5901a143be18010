package records

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/urlkey"
	"colophon/internal/usage"
)

// The states of an entry.
const (
	entryActive    = "active"
	entryWithdrawn = "withdrawn"
)

// EntryCommand manages registered pages.
func EntryCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "entry", Short: "Manage registered pages",
		Long: "An entry that is withdrawn leaves the catalog, search, feeds and sitemaps with the next build. Its record becomes a\n" +
			"tombstone that the ledger holds, and buyers who hold its text are told to delete it: delivery stops at once.\n" +
			"Imports do not bring it back. Restored, it has its history again.",
	}
	show := showCommand(e, &entryNoun, "Show one entry with its history")
	show.Long = "ENTRY is an entry id or an address."
	cmd.AddCommand(entryList(e), show,
		entryState(e, "withdraw", entryWithdrawn, "Take entries out; delivery of them stops at once"),
		entryState(e, "restore", entryActive, "Bring withdrawn entries back with their history"))
	return cmd
}

var entryNoun = noun.Description[origin.Page]{
	Word: "entry", Argument: "ENTRY", Key: "entry_id", Lister: "entry list", Row: entryRow, Find: findEntry, Add: addRecords,
	Table: noun.Table{
		Line:   "{entry_id}  {state:9}  {canonical_url}  {title}",
		Within: []noun.Within{{Member: "records", Table: noun.Table{Line: "  record {version}  {created}  sha-256:{sha256}"}}},
	},
}

func entryRow(p *origin.Page) map[string]any {
	return map[string]any{
		"entry_id": p.EntryID, "site_id": p.SiteID, "canonical_url": p.CanonicalURL, "title": p.Title, "state": p.State,
		"published_at": p.PublishedAt, "registered_at": p.RegisteredAt, "changed_at": p.ChangedAt, "fingerprint": p.Portable,
	}
}

func entryList(e *cli.Env) *cobra.Command {
	var site, state string
	var limit int
	cmd := &cobra.Command{
		Use: "list --site SITE_ID", Short: "List the entries of a publisher", Args: cli.ExactArgs(), Long: entryNoun.Legend(),
		Example: "  colophon entry list --site harbor-ledger --state withdrawn",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.ValidateWord("state", state, []string{entryActive, entryWithdrawn}); err != nil {
				return err
			}
			if limit < 1 {
				return usage.Errorf("--limit is %d, not at least 1", limit)
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				pages, err := listEntries(cmd.Context(), store, site, state, limit)
				if err != nil {
					return err
				}
				return e.PrintTable(&entryNoun.Table, entryNoun.Rows(pages))
			})
		},
	}
	cli.RequireSite(cmd, &site)
	f := cmd.Flags()
	f.StringVar(&state, "state", "", "active or withdrawn (default: both)")
	f.IntVar(&limit, "limit", 100, "entries at most")
	return cmd
}

func listEntries(ctx context.Context, store *originsql.Store, siteID, state string, limit int) ([]origin.Page, error) {
	if _, err := cli.SiteNoun.Get(ctx, store, siteID); err != nil {
		return nil, err
	}
	var out []origin.Page
	for page, err := range intake.Pages(ctx, store, siteID) {
		if err != nil {
			return nil, err
		}
		if state != "" && page.State != state {
			continue
		}
		if out = append(out, *page); len(out) == limit {
			break
		}
	}
	return out, nil
}

// findEntry finds an entry by its id, or by its address where one publisher
// has registered that.
func findEntry(store *originsql.Store, ctx context.Context, name string) (origin.Page, error) {
	lookup := origin.RightsLookup{EntryID: name}
	if strings.Contains(name, "://") {
		canonical, err := urlkey.Address(name)
		if err != nil {
			return origin.Page{}, usage.Errorf("%q is not a public http(s) address (%v)", name, err)
		}
		lookup = origin.RightsLookup{URL: canonical}
	}
	found, err := store.FindRights(ctx, lookup)
	if err != nil {
		return origin.Page{}, err
	}
	switch len(found.Pages) {
	case 0:
		return origin.Page{}, fmt.Errorf("there is no entry %q; \"colophon entry list --site …\" shows those of a publisher", name)
	case 1:
		return store.Page(ctx, found.Pages[0].EntryID)
	}
	var ids []string
	for i := range found.Pages {
		ids = append(ids, found.Pages[i].EntryID+" of "+found.Pages[i].SiteID)
	}
	return origin.Page{}, usage.Errorf("%q is registered more than once: name one of %s", name, strings.Join(ids, ", "))
}

// addRecords adds to the row of an entry its signed records.
func addRecords(ctx context.Context, store *originsql.Store, row map[string]any, p *origin.Page) error {
	versions, err := store.Versions(ctx, p.EntryID)
	records := []map[string]any{}
	for i := range versions {
		records = append(records, map[string]any{"version": versions[i].Version, "created": versions[i].Created, "sha256": versions[i].SHA256})
	}
	row["records"] = records
	return err
}

// entryState withdraws or restores entries, all or none.
func entryState(e *cli.Env, verb, state, short string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " ENTRY...", Short: short,
		Long: "ENTRY is an entry id or an address.",
		Example: "  colophon entry " + verb + " ent_000000000000000000000001\n" +
			"  colophon entry " + verb + " https://harbor-ledger.example/shipping/tide-tables-2026",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage.Errorf("%q takes one or more ENTRY", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var rows []map[string]any
			err := e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				return store.Atomically(cmd.Context(), func(store *originsql.Store) error {
					rows = []map[string]any{}
					for _, name := range args {
						p, err := setEntryState(cmd.Context(), store, name, state)
						if err != nil {
							return err
						}
						rows = append(rows, entryRow(&p))
					}
					return nil
				})
			})
			if err != nil {
				return err
			}
			e.PrintNext("colophon build --dir %s", e.Path)
			return e.PrintTable(&entryNoun.Table, rows)
		},
	}
}

func setEntryState(ctx context.Context, store *originsql.Store, name, state string) (origin.Page, error) {
	p, err := findEntry(store, ctx, name)
	if err != nil {
		return p, err
	}
	at := max(cli.Now(), p.ChangedAt)
	changed, err := store.SetPageState(ctx, p.EntryID, state, at)
	if changed {
		p.State, p.ChangedAt = state, at
	}
	return p, err
}
