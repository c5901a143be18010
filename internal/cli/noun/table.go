// Package noun makes commands from descriptions: flags, rows, lists and
// completion of the records that an operator keeps.
package noun

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"colophon/internal/urlkey"
)

// Table is the format of rows for people. A line has members of a row in
// braces, as in "{grant_id} {state:9} {uses}[ until {valid_until}]": with a
// width, and in brackets a part that is left out if all of its members are
// empty.
type Table struct {
	Line   string
	Within []Within
}

// Within is a list that each row has under a name, printed below its line.
type Within struct {
	Member string
	Table  Table
}

// Print writes a line for each row.
func (t *Table) Print(w io.Writer, rows ...map[string]any) { t.print(w, "", rows) }

func (t *Table) print(w io.Writer, indent string, rows []map[string]any) {
	for _, row := range rows {
		line, _ := fill(t.Line, row)
		fmt.Fprintln(w, strings.TrimRight(indent+line, " "))
		for _, list := range t.Within {
			inner, _ := row[list.Member].([]map[string]any)
			list.Table.print(w, indent+"  ", inner)
		}
	}
}

// RowsOf returns the rows of a list of structs, by the names of their JSON
// form.
func RowsOf(list any) (rows []map[string]any) {
	text, err := json.Marshal(list)
	if err == nil {
		read := json.NewDecoder(bytes.NewReader(text))
		read.UseNumber()
		err = read.Decode(&rows)
	}
	if err != nil {
		panic(err) // a list of structs is one of objects
	}
	return rows
}

// Columns lists the members that a line names, in its order.
func (t *Table) Columns() []string {
	var names []string
	for _, part := range strings.Split(t.Line, "{")[1:] {
		name, _, _ := strings.Cut(part, "}")
		name, _, _ = strings.Cut(name, ":")
		names = append(names, name)
	}
	return names
}

// fill replaces the members in a line by those of a row. It reports whether any
// of them is not empty.
func fill(line string, row map[string]any) (text string, filled bool) {
	var b strings.Builder
	for line != "" {
		at := strings.IndexAny(line, "{[")
		if at < 0 {
			b.WriteString(line)
			break
		}
		b.WriteString(line[:at])
		if line[at] == '{' {
			name, rest, _ := strings.Cut(line[at+1:], "}")
			value := formatCell(name, row)
			filled = filled || strings.TrimSpace(value) != ""
			b.WriteString(value)
			line = rest
			continue
		}
		inner, rest, _ := strings.Cut(line[at+1:], "]")
		if text, some := fill(inner, row); some {
			b.WriteString(text)
			filled = true
		}
		line = rest
	}
	return b.String(), filled
}

// formatCell returns a member for people: on one line, with hosts and public
// addresses in their own letters, and at least as wide as its name asks.
func formatCell(name string, row map[string]any) string {
	name, width, _ := strings.Cut(name, ":")
	text := ""
	switch value := row[name].(type) {
	case nil:
	case []string:
		text = strings.Join(value, ",")
	case string:
		text = value
		if name == "host" {
			text = urlkey.DisplayHost(value)
		} else if strings.HasSuffix(name, "_url") {
			text = urlkey.Display(value)
		}
	default:
		text = fmt.Sprint(value)
	}
	if width == "" {
		return OneLine(text)
	}
	return fmt.Sprintf("%-"+width+"s", OneLine(text)) // a width, or as .12 the most that is shown
}

// OneLine makes foreign text safe to print on one line of a terminal.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, text)
}
