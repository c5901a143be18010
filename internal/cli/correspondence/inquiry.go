// Package correspondence implements the commands for licensing inquiries and
// the templates of replies.
package correspondence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// InquiryCommand reads and answers inquiries.
func InquiryCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "inquiry", Short: "Read and answer licensing inquiries, for a publisher or as the operator"}
	cmd.AddCommand(
		inquiryList(e), inquiryShow(e), inquiryReply(e), inquiryMove(e),
		inquiryDecide(e, "hold", inquiry.Hold, "Hold a received inquiry for review"), inquiryDecide(e, "release", inquiry.Release, "Deliver a held inquiry"),
		inquiryDecide(e, "reject", inquiry.Reject, "End a held inquiry as abuse"), inquiryMaintain(e),
	)
	return cmd
}

var inquiryTable = noun.Table{Line: "{request_id}  {created_at}  {state:15}  {site_id:20}  {from}"}

func inquiryList(e *cli.Env) *cobra.Command {
	f := origin.RequestFilter{}
	cmd := &cobra.Command{
		Use: "list", Short: "List inquiries, newest first", Args: cli.ExactArgs(),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			rows, err := store.RequestsOf(cmd.Context(), f)
			if err != nil {
				return err
			}
			data := make([]map[string]any, len(rows))
			for i, r := range rows {
				data[i] = map[string]any{"request_id": r.RequestID, "site_id": r.SiteID, "state": r.State, "state_since": r.StateSince, "channel": r.Channel, "from": r.BuyerName, "created_at": r.CreatedAt, "held_for": r.HeldFor}
			}
			return e.PrintTable(&inquiryTable, data)
		}),
	}
	cmd.Flags().StringVar(&f.SiteID, "site", "", "only those to this publisher")
	cmd.Flags().StringSliceVar(&f.States, "state", nil, "only those in these states")
	cmd.Flags().StringVar(&f.Before, "before", "", "only those before this request id")
	cmd.Flags().IntVar(&f.Limit, "limit", 50, "how many")
	return cmd
}

func inquiryShow(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "show REQUEST_ID", Short: "Show an inquiry with its messages and moves", Args: cli.ExactArgs("REQUEST_ID"),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			r, err := store.Request(cmd.Context(), args[0])
			if err != nil {
				return noInquiry(args[0], err)
			}
			return showInquiry(cmd.Context(), e, store, r)
		}),
	}
}

func noInquiry(id string, err error) error {
	if errors.Is(err, origin.ErrNotFound) {
		return fmt.Errorf("there is no inquiry %q; \"colophon inquiry list\" shows them", id)
	}
	var refused *inquiry.Refused
	if errors.As(err, &refused) {
		return fmt.Errorf("inquiry %q is %s, which does not allow this; \"colophon inquiry show %s --json\" says what you may do", id, refused.State, id)
	}
	return err
}

func showInquiry(ctx context.Context, e *cli.Env, store *originsql.Store, r origin.Request) error {
	messages, err := store.MessagesOf(ctx, r.ThreadID, 0, 10_000)
	if err != nil {
		return err
	}
	moves, err := store.History(ctx, r.RequestID)
	if err != nil {
		return err
	}
	data := map[string]any{
		"request_id": r.RequestID, "thread_id": r.ThreadID, "site_id": r.SiteID, "state": r.State, "state_since": r.StateSince, "channel": r.Channel,
		"org_id": r.OrgID, "buyer_name": r.BuyerName, "buyer_email": r.BuyerEmail, "buyer_company": r.BuyerCompany, "intended_use": r.IntendedUse,
		"requested_scope": r.RequestedScope, "requested_use": r.RequestedUse, "budget_range": r.BudgetRange, "requested_timeline": r.Timeline,
		"held_for": r.HeldFor, "created_at": r.CreatedAt, "updated_at": r.UpdatedAt, "messages": messages, "history": moves,
		"publisher_may": inquiry.Allowed(inquiry.State(r.State), inquiry.Publisher), "operator_may": inquiry.Allowed(inquiry.State(r.State), inquiry.Operator),
	}
	return e.PrintResult(data, func(w io.Writer) {
		for _, row := range [][2]string{
			{"request", r.RequestID}, {"publisher", r.SiteID}, {"state", r.State + " since " + r.StateSince}, {"from", r.BuyerName}, {"company", r.BuyerCompany},
			{"e-mail", r.BuyerEmail}, {"use", r.RequestedUse}, {"what for", r.IntendedUse}, {"scope", r.RequestedScope}, {"budget", r.BudgetRange},
			{"timeline", r.Timeline}, {"held for", r.HeldFor}, {"successor", r.Successor},
		} {
			if row[1] != "" {
				fmt.Fprintf(w, "%-10s %s\n", row[0], noun.OneLine(row[1]))
			}
		}
		for _, m := range messages {
			fmt.Fprintf(w, "\n%s %s (%s):\n", m.At, m.AuthorRole, m.Kind)
			for _, l := range strings.Split(m.Body, "\n") {
				fmt.Fprintln(w, "  "+noun.OneLine(l))
			}
		}
	})
}

func inquiryReply(e *cli.Env) *cobra.Command {
	var kind, body, bodyFile string
	terms := map[string]*string{"uses": new(string), "amount_cents": new(string), "currency": new(string), "unit": new(string), "term_months": new(string)}
	cmd := &cobra.Command{
		Use: "reply REQUEST_ID", Short: "Reply to the requester on the publisher's behalf", Args: cli.ExactArgs("REQUEST_ID"),
		Example: "  colophon inquiry reply req_01… --body \"Which pages do you need?\" --kind question\n  colophon inquiry reply req_01… --kind indicative_terms --uses rag --amount-cents 1200000 --currency EUR",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.ValidateWord("kind", kind, []string{"text", "question", "indicative_terms"}); err != nil {
				return err
			}
			text, err := readText(e, body, bodyFile)
			if err != nil {
				return err
			}
			words, err := inquiry.ParsePublisherMessage(inquiry.Act(kind), text, func(name string) string {
				if p := terms[name]; p != nil {
					return *p
				}
				return ""
			})
			if err != nil {
				return usage.Errorf("the message cannot be sent: %v", err)
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				var m origin.Message
				var r origin.Request
				err := store.Atomically(cmd.Context(), func(store *originsql.Store) (err error) {
					m, r, err = cli.NewInquiryService(store).Reply(cmd.Context(), args[0], words)
					return err
				})
				if err != nil {
					return noInquiry(args[0], err)
				}
				return e.PrintResult(map[string]any{"message_id": m.MessageID, "seq": m.Seq, "state": r.State}, func(w io.Writer) { fmt.Fprintln(w, m.MessageID, r.State) })
			})
		},
	}
	cmd.Flags().StringVar(&kind, "kind", "text", "text, question or indicative_terms")
	cmd.Flags().StringVar(&body, "body", "", "the message")
	cmd.Flags().StringVar(&bodyFile, "body-file", "", "file with the message; \"-\" is the standard input")
	for name, p := range terms {
		cmd.Flags().StringVar(p, strings.ReplaceAll(name, "_", "-"), "", "indicative terms, which bind nobody")
	}
	return cmd
}

// readText returns a text from a flag, a file or standard input.
func readText(e *cli.Env, flag, file string) (string, error) {
	switch {
	case flag != "" && file != "":
		return "", usage.Errorf("--body and --body-file exclude each other")
	case file == "":
		return flag, nil
	case file == "-":
		b, err := io.ReadAll(io.LimitReader(e.Stdin, exports.MaxMessage))
		return string(b), err
	}
	b, err := os.ReadFile(file)
	return string(b), err
}

func inquiryMove(e *cli.Env) *cobra.Command {
	var reason, to string
	acts := map[string]inquiry.Role{"open": inquiry.Publisher, "refer": inquiry.Publisher, "decline": inquiry.Publisher, "transfer": inquiry.Operator}
	cmd := &cobra.Command{
		Use: "move REQUEST_ID ACT", Short: "Open, refer, decline or transfer an inquiry", Args: cli.ExactArgs("REQUEST_ID", "ACT"),
		Example: "  colophon inquiry move req_01… open\n  colophon inquiry move req_01… decline --reason territory\n  colophon inquiry move req_01… transfer --to other-site",
		RunE: func(cmd *cobra.Command, args []string) error {
			role, ok := acts[args[1]]
			if !ok {
				return usage.Errorf("%q is not one of open, refer, decline, transfer", args[1])
			}
			if args[1] == "decline" {
				if reason == "" {
					reason = "not_stated"
				}
				if err := cli.ValidateWord("reason", reason, inquiries.DeclineReasons); err != nil {
					return err
				}
			}
			if (args[1] == "transfer") != (to != "") {
				return usage.Errorf("transfer needs --to SITE_ID, and nothing else takes it")
			}
			return decideInquiry(cmd.Context(), e, args[0], inquiry.Decision{By: role, Act: inquiry.Act(args[1]), Reason: reason, SiteID: to})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why it is declined: "+strings.Join(inquiries.DeclineReasons, ", "))
	cmd.Flags().StringVar(&to, "to", "", "publisher that takes over")
	return cmd
}

func inquiryDecide(e *cli.Env, verb string, act inquiry.Act, short string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " REQUEST_ID", Short: short, Args: cli.ExactArgs("REQUEST_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return decideInquiry(cmd.Context(), e, args[0], inquiry.Decision{By: inquiry.Operator, Act: act})
		},
	}
}

func decideInquiry(ctx context.Context, e *cli.Env, id string, d inquiry.Decision) error {
	return e.WithStore(ctx, func(store *originsql.Store) error {
		if d.SiteID != "" {
			if _, err := cli.SiteNoun.Get(ctx, store, d.SiteID); err != nil {
				return err
			}
		}
		var r origin.Request
		err := store.Atomically(ctx, func(store *originsql.Store) (err error) {
			r, err = cli.NewInquiryService(store).Decide(ctx, id, d)
			return err
		})
		if err != nil {
			return noInquiry(id, err)
		}
		return e.PrintResult(map[string]string{"request_id": r.RequestID, "state": r.State, "successor": r.Successor}, func(w io.Writer) {
			fmt.Fprintln(w, strings.TrimSpace(r.RequestID+" "+r.State+" "+r.Successor))
		})
	})
}

func inquiryMaintain(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "tick", Short: "Send reminders, expire inquiries and erase personal data that are due", Args: cli.ExactArgs(),
		Long: "A running server does this every few minutes. You can run it at any time.\n" +
			"When the clock is more than a day ahead of the last time, it only delivers and fails: see \"colophon doctor --confirm-clock\".",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			t, err := registrydir.RunMaintenance(cmd.Context(), store, time.Now())
			if err != nil {
				return err
			}
			return e.PrintResult(map[string]int64{"delivered": t.Delivered, "reminded": t.Reminded, "expired": t.Expired, "erased": t.Erased, "keys_forgotten": t.Forgotten, "use_reports_erased": t.Reports, "swept": t.Swept}, func(w io.Writer) {
				fmt.Fprintf(w, "%d delivered, %d reminded, %d expired, %d erased, %d keys forgotten, %d reports of use erased, %d counters swept\n", t.Delivered, t.Reminded, t.Expired, t.Erased, t.Forgotten, t.Reports, t.Swept)
			})
		}),
	}
}
