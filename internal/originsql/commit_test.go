package originsql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"
)

var errCommit = errors.New("the commit failed")

// lateDriver is a driver whose statements give one row and then fail, either at
// the step after the row or when the rows are closed.
type lateDriver struct{ next, close error }

func (d lateDriver) Connect(context.Context) (driver.Conn, error) { return d, nil }
func (d lateDriver) Driver() driver.Driver                        { return nil }
func (d lateDriver) Prepare(string) (driver.Stmt, error)          { return lateStmt{d}, nil }
func (d lateDriver) Begin() (driver.Tx, error)                    { return nil, errors.ErrUnsupported }
func (d lateDriver) Close() error                                 { return nil }

type lateStmt struct{ lateDriver }

func (s lateStmt) NumInput() int                              { return -1 }
func (s lateStmt) Exec([]driver.Value) (driver.Result, error) { return nil, errors.ErrUnsupported }
func (s lateStmt) Query([]driver.Value) (driver.Rows, error)  { return nil, errors.ErrUnsupported }

func (s lateStmt) ExecContext(context.Context, []driver.NamedValue) (driver.Result, error) {
	return nil, errCommit
}

func (s lateStmt) QueryContext(context.Context, []driver.NamedValue) (driver.Rows, error) {
	return &lateRows{lateDriver: s.lateDriver}, nil
}

type lateRows struct {
	lateDriver
	read bool
}

func (r *lateRows) Columns() []string { return []string{"id"} }
func (r *lateRows) Close() error      { return r.close }

func (r *lateRows) Next(dest []driver.Value) error {
	if r.read {
		return r.next
	}
	r.read = true
	dest[0] = "row"
	return nil
}

func TestLateErrorsSurface(t *testing.T) {
	const query = "INSERT INTO t (id) VALUES ('row') RETURNING id"
	for _, c := range []struct {
		name        string
		next, close error
		want        error
	}{
		{"after the last row", errCommit, nil, errCommit},
		{"at close", io.EOF, errCommit, errCommit},
		{"none", io.EOF, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, s := context.Background(), Over(lateDriver{c.next, c.close})

			if v, err := queryOne(ctx, s, scanText, write("write", query)); !errors.Is(err, c.want) || (err == nil) != (v == "row") {
				t.Errorf("one: %q, %v", v, err)
			}
			if v, err := queryAll(ctx, s, scanText, write("write", query)); !errors.Is(err, c.want) || (err == nil) != (len(v) == 1) {
				t.Errorf("many: %q, %v", v, err)
			}
			if done, err := s.execChanged(ctx, write("write", query)); !errors.Is(err, c.want) || done != (c.want == nil) {
				t.Errorf("changed: %v, %v", done, err)
			}
			if n, err := s.execCount(ctx, write("write", query)); !errors.Is(err, c.want) || (err == nil) != (n == 1) {
				t.Errorf("count: %d, %v", n, err)
			}
		})
	}
}

// TestFailedCommitSurfaces makes SQLite itself refuse a commit: it checks a
// deferred foreign key after "INSERT … RETURNING" has given its row.
func TestFailedCommitSurfaces(t *testing.T) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "t.db")+"?_pragma=foreign_keys(1)")
	must(t, err)
	defer db.Close()
	const schema = `CREATE TABLE parent (id TEXT PRIMARY KEY);
		CREATE TABLE child (id TEXT PRIMARY KEY, parent TEXT REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)`
	if _, err := db.Exec(schema); err != nil {
		t.Fatal(err)
	}
	ctx, s := context.Background(), New(db)
	const query = "INSERT INTO child (id, parent) VALUES ('c', 'nobody') RETURNING id"

	if added, err := s.execChanged(ctx, write("add a child", query)); err == nil || added {
		t.Errorf("a refused commit is reported as done: %v, %v", added, err)
	}
	if n, err := s.execCount(ctx, write("add a child", query)); err == nil || n != 0 {
		t.Errorf("a refused commit is counted: %d, %v", n, err)
	}
	left, err := queryOne(ctx, s, scanInt, read("count", "SELECT count(*) FROM child"))
	if err != nil || left != 0 {
		t.Errorf("%d rows are there, %v", left, err)
	}
}
