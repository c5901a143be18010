package edgelab

import (
	"context"
	"database/sql/driver"
	"encoding/base64"
	"io"
	"strconv"

	"colophon/internal/wire"
	"colophon/worker/edge"
)

// sql runs one statement through the driver, for the tests of the origin: it
// answers {"args":["i1","stext",null],"exec":false,"sql":"…"} with
// {"rows":[["i1"]]} or {"error":"…"}. The first letter of a value is its type.
func (l *Lab) sql(ctx context.Context, r *edge.Request) *edge.Response {
	if l.Driver == nil {
		return problem(501, "no_host")
	}
	v, err := wire.Parse(r.Body, wire.Limits{Bytes: 8 << 20})
	if err != nil {
		return problem(400, "malformed_json")
	}
	var args []driver.NamedValue
	for i, a := range v.Get("args").Items {
		args = append(args, driver.NamedValue{Ordinal: i + 1, Value: untagged(a.Text)})
	}
	text, exec := v.Get("sql").Text, v.Get("exec").Bool
	rows, err := l.statement(ctx, text, args, exec)
	if err != nil {
		return jsonBody(wire.Object(wire.M("error", wire.String(err.Error()))).Append(nil))
	}
	return jsonBody(wire.Object(wire.M("rows", wire.Array(rows...))).Append(nil))
}

func (l *Lab) statement(ctx context.Context, text string, args []driver.NamedValue, exec bool) ([]wire.Value, error) {
	conn, err := l.Driver.Connect(ctx)
	if err != nil {
		return nil, err
	}
	stmt, err := conn.Prepare(text)
	if err != nil {
		return nil, err
	}
	if exec {
		_, err := stmt.(driver.StmtExecContext).ExecContext(ctx, args)
		return nil, err
	}
	found, err := stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	cells := make([]driver.Value, len(found.Columns()))
	var out []wire.Value
	for {
		switch err := found.Next(cells); err {
		case nil:
		case io.EOF:
			return out, nil
		default:
			return nil, err
		}
		row := make([]wire.Value, len(cells))
		for i, c := range cells {
			row[i] = tagged(c)
		}
		out = append(out, wire.Array(row...))
	}
}

func tagged(v driver.Value) wire.Value {
	switch x := v.(type) {
	case int64:
		return wire.String("i" + strconv.FormatInt(x, 10))
	case float64:
		return wire.String("f" + strconv.FormatFloat(x, 'g', -1, 64))
	case string:
		return wire.String("s" + x)
	case []byte:
		return wire.String("b" + base64.StdEncoding.EncodeToString(x))
	}
	return wire.Value{}
}

func untagged(s string) driver.Value {
	if s == "" {
		return nil
	}
	switch s[0] {
	case 'i':
		n, _ := strconv.ParseInt(s[1:], 10, 64)
		return n
	case 'f':
		f, _ := strconv.ParseFloat(s[1:], 64)
		return f
	case 'b':
		b, _ := base64.StdEncoding.DecodeString(s[1:])
		return b
	}
	return s[1:]
}
