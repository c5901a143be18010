package importing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/usage"
)

// ReviewCommand decides on doubtful pages.
func ReviewCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "review", Short: "Review doubtful pages before they are signed",
		Long: "A page is in review when its template leaves next to nothing of it, when it is under another template than its site,\n" +
			"when it shares its text with another address, or when it may be decoded wrongly. It is listed without a fingerprint\n" +
			"and is not signed. What you decide holds for as long as its text stays the same.",
	}
	cmd.AddCommand(reviewList(e), reviewShow(e), reviewDecide(e, "accept", "Sign pages with the next build", intake.Accept), reviewDecide(e, "reject", "Never sign pages with their present text", intake.Reject))
	return cmd
}

// reviewed is a page in review.
type reviewed struct {
	x    origin.Extraction
	page origin.Page
}

func (r *reviewed) jsonRow() map[string]any {
	var reasons []map[string]any
	for _, why := range r.x.Reasons {
		reasons = append(reasons, map[string]any{"code": why.Code, "detail": why.Detail})
	}
	return map[string]any{
		"entry_id": r.x.EntryID, "canonical_url": r.page.CanonicalURL, "title": r.page.Title, "review": r.x.Review, "reasons": reasons,
		"template": r.x.Template, "word_count": r.page.WordCount,
	}
}

var reviewTable = noun.Table{
	Line:   "{entry_id}  {canonical_url}  {title}",
	Within: []noun.Within{{Member: "reasons", Table: noun.Table{Line: "  {code}: {detail}"}}},
}

func reviewList(e *cli.Env) *cobra.Command {
	var site, state string
	var limit int
	cmd := &cobra.Command{
		Use: "list --site SITE_ID", Short: "List pages in review", Args: cli.ExactArgs(),
		Example: "  colophon review list --site harbor-ledger",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if state != origin.ReviewWaiting && state != origin.ReviewAccepted && state != origin.ReviewRejected {
				return usage.Errorf("--state %q is none of waiting, accepted, rejected", state)
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				list, err := readReview(cmd.Context(), store, site, state, limit)
				if err != nil {
					return err
				}
				rows := []map[string]any{}
				for i := range list {
					rows = append(rows, list[i].jsonRow())
				}
				return e.PrintTable(&reviewTable, rows)
			})
		},
	}
	cli.RequireSite(cmd, &site)
	f := cmd.Flags()
	f.StringVar(&state, "state", origin.ReviewWaiting, "waiting, accepted or rejected")
	f.IntVar(&limit, "limit", 100, "pages at most")
	return cmd
}

func readReview(ctx context.Context, store *originsql.Store, site, state string, limit int) ([]reviewed, error) {
	list, err := store.ExtractionsInReview(ctx, site, state, "", limit)
	if err != nil {
		return nil, err
	}
	var out []reviewed
	for _, x := range list {
		page, err := store.Page(ctx, x.EntryID)
		if errors.Is(err, origin.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, reviewed{x, page})
	}
	return out, nil
}

func reviewShow(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "show ENTRY_ID", Short: "Show why a page is in review, its text, what was left out, and what is known about it", Args: cli.ExactArgs("ENTRY_ID"),
		Example: "  colophon review show ent_000000000000000000000001",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			x, err := store.Extraction(cmd.Context(), args[0])
			if err != nil {
				return noReview(args[0], err)
			}
			page, err := store.Page(cmd.Context(), args[0])
			if err != nil {
				return noReview(args[0], err)
			}
			r := reviewed{x, page}
			row := r.jsonRow()
			row["facts"], row["encoding"] = x.Facts, x.Encoding
			row["kept"], row["dropped"] = x.Kept, x.Dropped
			return e.PrintResult(row, func(w io.Writer) {
				reviewTable.Print(w, row)
				for _, f := range x.Facts {
					fmt.Fprintf(w, "    %s: %s (%s, %.2f)\n", f.Name, noun.OneLine(f.Value), f.Source, f.Confidence)
				}
				printExcerpt(w, "text that would be signed", x.Kept)
				printExcerpt(w, "left out", x.Dropped)
				fmt.Fprintf(w, "    look at it: colophon import --preview %s --site %s\n", page.CanonicalURL, x.SiteID)
			})
		}),
	}
}

// excerptWidth is the width of an excerpt, in characters.
const excerptWidth = 100

// printExcerpt shows a part of a text below a heading, nothing of an empty one.
func printExcerpt(w io.Writer, heading, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	fmt.Fprintf(w, "    %s:\n", heading)
	for paragraph := range strings.Lines(text) {
		for _, line := range wrapText(strings.TrimSpace(paragraph), excerptWidth) {
			if line != "" {
				fmt.Fprintf(w, "      | %s\n", line)
			}
		}
	}
}

func noReview(entryID string, err error) error {
	if errors.Is(err, origin.ErrNotFound) {
		return fmt.Errorf("page %s is not in review; \"colophon review list --site SITE_ID\" shows those that are", entryID)
	}
	return err
}

// reviewDecide accepts or rejects pages.
func reviewDecide(e *cli.Env, verb, short string, decide func(context.Context, intake.Store, string, string) error) *cobra.Command {
	return &cobra.Command{
		Use: verb + " ENTRY_ID...", Short: short,
		Example: "  colophon review " + verb + " ent_000000000000000000000001",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage.Errorf("%q takes one or more ENTRY_ID", cmd.CommandPath())
			}
			return nil
		},
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			for _, id := range args {
				if err := decide(cmd.Context(), store, id, cli.Now()); err != nil {
					return noReview(id, err)
				}
			}
			e.PrintNext("colophon build --dir %s", e.Path)
			return e.PrintResult(map[string]any{verb + "ed": args}, func(w io.Writer) { fmt.Fprintf(w, "%sed %d\n", verb, len(args)) })
		}),
	}
}
