package mcp

import (
	"slices"
	"strings"

	"colophon/internal/wire"
)

// object is a JSON object whose members are already JSON texts, so that answers
// carry the bytes of the REST answer without parsing them.
type object []member

type member struct {
	name string
	json []byte
}

func (o *object) raw(name string, json []byte)    { *o = append(*o, member{name, json}) }
func (o *object) json(name, json string)          { o.raw(name, []byte(json)) }
func (o *object) text(name, s string)             { o.raw(name, wire.AppendString(nil, s)) }
func (o *object) value(name string, v wire.Value) { o.raw(name, v.Append(nil)) }

// append writes the object canonically, its members in order of their names,
// which are all ASCII.
func (o object) append(b []byte) []byte {
	slices.SortFunc(o, func(x, y member) int { return strings.Compare(x.name, y.name) })
	b = append(slices.Grow(b, o.size()), '{')
	for i := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), o[i].name...), `":`...)
		b = append(b, o[i].json...)
	}
	return append(b, '}')
}

// size returns the number of bytes that append writes, or one more.
func (o object) size() int {
	n := 2
	for i := range o {
		n += len(o[i].name) + len(o[i].json) + 4
	}
	return n
}
