package importing

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// TemplateCommand manages the templates of sites.
func TemplateCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "template", Short: "Manage the templates that separate a page's text from what surrounds it",
		Long: "A template says which parts of a site's pages are not their text. The first import of a site learns one; from then on\n" +
			"it is frozen. Learning again makes a proposal, which lists the texts that it would change. Once you activate it, the next\n" +
			"import extracts the texts again.",
	}
	cmd.AddCommand(templateList(e), templateShow(e), templateDiff(e), templateLearn(e), templateSet(e), templateActivate(e))
	return cmd
}

// digestBegin is how much of a digest is shown to people.
const digestBegin = 12

func templateList(e *cli.Env) *cobra.Command {
	var site string
	cmd := &cobra.Command{
		Use: "list --site SITE_ID", Short: "List the templates of a site, the newest first", Args: cli.ExactArgs(),
		Example: "  colophon template list --site harbor-ledger",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			list, err := store.Templates(cmd.Context(), site)
			if err != nil {
				return err
			}
			return e.PrintTable(&templateTable, templateRows(list))
		}),
	}
	cli.RequireSite(cmd, &site)
	return cmd
}

var templateTable = noun.Table{Line: "{digest:.12}  {state:8}  {made_at}[  changes {changed} of {pages} texts]"}

func templateRows(list []origin.Template) []map[string]any {
	rows := []map[string]any{}
	for _, t := range list {
		row := map[string]any{"digest": t.Digest, "state": t.State, "made_at": t.MadeAt, "changed_at": t.ChangedAt}
		if d, ok := readDiff(t); ok {
			row["pages"], row["changed"] = d.Pages, d.Changed
		}
		rows = append(rows, row)
	}
	return rows
}

func readDiff(t origin.Template) (d intake.TemplateDiff, ok bool) {
	if t.Diff == "" {
		return d, false
	}
	ok = json.Unmarshal([]byte(t.Diff), &d) == nil
	return d, ok
}

// templateOf returns a command for one template of a site.
func templateOf(e *cli.Env, use, short string, do func(ctx context.Context, store *originsql.Store, t origin.Template) error) *cobra.Command {
	var site string
	cmd := &cobra.Command{
		Use: use + " DIGEST --site SITE_ID", Short: short, Args: cli.ExactArgs("DIGEST"),
		Example: "  colophon template " + use + " 3f9a0c51d27e --site harbor-ledger",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			t, err := intake.FindTemplate(cmd.Context(), store, site, args[0])
			if err != nil {
				return cli.IntakeError(err)
			}
			return do(cmd.Context(), store, t)
		}),
	}
	cli.RequireSite(cmd, &site)
	return cmd
}

func templateShow(e *cli.Env) *cobra.Command {
	return templateOf(e, "show", "Show a template with its evidence", func(_ context.Context, _ *originsql.Store, t origin.Template) error {
		return e.PrintResult(json.RawMessage(t.Document), func(w io.Writer) { fmt.Fprintln(w, t.Document) })
	})
}

func templateDiff(e *cli.Env) *cobra.Command {
	return templateOf(e, "diff", "Show what a template changes against the one that was in force", func(_ context.Context, _ *originsql.Store, t origin.Template) error {
		d, ok := readDiff(t)
		if !ok {
			return fmt.Errorf("nothing is known about what template %s changes: look at pages with colophon import --preview URL --template %s", t.Digest[:digestBegin], t.Digest[:digestBegin])
		}
		return e.PrintResult(d, func(w io.Writer) { printDiff(w, &d) })
	})
}

func printDiff(w io.Writer, d *intake.TemplateDiff) {
	fmt.Fprintf(w, "%d of %d texts differ\n", d.Changed, d.Pages)
	for _, p := range d.Pairs {
		fmt.Fprintf(w, "\n%s\n", p.URL)
		for _, line := range p.Removed {
			fmt.Fprintf(w, "- %s\n", noun.OneLine(line))
		}
		for _, line := range p.Added {
			fmt.Fprintf(w, "+ %s\n", noun.OneLine(line))
		}
	}
}

func templateLearn(e *cli.Env) *cobra.Command {
	var l cli.LookFlags
	opt := &l.Opt
	cmd := &cobra.Command{
		Use: "learn SOURCE --site SITE_ID", Short: "Propose a template learned from the pages that a source lists", Args: cli.ExactArgs("SOURCE"),
		Example: "  colophon template learn https://harbor-ledger.example/sitemap.xml --site harbor-ledger",
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Source = args[0]
			return withSource(cmd.Context(), e, &l, func(store *originsql.Store) error {
				t, err := intake.ProposeTemplate(cmd.Context(), store, *opt)
				if err != nil {
					return cli.IntakeError(err)
				}
				return tellProposal(e, t)
			})
		},
	}
	cli.RequireSite(cmd, &opt.SiteID)
	l.AddFlags(cmd)
	return cmd
}

func tellProposal(e *cli.Env, t origin.Template) error {
	short := t.Digest[:digestBegin]
	switch {
	case t.State != origin.TemplateProposed:
		e.PrintNote("that template is %s already", t.State)
	case t.Diff == "":
		e.PrintNext("colophon import --preview URL --template %s --site %s, then template activate", short, t.SiteID)
	default:
		e.PrintNext("colophon template diff %s --site %s, then template activate", short, t.SiteID)
	}
	return e.PrintResult(templateRows([]origin.Template{t})[0], func(w io.Writer) { fmt.Fprintln(w, t.Digest) })
}

func templateSet(e *cli.Env) *cobra.Command {
	var l cli.LookFlags
	opt := &l.Opt
	var keep, omit []string
	cmd := &cobra.Command{
		Use: "set [SOURCE] --site SITE_ID --keep SELECTOR", Short: "Propose the template in force with selectors of your own",
		Long: "Selectors come before everything else: what --keep matches is the content of a page, what --omit matches is none of it.\n" +
			"With a SOURCE the proposal says what it changes on pages that are listed there (see \"diff\").",
		Example: "  colophon template set https://harbor-ledger.example/sitemap.xml --site harbor-ledger --keep 'div.story' --omit '.related, .share'",
		Args:    cli.OptionalArg("SOURCE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				opt.Source = args[0]
			}
			return withSource(cmd.Context(), e, &l, func(store *originsql.Store) error {
				t, err := intake.SetSelectors(cmd.Context(), store, *opt, keep, omit, cli.Now())
				if err != nil {
					return cli.IntakeError(err)
				}
				return tellProposal(e, t)
			})
		},
	}
	cli.RequireSite(cmd, &opt.SiteID)
	cmd.Flags().StringArrayVar(&keep, "keep", nil, "CSS selector of the content")
	cmd.Flags().StringArrayVar(&omit, "omit", nil, "CSS selector of what is not content")
	l.AddFlags(cmd)
	return cmd
}

// withSource opens the store for a command that reads pages.
func withSource(ctx context.Context, e *cli.Env, l *cli.LookFlags, do func(store *originsql.Store) error) error {
	if err := e.ReadLook(l); err != nil {
		return err
	}
	e.BoundMemory(importMemory)
	return e.WithStore(ctx, do)
}

func templateActivate(e *cli.Env) *cobra.Command {
	return templateOf(e, "activate", "Put a template in force; the next import extracts the texts again", func(ctx context.Context, store *originsql.Store, t origin.Template) error {
		err := store.Atomically(ctx, func(store *originsql.Store) error {
			return store.ActivateTemplate(ctx, t.SiteID, t.Digest, time.Now().UTC().Format(time.RFC3339))
		})
		if err != nil {
			return err
		}
		e.PrintNext("colophon import SOURCE --site %s --dir %s", t.SiteID, e.Path)
		return e.PrintResult(map[string]string{"digest": t.Digest, "state": origin.TemplateActive}, func(w io.Writer) { fmt.Fprintln(w, t.Digest) })
	})
}
