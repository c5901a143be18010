package notices

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/notify"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/usage"
)

// LetterCommand manages e-mails that could not be delivered.
func LetterCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "letter", Short: "Manage e-mails that could not be delivered",
		Long: "E-mails go to publishers and operators who get notifications, and to those who sent inquiries. One that no mail server\n" +
			"accepts within five days, or whose address does not exist, is kept as undelivered.",
	}
	cmd.AddCommand(letterList(e), letterRetry(e))
	return cmd
}

func letterList(e *cli.Env) *cobra.Command {
	var all bool
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List undelivered e-mails, newest first", Args: cli.ExactArgs(),
		Long: "List undelivered e-mails to publishers, operators and those who asked, with the reason that the mail server\n" +
			"gave. Addresses and texts are not shown. \"colophon letter retry\" sends them again.",
		Example: "  colophon letter list\n  colophon letter list --all --limit 20",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usage.Errorf("--limit is %d, not at least 1", limit)
			}
			filter := origin.EventFilter{State: origin.EventFailed, Limit: limit}
			if all {
				filter.State = ""
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				list, err := notify.ListLetters(cmd.Context(), store, filter)
				if err != nil {
					return err
				}
				return e.PrintResult(list, func(w io.Writer) { printLetters(w, list) })
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "letters that wait, and that were sent, too")
	cmd.Flags().IntVar(&limit, "limit", 50, "letters at most")
	return cmd
}

var letterTable = noun.Table{Line: "{event_id}  {at}  to the {to:9}  {state:9}  {kind}  {request_id}  attempts {attempts}  {last_error}"}

func printLetters(w io.Writer, l *notify.LetterListing) {
	letterTable.Print(w, noun.RowsOf(l.Letters)...)
	if l.Cut {
		fmt.Fprintln(w, "there are more: --limit")
	}
}

func letterRetry(e *cli.Env) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "retry [EVENT_ID]", Short: "Send undelivered e-mails again: those of one event, or all",
		Long: "Queue undelivered e-mails again. \"colophon serve\", the cron trigger of the worker and \"colophon webhook send\"\n" +
			"send them. Whoever asked and wants no e-mails gets none.",
		Example: "  colophon letter retry evt_01J9ZQ3M8V_s2\n  colophon letter retry --all",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || all == (len(args) == 1) {
				return usage.Errorf("name an EVENT_ID or --all; \"colophon letter list\" shows what was not delivered")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			eventID := strings.Join(args, "")
			if !all && eventID == "" {
				return usage.Errorf("name an EVENT_ID or --all; \"colophon letter list\" shows what was not delivered")
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				toReceivers, toAskers, err := store.RetryLetters(cmd.Context(), eventID, cli.Now())
				if err != nil {
					return err
				}
				if toReceivers+toAskers == 0 && !all {
					return fmt.Errorf("no letter of %q is undelivered, or its recipient wants none; \"colophon letter list\" shows them", eventID)
				}
				answer := map[string]int64{"waiting": toReceivers + toAskers, "to_receivers": toReceivers, "to_askers": toAskers}
				return e.PrintResult(answer, func(w io.Writer) {
					fmt.Fprintf(w, "%d letters wait again: %d to publishers and operators, %d to those who asked\n", toReceivers+toAskers, toReceivers, toAskers)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all that were given up")
	return cmd
}
