package originsql_test

import (
	"context"
	"reflect"
	"testing"

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
	if _, err := originsql.OverBackend(asked).Bump(context.Background(), counters); err != nil {
		t.Fatal(err)
	}
	if want := []any{"a", "1", "b", "2"}; !reflect.DeepEqual(asked.Args, want) || !asked.Lazy {
		t.Errorf("asked with %v, lazy %v", asked.Args, asked.Lazy)
	}
	if counters[0].Name != "b" {
		t.Error("the list of the caller was sorted")
	}
}
