package wire

import (
	"slices"
	"strconv"
)

// Record is a type with a JSON form. Members calls one method of m for each
// member, always the same ones; m writes, reads or describes them.
type Record interface{ Members(m *Members) }

// Rows is a list of records, which encoding/json writes in their own form.
type Rows[T any, P interface {
	*T
	Record
}] []T

// MarshalJSON writes an array.
func (list Rows[T, P]) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = Append(b, P(&list[i]))
	}
	return append(b, ']'), nil
}

// Append writes r canonically after b.
func Append(b []byte, r Record) []byte {
	if b == nil {
		b = make([]byte, 0, usualBytes)
	}
	m := Members{mode: writing, buf: b, spans: make([]span, 0, usualMembers)}
	m.walkObject(r)
	return m.buf
}

// usualBytes is what most records take, or near to it.
const usualBytes = 512

// usualMembers is how many members most records have, those around them included.
const usualMembers = 24

// Decode reads b into r strictly: an unknown member, a wrong type, a missing
// required member or a value out of bounds is refused. The error is an *Error
// (not JSON of this dialect) or an *Invalid (JSON of another shape).
func Decode(b []byte, r Record, l Limits) error {
	v, err := Parse(b, l)
	if err != nil {
		return err
	}
	return DecodeValue(&v, r)
}

// DecodeValue is Decode on a value already parsed.
func DecodeValue(v *Value, r Record) error {
	bad := &Invalid{}
	m := Members{mode: reading, in: v, bad: bad}
	m.walkObject(r)
	if len(bad.Fields) == 0 {
		return nil
	}
	return bad
}

// Members is one walk over a record: see Record.
type Members struct {
	mode   mode
	buf    []byte    // writing: output so far
	spans  []span    // writing: members of the object at hand, after those of the objects around it
	outer  int       // writing: how many of them are of the objects around it
	in     *Value    // reading: the object at hand
	used   int       // reading: members found in it
	names  []string  // reading: names asked for, to find unknown ones
	path   string    // reading: JSON pointer of the object at hand
	bad    *Invalid  // reading: what was refused
	schema *schemaAt // describing
}

type mode uint8

const (
	writing mode = iota
	reading
	describing
)

type span struct {
	name     string
	from, to int
}

// Writing reports whether the walk writes, so that a record may leave out
// what it does not know.
func (m *Members) Writing() bool { return m.mode == writing }

func (m *Members) walkObject(r Record) {
	switch m.mode {
	case writing:
		outer := m.outer
		m.outer = len(m.spans)
		start := len(m.buf)
		m.buf = append(m.buf, '{')
		r.Members(m)
		m.finishObject(start)
		m.spans = m.spans[:m.outer]
		m.outer = outer
	case reading:
		m.readObject(r)
	case describing:
		m.describeObject(r)
	}
}

// finishObject closes the object that starts at start, putting its members into
// canonical order where the record named them in another.
func (m *Members) finishObject(start int) {
	own := m.spans[m.outer:]
	sorted := slices.IsSortedFunc(own, bySpan)
	if !sorted {
		body := slices.Clone(m.buf[start:])
		slices.SortFunc(own, bySpan)
		m.buf = append(m.buf[:start], '{')
		for i, s := range own {
			if i > 0 {
				m.buf = append(m.buf, ',')
			}
			m.buf = append(m.buf, body[s.from-start:s.to-start]...)
		}
	}
	m.buf = append(m.buf, '}')
}

func bySpan(a, b span) int {
	if a.name < b.name {
		return -1
	}
	if a.name > b.name {
		return 1
	}
	return 0
}

// beginMember starts writing a member, end closes it.
func (m *Members) beginMember(name string) {
	if len(m.spans) > m.outer {
		m.buf = append(m.buf, ',')
	}
	m.spans = append(m.spans, span{name: name, from: len(m.buf)})
	m.buf = append(m.buf, '"')
	m.buf = append(m.buf, name...)
	m.buf = append(m.buf, '"', ':')
}

func (m *Members) endMember() { m.spans[len(m.spans)-1].to = len(m.buf) }

func (m *Members) writeString(name, s string) {
	m.beginMember(name)
	m.buf = AppendString(m.buf, s)
	m.endMember()
}

func (m *Members) writeValue(name string, v Value) {
	m.beginMember(name)
	m.buf = v.Append(m.buf)
	m.endMember()
}

// writeList writes a list of n elements, each with element.
func (m *Members) writeList(name string, n int, element func(i int)) {
	m.beginMember(name)
	m.buf = append(m.buf, '[')
	for i := range n {
		if i > 0 {
			m.buf = append(m.buf, ',')
		}
		element(i)
	}
	m.buf = append(m.buf, ']')
	m.endMember()
}

func (m *Members) writeInt(name string, n int64) {
	m.beginMember(name)
	m.buf = strconv.AppendInt(m.buf, n, 10)
	m.endMember()
}

func (m *Members) writeNull(name string) {
	m.beginMember(name)
	m.buf = append(m.buf, "null"...)
	m.endMember()
}
