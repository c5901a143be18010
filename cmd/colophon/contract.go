package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// effect is what a command does to the world besides answering.
type effect int

const (
	reads          effect = iota + 1 // nothing
	serves                           // it answers others until it is ended, and has no --dry-run
	writesFiles                      // it writes files that are no part of the registry's truth, and observes --dry-run itself
	publishes                        // it writes the registry and observes --dry-run itself; it is recorded
	writesRegistry                   // it writes the registry; with --dry-run it gets a copy; it is recorded
)

// contract names the effect of every command, by its words. A new command gets
// a line here. The registry is the store, the keys and the settings in --dir;
// what writes it leaves a record in the audit trail.
var contract = map[string]effect{
	"answer list":              reads,
	"answer remove":            writesRegistry,
	"answer set":               writesRegistry,
	"apply":                    publishes,
	"audit":                    reads,
	"backup list":              reads,
	"backup":                   writesFiles,
	"build":                    writesRegistry,
	"buyer add":                writesRegistry,
	"buyer credential issue":   writesRegistry,
	"buyer credential resume":  writesRegistry,
	"buyer credential revoke":  writesRegistry,
	"buyer credential suspend": writesRegistry,
	"buyer list":               reads,
	"buyer resume":             writesRegistry,
	"buyer suspend":            writesRegistry,
	"completion bash":          reads,
	"completion fish":          reads,
	"completion powershell":    reads,
	"completion zsh":           reads,
	"config check":             reads,
	"config":                   reads,
	"corpus":                   writesRegistry,
	"demand add":               writesRegistry,
	"demand approve":           writesRegistry,
	"demand close":             writesRegistry,
	"demand list":              reads,
	"demo":                     writesFiles,
	"deploy":                   writesFiles,
	"doctor":                   writesFiles,
	"entry list":               reads,
	"entry restore":            writesRegistry,
	"entry show":               reads,
	"entry withdraw":           writesRegistry,
	"export":                   writesFiles,
	"grant add":                writesRegistry,
	"grant join":               writesRegistry,
	"grant leave":              writesRegistry,
	"grant list":               reads,
	"grant resume":             writesRegistry,
	"grant revoke":             writesRegistry,
	"grant show":               reads,
	"grant suspend":            writesRegistry,
	"group inbox-link":         writesRegistry,
	"group join":               writesRegistry,
	"group leave":              writesRegistry,
	"group list":               reads,
	"group set":                writesRegistry,
	"group show":               reads,
	"guard":                    serves,
	"help":                     reads,
	"import":                   writesRegistry,
	"init":                     publishes,
	"inquiry hold":             writesRegistry,
	"inquiry list":             reads,
	"inquiry move":             writesRegistry,
	"inquiry reject":           writesRegistry,
	"inquiry release":          writesRegistry,
	"inquiry reply":            writesRegistry,
	"inquiry show":             reads,
	"inquiry tick":             writesRegistry,
	"join approve":             writesRegistry,
	"join check":               writesRegistry,
	"join decline":             writesRegistry,
	"join list":                reads,
	"join show":                reads,
	"key generate":             writesRegistry,
	"key list":                 reads,
	"key revoke":               writesRegistry,
	"key rotate":               writesRegistry,
	"ledger verify":            writesFiles,
	"letter list":              reads,
	"letter retry":             writesRegistry,
	"lint":                     reads,
	"manual":                   writesFiles,
	"mirror":                   writesFiles,
	"offer add":                writesRegistry,
	"offer list":               reads,
	"offer pause":              writesRegistry,
	"offer set":                writesRegistry,
	"offer show":               reads,
	"offer withdraw":           writesRegistry,
	"origin copy":              writesFiles,
	"origin dump":              writesFiles,
	"partner add":              writesRegistry,
	"partner key issue":        writesRegistry,
	"partner key resume":       writesRegistry,
	"partner key revoke":       writesRegistry,
	"partner key suspend":      writesRegistry,
	"partner list":             reads,
	"partner resume":           writesRegistry,
	"partner suspend":          writesRegistry,
	"person erase":             publishes,
	"person export":            reads,
	"publish":                  writesFiles,
	"publisher add":            writesRegistry,
	"publisher approve":        writesRegistry,
	"publisher close":          writesRegistry,
	"publisher inbox-link":     writesRegistry,
	"publisher list":           reads,
	"publisher move":           writesRegistry,
	"publisher pack":           writesFiles,
	"publisher reopen":         writesRegistry,
	"publisher set":            writesRegistry,
	"publisher show":           reads,
	"publisher suspend":        writesRegistry,
	"pull":                     writesFiles,
	"readiness check":          writesRegistry,
	"refresh":                  writesRegistry,
	"restore":                  writesFiles,
	"review accept":            writesRegistry,
	"review list":              reads,
	"review reject":            writesRegistry,
	"review show":              reads,
	"screen":                   writesFiles,
	"serve":                    serves,
	"status":                   reads,
	"template activate":        writesRegistry,
	"template diff":            reads,
	"template learn":           writesRegistry,
	"template list":            reads,
	"template set":             writesRegistry,
	"template show":            reads,
	"verify":                   reads,
	"verify-edge":              reads,
	"version":                  reads,
	"webhook add":              writesRegistry,
	"webhook list":             reads,
	"webhook pause":            writesRegistry,
	"webhook resume":           writesRegistry,
	"webhook retry":            writesRegistry,
	"webhook send":             writesRegistry,
}

// commandPath is the path of a command without the name of the program.
func commandPath(cmd *cobra.Command) string {
	_, rest, _ := strings.Cut(cmd.CommandPath(), " ")
	return rest
}

// applyContract makes every command keep the contract of the command line:
// unknown words are mistakes, and what writes has --dry-run and is recorded.
func applyContract(e *env, root *cobra.Command) {
	addHelpAndCompletion(root)
	walkCommands(root, func(cmd *cobra.Command) {
		wrapEffect(e, cmd, contract[commandPath(cmd)])
		completeArguments(e, cmd)
		if cmd.HasSubCommands() {
			refuseUnknown(cmd)
			return
		}
		if cmd.Example == "" {
			cmd.Example = exampleOf(cmd)
		}
	})
}

// wrapEffect gives a command what its effect asks for.
func wrapEffect(e *env, cmd *cobra.Command, what effect) {
	run := cmd.RunE
	switch what {
	case writesFiles:
		addDryRun(e, cmd)
	case publishes:
		addDryRun(e, cmd)
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if e.DryRun {
				return run(cmd, args)
			}
			return e.runRecorded(cmd, args, run)
		}
	case writesRegistry:
		addDryRun(e, cmd)
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if e.DryRun {
				return e.runDry(cmd, args, run)
			}
			return e.runRecorded(cmd, args, run)
		}
	}
}

// addHelpAndCompletion adds the commands that cobra brings, which keep the
// contract as well.
func addHelpAndCompletion(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	walkCommands(root, func(cmd *cobra.Command) {
		name := commandPath(cmd)
		if shell, ok := strings.CutPrefix(name, "completion "); ok {
			cmd.Example = "  colophon completion " + shell
		}
		if name == "help" {
			cmd.Example = "  colophon help grant add"
			cmd.Run = nil
			cmd.RunE = func(cmd *cobra.Command, args []string) error { return showHelp(cmd.Root(), args) }
		}
	})
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

func walkCommands(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, c := range cmd.Commands() {
		walkCommands(c, visit)
	}
}

// refuseUnknown lets a group refuse a word that it does not know. Called
// without a word it shows its help, unless it is a command as well.
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

// sampleArguments stand for the arguments of commands in examples.
var sampleArguments = map[string]string{
	"BUYER_ID":      "buy_01J9ZQ3M8V",
	"CREDENTIAL_ID": "crd_01J9ZQ3M8V",
	"GRANT_ID":      "grt_01J9ZQ3M8V",
	"GROUP_ID":      "pub_tideway-press",
	"KEY_ID":        "key_01J9ZQ3M8V",
	"ORG_ID":        "org_01J9ZQ3M8V",
	"REQUEST_ID":    "req_01J9ZQ3M8V",
	"SITE_ID":       "harbor-ledger",
	"WEBHOOK_ID":    "whk_01J9ZQ3M8V",
}

// exampleOf is the example of a command that needs its arguments only, ""
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

// addDryRun gives a command --dry-run, unless it brings its own.
func addDryRun(e *env, cmd *cobra.Command) {
	if cmd.Flags().Lookup("dry-run") == nil {
		cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "do everything on a copy and only tell")
	}
}

// runRecorded runs a command that changes the registry as an act of the audit
// trail.
func (e *env) runRecorded(cmd *cobra.Command, args []string, run func(*cobra.Command, []string) error) error {
	act, err := e.NewAct(commandPath(cmd))
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
	if err := e.recordAct(cmd.Context(), act, targetOf(cmd, args)); err != nil {
		return originsql.NotRecorded(err)
	}
	return nil
}

// targetOf is what a command is about: arguments that are ids, and --site.
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
func (e *env) recordAct(ctx context.Context, act *origin.Act, target string) error {
	store, done, err := e.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	return store.RecordAct(ctx, act, target)
}

// runDry runs a command on a copy of the registry, which is thrown away.
func (e *env) runDry(cmd *cobra.Command, args []string, run func(*cobra.Command, []string) error) error {
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
