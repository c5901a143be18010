package wire

import "strconv"

// Object is a required member that is itself a record.
func (m *Members) Object(name string, r Record) {
	switch m.mode {
	case writing:
		m.beginMember(name)
		m.walkObject(r)
		m.endMember()
	case reading:
		if v := m.findMember(name, true); v != nil {
			m.descendInto(name, v, r)
		}
	case describing:
		m.describeNested(name, r, true, false)
	}
}

// Nested is Object for a record that is no type of its own: members calls one
// method of m for each member, as Record.Members does.
func (m *Members) Nested(name string, members func(m *Members)) { m.Object(name, nested(members)) }

type nested func(m *Members)

func (n nested) Members(m *Members) { n(m) }

// ptr is the constraint "pointer to T that is a Record".
type ptr[T any] interface {
	*T
	Record
}

// Opt is a record that is absent when nil.
func Opt[T any, P ptr[T]](m *Members, name string, p **T) { nestedMember[T, P](m, name, p, false) }

// OrNull is a record that is null when nil: known to be none.
func OrNull[T any, P ptr[T]](m *Members, name string, p **T) { nestedMember[T, P](m, name, p, true) }

func nestedMember[T any, P ptr[T]](m *Members, name string, p **T, null bool) {
	switch m.mode {
	case writing:
		switch {
		case *p != nil:
			m.beginMember(name)
			m.walkObject(P(*p))
			m.endMember()
		case null:
			m.writeNull(name)
		}
	case reading:
		v := m.findMember(name, null)
		if v == nil || null && v.Kind == KindNull {
			return
		}
		x := new(T)
		m.descendInto(name, v, P(x))
		*p = x
	case describing:
		m.describeNested(name, P(new(T)), null, null)
	}
}

// List is a list of records, written even when empty.
func List[T any, P ptr[T]](m *Members, name string, p *[]T) { listMember[T, P](m, name, p, true) }

// OptList is a list of records, absent when empty.
func OptList[T any, P ptr[T]](m *Members, name string, p *[]T) { listMember[T, P](m, name, p, false) }

func listMember[T any, P ptr[T]](m *Members, name string, p *[]T, required bool) {
	switch m.mode {
	case writing:
		if !required && len(*p) == 0 {
			return
		}
		m.writeList(name, len(*p), func(i int) { m.walkObject(P(&(*p)[i])) })
	case reading:
		items, ok := m.findList(name, required, "")
		if !ok {
			return
		}
		out := make([]T, len(items))
		for i := range items {
			m.descendInto(name+"/"+strconv.Itoa(i), &items[i], P(&out[i]))
		}
		*p = out
	case describing:
		m.describeList(name, P(new(T)), required)
	}
}
