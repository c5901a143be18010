package release

import (
	"reflect"
	"strings"
)

// Table names a table and its columns.
type Table struct {
	Name    string
	Columns []Column
}

// Column is a column of a table; Type is its schema.org data type.
type Column struct{ Name, Type string }

// Columns describes the tables and their columns.
func Columns() []Table {
	return []Table{
		{"entries", columnsOf(Entry{})}, {"publishers", columnsOf(Publisher{})}, {"rights", columnsOf(Right{})},
		{"offers", columnsOf(Offer{})}, {"hosts", columnsOf(Host{})},
		{"reservations", columnsOf(Reservation{})},
	}
}

func columnsOf(row any) (out []Column) {
	t := reflect.TypeOf(row)
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		kind := "sc:Text"
		switch f.Type.Kind() {
		case reflect.Bool:
			kind = "sc:Boolean"
		case reflect.Int32, reflect.Int64:
			kind = "sc:Integer"
		}
		if strings.Contains(options, "timestamp") {
			kind = "sc:DateTime"
		}
		out = append(out, Column{name, kind})
	}
	return out
}
