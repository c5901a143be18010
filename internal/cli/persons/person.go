// Package persons implements the commands that export and erase personal data.
package persons

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
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
	return &cobra.Command{
		Use: "export E-MAIL", Short: "Write the personal data of an e-mail address as JSON", Args: cli.ExactArgs("E-MAIL"),
		Long: "Export writes inquiries with their conversations, stated needs, and accounts whose contact has this address. " +
			"It also names the places where the address stands in other texts; those are for a person to read.",
		Example: "  colophon person export reader@example.org > reader.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			email, err := checkEmail(args[0])
			if err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				p, err := readPerson(cmd.Context(), store, email)
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

// Person is everything stored with an e-mail address.
type Person struct {
	Email     string              `json:"email"`
	Inquiries []personInquiry     `json:"inquiries"`
	Demand    []origin.Demand     `json:"demand"`
	Contacts  []originsql.Contact `json:"contacts"`
	Mentions  []mention           `json:"mentions"`
}

// personInquiry is an inquiry with its conversation.
type personInquiry struct {
	Request  origin.Request   `json:"request"`
	Messages []origin.Message `json:"messages"`
	History  []origin.Move    `json:"history"`
}

func readPerson(ctx context.Context, store *originsql.Store, email string) (Person, error) {
	p := Person{Email: email, Inquiries: []personInquiry{}, Mentions: []mention{}}
	requests, err := store.RequestsFrom(ctx, email)
	if err != nil {
		return p, err
	}
	for _, r := range requests {
		r.TokenHash = ""
		r.Fingerprint = ""
		r.Dedupe = "" // of no use but to this service
		messages, err := store.MessagesOf(ctx, r.ThreadID, 0, 10_000)
		if err != nil {
			return p, err
		}
		history, err := store.History(ctx, r.RequestID)
		if err != nil {
			return p, err
		}
		p.Inquiries = append(p.Inquiries, personInquiry{Request: r, Messages: messages, History: history})
	}
	if p.Demand, err = store.DemandFrom(ctx, email); err != nil {
		return p, err
	}
	if p.Contacts, err = store.ContactsWith(ctx, email); err != nil {
		return p, err
	}
	if db := store.DB(); db != nil {
		p.Mentions, err = findMentions(ctx, db, email)
	}
	return p, err
}

// mention is a column whose texts contain an address.
type mention struct {
	Table  string `json:"table"`
	Column string `json:"column"`
	Rows   int64  `json:"rows"`
}

// findMentions looks for an address in every text of the store.
func findMentions(ctx context.Context, db *sql.DB, email string) ([]mention, error) {
	const columns = `SELECT t.name, c.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type IN ('TEXT', 'BLOB') ORDER BY t.name, c.cid`
	rows, err := db.QueryContext(ctx, columns)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []mention{}
	for rows.Next() {
		var m mention
		if err := rows.Scan(&m.Table, &m.Column); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	found := out[:0]
	for _, m := range out {
		query := fmt.Sprintf(`SELECT count(*) FROM "%s" WHERE instr(lower(CAST("%s" AS TEXT)), lower(?1)) > 0`, m.Table, m.Column)
		if err := db.QueryRowContext(ctx, query, email).Scan(&m.Rows); err != nil {
			return nil, err
		}
		if m.Rows > 0 {
			found = append(found, m)
		}
	}
	return found, nil
}

func personErase(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "erase E-MAIL", Short: "Erase the personal data of an e-mail address, down to the bytes in the store", Args: cli.ExactArgs("E-MAIL"),
		Long: "Erase withdraws open inquiries with this address and erases them with their conversations, takes stated needs out of publication, and removes the address from accounts. " +
			"What signatures, keys and grants refer to stays: identifiers, sites, states and times.\n" +
			"Then the store is rewritten, so that the bytes are not in its file nor in its write-ahead log. Earlier backups still hold them.",
		Example: "  colophon person erase reader@example.org --dry-run\n  colophon person erase reader@example.org",
		RunE: func(cmd *cobra.Command, args []string) error {
			email, err := checkEmail(args[0])
			if err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				return erasePerson(cmd.Context(), e, store, email)
			})
		},
	}
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "only report what would be erased")
	return cmd
}

// erasure describes an erased person.
type erasure struct {
	Inquiries int64     `json:"inquiries"`
	Demand    int64     `json:"demand"`
	Contacts  int64     `json:"contacts"`
	Mentions  []mention `json:"mentions"` // texts that still contain the address
	Copies    []string  `json:"copies"`   // of the store, made before
	DryRun    bool      `json:"dry_run"`
}

func erasePerson(ctx context.Context, e *cli.Env, store *originsql.Store, email string) error {
	if e.DryRun {
		p, err := readPerson(ctx, store, email)
		if err != nil {
			return err
		}
		return tellErasure(e, email, erasure{Inquiries: int64(len(p.Inquiries)), Demand: int64(len(p.Demand)), Contacts: int64(len(p.Contacts)), Mentions: p.Mentions, Copies: []string{}, DryRun: true})
	}
	done, err := store.ErasePerson(ctx, email, inquiry.OpenStates(), string(inquiry.Withdrawn), exports.Instant(time.Now()))
	if err != nil {
		return fmt.Errorf("not everything of %s is erased: %w; run \"colophon person erase %s\" again", email, err, email)
	}
	told := erasure{Inquiries: done.Requests, Demand: done.Demand, Contacts: done.Contacts, Mentions: []mention{}, Copies: []string{}}
	if db := store.DB(); db != nil {
		if err := registrydir.RemoveFreePages(ctx, db); err != nil {
			return fmt.Errorf("the rows of %s are erased, but their bytes may still be in the file: %w; run \"colophon person erase %s\" again", email, err, email)
		}
		if told.Mentions, err = findMentions(ctx, db, email); err != nil {
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
		if t.Demand > 0 {
			e.PrintNext("colophon build --dir %s", e.Path)
		}
	}
	return e.PrintResult(t, func(w io.Writer) {
		verb := "erased"
		if t.DryRun {
			verb = "would erase"
		}
		fmt.Fprintf(w, "%s %d inquiries, %d needs and %d contacts with %s\n", verb, t.Inquiries, t.Demand, t.Contacts, email)
		for _, m := range t.Mentions {
			fmt.Fprintf(w, "it stands in %s.%s of %d rows\n", m.Table, m.Column, m.Rows)
		}
		for _, path := range t.Copies {
			fmt.Fprintf(w, "the copy %s may hold it: remove it\n", path)
		}
	})
}
