package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"colophon/internal/registrydir"

	"colophon/internal/usage"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// env is what every command works with.
type env struct {
	registrydir.Dir // the registry that it is about

	json  bool // one JSON object on stdout, for machines
	quiet bool
	sign  bool     // a server signs receipts
	next  []string // steps to tell after the result

	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

// runProgram is the whole program: it returns the exit code.
func runProgram(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr, Dir: registrydir.Dir{Getenv: getenv}}
	e.Note, e.Warn = e.printNote, e.printWarning
	root := rootCommand(e)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		e.printNotes(e.next)
		return exitOK
	}
	e.DistrustStore(err)
	err = e.ExplainStorage(err)
	e.json = e.json || asksForJSON(args) // a wrong flag ends the reading of flags
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
	if e.json {
		e.encodeJSON(e.stderr, map[string]any{"error": map[string]string{"message": text}})
		return
	}
	fmt.Fprintln(e.stderr, "error: "+text)
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
	root.PersistentFlags().BoolVar(&e.json, "json", false, "one JSON object on stdout, for machines")
	root.PersistentFlags().BoolVarP(&e.quiet, "quiet", "q", false, "no progress")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return e.ChooseOrigin() }
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage.Wrap(err) })
	root.SetVersionTemplate(readVersion().text())
	root.AddCommand(
		initCommand(e), publisherCommand(e), refreshCommand(e), importCommand(e), templateCommand(e), reviewCommand(e), lintCommand(e), groupCommand(e), guardCommand(e), verifyEdgeCommand(e), buildCommand(e), publishCommand(e), deployCommand(e), verifyCommand(e), serveCommand(e),
		demoCommand(e), keyCommand(e), inquiryCommand(e), partnerCommand(e), webhookCommand(e), letterCommand(e), answerCommand(e), corpusCommand(e), originCommand(e),
		ledgerCommand(e), buyerCommand(e), grantCommand(e), pullCommand(e), screenCommand(e), mirrorCommand(e),
		backupCommand(e), restoreCommand(e), personCommand(e), doctorCommand(e),
		auditCommand(e), statusCommand(e), manualCommand(e), applyCommand(e), exportCommand(e),
		offerCommand(e), demandCommand(e), entryCommand(e), joinCommand(e), readinessCommand(e), versionCommand(e), configCommand(e),
	)
	applyContract(e, root)
	return root
}

// exactArgs asks for n arguments, named in the error.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		takes := "no arguments"
		if len(names) > 0 {
			takes = strings.Join(names, " ")
		}
		return usage.Errorf("%q takes %s; see \"%s --help\"", cmd.CommandPath(), takes, cmd.CommandPath())
	}
}

// printResult writes a result: data as JSON with --json, else the lines that words
// writes.
func (e *env) printResult(data any, words func(w io.Writer)) error {
	if e.json {
		result := map[string]any{"data": data}
		if e.DryRun {
			result["dry_run"] = true
		}
		return e.encodeJSON(e.stdout, result)
	}
	words(e.stdout)
	return nil
}

func (e *env) encodeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// printNotes writes each of several lines as printNote does.
func (e *env) printNotes(notes []string) {
	for _, n := range notes {
		e.printNote("%s", n)
	}
}

// printNext notes the next step, which is told after the result. After a dry run
// there is none: nothing was done that it could follow.
func (e *env) printNext(format string, args ...any) {
	if !e.DryRun {
		e.next = append(e.next, "next: "+fmt.Sprintf(format, args...))
	}
}

// printNote writes a line for people about what happens on the way.
func (e *env) printNote(format string, args ...any) {
	if !e.quiet && !e.json {
		fmt.Fprintf(e.stderr, format+"\n", args...)
	}
}

// printWarning writes a line about trouble, also with --quiet.
func (e *env) printWarning(format string, args ...any) {
	fmt.Fprintf(e.stderr, "warning: "+format+"\n", args...)
}

// onTerminal reports whether progress can be drawn in place.
func (e *env) onTerminal() bool {
	f, ok := e.stderr.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && e.Getenv("TERM") != "dumb" && e.Getenv("CI") == ""
}

// jsonIndent is JSON for people to read.
func jsonIndent(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}
