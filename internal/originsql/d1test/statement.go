package d1test

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

type result struct {
	Success bool `json:"success"`
	Results rows `json:"results"`
	Meta    meta `json:"meta"`
}

type rows struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

type meta struct {
	ServedBy  string  `json:"served_by"`
	Duration  float64 `json:"duration"` // ms
	Changes   int64   `json:"changes"`
	LastRowID int64   `json:"last_row_id"`
	ChangedDB bool    `json:"changed_db"`
	SizeAfter int64   `json:"size_after"`
	RowsRead  int64   `json:"rows_read"`
	Written   int64   `json:"rows_written"`
}

func (st statement) runStatement(ctx context.Context, conn *sql.Conn) (result, error) {
	args, err := st.driverArguments()
	if err != nil {
		return result{}, err
	}
	before, _, err := countChanges(ctx, conn)
	if err != nil {
		return result{}, err
	}
	start := time.Now()
	res, err := runQuery(ctx, conn, st.SQL, args)
	if err != nil {
		return result{}, err
	}
	took := time.Since(start)
	after, last, err := countChanges(ctx, conn)
	if err != nil {
		return result{}, err
	}
	return result{true, res, meta{
		ServedBy:  "d1test",
		Duration:  float64(took.Microseconds()) / 1000,
		Changes:   after - before,
		LastRowID: last,
		ChangedDB: after != before,
		RowsRead:  int64(len(res.Rows)),
		Written:   after - before,
	}}, nil
}

// driverArguments returns the params as the driver takes them: JSON's null,
// bool, number (a float64, as on D1) and string as they are, a list as a blob.
func (st statement) driverArguments() ([]any, error) {
	args := make([]any, len(st.Params))
	for i, p := range st.Params {
		switch v := p.(type) {
		case []any:
			blob, err := blobOf(v)
			if err != nil {
				return nil, fmt.Errorf("parameter %d: %w", i+1, err)
			}
			args[i] = blob
		case map[string]any:
			return nil, fmt.Errorf("parameter %d: an object cannot be bound", i+1)
		default:
			args[i] = v
		}
	}
	return args, nil
}

func blobOf(list []any) ([]byte, error) {
	blob := make([]byte, len(list))
	for i, e := range list {
		f, ok := e.(float64)
		if !ok || f < 0 || f > 255 || f != float64(byte(f)) {
			return nil, fmt.Errorf("byte %d of a blob is %v", i, e)
		}
		blob[i] = byte(f)
	}
	return blob, nil
}

func runQuery(ctx context.Context, conn *sql.Conn, text string, args []any) (rows, error) {
	out := rows{Columns: []string{}, Rows: [][]any{}}
	found, err := conn.QueryContext(ctx, text, args...)
	if err != nil {
		return out, err
	}
	defer found.Close() // a second Close, after the one below, does nothing
	columns, err := found.Columns()
	if err != nil {
		return out, err
	}
	out.Columns = append(out.Columns, columns...)
	for found.Next() {
		row, cells := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			cells[i] = &row[i]
		}
		if err := found.Scan(cells...); err != nil {
			return out, err
		}
		for i, v := range row {
			if b, ok := v.([]byte); ok {
				row[i] = listOf(b)
			}
		}
		out.Rows = append(out.Rows, row)
	}
	if err := found.Err(); err != nil {
		return out, err
	}
	return out, found.Close() // a statement that writes is committed by now or has failed
}

func listOf(blob []byte) []int {
	list := make([]int, len(blob))
	for i, b := range blob {
		list[i] = int(b)
	}
	return list
}

// countChanges returns how many rows this connection has changed in all, and
// the last row id it made.
func countChanges(ctx context.Context, conn *sql.Conn) (total, last int64, err error) {
	err = conn.QueryRowContext(ctx, "SELECT total_changes(), last_insert_rowid()").Scan(&total, &last)
	return total, last, err
}
