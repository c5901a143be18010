// Package audit implements the command that shows the audit trail.
package audit

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/usage"
)

// Row is a record of the audit trail as the command shows it.
type Row struct {
	Seq      int64           `json:"seq"`
	At       string          `json:"at"`
	ActID    string          `json:"act_id"`
	Actor    string          `json:"actor"`
	Role     string          `json:"role"`
	Action   string          `json:"action"`
	Kind     string          `json:"kind"`
	TargetID string          `json:"target_id"`
	Before   json.RawMessage `json:"before,omitempty"`
	After    json.RawMessage `json:"after,omitempty"`
}

// List is what "audit" answers.
type List struct {
	Records    []Row `json:"records"`
	NextBefore int64 `json:"next_before,omitempty"` // for --before, when the list was cut
}

// Command shows what operators and publishers did.
func Command(e *cli.Env) *cobra.Command {
	var f origin.AuditFilter
	cmd := &cobra.Command{
		Use: "audit", Short: "Show what operators and publishers did, newest first", Args: cli.ExactArgs(),
		Long: "Every command that changes the registry, and every act of a publisher in an inbox, leaves a record: who, what, when, and\n" +
			"the values before and after. Secrets and personal data are left out. Records are never changed or removed.\n" +
			"An operator is named by $COLOPHON_OPERATOR, or else by the user of the operating system.",
		Example: "  colophon audit --kind grants --target grt_01J9ZQ3M8V\n  colophon audit --action \"partner key\" --actor anna --since 2026-11-01T00:00:00Z --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.ToUTC("--since", &f.Since); err != nil {
				return err
			}
			if err := cli.ToUTC("--until", &f.Until); err != nil {
				return err
			}
			if f.Limit < 1 {
				return usage.Errorf("--limit is %d, not at least 1", f.Limit)
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				more := f
				more.Limit++ // one more shows that there are more
				records, err := store.AuditRecords(cmd.Context(), more)
				if err != nil {
					return err
				}
				list := newAuditList(records, f.Limit)
				return e.PrintResult(list, list.printTable)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Actor, "actor", "", "only acts of this operator or inbox link")
	flags.StringVar(&f.Action, "action", "", "only this command, or those of this group")
	flags.StringVar(&f.Kind, "kind", "", "only what concerns such things, for example grants, partner_keys, sites, requests")
	flags.StringVar(&f.TargetID, "target", "", "only what concerns the one with this id")
	flags.StringVar(&f.Since, "since", "", "only from this instant on")
	flags.StringVar(&f.Until, "until", "", "only before this instant")
	flags.Int64Var(&f.Before, "before", 0, "go on after a list that was cut: its next_before")
	flags.IntVar(&f.Limit, "limit", 50, "records at most")
	return cmd
}

func newAuditList(records []origin.AuditRecord, limit int) *List {
	list := &List{Records: []Row{}}
	for i, r := range records {
		if i == limit {
			list.NextBefore = records[i-1].Seq
			break
		}
		list.Records = append(list.Records, Row{
			r.Seq, r.At, r.ActID, r.Actor, r.Role, r.Action, r.Kind, r.TargetID, json.RawMessage(r.Before), json.RawMessage(r.After),
		})
	}
	return list
}

func (l *List) printTable(w io.Writer) {
	for _, r := range l.Records {
		fmt.Fprintf(w, "%6d  %s  %-9s  %s  %s  %s %s\n", r.Seq, r.At, r.Role, noun.OneLine(r.Actor), noun.OneLine(r.Action), r.Kind, noun.OneLine(r.TargetID))
		if len(r.Before) > 0 {
			fmt.Fprintf(w, "        before %s\n", noun.OneLine(string(r.Before)))
		}
		if len(r.After) > 0 {
			fmt.Fprintf(w, "        after  %s\n", noun.OneLine(string(r.After)))
		}
	}
	if l.NextBefore > 0 {
		fmt.Fprintf(w, "more: --before %d\n", l.NextBefore)
	}
}
