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
// payment_model is --payment-model. What a flag may say follows from the
// record, so that commands and documents take the same.
type recordFlags struct {
	record wire.Record
	skip   []string          // members that the command takes otherwise
	help   map[string]string // of members
}

// addTo gives the flags to a command.
func (r *recordFlags) addTo(cmd *cobra.Command) {
	properties := r.schemaProperties()
	for i := range properties.Members {
		p := &properties.Members[i]
		if slices.Contains(r.skip, p.Name) {
			continue
		}
		help := r.help[p.Name]
		words := wordsOf(&p.Value)
		if words != "" {
			help = strings.TrimPrefix(help+": "+words, ": ")
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
	if list == nil {
		return ""
	}
	var words []string
	for i := range list.Items {
		words = append(words, list.Items[i].Text)
	}
	return strings.Join(words, ", ")
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

// sourceOf is a document with one list.
func sourceOf(list string, item wire.Value) (registry.Source, error) {
	v := wire.Object(wire.M("format", wire.String(registry.Format)), wire.M(list, wire.Array(item)))
	return registry.Read("the call", v.Append(nil))
}
