// Package importing implements the commands that import pages, and those for
// the templates and reviews that decide what is kept of them.
package importing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/generator/snapshot"
	"colophon/internal/cli"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/originsql"
	"colophon/internal/usage"
)

// FailOverDefault is how many of the pages may fail.
const FailOverDefault = share(.05)

// Command registers the pages of a publisher.
func Command(e *cli.Env) *cobra.Command {
	var l cli.LookFlags
	opt := &l.Opt
	var preview previewOptions
	failOver := FailOverDefault
	grace := 0
	cmd := &cobra.Command{
		Use: "import [SOURCE] --site SITE_ID", Short: "Register the pages of a publisher from its own site", Args: cli.OptionalArg("SOURCE"),
		Long: "SOURCE is the address of a sitemap, a feed or a page, an NDJSON file (\"-\" reads it from stdin), a folder of Markdown\n" +
			"with front matter (Hugo, Jekyll, Docusaurus, MkDocs), an EPUB, or an export of WordPress or Ghost. Without it,\n" +
			"import reads the sitemaps and feeds that the publisher's own file names, on hosts that the publisher has shown to be\n" +
			"its own. If the file names none, it reads the sitemaps in the home page's robots.txt, on hosts of the publisher.\n" +
			"A page that answers 404 or 410, that its sitemap or folder no longer lists, or that asks to be left out (noindex) is\n" +
			"withdrawn after a grace period; one whose front matter or export says that it is not public is withdrawn at once.\n" +
			"A page that returns is restored with its history. A source that was not read to its end withdraws nothing.\n" +
			"A page's canonical address counts when the same text answers there; a page that names another publisher's original\n" +
			"is skipped.\n" +
			"Import obeys robots.txt. It stores each page as it arrives: start an interrupted import again to continue it.\n" +
			"The first import learns a template, which separates the site's texts from what surrounds them (see \"template\").\n" +
			"Pages whose text is in doubt wait for your review (see \"review\") before they are signed.\n" +
			"Texts stay in the origin store; only metadata is ever published.",
		Example: "  colophon import https://harbor-ledger.example/sitemap.xml --site harbor-ledger\n  colophon import --site harbor-ledger\n  colophon import pages.ndjson --site harbor-ledger\n" +
			"  colophon import ./content --site harbor-ledger --base https://harbor-ledger.example/",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := e.ReadLook(&l); err != nil {
				return err
			}
			if preview.url != "" && len(args) == 0 {
				return previewPage(cmd.Context(), e, *opt, preview)
			}
			if grace < 0 {
				return usage.Errorf("--grace-days %d is less than none", grace)
			}
			if cmd.Flags().Changed("grace-days") {
				opt.Grace = graceOf(grace)
			}
			if cmd.Flags().Changed("noindex") && opt.NoIndex != "skip" && opt.NoIndex != "keep" {
				return usage.Errorf("--noindex %q is neither skip nor keep", opt.NoIndex)
			}
			opt.Stdin = e.Stdin
			if preview.url != "" {
				return usage.Errorf("--preview takes the place of SOURCE")
			}
			if len(args) == 0 {
				return importNamed(cmd.Context(), e, *opt, failOver)
			}
			opt.Source = args[0]
			return ImportPages(cmd.Context(), e, *opt, failOver, func(s intake.Summary) error { return tellImport(e, s) })
		},
	}
	cli.RequireSite(cmd, &opt.SiteID)
	l.AddFlags(cmd)
	l.AddDNS(cmd)
	f := cmd.Flags()
	f.StringVar(&opt.Base, "base", "", "address below which the pages of a folder or an export are published")
	f.BoolVar(&opt.FullText, "full-text", false, "use the texts of a feed's items as those of their pages")
	f.IntVar(&opt.PerHost, "per-host", intake.DefaultPerHost, "requests in flight for one host")
	f.IntVar(&opt.MaxPages, "max-pages", intake.DefaultMaxPages, "pages at most")
	f.IntVar(&grace, "grace-days", 0, "days that a page may be gone before its entry is withdrawn (default: as the publisher's file says, else 14)")
	f.StringVar(&opt.NoIndex, "noindex", "", "skip or keep pages that ask search engines to leave them out (default: what the publisher's file says, else skip)")
	f.Var(&failOver, "fail-over", "fail when more than this part of the pages failed")
	f.StringVar(&preview.url, "preview", "", "show what would be stored of the page at this address, and import nothing")
	f.StringVar(&preview.html, "preview-html", "", "with --preview: write the comparison to this HTML file")
	f.StringVar(&preview.template, "template", "", "with --preview: under the template with this digest (default: the one in force)")
	return cmd
}

// graceOf returns a number of days as an import expects it: less than 0 means
// no grace.
func graceOf(days int) time.Duration {
	if days == 0 {
		return -1
	}
	return time.Duration(days) * 24 * time.Hour
}

// importNamed imports from the sources that the publisher names in its own
// file, one after the other. With --json it answers with a list.
func importNamed(ctx context.Context, e *cli.Env, opt intake.Options, failOver share) error {
	sources, refused, err := SourcesOf(ctx, e, opt)
	if err != nil {
		return err
	}
	if len(sources) == 0 && refused != "" {
		return fmt.Errorf("the file of publisher %q could not be read when it was last seen: %s; when it is corrected, read it again with \"colophon refresh %s\"", opt.SiteID, refused, opt.SiteID)
	}
	if len(sources) == 0 {
		return usage.Errorf("publisher %q names no sitemap or feed of its own hosts, in its file or in robots.txt: give a SOURCE", opt.SiteID)
	}
	type imported struct {
		intake.Summary
		Source string `json:"source"`
	}
	rows := []imported{}
	tell := func(s intake.Summary) error {
		if !e.JSON {
			return tellImport(e, s)
		}
		rows = append(rows, imported{s, opt.Source})
		return nil
	}
	for _, source := range sources {
		e.PrintNote("from %s", source)
		opt.Source = source
		if err := ImportPages(ctx, e, opt, failOver, tell); err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
	}
	if !e.JSON {
		return nil
	}
	return e.PrintResult(rows, nil)
}

// SourcesOf returns the sources that a publisher names in its own file, or else
// in robots.txt. refused is why a file cannot be read, "" if all can.
func SourcesOf(ctx context.Context, e *cli.Env, opt intake.Options) (sources []string, refused string, err error) {
	err = e.WithStore(ctx, func(store *originsql.Store) error {
		site, err := cli.SiteNoun.Get(ctx, store, opt.SiteID)
		if err == nil {
			sources, refused, err = enrol.NamedSources(ctx, store, opt.SiteID)
		}
		if err == nil && len(sources) == 0 && refused == "" {
			sources, err = enrol.RobotsSources(ctx, store, site, opt)
		}
		return err
	})
	return sources, refused, err
}

// ImportPages imports from one source, and calls tell with the summary.
func ImportPages(ctx context.Context, e *cli.Env, opt intake.Options, failOver share, tell func(intake.Summary) error) error {
	store, done, err := e.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	site, err := cli.SiteNoun.Get(ctx, store, opt.SiteID)
	if err != nil {
		return err
	}
	e.BoundMemory(importMemory)
	if opt.Grace == 0 && site.GraceDays > 0 {
		opt.Grace = graceOf(int(site.GraceDays))
	}
	if err := enrol.AddWishes(ctx, store, &opt); err != nil {
		return err
	}
	p := e.NewProgress()
	opt.Progress = func(ev intake.Event) {
		p.Show(int64(ev.Settled), int64(ev.Total), fmt.Sprintf("pages (%.1f MB)", float64(ev.Bytes)/1e6))
	}
	var summary intake.Summary
	err = store.Bulk(ctx, func(s *originsql.Store) (err error) {
		summary, err = intake.Import(ctx, s, opt)
		return err
	})
	p.Clear()
	if summary.Run != "" && ctx.Err() == nil {
		err = errors.Join(err, lookAtPublisher(ctx, e, store, opt), snapshot.RefreshEvidence(ctx, store, opt.SiteID))
	}
	if summary.Run != "" {
		if told := tell(summary); told != nil {
			return told
		}
	}
	if err != nil {
		return cli.IntakeError(err)
	}
	if err := checkFailures(&summary, failOver); err != nil {
		return err
	}
	adviseImport(e, &opt, &summary)
	return nil
}

// lookAtPublisher looks at the publisher whose pages were imported, and notes
// what it says of itself.
func lookAtPublisher(ctx context.Context, e *cli.Env, store *originsql.Store, opt intake.Options) error {
	r, err := enrol.AfterImport(ctx, store, opt, cli.Now())
	if r.Problem != "" {
		e.PrintNote("the publisher's own file: %s", r.Problem)
	}
	e.PrintNotes(r.Notes)
	return err
}

// share is a part of a whole, as a flag: 5% or 0.05.
type share float64

// String writes it in percent.
func (s *share) String() string { return strconv.FormatFloat(float64(*s)*100, 'g', 4, 64) + "%" }

// Set reads it.
func (s *share) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return fmt.Errorf("%q is neither like 5%% nor like 0.05", text)
	}
	if percent {
		v /= 100
	}
	if v < 0 || v > 1 {
		return fmt.Errorf("%q is not between 0%% and 100%%", text)
	}
	*s = share(v)
	return nil
}

// Type names the value in the help.
func (s *share) Type() string { return "share" }

// checkFailures returns an error if too many pages failed. A page that names
// another publisher's original counts too, because one template with a wrong
// address loses a site.
func checkFailures(s *intake.Summary, failOver share) error {
	lost := s.Skipped.Of("canonical_elsewhere").Count
	failed := s.Failed.Count() + lost
	pages := s.Pages() + s.Skipped.Count() + s.Failed.Count()
	if failed == 0 || float64(failed) <= float64(failOver)*float64(pages) {
		return nil
	}
	what := "failed"
	if lost > 0 {
		what = fmt.Sprintf("failed or name an original elsewhere, as %d do,", lost)
	}
	return fmt.Errorf("%d of %d pages %s (%.1f%%), more than --fail-over %s; the summary names the reasons", failed, pages, what, 100*float64(failed)/float64(pages), failOver.String())
}

// adviseImport adds the next steps.
func adviseImport(e *cli.Env, opt *intake.Options, s *intake.Summary) {
	if s.NoTemplate {
		e.PrintNote("site %s has no template: colophon template learn %s --site %s --dir %s", opt.SiteID, opt.Source, opt.SiteID, e.Path)
	}
	if n := s.Review.Count(); n > 0 {
		e.PrintNote("%d reasons for review: colophon review list --site %s --dir %s", n, opt.SiteID, e.Path)
	}
	if s.Pages() > 0 {
		e.PrintNext("colophon build --dir %s", e.Path)
	}
}

// importMemory bounds the memory of an import, in bytes, apart from the
// database's. What an import holds grows by only a few bytes per page.
const importMemory = 80 << 20

// tellImport shows the summary.
func tellImport(e *cli.Env, s intake.Summary) error {
	return e.PrintResult(s, func(w io.Writer) {
		fmt.Fprintf(w, "new %d, changed %d, unchanged %d (%d not modified), skipped %d, failed %d\n", s.New, s.Changed, s.Unchanged, s.NotModified, s.Skipped.Count(), s.Failed.Count())
		printTally(w, "skipped", s.Skipped)
		printTally(w, "failed", s.Failed)
		printTally(w, "missing", s.Missing)
		printTally(w, "kept its own address,", s.Ignored)
		if s.Withdrawn+s.Restored > 0 {
			fmt.Fprintf(w, "withdrawn as gone %d, restored %d\n", s.Withdrawn, s.Restored)
		}
		printTally(w, "in review", s.Review)
		if s.Improved > 0 {
			fmt.Fprintf(w, "extraction_improved: %d texts that an older extractor had made, whose records the next build supersedes\n", s.Improved)
		}
		fmt.Fprintf(w, "%d requests, %d bytes, %d documents about rights\n", s.Requests, s.Bytes, s.Observations)
		if s.Full {
			fmt.Fprintln(w, "stopped at --max-pages: the source lists more")
		}
	})
}

func printTally(w io.Writer, verb string, t intake.Tally) {
	for _, r := range t {
		fmt.Fprintf(w, "  %s %s: %d\n", verb, r.Code, r.Count)
		for _, c := range r.Samples {
			fmt.Fprintf(w, "    %s  %s\n", c.Where, c.Detail)
		}
	}
}
