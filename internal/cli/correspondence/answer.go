package correspondence

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/prose"
	"colophon/internal/usage"
	"colophon/worker/inbox"
)

// Limits of a publisher's reply templates.
const (
	maxAnswers     = 20
	maxAnswerLabel = 60
)

var answerName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// AnswerCommand manages templates of replies.
func AnswerCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "answer", Short: "Manage reply templates",
		Long: "A publisher's inbox offers these templates beside the built-in ones. {buyer} and {publisher} stand for the names of the\n" +
			"two sides. Only the publisher sees a text before it is sent.",
	}
	cmd.AddCommand(answerList(e), answerSet(e), answerRemove(e))
	return cmd
}

func answerList(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "list SITE_ID", Short: "List a publisher's reply templates", Args: cli.ExactArgs("SITE_ID"),
		Example: "  colophon answer list harbor-ledger",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			if _, err := cli.SiteNoun.Get(cmd.Context(), store, args[0]); err != nil {
				return err
			}
			list, err := store.AnswersOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return e.PrintResult(map[string]any{"answers": append([]origin.Answer{}, list...)}, func(w io.Writer) {
				for _, a := range list {
					fmt.Fprintf(w, "%-20s  %-16s  %s\n", a.Name, a.Act, a.Label)
				}
			})
		}),
	}
}

func answerSet(e *cli.Env) *cobra.Command {
	a := origin.Answer{}
	var file string
	cmd := &cobra.Command{
		Use: "set SITE_ID NAME", Short: "Add or replace a reply template", Args: cli.ExactArgs("SITE_ID", "NAME"),
		Example: "  colophon answer set harbor-ledger volume --act question --label \"How much\" --body \"Dear {buyer}, how many pages a month?\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Name = args[1]
			var err error
			if a.Text, err = readText(e, a.Text, file); err != nil {
				return err
			}
			a.Text = strings.TrimSpace(a.Text)
			if err := checkAnswerText(a); err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				if _, err := cli.SiteNoun.Get(cmd.Context(), store, args[0]); err != nil {
					return err
				}
				list, err := store.AnswersOf(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if len(list) >= maxAnswers && !hasAnswer(list, a.Name) {
					return fmt.Errorf("%s has %d texts already; \"colophon answer remove %s NAME\" makes room", args[0], maxAnswers, args[0])
				}
				if err := store.PutAnswer(cmd.Context(), args[0], a, cli.Now()); err != nil {
					return err
				}
				return e.PrintResult(map[string]string{"site_id": args[0], "name": a.Name}, func(w io.Writer) { fmt.Fprintln(w, args[0], a.Name) })
			})
		},
	}
	cmd.Flags().StringVar(&a.Act, "act", string(inquiry.Text), "form in which the inbox offers it: text, question or indicative_terms")
	cmd.Flags().StringVar(&a.Label, "label", "", "text of its link")
	cmd.Flags().StringVar(&a.Text, "body", "", "the text")
	cmd.Flags().StringVar(&file, "body-file", "", "file with the text; \"-\" is the standard input")
	return cmd
}

func hasAnswer(list []origin.Answer, name string) bool {
	return slices.ContainsFunc(list, func(a origin.Answer) bool { return a.Name == name })
}

// checkAnswerText refuses a text that the form of the inbox would refuse.
func checkAnswerText(a origin.Answer) error {
	most := 4000
	switch inquiry.Act(a.Act) {
	case inquiry.Text, inquiry.Question:
	case inquiry.IndicativeTerms:
		most = 2000
	default:
		return usage.Errorf("--act is %q, none of text, question and indicative_terms", a.Act)
	}
	switch n := utf8.RuneCountInString(a.Text); {
	case !answerName.MatchString(a.Name):
		return usage.Errorf("NAME is %q: up to 40 lower-case letters, digits and hyphens", a.Name)
	case inbox.IsBuiltInAnswer(a.Name):
		return usage.Errorf("%q is the name of a built-in template: choose another", a.Name)
	case a.Label == "" || utf8.RuneCountInString(a.Label) > maxAnswerLabel || prose.Clean(a.Label, maxAnswerLabel) != a.Label || strings.Contains(a.Label, "|"):
		return usage.Errorf("--label is needed: one line of at most %d characters, without \"|\"", maxAnswerLabel)
	case !utf8.ValidString(a.Text) || n == 0 || n > most:
		return usage.Errorf("the text has %d characters, not 1 to %d", n, most)
	}
	return nil
}

func answerRemove(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "remove SITE_ID NAME", Short: "Remove a reply template", Args: cli.ExactArgs("SITE_ID", "NAME"),
		Example: "  colophon answer remove harbor-ledger volume",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			list, err := store.AnswersOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if !hasAnswer(list, args[1]) {
				return fmt.Errorf("%s has no text %q; \"colophon answer list %s\" shows them", args[0], args[1], args[0])
			}
			if err := store.PutAnswer(cmd.Context(), args[0], origin.Answer{Name: args[1]}, cli.Now()); err != nil {
				return err
			}
			return e.PrintResult(map[string]string{"site_id": args[0], "removed": args[1]}, func(w io.Writer) { fmt.Fprintln(w, args[0], args[1], "removed") })
		}),
	}
}
