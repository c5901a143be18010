package wire

import (
	"slices"
	"strings"
)

// FieldError is one refused member. Code is stable: required,
// unknown_member, type_mismatch, too_short, too_long, out_of_range,
// not_in_list, time_invalid, or one that a record's own checks add.
type FieldError struct {
	Pointer  string // JSON pointer (RFC 6901), "" for the whole value
	Code     string
	Detail   string
	Min, Max int
	Allowed  []string
}

// Invalid lists every refused member of a record.
type Invalid struct{ Fields []FieldError }

func (e *Invalid) Error() string {
	if len(e.Fields) == 0 {
		return "invalid record"
	}
	f := e.Fields[0]
	return f.Code + " at \"" + f.Pointer + "\": " + f.Detail
}

const maxFieldErrors = 32 // enough to mend a form, too few to flood an answer

func (e *Invalid) addField(f FieldError) {
	if len(e.Fields) < maxFieldErrors {
		e.Fields = append(e.Fields, f)
	}
}

// Refuse adds a finding of the record's own while the walk reads; it is
// ignored in the other walks.
func (m *Members) Refuse(name, code, detail string) {
	if m.mode == reading {
		m.addFieldError(name, code, detail)
	}
}

func (m *Members) addFieldError(name, code, detail string) {
	m.bad.addField(FieldError{Pointer: m.path + "/" + EscapePointer(name), Code: code, Detail: detail})
}

// EscapePointer returns a name as a part of a JSON Pointer (RFC 6901).
func EscapePointer(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// UnescapePointer returns the name that a part of a JSON Pointer stands for.
func UnescapePointer(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

func (m *Members) findMember(name string, required bool) *Value {
	m.names = append(m.names, name)
	v := m.in.Get(name)
	if v == nil {
		if required {
			m.addFieldError(name, "required", "This member is required.")
		}
		return nil
	}
	m.used++
	return v
}

// findList returns the elements of a list; what is the text " of" and the kind of
// these, or "".
func (m *Members) findList(name string, required bool, what string) ([]Value, bool) {
	v := m.findMember(name, required)
	if v == nil {
		return nil, false
	}
	if v.Kind != KindArray {
		m.addFieldError(name, "type_mismatch", "Must be a list"+what+".")
	}
	return v.Items, v.Kind == KindArray
}

func (m *Members) readObject(r Record) {
	if m.in.Kind != KindObject {
		m.bad.addField(FieldError{Pointer: m.path, Code: "type_mismatch", Detail: "Must be an object."})
		return
	}
	r.Members(m)
	if m.used == len(m.in.Members) {
		return
	}
	for i := range m.in.Members {
		if name := m.in.Members[i].Name; !slices.Contains(m.names, name) {
			m.addFieldError(name, "unknown_member", "This member is not known.")
		}
	}
}

// descendInto reads a nested record; at is the pointer below the object at hand,
// its names needing no escape because records name them.
func (m *Members) descendInto(at string, v *Value, r Record) {
	sub := Members{mode: reading, in: v, path: m.path + "/" + at, bad: m.bad}
	sub.walkObject(r)
}
