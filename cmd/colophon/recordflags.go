package main

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

// recordFlags are the members of a record of documents as flags of a command:
// payment_model is --payment-model. What a flag may say and its help follow from
// the record, so that commands and documents take the same.
type recordFlags struct {
	record wire.Record
	names  map[string]string // flags of members that are called otherwise, "" none
}

// flagOf is the name of the flag of a member, "" none.
func (r *recordFlags) flagOf(member string) string {
	if name, other := r.names[member]; other {
		return name
	}
	return strings.ReplaceAll(member, "_", "-")
}

// addTo gives the flags to a command: those of texts, numbers and lists of texts.
func (r *recordFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	for _, p := range r.schemaProperties() {
		name := r.flagOf(p.Name)
		if name == "" || p.Value.Get("items").Get("properties") != nil {
			continue
		}
		help, _ := p.Value.Get("description").Str()
		if words := wordsOf(&p.Value); words != "" {
			help += ": " + words
		}
		switch kind, _ := p.Value.Get("type").Str(); kind {
		case "array":
			flags.StringSlice(name, nil, help)
		case "integer":
			flags.Int64(name, 0, help)
		case "string":
			flags.String(name, "", help)
		}
	}
}

// schemaProperties are the members of the record with their schemas.
func (r *recordFlags) schemaProperties() []wire.Member {
	schema := wire.Schema(r.record, false)
	return schema.Get("properties").Members
}

// wordsOf lists the words that a member may be, "" for any text.
func wordsOf(schema *wire.Value) string {
	list := schema.Get("enum")
	if list == nil && schema.Get("items") != nil {
		list = schema.Get("items").Get("enum")
	}
	return strings.Join(textsOf(list), ", ")
}

// recordValue is the record of the flags that were given, with more members.
func (r *recordFlags) recordValue(cmd *cobra.Command, more ...wire.Member) wire.Value {
	out := wire.Object(more...)
	for _, p := range r.schemaProperties() {
		if flag := cmd.Flags().Lookup(r.flagOf(p.Name)); flag != nil && flag.Changed && out.Get(p.Name) == nil {
			out.Members = append(out.Members, wire.M(p.Name, flagValue(flag)))
		}
	}
	return out
}

func flagValue(f *pflag.Flag) wire.Value {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return wire.Strings(list.GetSlice()...)
	}
	if f.Value.Type() == "int64" {
		n, _ := strconv.ParseInt(f.Value.String(), 10, 64) // the flag has read it
		return wire.Int(n)
	}
	return wire.String(f.Value.String())
}

// rowOf is a record for people and machines: all of its members, empty ones too,
// but those that are private.
func rowOf(r wire.Record) map[string]any {
	schema := wire.Schema(r, false)
	value, err := wire.Parse(wire.Append(nil, r), wire.Limits{Bytes: 1 << 20, Depth: 8, Members: 4096})
	if err != nil {
		panic(err) // what wire writes it reads
	}
	row := map[string]any{}
	for _, p := range schema.Get("properties").Members {
		kind, _ := p.Value.Get("type").Str()
		about, _ := p.Value.Get("description").Str()
		switch member := value.Get(p.Name); {
		case strings.HasSuffix(about, "(private)"):
		case kind == "integer":
			row[p.Name], _ = member.Int()
		case kind == "array":
			row[p.Name] = textsOf(member)
		default:
			row[p.Name], _ = member.Str()
		}
	}
	return row
}

func textsOf(list *wire.Value) []string {
	texts := []string{}
	if list != nil {
		for i := range list.Items {
			texts = append(texts, list.Items[i].Text)
		}
	}
	return texts
}

// sourceOf is a document with some lists.
func sourceOf(lists ...wire.Member) (registry.Source, error) {
	v := wire.Object(append(lists, wire.M("format", wire.String(registry.Format)))...)
	return registry.Read("the call", v.Append(nil))
}

// applyFlags writes a record that flags made as a document would, and tells it.
func (e *env) applyFlags(ctx context.Context, list string, flags *recordFlags, item wire.Value, tell func(*originsql.Store) error) error {
	source, err := sourceOf(wire.M(list, wire.Array(item)))
	if err == nil {
		err = e.applySources(ctx, []registry.Source{source}, nil, func(*registry.Plan) error { return e.WithStore(ctx, tell) })
	}
	return flagFaults(err, part{"/" + list + "/0", flags})
}

// part is a record of a document that flags made, and where it stands there.
type part struct {
	at    string
	flags *recordFlags
}

// flagFaults turns faults of a document that flags made into words about the
// flags. A part within another one stands before it.
func flagFaults(err error, parts ...part) error {
	var bad registry.Faults
	if !errors.As(err, &bad) {
		return err
	}
	var told []string
	for _, f := range bad {
		told = append(told, flagFault(&f, parts))
	}
	return usage.Errorf("%s", strings.Join(told, "; "))
}

func flagFault(f *registry.Fault, parts []part) string {
	for _, p := range parts {
		rest, within := strings.CutPrefix(f.Pointer, p.at)
		if !within {
			continue
		}
		member, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
		if name := p.flags.flagOf(member); name != "" {
			return "--" + name + " " + f.Detail
		}
		break
	}
	return f.Detail
}
