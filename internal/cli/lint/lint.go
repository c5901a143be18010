// Package lint implements the command that checks what a site's channels say.
package lint

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/generator/snapshot"
	"colophon/internal/cli"
	"colophon/internal/intake"
	"colophon/internal/observed"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/published"
	"colophon/internal/registrydir"
	"colophon/internal/rights"
)

// Command checks what a site's channels say.
func Command(e *cli.Env) *cobra.Command {
	var l linter
	cmd := &cobra.Command{
		Use: "lint URL|FILE|FOLDER", Short: "Check what a site's channels say, and where they conflict", Args: cli.ExactArgs("URL|FILE|FOLDER"),
		Long: "Lint reads a URL as the importer does: the page, its header fields, robots.txt, tdmrep.json, ai.txt, trust.txt and RSL documents.\n" +
			"A folder stands for the root of a site, a file for one document. Nothing is stored.\n" +
			"Findings do not fail the command unless --strict is given.\n\n" +
			"--assert and --baseline compare the verdicts with what they should be, or were: each difference is a line, and the exit code is 1.\n" +
			"With --agents they are compared for each of these agents instead of for everybody.",
		Example: "  colophon lint https://harbor-ledger.example/ --contact ops@registry.example\n  colophon lint ./public --site-url https://harbor-ledger.example/\n" +
			"  colophon lint https://harbor-ledger.example/ --agents gptbot,ccbot --assert training=deny,search_indexing=allow\n" +
			"  colophon lint https://harbor-ledger.example/ --json > before.json; colophon lint https://harbor-ledger.example/ --baseline before.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			return lintTarget(cmd.Context(), e, args[0], &l)
		},
	}
	l.look.AddFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&l.siteURL, "site-url", "https://site.example/", "address that a file or folder stands for")
	f.StringVar(&l.site, "site", "", "publisher in the registry whose own statements are compared")
	f.StringSliceVar(&l.agents, "agents", nil, "agents, by their names in robots.txt, that get verdicts of their own")
	f.StringSliceVar(&l.asserted, "assert", nil, "USE=allow|deny|ask|unknown: the verdict that a use must have")
	f.StringVar(&l.baseline, "baseline", "", "earlier output of --json to compare the verdicts with")
	f.BoolVar(&l.strict, "strict", false, "fail when there is any finding")
	return cmd
}

type linter struct {
	siteURL string
	site    string // id of a publisher, "" = none
	look    cli.LookFlags
	strict  bool

	agents   []string
	asserted []string // of --assert
	baseline string   // file, "" = none
}

func lintTarget(ctx context.Context, e *cli.Env, target string, l *linter) error {
	wanted, err := l.readExpectations()
	if err != nil {
		return err
	}
	seen, resource, err := collectDocuments(ctx, e, target, l)
	if err != nil {
		return err
	}
	if len(seen) == 0 {
		return fmt.Errorf("%q holds no document that states rights: robots.txt, RSL, tdmrep.json, ai.txt, trust.txt, HTML or header fields; name a file or an address that does", target)
	}
	site, err := registeredSite(ctx, e, l.site)
	if err != nil {
		return err
	}
	r, err := observed.Lint(seen, site, resource, exports.Instant(time.Now()), l.agents...)
	if err != nil {
		return err
	}
	r.Compare(wanted)
	if err := e.PrintResult(r.Result(), r.Print); err != nil {
		return err
	}
	if n := len(r.Differences); n > 0 {
		return fmt.Errorf("%d verdicts on %q differ from --assert or --baseline", n, target)
	}
	if n := r.Findings(); l.strict && n > 0 {
		return fmt.Errorf("%d findings in %q, which --strict does not allow", n, target)
	}
	return nil
}

// registeredSite returns what the registry holds about a publisher, nil if none
// is named.
func registeredSite(ctx context.Context, e *cli.Env, siteID string) (site *rights.SiteSnapshot, err error) {
	if siteID == "" {
		return nil, nil
	}
	err = e.WithStore(ctx, func(store *originsql.Store) error {
		held, err := cli.SiteNoun.Get(ctx, store, siteID)
		if err != nil {
			return err
		}
		facts, err := snapshot.ReadSite(ctx, store, held)
		site = &facts
		return err
	})
	return site, err
}

// collectDocuments collects the documents of a target and the resource to judge.
func collectDocuments(ctx context.Context, e *cli.Env, target string, l *linter) ([]origin.Observation, string, error) {
	if published.IsAddress(target) {
		return lookAtWeb(ctx, e, target, l)
	}
	site, err := registrydir.CheckBaseURL(strings.TrimSuffix(l.siteURL, "/"))
	if err != nil {
		return nil, "", err
	}
	return observed.ReadLocal(target, site, exports.Instant(time.Now()))
}

func lookAtWeb(ctx context.Context, e *cli.Env, target string, l *linter) ([]origin.Observation, string, error) {
	s, _ := e.ReadSettings() // without a registry nothing is taken from it
	if err := l.look.Read(s); err != nil {
		return nil, "", err
	}
	p, err := intake.NewProver(l.look.Opt)
	if err != nil {
		return nil, "", cli.IntakeError(err)
	}
	defer p.Close()
	seen, err := p.Look(ctx, target)
	return seen, target, cli.IntakeError(err)
}
