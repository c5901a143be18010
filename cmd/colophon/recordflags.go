package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"colophon/internal/registry"
	"colophon/internal/wire"
)

// recordFlags are the members of a record of documents as flags of a command:
// payment_model is --payment-model. What a flag may say and its help follow from
// the record, so that commands and documents take the same.
type recordFlags struct {
	record wire.Record
	skip   []string // members that the command takes otherwise
}

// addTo gives the flags to a command.
func (r *recordFlags) addTo(cmd *cobra.Command) {
	properties := r.schemaProperties()
	for i := range properties.Members {
		p := &properties.Members[i]
		if slices.Contains(r.skip, p.Name) {
			continue
		}
		help, _ := p.Value.Get("description").Str()
		if words := wordsOf(&p.Value); words != "" {
			help += ": " + words
		}
		name := strings.ReplaceAll(p.Name, "_", "-")
		kind, _ := p.Value.Get("type").Str()
		switch kind {
		case "array":
			cmd.Flags().StringSlice(name, nil, help)
		case "integer":
			cmd.Flags().Int64(name, 0, help)
		default:
			cmd.Flags().String(name, "", help)
		}
	}
}

// schemaProperties are the members of the record with their schemas.
func (r *recordFlags) schemaProperties() *wire.Value {
	schema := wire.Schema(r.record, false)
	return schema.Get("properties")
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
	properties := r.schemaProperties()
	out := wire.Object(more...)
	for i := range properties.Members {
		member := properties.Members[i].Name
		flag := cmd.Flags().Lookup(strings.ReplaceAll(member, "_", "-"))
		if flag != nil && flag.Changed && !slices.Contains(r.skip, member) {
			out.Members = append(out.Members, wire.M(member, flagValue(flag)))
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

// sourceOf is a document with one list.
func sourceOf(list string, item wire.Value) (registry.Source, error) {
	v := wire.Object(wire.M("format", wire.String(registry.Format)), wire.M(list, wire.Array(item)))
	return registry.Read("the call", v.Append(nil))
}
