package originsql_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// lastStatement is a Backend that finds nothing and keeps the last statement.
type lastStatement struct{ originsql.Statement }

func (l *lastStatement) Run(_ context.Context, s originsql.Statement) (originsql.Rows, error) {
	l.Statement = s
	return originsql.NewRows(nil), nil
}

// TestCountersAreSorted checks the order in which rows are locked, and that the
// caller's list stays unchanged.
func TestCountersAreSorted(t *testing.T) {
	asked := &lastStatement{}
	counters := []origin.Counter{{Name: "b", ResetsAt: "2"}, {Name: "a", ResetsAt: "1"}}
	must(t, assert.Err(originsql.OverBackend(asked).Bump(context.Background(), counters)))
	if want := []any{"a", "1", "b", "2"}; !reflect.DeepEqual(asked.Args, want) || !asked.Lazy {
		t.Errorf("asked with %v, lazy %v", asked.Args, asked.Lazy)
	}
	assert.Equal(t, counters[0].Name, "b", "the list of the caller was sorted")
}

// rowsOf is a Backend that always finds the same rows.
type rowsOf [][]any

func (r rowsOf) Run(context.Context, originsql.Statement) (originsql.Rows, error) {
	return originsql.NewRows(r), nil
}

// TestRowsThatCannotBeRead checks that a row which does not fit is an error, also
// if others fit, and that of several rows the first is read where one is wanted.
func TestRowsThatCannotBeRead(t *testing.T) {
	ctx := context.Background()
	for what, rows := range map[string]rowsOf{
		"too few columns": {{"a"}}, "no text": {{"a", "b", int64(1), "d"}, {"a", "b", "c", "d"}}, "the second one": {{"a", int64(1), int64(2), "r"}, {"x"}},
	} {
		if list, err := originsql.OverBackend(rows).LoggedRecords(ctx, "a-site", []string{"ent_1"}); err == nil {
			t.Errorf("%s: %+v", what, list)
		}
	}
	name, err := originsql.OverBackend(rowsOf{{"first"}, {"second"}}).GroupName(ctx, "p")
	if name != "first" || err != nil {
		t.Errorf("%q, %v", name, err)
	}
}

// TestWhatMayBeLazy checks which writes may return before they are on the disk.
func TestWhatMayBeLazy(t *testing.T) {
	ctx, asked := context.Background(), &lastStatement{}
	s := originsql.OverBackend(asked)
	for what, c := range map[string]struct {
		write func() error
		lazy  bool
	}{
		"evidence": {func() error { return s.PutEvidence(ctx, origin.Evidence{}) }, true},
		"a policy": {func() error { return s.AddPolicy(ctx, origin.PolicyVersion{}) }, true},
		"a grant":  {func() error { return s.PutGrant(ctx, origin.Grant{}) }, false},
		"a proof":  {func() error { _, err := s.SpendProof(ctx, "n", "7"); return err }, false},
	} {
		if err := c.write(); err != nil || asked.Lazy != c.lazy || !asked.Writes {
			t.Errorf("%s: %v, lazy %v", what, err, asked.Lazy)
		}
	}
}

// failing is a Backend that answers nothing.
type failing struct{ error }

func (f failing) Run(context.Context, originsql.Statement) (originsql.Rows, error) {
	return nil, f.error
}

// TestCheckMigrations checks which lists of applied migrations are accepted.
func TestCheckMigrations(t *testing.T) {
	ctx := context.Background()
	files, err := originsql.Migrations.ReadDir("migrations")
	must(t, err)
	names := func(n int, more ...string) (rows rowsOf) {
		for _, f := range files[:n] {
			rows = append(rows, []any{f.Name()})
		}
		for _, name := range more {
			rows = append(rows, []any{name})
		}
		return rows
	}
	last, another := len(files)-1, names(len(files))
	another[1] = []any{"0002_other.sql"}
	for what, c := range map[string]struct {
		applied originsql.Backend
		want    string // "" none
	}{
		"all of them":      {names(len(files)), ""},
		"all but the last": {names(last), "its schema lacks " + files[last].Name() + "; run \"wrangler d1 migrations apply\""},
		"none of them":     {names(0), "its schema lacks " + files[0].Name() + "; run \"wrangler d1 migrations apply\""},
		"one of another":   {another, "its schema lacks " + files[1].Name() + "; run \"wrangler d1 migrations apply\""},
		"a newer one":      {names(len(files), "9999_x.sql"), "its schema 9999_x.sql is newer than this program's"},
		"a copy":           {names(len(files), originsql.UnfinishedCopy), originsql.ErrUnfinishedCopy.Error()},
		"no table":         {failing{errors.New("no such table: d1_migrations")}, "it has no schema; run \"wrangler d1 migrations apply\""},
		"no database":      {failing{errors.New("away")}, "origin store: cannot read the migrations: away"},
	} {
		got := ""
		if err := originsql.OverBackend(c.applied).CheckMigrations(ctx); err != nil {
			got = err.Error()
		}
		assert.Equal(t, got, c.want, "%s", what)
	}
}
