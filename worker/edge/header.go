package edge

// Field is one header field. Name is lower case.
type Field struct{ Name, Value string }

// Header is an ordered list of fields; a name may occur more than once.
type Header []Field

// Get returns the first value of name (lower case), or "".
func (h Header) Get(name string) string {
	for i := range h {
		if h[i].Name == name {
			return h[i].Value
		}
	}
	return ""
}

// Has reports whether a field of that name (lower case) is present.
func (h Header) Has(name string) bool {
	for i := range h {
		if h[i].Name == name {
			return true
		}
	}
	return false
}

// Values returns every value of name (lower case), in order.
func (h Header) Values(name string) []string {
	var out []string
	for i := range h {
		if h[i].Name == name {
			out = append(out, h[i].Value)
		}
	}
	return out
}

// Set replaces the first field of that name, or appends one.
func (h *Header) Set(name, value string) {
	for i := range *h {
		if (*h)[i].Name == name {
			(*h)[i].Value = value
			return
		}
	}
	*h = append(*h, Field{name, value})
}

// Add appends a field.
func (h *Header) Add(name, value string) { *h = append(*h, Field{name, value}) }

// Valid reports whether a host may send the field: a lower-case token for a
// name and a value of printable ASCII, spaces and tabs. Hosts drop other
// fields, so that no text copied by a handler can end a header line.
func (f Field) Valid() bool {
	if f.Name == "" {
		return false
	}
	for i := 0; i < len(f.Name); i++ {
		c := f.Name[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	for i := 0; i < len(f.Value); i++ {
		if c := f.Value[i]; (c < ' ' && c != '\t') || c > '~' {
			return false
		}
	}
	return true
}
