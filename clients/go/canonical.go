package colophon

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// value is one JSON value: nil, bool, int64, string, []value or *object.
type value any

type object struct {
	names  []string
	values map[string]value
}

func (o *object) get(name string) value {
	if o == nil {
		return nil
	}
	return o.values[name]
}

func (o *object) object(name string) *object { inner, _ := o.get(name).(*object); return inner }
func (o *object) text(name string) string    { s, _ := o.get(name).(string); return s }

// with returns a copy in which the named member has the value v.
func (o *object) with(name string, v value) *object {
	out := o.without(name)
	out.names = append(out.names, name)
	out.values[name] = v
	return out
}

func (o *object) without(name string) *object {
	out := &object{values: map[string]value{}}
	for _, n := range o.names {
		if n != name {
			out.names = append(out.names, n)
			out.values[n] = o.values[n]
		}
	}
	return out
}

var errMalformed = errors.New("not the JSON of a signed document")

// deepest is the maximum depth of nested values.
const deepest = 64

// parseStrict parses an object that may be signed (RFC 7493 and 8785). It
// returns errMalformed for duplicate members, numbers other than integers of 53
// bits, lone surrogates, deep nesting, and text after the object.
func parseStrict(data []byte) (*object, error) {
	if !utf8.Valid(data) || hasLoneSurrogate(data) {
		return nil, errMalformed
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	v, err := readValue(decoder, 0)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errMalformed
	}
	o, ok := v.(*object)
	if !ok {
		return nil, errMalformed
	}
	return o, nil
}

// hasLoneSurrogate reports whether a \u escape is half of a surrogate pair
// without the other half. The decoder would silently replace it.
func hasLoneSurrogate(data []byte) bool {
	high := false
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' || i+1 == len(data) {
			if high {
				return true
			}
			continue
		}
		i++
		unit := uint64(0)
		if data[i] == 'u' && i+4 < len(data) {
			unit, _ = strconv.ParseUint(string(data[i+1:i+5]), 16, 16) // the decoder refuses what is not a number
			i += 4
		}
		low := unit >= 0xDC00 && unit <= 0xDFFF
		if low != high {
			return true
		}
		high = unit >= 0xD800 && unit <= 0xDBFF
	}
	return high
}

func readValue(decoder *json.Decoder, depth int) (value, error) {
	token, err := decoder.Token()
	if err != nil || depth > deepest {
		return nil, fmt.Errorf("%w: %w", errMalformed, err)
	}
	switch x := token.(type) {
	case json.Number:
		return readInteger(x.String())
	case json.Delim:
		if x == '{' {
			return readObject(decoder, depth)
		}
		return readArray(decoder, depth)
	}
	return token, nil
}

// readInteger parses an integer of at most 53 bits in its canonical spelling.
func readInteger(text string) (value, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n > 1<<53-1 || n < -(1<<53-1) || strconv.FormatInt(n, 10) != text {
		return nil, fmt.Errorf("%w: the number %s", errMalformed, text)
	}
	return n, nil
}

func readObject(decoder *json.Decoder, depth int) (value, error) {
	out := &object{values: map[string]value{}}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		if _, twice := out.values[name]; twice {
			return nil, fmt.Errorf("%w: %q is there twice", errMalformed, name)
		}
		inner, err := readValue(decoder, depth+1)
		if err != nil {
			return nil, err
		}
		out.names = append(out.names, name)
		out.values[name] = inner
	}
	_, err := decoder.Token()
	return out, err
}

func readArray(decoder *json.Decoder, depth int) (value, error) {
	out := []value{}
	for decoder.More() {
		inner, err := readValue(decoder, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, inner)
	}
	_, err := decoder.Token()
	return out, err
}

// appendCanonical appends the canonical form of a value (RFC 8785).
func appendCanonical(b []byte, v value) []byte {
	switch x := v.(type) {
	case bool:
		return strconv.AppendBool(b, x)
	case int64:
		return strconv.AppendInt(b, x, 10)
	case string:
		return appendText(b, x)
	case []value:
		b = append(b, '[')
		for i, inner := range x {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, inner)
		}
		return append(b, ']')
	case *object:
		b = append(b, '{')
		for i, name := range slices.SortedFunc(slices.Values(x.names), compareUTF16) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, name), ':')
			b = appendCanonical(b, x.values[name])
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// compareUTF16 orders names by their UTF-16 code units.
func compareUTF16(a, b string) int {
	return slices.CompareFunc(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)), cmp.Compare[uint16])
}

// shortEscapes are the control characters for which RFC 8785 requires an escape
// of two characters.
var shortEscapes = map[rune]string{'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`}

func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= ' ':
			b = utf8.AppendRune(b, r)
		case shortEscapes[r] != "":
			b = append(b, shortEscapes[r]...)
		default:
			b = fmt.Appendf(b, "\\u%04x", r)
		}
	}
	return append(b, '"')
}
