// Package persons implements the commands that export and erase personal data.
package persons

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/inquiry"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// Command exports and erases personal data.
func Command(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "person", Short: "Export or erase the personal data of an e-mail address", Args: cobra.NoArgs}
	cmd.AddCommand(personExport(e), personErase(e))
	return cmd
}

func personExport(e *cli.Env) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "export E-MAIL", Short: "Write the personal data of an e-mail address as JSON", Args: cli.ExactArgs("E-MAIL"),
		Long: "Export writes inquiries with their conversations, stated needs, accounts whose contact has this address, and reservations of content whose author has it or the name that --name gives. " +
			"It also names the places where the address stands in other texts; those are for a person to read.",
		Example: "  colophon person export reader@example.org > reader.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			email, err := checkEmail(args[0])
			if err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				p, err := store.Person(cmd.Context(), email, name)
				if err != nil {
					return err
				}
				if e.JSON {
					return e.PrintResult(p, nil)
				}
				text, err := cli.IndentJSON(p)
				if err != nil {
					return err
				}
				_, err = e.Stdout.Write(text)
				return err
			})
		},
	}
	nameFlag(cmd, &name)
	return cmd
}

func nameFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "name", "", "name of the person as the author of reservations, whole and in any case")
}

// checkEmail refuses a text that is not an e-mail address, so that a typing
// error is not answered with "nothing is kept".
func checkEmail(email string) (string, error) {
	email = strings.TrimSpace(email)
	local, domain, ok := strings.Cut(email, "@")
	if !ok || local == "" || domain == "" || strings.ContainsAny(email, " \t\n") {
		return "", usage.Errorf("E-MAIL %q is not like reader@example.org", email)
	}
	return email, nil
}

func personErase(e *cli.Env) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "erase E-MAIL", Short: "Erase the personal data of an e-mail address, down to the bytes in the store", Args: cli.ExactArgs("E-MAIL"),
		Long: "Erase withdraws open inquiries with this address and erases them with their conversations, takes stated needs out of publication, and removes the address from accounts. Of reservations of content whose author has the address or the name that --name gives, it removes the names and private notes; they stay in force. " +
			"What signatures, keys and grants refer to stays: identifiers, sites, states and times.\n" +
			"Then the store is rewritten, so that the bytes are not in its file nor in its write-ahead log. Earlier backups still hold them.",
		Example: "  colophon person erase reader@example.org --dry-run\n  colophon person erase reader@example.org",
		RunE: func(cmd *cobra.Command, args []string) error {
			email, err := checkEmail(args[0])
			if err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				return erasePerson(cmd.Context(), e, store, email, name)
			})
		},
	}
	nameFlag(cmd, &name)
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "only report what would be erased")
	return cmd
}

// erasure describes an erased person.
type erasure struct {
	Inquiries int64               `json:"inquiries"`
	Demand    int64               `json:"demand"`
	Contacts  int64               `json:"contacts"`
	Mentions  []originsql.Mention `json:"mentions"` // texts that still contain the address
	Copies    []string            `json:"copies"`   // of the store, made before
	DryRun    bool                `json:"dry_run"`

	Reservations int64 `json:"reservations"` // of which the person was the author
}

func erasePerson(ctx context.Context, e *cli.Env, store *originsql.Store, email, name string) error {
	if e.DryRun {
		p, err := store.Person(ctx, email, name)
		if err != nil {
			return err
		}
		return tellErasure(e, email, erasure{Inquiries: int64(len(p.Inquiries)), Demand: int64(len(p.Demand)), Contacts: int64(len(p.Contacts)), Mentions: p.Mentions, Copies: []string{}, DryRun: true, Reservations: int64(len(p.Reservations))})
	}
	done, err := store.ErasePerson(ctx, email, name, inquiry.OpenStates(), string(inquiry.Withdrawn), exports.Instant(time.Now()))
	if err != nil {
		return fmt.Errorf("not everything of %s is erased: %w; run \"colophon person erase %s\" again", email, err, email)
	}
	told := erasure{Inquiries: done.Requests, Demand: done.Demand, Contacts: done.Contacts, Mentions: []originsql.Mention{}, Copies: []string{}, Reservations: done.Reservations}
	if db := store.DB(); db != nil {
		if err := registrydir.RemoveFreePages(ctx, db); err != nil {
			return fmt.Errorf("the rows of %s are erased, but their bytes may still be in the file: %w; run \"colophon person erase %s\" again", email, err, email)
		}
		if told.Mentions, err = store.Mentions(ctx, email); err != nil {
			return err
		}
		if copies, _ := filepath.Glob(filepath.Join(e.File(registrydir.CopiesFolder), "*.db")); copies != nil {
			told.Copies = copies
		}
	}
	return tellErasure(e, email, told)
}

func tellErasure(e *cli.Env, email string, t erasure) error {
	if !t.DryRun {
		e.PrintNote("backups that were made before now still hold what was erased, until they are removed")
		if t.Demand+t.Reservations > 0 {
			e.PrintNext("colophon build --dir %s", e.Path)
		}
	}
	return e.PrintResult(t, func(w io.Writer) {
		verb := "erased"
		if t.DryRun {
			verb = "would erase"
		}
		fmt.Fprintf(w, "%s %d inquiries, %d needs and %d contacts with %s, and the author of %d reservations\n", verb, t.Inquiries, t.Demand, t.Contacts, email, t.Reservations)
		for _, m := range t.Mentions {
			fmt.Fprintf(w, "it stands in %s.%s of %d rows\n", m.Table, m.Column, m.Rows)
		}
		for _, path := range t.Copies {
			fmt.Fprintf(w, "the copy %s may hold it: remove it\n", path)
		}
	})
}
