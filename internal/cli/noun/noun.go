package noun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/wire"
)

// Description describes a kind of record that an operator keeps: how it is found, listed
// and shown, what it is in a document, and what its state is set by.
type Description[T any] struct {
	Word     string // its name in errors: grant
	About    string // its name in the help of verbs: a grant
	Argument string // of commands: GRANT_ID
	Key      string // the member of a row that has the id: grant_id
	Lister   string // the command that shows them: grant list

	Find func(store *originsql.Store, ctx context.Context, id string) (T, error) // an id of several arguments has "/" between them
	All  func(store *originsql.Store, ctx context.Context) ([]T, error)
	Of   func(store *originsql.Store, ctx context.Context, siteID string) ([]T, error) // those of a publisher, for --site
	Row  func(*T) map[string]any
	Add  func(ctx context.Context, store *originsql.Store, row map[string]any, x *T) error // adds to a row what else is shown
	Table

	Flags                                             // of the commands that write it
	At    string                                      // where it stands in a document of one: /grants/0
	Wrap  func(id string, item wire.Value) wire.Value // the record that it is a part of in a document; nil: none
	Item  func(*T) []wire.Member                      // by which a document names it
	Given bool                                        // whether the program gives it its id, which "add" prints alone
	Next  func(x *T, dir string) string               // the next command after it was written, "" for none; nil: build

	Put      func(store *originsql.Store, ctx context.Context, x T) error
	SetState func(x *T, state, reason, at string) error
	Reason   bool // whether a state has one
}

// Get returns one record. If it does not exist, the error names the command
// that lists those that do.
func (n *Description[T]) Get(ctx context.Context, store *originsql.Store, id string) (T, error) {
	x, err := n.Find(store, ctx, id)
	if errors.Is(err, origin.ErrNotFound) {
		err = n.Missing(id)
	}
	return x, err
}

// Missing reports that a record does not exist.
func (n *Description[T]) Missing(id string) error {
	return fmt.Errorf("there is no %s %q; \"colophon %s\" shows them", n.Word, id, n.Lister)
}

// Describe returns the row of a record with what else is shown.
func (n *Description[T]) Describe(ctx context.Context, store *originsql.Store, x *T) (map[string]any, error) {
	row := n.Row(x)
	if n.Add == nil {
		return row, nil
	}
	return row, n.Add(ctx, store, row, x)
}

// Rows returns the rows of a list.
func (n *Description[T]) Rows(list []T) []map[string]any {
	rows := make([]map[string]any, 0, len(list))
	for i := range list {
		rows = append(rows, n.Row(&list[i]))
	}
	return rows
}

// Legend says what the lines of a list show.
func (n *Description[T]) Legend() string {
	return "A line has " + strings.Join(n.Columns(), ", ") + "; --json has all members."
}

// Show writes the members of a row that say something, a line each: the id first, then
// by name. A row that has lists is written as in a list.
func (n *Description[T]) Show(w io.Writer, row map[string]any) {
	if len(n.Within) > 0 {
		n.Print(w, row)
		return
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(row)), func(name string) bool { return name == n.Key || formatCell(name, row) == "" })
	for _, name := range append([]string{n.Key}, names...) {
		fmt.Fprintf(w, "%-19s %s\n", name, formatCell(name, row))
	}
}
