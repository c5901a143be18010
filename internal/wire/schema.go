package wire

import "strconv"

// Schema returns the JSON Schema (draft 2020-12) of a record's JSON form.
// With open, unknown members are allowed, as clients must allow them in
// answers; without, additionalProperties is false, as in requests.
func Schema(r Record, open bool) Value {
	m := Members{mode: describing, schema: &schemaAt{open: open}}
	r.Members(&m)
	return m.schema.schemaValue()
}

// About describes the member that is named next to the schema, in words. It
// returns m.
func (m *Members) About(text string) *Members {
	if m.mode == describing {
		m.schema.about = text
	}
	return m
}

// PrivateMember is what the schema of a member has that is nobody's but the operator's.
const PrivateMember = "x-private"

// Private is About for a member that is nobody's but the operator's: its schema has
// PrivateMember.
func (m *Members) Private(text string) *Members {
	m.About(text + " (private)")
	if m.mode == describing {
		m.schema.private = true
	}
	return m
}

type schemaAt struct {
	open       bool
	about      string // of the next member, "" nothing is said
	private    bool   // the next member is
	properties []Member
	required   []string
}

func (s *schemaAt) schemaValue() Value {
	out := Object(M("type", String("object")), M("properties", Object(s.properties...)))
	if len(s.required) > 0 {
		out.Members = append(out.Members, M("required", Strings(s.required...)))
	}
	if !s.open {
		out.Members = append(out.Members, M("additionalProperties", Bool(false)))
	}
	return out
}

func (m *Members) addProperty(name string, required bool, v Value) {
	if m.schema.about != "" {
		v.Members = append(v.Members, M("description", String(m.schema.about)))
		m.schema.about = ""
	}
	if m.schema.private {
		v.Members = append(v.Members, M(PrivateMember, Bool(true)))
		m.schema.private = false
	}
	m.schema.properties = append(m.schema.properties, M(name, v))
	if required {
		m.schema.required = append(m.schema.required, name)
	}
}

func typeOf(word string, null bool) Member {
	if null {
		return M("type", Strings(word, "null"))
	}
	return M("type", String(word))
}

func (m *Members) describeType(name string, required bool, word string) {
	m.addProperty(name, required, Object(typeOf(word, false)))
}

func (m *Members) describeText(name string, required, null bool, b Bounds) {
	v := Object(typeOf("string", null))
	if b.Min > 0 {
		v.Members = append(v.Members, M("minLength", Int(int64(b.Min))))
	}
	if b.Max > 0 {
		v.Members = append(v.Members, M("maxLength", Int(int64(b.Max))))
	}
	m.addProperty(name, required, v)
}

func (m *Members) describeFormat(name string, required, null bool, format string) {
	m.addProperty(name, required, Object(typeOf("string", null), M("format", String(format))))
}

func (m *Members) describeEnum(name string, required bool, words []string) {
	m.addProperty(name, required, Object(M("type", String("string")), M("enum", Strings(words...))))
}

func (m *Members) describeConst(name string, v Value) {
	m.addProperty(name, true, Object(M("const", v)))
}

func (m *Members) describeInteger(name string, required, null, ranged bool, low, high int64) {
	v := Object(typeOf("integer", null))
	if ranged {
		v.Members = append(v.Members, M("minimum", Value{Kind: KindNumber, Text: strconv.FormatInt(low, 10)}), M("maximum", Value{Kind: KindNumber, Text: strconv.FormatInt(high, 10)}))
	}
	m.addProperty(name, required, v)
}

func (m *Members) describeStrings(name string, required bool, words []string) {
	item := Object(M("type", String("string")))
	if words != nil {
		item.Members = append(item.Members, M("enum", Strings(words...)))
	}
	m.addProperty(name, required, Object(M("type", String("array")), M("items", item)))
}

func (m *Members) describeAny(name string) { m.addProperty(name, false, Value{Kind: KindObject}) }

func (m *Members) describeNested(name string, r Record, required, null bool) {
	v := Schema(r, m.schema.open)
	if null {
		v = Object(M("anyOf", Array(v, Object(M("type", String("null"))))))
	}
	m.addProperty(name, required, v)
}

func (m *Members) describeList(name string, r Record, required bool) {
	m.addProperty(name, required, Object(M("type", String("array")), M("items", Schema(r, m.schema.open))))
}

func (m *Members) describeObject(r Record) { r.Members(m) }
