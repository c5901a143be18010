package noun

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"colophon/internal/registry"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

// Flags are the members of a document's record as flags of a command:
// payment_model is --payment-model. The values, help and completion of a flag
// follow from the record, so that commands and documents accept the same.
type Flags struct {
	Record wire.Record
	Names  map[string]string // flags of members that are called otherwise, "" if none
}

// flagOf returns the name of the flag of a member, "" if none.
func (f *Flags) flagOf(member string) string {
	if name, other := f.Names[member]; other {
		return name
	}
	return strings.ReplaceAll(member, "_", "-")
}

// AddTo adds the flags to a command: those for texts, numbers and lists of
// texts.
func (f *Flags) AddTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	for _, p := range f.schemaProperties() {
		name := f.flagOf(p.Name)
		if name == "" || p.Value.Get("items").Get("properties") != nil {
			continue
		}
		help, _ := p.Value.Get("description").Str()
		words := wordsOf(&p.Value)
		if len(words) > 0 {
			help += ": " + strings.Join(words, ", ")
		}
		switch kind, _ := p.Value.Get("type").Str(); kind {
		case "array":
			flags.StringSlice(name, nil, help)
		case "integer":
			flags.Int64(name, 0, help)
		case "string":
			flags.String(name, "", help)
		}
		if len(words) > 0 {
			_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // the flag is there, and has none yet
		}
	}
}

// schemaProperties returns the members of the record with their schemas.
func (f *Flags) schemaProperties() []wire.Member {
	schema := wire.Schema(f.Record, false)
	return schema.Get("properties").Members
}

// wordsOf lists the words that a member may be, none for any text.
func wordsOf(schema *wire.Value) []string {
	list := schema.Get("enum")
	if list == nil && schema.Get("items") != nil {
		list = schema.Get("items").Get("enum")
	}
	return textsOf(list)
}

// Value returns the record of the flags that were given, with more members.
func (f *Flags) Value(cmd *cobra.Command, more ...wire.Member) wire.Value {
	out := wire.Object(more...)
	for _, p := range f.schemaProperties() {
		if flag := cmd.Flags().Lookup(f.flagOf(p.Name)); flag != nil && flag.Changed && out.Get(p.Name) == nil {
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

// Row returns a record for people and machines: all of its members, even empty
// ones, except private ones. renamed has other names for members, by their
// names in the record.
func Row(r wire.Record, renamed map[string]string) map[string]any {
	schema := wire.Schema(r, false)
	value, err := wire.Parse(wire.Append(nil, r), wire.Limits{Bytes: 1 << 20, Depth: 8, Members: 4096})
	if err != nil {
		panic(err) // what wire writes it reads
	}
	row := map[string]any{}
	for _, p := range schema.Get("properties").Members {
		kind, _ := p.Value.Get("type").Str()
		name := cmp.Or(renamed[p.Name], p.Name)
		switch member := value.Get(p.Name); {
		case p.Value.Get(wire.PrivateMember) != nil:
		case kind == "integer":
			row[name], _ = member.Int()
		case kind == "array":
			row[name] = textsOf(member)
		default:
			row[name], _ = member.Str()
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

// Part is a record of a document made from flags, with its position there.
type Part struct {
	At    string
	Flags *Flags
}

// Faults rewords faults of a document made from flags so that they are about
// the flags. A part within another one must precede it.
func Faults(err error, parts ...Part) error {
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

func flagFault(f *registry.Fault, parts []Part) string {
	for _, p := range parts {
		rest, within := strings.CutPrefix(f.Pointer, p.At)
		if !within {
			continue
		}
		member, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
		if name := p.Flags.flagOf(member); name != "" {
			member = "--" + name
		}
		if member != "" && f.Detail[0] >= 'A' && f.Detail[0] <= 'Z' { // a sentence, such as "At most 480 characters."
			member += ":"
		}
		return strings.TrimSpace(member + " " + f.Detail)
	}
	return f.Detail
}
