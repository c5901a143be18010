package wire

import "strconv"

// Kind says what a Value holds.
type Kind uint8

// The kinds of JSON value.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// Value is one JSON value.
type Value struct {
	Kind    Kind
	Bool    bool
	at      int32  // see Offset
	Text    string // the text of a string, the token of a number
	Items   []Value
	Members []Member
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value Value
}

// Offset returns where the value begins in the text that Parse read it from, in
// bytes; 0 for a value that was made.
func (v *Value) Offset() int { return int(v.at) }

// Null returns the JSON null.
func Null() Value { return Value{} }

// Bool makes a JSON boolean.
func Bool(b bool) Value { return Value{Kind: KindBool, Bool: b} }

// Int makes a JSON number.
func Int(n int64) Value { return Value{Kind: KindNumber, Text: strconv.FormatInt(n, 10)} }

// String makes a JSON string.
func String(s string) Value { return Value{Kind: KindString, Text: s} }

// StringOrNull makes a JSON string, or null of "".
func StringOrNull(s string) Value {
	if s == "" {
		return Null()
	}
	return String(s)
}

// Strings makes an array of strings.
func Strings(s ...string) Value {
	v := Value{Kind: KindArray, Items: make([]Value, len(s))}
	for i, x := range s {
		v.Items[i] = String(x)
	}
	return v
}

// Array makes a JSON array.
func Array(items ...Value) Value { return Value{Kind: KindArray, Items: items} }

// Object makes a JSON object; names must be distinct.
func Object(members ...Member) Value { return Value{Kind: KindObject, Members: members} }

// M makes a member.
func M(name string, v Value) Member { return Member{name, v} }

// Get returns the member of that name, or nil if v is not an object or has none.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Kind != KindObject {
		return nil
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return &v.Members[i].Value
		}
	}
	return nil
}

// Str returns the text of a string value.
func (v *Value) Str() (string, bool) {
	if v == nil || v.Kind != KindString {
		return "", false
	}
	return v.Text, true
}

// Int returns an integral number value.
func (v *Value) Int() (int64, bool) {
	if v == nil || v.Kind != KindNumber {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	return n, err == nil
}

// Without returns a shallow copy of an object less the named member.
func (v Value) Without(name string) Value {
	out := v
	out.Members = make([]Member, 0, len(v.Members))
	for _, m := range v.Members {
		if m.Name != name {
			out.Members = append(out.Members, m)
		}
	}
	return out
}

// With returns a shallow copy of an object in which the named member is x.
func (v Value) With(name string, x Value) Value {
	out := v.Without(name)
	out.Members = append(out.Members, Member{name, x})
	return out
}
