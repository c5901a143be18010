// Package contract makes commands keep the contract of the command line:
// unknown words are errors, commands that write have a dry run and are
// recorded, and arguments are completed.
package contract

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// Effect is what a command changes.
type Effect int

const (
	Reads          Effect = iota + 1 // nothing
	Serves                           // it answers others until it is ended, and has no --dry-run
	WritesFiles                      // it writes files outside the registry, and observes --dry-run itself
	Publishes                        // it writes the registry and observes --dry-run itself; it is recorded
	WritesRegistry                   // it writes the registry; with --dry-run it gets a copy; it is recorded
)

// CommandPath returns the path of a command without the name of the program.
func CommandPath(cmd *cobra.Command) string {
	_, rest, _ := strings.Cut(cmd.CommandPath(), " ")
	return rest
}

// EffectOf returns the effect of a command. Without one in effects, which has
// them by the words of commands, it writes the registry: what is recorded and
// has a dry run on a copy is safe. A group that is not named has none.
func EffectOf(effects map[string]Effect, cmd *cobra.Command) Effect {
	what := effects[CommandPath(cmd)]
	if what == 0 && !cmd.HasSubCommands() {
		what = WritesRegistry
	}
	return what
}

// Apply makes every command keep the contract of the command line. effects
// holds the effects of commands, see EffectOf, complete the completion of
// arguments by their names.
func Apply(e *cli.Env, root *cobra.Command, effects map[string]Effect, complete map[string]cobra.CompletionFunc) {
	addHelp(root)
	WalkCommands(root, func(cmd *cobra.Command) {
		WrapEffect(e, cmd, EffectOf(effects, cmd))
		completeArguments(complete, cmd)
		if cmd.HasSubCommands() {
			refuseUnknown(cmd)
			return
		}
		if cmd.Example == "" {
			cmd.Example = exampleOf(cmd)
		}
	})
}

// WrapEffect adds to a command what its effect requires.
func WrapEffect(e *cli.Env, cmd *cobra.Command, what Effect) {
	run := cmd.RunE
	switch what {
	case WritesFiles:
		addDryRun(e, cmd)
	case Publishes:
		addDryRun(e, cmd)
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if e.DryRun {
				return run(cmd, args)
			}
			return runRecorded(e, cmd, args, run)
		}
	case WritesRegistry:
		addDryRun(e, cmd)
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if e.DryRun {
				return runDry(e, cmd, args, run)
			}
			return runRecorded(e, cmd, args, run)
		}
	}
}

// addHelp adds cobra's command for help, which keeps the contract too.
func addHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.CompletionOptions.DisableDefaultCmd = true // "manual" writes completions
	cmd, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // it was just added
	}
	cmd.Example = "  colophon help grant add"
	cmd.Run = nil
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return showHelp(cmd.Root(), args) }
}

// showHelp shows the help of the command that words lead to.
func showHelp(root *cobra.Command, words []string) error {
	cmd := root
	for _, word := range words {
		next, _, err := cmd.Find([]string{word})
		if err != nil || next == cmd {
			return unknownWord(cmd, word)
		}
		cmd = next
	}
	return cmd.Help()
}

// WalkCommands visits a command and all below it.
func WalkCommands(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, c := range cmd.Commands() {
		WalkCommands(c, visit)
	}
}

// refuseUnknown makes a group refuse an unknown word. Without a word it shows
// its help, unless it is also a command.
func refuseUnknown(cmd *cobra.Command) {
	run := cmd.RunE
	if run == nil {
		run = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		cmd.FParseErrWhitelist.UnknownFlags = cmd.HasParent() // the word is the first mistake
	}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownWord(cmd, args[0])
		}
		return run(cmd, args)
	}
}

// sampleArguments are the arguments of commands in examples.
var sampleArguments = map[string]string{
	"BUYER_ID":       "buy_01J9ZQ3M8V",
	"CREDENTIAL_ID":  "crd_01J9ZQ3M8V",
	"DEMAND_ID":      "tide-tables",
	"ENTRY":          "https://harbor-ledger.example/shipping/tide-tables-2026",
	"GRANT_ID":       "grt_01J9ZQ3M8V",
	"GROUP_ID":       "pub_tideway-press",
	"KEY_ID":         "key_01J9ZQ3M8V",
	"ORG_ID":         "org_01J9ZQ3M8V",
	"REQUEST_ID":     "req_01J9ZQ3M8V",
	"RESERVATION_ID": "rsv_pxl5mb5mmnydcmarwqhy7pr4sk",
	"SITE_ID":        "harbor-ledger",
	"SLUG":           "grounding",
	"WEBHOOK_ID":     "whk_01J9ZQ3M8V",
}

// exampleOf returns the example of a command that needs its arguments only, ""
// where one of them has no sample.
func exampleOf(cmd *cobra.Command) string {
	example := "  " + cmd.CommandPath()
	for _, argument := range strings.Fields(cmd.Use)[1:] {
		sample := sampleArguments[argument]
		if sample == "" {
			return ""
		}
		example += " " + sample
	}
	return example
}

// addDryRun adds --dry-run to a command, unless it has its own.
func addDryRun(e *cli.Env, cmd *cobra.Command) {
	if cmd.Flags().Lookup("dry-run") == nil {
		cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "do everything on a copy and only report")
	}
}

// runRecorded runs a command that changes the registry as an act of the audit
// trail.
func runRecorded(e *cli.Env, cmd *cobra.Command, args []string, run func(*cobra.Command, []string) error) error {
	act, err := e.NewAct(CommandPath(cmd))
	if err != nil {
		return err
	}
	cmd.SetContext(origin.WithAct(cmd.Context(), act))
	if err := run(cmd, args); err != nil {
		return err
	}
	if act.Recorded.Load() > 0 {
		return nil
	}
	if err := recordAct(cmd.Context(), e, act, targetOf(cmd, args)); err != nil {
		return originsql.NotRecorded(err)
	}
	return nil
}

// targetOf returns the target of a command: arguments that are ids, and --site.
// Others, such as names, addresses and e-mail addresses, do not belong in the
// audit trail, which is never erased.
func targetOf(cmd *cobra.Command, args []string) string {
	var ids []string
	for i, placeholder := range strings.Fields(cmd.Use)[1:] {
		if i < len(args) && strings.HasSuffix(placeholder, "_ID") {
			ids = append(ids, args[i])
		}
	}
	if site := cmd.Flags().Lookup("site"); site != nil && site.Value.Type() == "string" && site.Changed {
		ids = append(ids, site.Value.String())
	}
	return strings.Join(ids, " ")
}

// recordAct records a command that left no records of its own, such as a build.
func recordAct(ctx context.Context, e *cli.Env, act *origin.Act, target string) error {
	store, done, err := e.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	return store.RecordAct(ctx, act, target)
}

// runDry runs a command on a copy of the registry, which is thrown away.
func runDry(e *cli.Env, cmd *cobra.Command, args []string, run func(*cobra.Command, []string) error) error {
	copied, err := os.MkdirTemp("", "colophon-dry-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(copied)
	p := e.NewProgress()
	err = e.CopyRegistry(cmd.Context(), copied, p.ShowRows)
	p.Clear()
	if err != nil {
		return err
	}

	whole := e.Dir
	e.Path, e.CopyOf = copied, whole.Path
	e.Origin, e.D1 = "", "" // what they name is in the copy
	err = run(cmd, args)
	e.Dir = whole
	if err != nil {
		return err
	}
	e.PrintNote("dry run: nothing was changed")
	return nil
}
