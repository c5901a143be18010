package origintest

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Remote is a database/sql connector to the D1 database behind a lab: the
// worker at that address passes statements to its own D1 driver. A value
// travels as a text whose first letter gives its type.
type Remote string

// Connect makes no connection yet.
func (c Remote) Connect(context.Context) (driver.Conn, error) { return conn{c}, nil }

// Driver is not used.
func (c Remote) Driver() driver.Driver { return nil }

func (c Remote) ask(text string, args []any, exec bool) ([][]driver.Value, error) {
	question := struct {
		Args []*string `json:"args"`
		Exec bool      `json:"exec"`
		SQL  string    `json:"sql"`
	}{[]*string{}, exec, text}
	for _, a := range args {
		question.Args = append(question.Args, tagged(a))
	}
	body, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	client := http.Client{Timeout: 30 * time.Second}
	res, err := client.Post(string(c)+"/sql", "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Error string
		Rows  [][]*string
	}
	if err := json.Unmarshal(raw, &answer); err != nil || res.StatusCode != 200 {
		return nil, fmt.Errorf("the lab answered %s: %.200s", res.Status, raw)
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	out := make([][]driver.Value, len(answer.Rows))
	for i, row := range answer.Rows {
		for _, cell := range row {
			v, err := untagged(cell)
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], v)
		}
	}
	return out, nil
}

func tagged(a any) *string {
	s := ""
	switch v := a.(type) {
	case nil:
		return nil
	case int64:
		s = "i" + strconv.FormatInt(v, 10)
	case float64:
		s = "f" + strconv.FormatFloat(v, 'g', -1, 64)
	case []byte:
		s = "b" + base64.StdEncoding.EncodeToString(v)
	default:
		s = fmt.Sprint("s", v)
	}
	return &s
}

func untagged(s *string) (driver.Value, error) {
	if s == nil {
		return nil, nil
	}
	text := (*s)[1:]
	switch (*s)[0] {
	case 'i':
		return strconv.ParseInt(text, 10, 64)
	case 'f':
		return strconv.ParseFloat(text, 64)
	case 'b':
		return base64.StdEncoding.DecodeString(text)
	case 's':
		return text, nil
	}
	return nil, fmt.Errorf("a value that is no value: %q", *s)
}

type conn struct{ Remote }

func (c conn) Prepare(query string) (driver.Stmt, error) { return stmt{c.Remote, query}, nil }
func (c conn) Close() error                              { return nil }
func (c conn) Begin() (driver.Tx, error)                 { return nil, errors.New("no transactions") }

type stmt struct {
	Remote
	text string
}

func (s stmt) Close() error                               { return nil }
func (s stmt) NumInput() int                              { return -1 }
func (s stmt) Exec([]driver.Value) (driver.Result, error) { return nil, errors.ErrUnsupported }
func (s stmt) Query([]driver.Value) (driver.Rows, error)  { return nil, errors.ErrUnsupported }

func values(named []driver.NamedValue) []any {
	out := make([]any, len(named))
	for i, n := range named {
		out[i] = n.Value
	}
	return out
}

func (s stmt) ExecContext(_ context.Context, args []driver.NamedValue) (driver.Result, error) {
	_, err := s.ask(s.text, values(args), true)
	return driver.ResultNoRows, err
}

func (s stmt) QueryContext(_ context.Context, args []driver.NamedValue) (driver.Rows, error) {
	list, err := s.ask(s.text, values(args), false)
	if err != nil {
		return nil, err
	}
	return &rows{list: list}, nil
}

type rows struct{ list [][]driver.Value }

func (r *rows) Columns() []string {
	if len(r.list) == 0 {
		return nil
	}
	return make([]string, len(r.list[0]))
}

func (r *rows) Close() error { return nil }

func (r *rows) Next(dest []driver.Value) error {
	if len(r.list) == 0 {
		return io.EOF
	}
	copy(dest, r.list[0])
	r.list = r.list[1:]
	return nil
}
