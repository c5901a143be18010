package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"colophon/internal/cli"
	"colophon/internal/cli/backups"
	"colophon/internal/cli/deploy"
	"colophon/internal/cli/doctor"
	"colophon/internal/cli/guard"
	"colophon/internal/cli/lint"
	"colophon/internal/cli/mirroring"
	"colophon/internal/cli/screening"
	"colophon/internal/registrydir"

	"colophon/internal/usage"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// env is what commands work with that stand here; others take cli.Env alone.
type env struct{ cli.Env }

// runProgram is the whole program: it returns the exit code.
func runProgram(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	e := &env{Env: cli.Env{Stdin: stdin, Stdout: stdout, Stderr: stderr, Dir: registrydir.Dir{Getenv: getenv}}}
	e.Note, e.Warn = e.PrintNote, e.PrintWarning
	root := rootCommand(e)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		e.PrintNotes(e.Next)
		return exitOK
	}
	e.DistrustStore(err)
	err = e.ExplainStorage(err)
	e.JSON = e.JSON || asksForJSON(args) // a wrong flag ends the reading of flags
	e.printError(err)
	var bad *usage.Error
	if errors.As(err, &bad) || isCobraUsage(err) {
		return exitUsage
	}
	return exitFailed
}

// asksForJSON tells whether --json is among the arguments.
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

// isCobraUsage tells cobra's own complaints about a call from failures.
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
func (e *env) printError(err error) {
	text := strings.ReplaceAll(err.Error(), "\n", " ")
	if e.JSON {
		e.EncodeJSON(e.Stderr, map[string]any{"error": map[string]string{"message": text}})
		return
	}
	fmt.Fprintln(e.Stderr, "error: "+text)
}

func rootCommand(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:           "colophon",
		Short:         "Publisher discovery, licensing inquiry, provenance and AI rights map",
		Long:          "Colophon publishes who is behind web pages, what they state about AI uses and how to ask for a licence.\nNothing it publishes or answers grants rights.",
		Version:       readVersion().Program,
		SilenceUsage:  true,
		SilenceErrors: true,
		Example:       "  colophon demo --addr 127.0.0.1:8787\n  colophon init --dir my-registry --base-url https://registry.example",
	}
	dir := e.Getenv("COLOPHON_DIR")
	if dir == "" {
		dir = "."
	}
	root.PersistentFlags().StringVar(&e.Path, "dir", dir, "folder of the origin, its keys and its settings ($COLOPHON_DIR)")
	root.PersistentFlags().StringVar(&e.Origin, "origin", e.Getenv("COLOPHON_ORIGIN"), "use the origin in this database: postgres://user@host/database or d1:…; without it, the one in --dir ($COLOPHON_ORIGIN, or the setting \"origin\")")
	root.PersistentFlags().StringVar(&e.D1, "d1", e.Getenv("COLOPHON_D1"), "use the origin in this D1 database: ACCOUNT_ID/DATABASE_ID or a URL, with $CLOUDFLARE_API_TOKEN ($COLOPHON_D1)")
	root.PersistentFlags().BoolVar(&e.JSON, "json", false, "one JSON object on stdout, for machines")
	root.PersistentFlags().BoolVarP(&e.Quiet, "quiet", "q", false, "no progress")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return e.ChooseOrigin() }
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage.Wrap(err) })
	root.SetVersionTemplate(readVersion().text())
	root.AddCommand(
		initCommand(e), publisherCommand(e), refreshCommand(e), importCommand(e), templateCommand(e), reviewCommand(e), lint.Command(&e.Env), groupCommand(e), guard.Command(&e.Env), guard.VerifyCommand(&e.Env), buildCommand(e), publishCommand(e), deploy.Command(&e.Env), verifyCommand(e), serveCommand(e),
		demoCommand(e), keyCommand(e), inquiryCommand(e), partnerCommand(e), webhookCommand(e), letterCommand(e), answerCommand(e), corpusCommand(e), originCommand(e),
		ledgerCommand(e), buyerCommand(e), grantCommand(e), mirroring.PullCommand(&e.Env), screening.Command(&e.Env), mirroring.Command(&e.Env),
		backups.Command(&e.Env), backups.RestoreCommand(&e.Env), personCommand(e), doctor.Command(&e.Env),
		auditCommand(e), statusCommand(e), manualCommand(e), applyCommand(e), exportCommand(e),
		offerCommand(e), demandCommand(e), entryCommand(e), joinCommand(e), readinessCommand(e), versionCommand(e), configCommand(e),
	)
	applyContract(e, root)
	return root
}
