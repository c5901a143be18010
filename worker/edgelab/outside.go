package edgelab

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"colophon/internal/wire"
	"colophon/worker/edge"
)

// read answers from one row.
func (l *Lab) read(ctx context.Context, r *edge.Request) *edge.Response {
	var state string
	if err := l.DB.QueryRowContext(ctx, `SELECT state FROM lab WHERE key = ?1`, param(r, "key")).Scan(&state); err != nil {
		return originProblem(err)
	}
	return jsonBody(wire.Object(wire.M("state", wire.String(state))).Append(nil))
}

// write increments a counter, but only while the row is open: 409 otherwise.
func (l *Lab) write(ctx context.Context, r *edge.Request) *edge.Response {
	rows, err := l.DB.QueryContext(ctx,
		`UPDATE lab SET count = count + 1 WHERE key = ?1 AND state = 'open' RETURNING count`, param(r, "key"))
	if err != nil {
		return originProblem(err)
	}
	defer rows.Close()
	if !rows.Next() {
		if rows.Err() != nil {
			return originProblem(rows.Err())
		}
		return problem(409, "state_conflict")
	}
	var count int64
	if err := rows.Scan(&count); err != nil {
		return originProblem(err)
	}
	return jsonBody(wire.Object(wire.M("count", wire.Int(count))).Append(nil))
}

func (l *Lab) count(ctx context.Context, r *edge.Request) *edge.Response {
	var n int64
	if err := l.DB.QueryRowContext(ctx, `SELECT coalesce(sum(count), 0) FROM lab WHERE key = ?1`, param(r, "key")).Scan(&n); err != nil {
		return originProblem(err)
	}
	return text(strconv.FormatInt(n, 10))
}

func (l *Lab) mark(ctx context.Context, key string) error {
	_, err := l.DB.ExecContext(ctx,
		`INSERT INTO lab VALUES (?1, 'mark', 1) ON CONFLICT (key) DO UPDATE SET count = count + 1`, key)
	return err
}

// originProblem never shows the driver's own message.
func originProblem(err error) *edge.Response {
	if strings.Contains(err.Error(), "no rows in result set") {
		return problem(404, "no_match")
	}
	p := problem(503, "origin_unavailable")
	p.Header.Add("retry-after", "30")
	return p
}

func (l *Lab) asset(ctx context.Context, r *edge.Request) *edge.Response {
	return fetched(l.Read(ctx, param(r, "key")))
}

func (l *Lab) body(ctx context.Context, r *edge.Request) *edge.Response {
	if l.Body == nil {
		return problem(501, "no_host")
	}
	return fetched(l.Body(ctx, param(r, "key")))
}

func fetched(b []byte, err error) *edge.Response {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problem(404, "not_found")
	case err != nil:
		return problem(503, "asset_unavailable")
	}
	return jsonBody(b)
}

func (l *Lab) limit(ctx context.Context, r *edge.Request) *edge.Response {
	if l.Limit == nil {
		return problem(501, "no_host")
	}
	switch ok, err := l.Limit(ctx, param(r, "policy"), param(r, "key"), 5, 60); {
	case err != nil:
		return problem(500, "limit_failed")
	case !ok:
		return problem(429, "quota_exceeded")
	}
	return text("ok")
}
