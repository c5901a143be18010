package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"colophon/generator/snapshot"
	"colophon/internal/cli"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// ApplyCommand changes the registry to match a document.
func ApplyCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "apply PATH", Short: "Change the registry to match a document", Args: cli.ExactArgs("PATH"),
		Long: "PATH is a JSON document, a folder of them, or \"-\" for the standard input. A document names organizations,\n" +
			"publishers with what they state and offer, reservations, demand, partners, buyers and grants. Its schema is published at\n" +
			"/schemas/registry.v1.json, and \"export\" writes it.\n" +
			"What a document does not name stays as it is, and nothing is removed. All of it is written, or nothing.\n" +
			"Applied twice, it changes nothing the second time.",
		Example: "  colophon apply registry.json --dry-run\n  colophon apply registry.json\n  colophon export | colophon apply -",
		RunE: func(cmd *cobra.Command, args []string) error {
			sources, err := readSources(e, args[0])
			if err != nil {
				return asUsage(err)
			}
			return ApplySources(cmd.Context(), e, sources, nil, func(plan *registry.Plan) error { return tellPlan(e, plan) })
		},
	}
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "only show what would change, as a diff")
	return cmd
}

// readSources reads a document, or all of a folder by name.
func readSources(e *cli.Env, path string) ([]registry.Source, error) {
	if path == "-" {
		text, err := io.ReadAll(e.Stdin)
		if err != nil {
			return nil, err
		}
		s, err := registry.Read("standard input", text)
		return []registry.Source{s}, err
	}
	names := []string{path}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		if names, err = filepath.Glob(filepath.Join(path, "*.json")); err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("the folder %q holds no document: their names end in .json; \"colophon export\" writes one", path)
		}
	}
	var sources []registry.Source
	var errs []error
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := registry.Read(name, text)
		sources, errs = append(sources, s), append(errs, err)
	}
	return sources, registry.Join(errs)
}

// ApplySources applies documents, all or none, unless it is a dry run, and
// prints the plan. also, if not nil, runs in the same transaction.
func ApplySources(ctx context.Context, e *cli.Env, sources []registry.Source, also func(*originsql.Store) error, tell func(*registry.Plan) error) error {
	var plan *registry.Plan
	err := e.WithStore(ctx, func(store *originsql.Store) error {
		if e.DryRun && e.CopyOf == "" {
			var err error
			plan, err = registry.Prepare(ctx, store, sources, cli.Now())
			return err
		}
		return store.Atomically(ctx, func(store *originsql.Store) (err error) {
			if plan, err = registry.Prepare(ctx, store, sources, cli.Now()); err != nil {
				return err
			}
			if err := plan.Write(ctx, store); err != nil {
				return err
			}
			if err := snapshot.RefreshEvidence(ctx, store, plan.Sites...); err != nil || also == nil {
				return err
			}
			return also(store)
		})
	})
	if err != nil {
		return asUsage(err)
	}
	return tell(plan)
}

// asUsage returns the fault of a document as a usage error.
func asUsage(err error) error {
	var bad registry.Faults
	if errors.As(err, &bad) {
		return usage.Wrap(err)
	}
	return err
}

// tellPlan prints what a document changes.
func tellPlan(e *cli.Env, plan *registry.Plan) error {
	rows := []map[string]any{}
	for i := range plan.Changes {
		rows = append(rows, changeRow(&plan.Changes[i]))
	}
	if len(rows) > 0 && !e.DryRun {
		e.PrintNext("colophon build --dir %s", e.Path)
	}
	return e.PrintResult(map[string]any{"changes": rows, "publishers": len(plan.Sites)}, func(w io.Writer) {
		fmt.Fprint(w, plan.Diff())
		verb := "changed"
		if e.DryRun {
			verb = "would change"
		}
		fmt.Fprintf(w, "%s %d records of %d publishers\n", verb, len(plan.Changes), len(plan.Sites))
	})
}

func changeRow(c *registry.Change) map[string]any {
	fields := []map[string]any{}
	for _, f := range c.Fields {
		row := map[string]any{"name": f.Name}
		if f.Private {
			row["private"] = true
		} else {
			row["from"], row["to"] = f.From, f.To
		}
		fields = append(fields, row)
	}
	op := "change"
	if c.New {
		op = "add"
	}
	return map[string]any{"op": op, "kind": c.Kind, "id": c.ID, "fields": fields}
}

// ExportCommand writes the registry as a document.
func ExportCommand(e *cli.Env) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "export", Short: "Write the registry as a document that \"apply\" reads", Args: cli.ExactArgs(),
		Long: "Export writes all that a document can say: organizations, publishers with what they state and offer, reservations, demand,\n" +
			"partners, buyers and grants, with their private members. Keep it where only you can read it. It holds no secrets, no pages and\n" +
			"no proof of control. Offers and reservations that publishers make in files on their own sites are left out and named: \"publisher add\" and\n" +
			"\"refresh\" read them there. Applied to the same registry it changes nothing.",
		Example: "  colophon export --to registry.json",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			d, leftOut, err := registry.Export(cmd.Context(), store)
			if err != nil {
				return err
			}
			if n := len(leftOut); n > 0 {
				e.PrintNote("left out %d offers and reservations that publishers make on their own sites (%s): \"refresh\" reads them there", n, firstFew(leftOut))
			}
			return writeExport(e, d, leftOut, out)
		}),
	}
	cmd.Flags().StringVar(&out, "to", "", "file to write (default: the standard output)")
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "read everything, write no file")
	return cmd
}

// firstFew names the first five of a list.
func firstFew(list []string) string {
	if len(list) <= 5 {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:5], ", ") + ", …"
}

func writeExport(e *cli.Env, d *registry.Document, leftOut []string, out string) error {
	text, err := d.Text()
	if err != nil {
		return err
	}
	if out == "" {
		_, err := e.Stdout.Write(text)
		return err
	}
	if !e.DryRun {
		if err := registrydir.WriteFile(out, text, registrydir.PrivateFile); err != nil {
			return err
		}
	}
	row := map[string]any{"file": out, "publishers": len(d.Publishers), "bytes": len(text), "left_out": leftOut}
	return e.PrintResult(row, func(w io.Writer) { fmt.Fprintf(w, "%s: %d publishers, %d bytes\n", out, len(d.Publishers), len(text)) })
}
