// Package lint implements the command that checks what a site's channels say.
package lint

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/intake"
	"colophon/internal/observed"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/prose"
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
	differences := r.Differences(wanted)
	if err := e.PrintResult(lintRow(&r, differences), func(w io.Writer) { printLint(w, &r, differences) }); err != nil {
		return err
	}
	if n := len(differences); n > 0 {
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
		site = &rights.SiteSnapshot{Site: held}
		if site.Preferences, err = store.Preferences(ctx, siteID); err != nil {
			return err
		}
		if site.Offers, err = store.OffersOf(ctx, siteID); err != nil {
			return err
		}
		site.Signals, err = store.Signals(ctx, siteID)
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
	seen, err := intake.Look(ctx, target, l.look.Opt)
	return seen, target, cli.IntakeError(err)
}

func lintRow(r *observed.Report, differences []observed.Difference) map[string]any {
	docs := []any{}
	stated := []any{}
	verdicts := []any{}
	for i := range r.Documents {
		d := &r.Documents[i]
		warnings := []any{}
		for _, w := range d.Details {
			warnings = append(warnings, map[string]string{"code": w.Code, "where": w.Locator, "detail": w.Detail})
		}
		docs = append(docs, map[string]any{"channel": d.Channel, "url": d.URL, "state": d.State, "reading": d.Reading, "statements": d.Statements, "warnings": warnings})
	}
	for _, s := range r.Stated {
		stated = append(stated, map[string]any{"channel": s.Channel, "agent": s.Agent, "use": s.Use, "effect": s.Effect, "statement": s.Statement, "where": s.Where, "origin": cmp.Or(s.Origin, "publisher")})
	}
	for _, v := range r.Verdicts {
		verdicts = append(verdicts, map[string]any{"use": v.Use, "verdict": v.Verdict, "reason": v.Reason, "depends_on": v.DependsOn, "obligations": v.Obligations, "retention": v.Retention})
	}
	return map[string]any{
		"resource": r.Resource, "rights_vector": r.Vector, "documents": docs, "says": stated, "agents": r.Agents, "verdicts": verdicts, "contradictions": cli.PublishedRows(r.Conflicts), "statements": cli.PublishedRows(r.Doubts),
		"by_agent": agentRows(r.ByAgent), "known_agents": knownRows(r.Known), "agent_warnings": warningRows(r.Warnings), "differences": append([]observed.Difference{}, differences...), "assumed": r.Assumed, "findings": r.Findings(), "grants_rights": false,
	}
}

func printLint(w io.Writer, r *observed.Report, differences []observed.Difference) {
	fmt.Fprintf(w, "%s\n\ndocuments\n", r.Resource)
	for i := range r.Documents {
		d := &r.Documents[i]
		fmt.Fprintf(w, "  %-15s %-11s %-8s %3d statement(s)  %s\n", d.Channel, d.State, d.Reading, d.Statements, d.URL)
		for _, x := range d.Details {
			fmt.Fprintf(w, "    warning %s %s %s\n", x.Code, x.Locator, x.Detail)
		}
	}
	fmt.Fprintln(w, "\nsaid")
	for _, s := range r.Stated {
		to := ""
		if s.Agent != "" {
			to = " to " + s.Agent
		}
		if s.Origin != "" {
			to += " by the " + strings.ToUpper(s.Origin)
		}
		fmt.Fprintf(w, "  %-16s %-9s %s%s: %s\n", s.Use, s.Effect, s.Channel, to, s.Statement)
	}
	fmt.Fprintln(w, "\ncontradictions")
	for _, c := range r.Conflicts {
		var sides []string
		for i := range c.Between {
			sides = append(sides, c.Between[i]+" says "+c.Values[i])
		}
		fmt.Fprintf(w, "  %-16s %s; taken: %s\n", c.Use, strings.Join(sides, ", "), c.Taken)
	}
	for _, d := range r.Doubts {
		fmt.Fprintf(w, "  %-16s the statement in the registry is %s\n", d.Use, d.Confirmation)
	}
	fmt.Fprintln(w, "\nassumed")
	for _, a := range r.Assumed {
		fmt.Fprintf(w, "  %s\n", a)
	}
	fmt.Fprintf(w, "\nverdicts %s (nothing here grants rights)\n", r.Vector)
	for _, v := range r.Verdicts {
		fmt.Fprintf(w, "  %-16s %-16s %s; copies: %s\n", v.Use, v.Verdict, v.Reason, prose.RetentionWords(v.Retention))
	}
	if len(r.ByAgent) > 0 {
		printAgents(w, r)
	}
	printKnown(w, r)
	if len(differences) > 0 {
		fmt.Fprintln(w, "\ndifferences")
		for _, d := range differences {
			fmt.Fprintf(w, "  %s\n", d)
		}
	}
	fmt.Fprintf(w, "\n%d finding(s)\n", r.Findings())
}
