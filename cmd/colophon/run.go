package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/audit"
	"colophon/internal/cli/backups"
	"colophon/internal/cli/building"
	"colophon/internal/cli/config"
	"colophon/internal/cli/contract"
	"colophon/internal/cli/correspondence"
	"colophon/internal/cli/deploy"
	"colophon/internal/cli/doctor"
	"colophon/internal/cli/guard"
	"colophon/internal/cli/importing"
	"colophon/internal/cli/keys"
	"colophon/internal/cli/lint"
	"colophon/internal/cli/manual"
	"colophon/internal/cli/mirroring"
	"colophon/internal/cli/notices"
	"colophon/internal/cli/persons"
	"colophon/internal/cli/publishers"
	"colophon/internal/cli/publishing"
	"colophon/internal/cli/records"
	"colophon/internal/cli/screening"
	"colophon/internal/cli/serving"
	"colophon/internal/cli/starting"
	"colophon/internal/cli/status"
	"colophon/internal/cli/storage"
	"colophon/internal/cli/verifying"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// runProgram runs the program and returns its exit code.
func runProgram(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	e := &cli.Env{Stdin: stdin, Stdout: stdout, Stderr: stderr, Dir: registrydir.Dir{Getenv: getenv}}
	e.Note, e.Warn = e.PrintNote, e.PrintWarning
	root := rootCommand(e)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		e.PrintNotes(e.Next)
		return exitOK
	}
	e.DistrustStore(err)
	err = e.ExplainStorage(err)
	e.JSON = e.JSON || asksForJSON(args) // a wrong flag ends the parsing of flags
	printError(e, err)
	var bad *usage.Error
	if errors.As(err, &bad) || isCobraUsage(err) {
		return exitUsage
	}
	return exitFailed
}

// asksForJSON reports whether --json is among the arguments.
func asksForJSON(args []string) bool {
	for _, a := range args {
		switch a {
		case "--":
			return false
		case "--json", "--json=true":
			return true
		}
	}
	return false
}

// isCobraUsage reports whether an error is cobra's own complaint about a call.
func isCobraUsage(err error) bool {
	text := err.Error()
	for _, p := range []string{"unknown command", "unknown flag", "unknown shorthand", "accepts ", "requires ", "required flag", "invalid argument", "flag needs", "if any flags"} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// printError writes an error as one line, or as one JSON object.
func printError(e *cli.Env, err error) {
	text := strings.ReplaceAll(err.Error(), "\n", " ")
	if e.JSON {
		e.EncodeJSON(e.Stderr, map[string]any{"error": map[string]string{"message": text}})
		return
	}
	fmt.Fprintln(e.Stderr, "error: "+text)
}

func rootCommand(e *cli.Env) *cobra.Command {
	root := &cobra.Command{
		Use:           "colophon",
		Short:         "Publisher discovery, licensing inquiry, provenance and AI rights map",
		Long:          "Colophon publishes who is behind web pages, what they state about AI uses and how to ask for a licence.\nNothing it publishes or answers grants rights.",
		Version:       manual.ReadVersion().Program,
		SilenceUsage:  true,
		SilenceErrors: true,
		Example:       "  colophon demo --addr 127.0.0.1:8787\n  colophon init --dir my-registry --base-url https://registry.example",
	}
	dir := e.Getenv("COLOPHON_DIR")
	if dir == "" {
		dir = "."
	}
	root.PersistentFlags().StringVar(&e.Path, "dir", dir, "folder of the origin, its keys and its settings ($COLOPHON_DIR)")
	root.PersistentFlags().StringVar(&e.Origin, "origin", e.Getenv("COLOPHON_ORIGIN"), "use the origin in this database: postgres://user@host/database, or d1:ACCOUNT_ID/DATABASE_ID with $CLOUDFLARE_API_TOKEN; without it, the one in --dir ($COLOPHON_ORIGIN, or the setting \"origin\")")
	root.PersistentFlags().BoolVar(&e.JSON, "json", false, "one JSON object on stdout, for machines")
	root.PersistentFlags().BoolVarP(&e.Quiet, "quiet", "q", false, "no progress")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return e.ChooseOrigin() }
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage.Wrap(err) })
	root.SetVersionTemplate(manual.ReadVersion().Text())
	root.AddCommand(
		starting.InitCommand(e), publishers.Command(e), publishers.RefreshCommand(e), publishers.WatchCommand(e), importing.Command(e), importing.TemplateCommand(e), importing.ReviewCommand(e), lint.Command(e), records.GroupCommand(e), guard.Command(e), guard.VerifyCommand(e), building.Command(e), publishing.Command(e), deploy.Command(e), verifying.Command(e), serving.Command(e),
		starting.DemoCommand(e), keys.Command(e), correspondence.InquiryCommand(e), records.PartnerCommand(e), notices.WebhookCommand(e), notices.LetterCommand(e), correspondence.AnswerCommand(e), starting.CorpusCommand(e), storage.Command(e),
		verifying.LedgerCommand(e), records.BuyerCommand(e), records.GrantCommand(e), mirroring.PullCommand(e), screening.Command(e), mirroring.Command(e),
		backups.Command(e), backups.RestoreCommand(e), persons.Command(e), doctor.Command(e),
		audit.Command(e), status.Command(e), manual.Command(e), records.ApplyCommand(e), records.ExportCommand(e),
		records.OfferCommand(e), records.ReservationCommand(e), records.DemandCommand(e), records.EntryCommand(e), publishers.JoinCommand(e), publishers.ReadinessCommand(e), manual.VersionCommand(e), config.Command(e),
	)
	root.SetIn(e.Stdin)
	root.SetOut(e.Stdout)
	root.SetErr(e.Stderr)
	contract.Apply(e, root, effects, completions(e))
	return root
}

// completions returns the completion functions of arguments by name. They read
// the registry in the folder, unless it has another version or is elsewhere.
func completions(e *cli.Env) map[string]cobra.CompletionFunc {
	return map[string]cobra.CompletionFunc{
		cli.SiteNoun.Argument: records.CompleteNoun(e, &cli.SiteNoun), records.GroupNoun.Argument: records.CompleteNoun(e, &records.GroupNoun), records.DemandNoun.Argument: records.CompleteNoun(e, &records.DemandNoun), records.ReservationNoun.Argument: records.CompleteNoun(e, &records.ReservationNoun),
		records.GrantNoun.Argument: records.CompleteNoun(e, &records.GrantNoun), records.BuyerNoun.Argument: records.CompleteNoun(e, &records.BuyerNoun), records.PartnerNoun.Argument: records.CompleteNoun(e, &records.PartnerNoun),
		notices.WebhookNoun.Argument: records.CompleteNoun(e, &notices.WebhookNoun),
	}
}
