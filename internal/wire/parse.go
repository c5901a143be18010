package wire

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// Limits bounds what Parse accepts; a zero field means the one of Default.
type Limits struct {
	Bytes   int
	Depth   int // nesting of arrays and objects
	Members int // members of one object, and items of one array times 64
	Values  int // values in all, which is what a text costs in memory; 0 is no limit
	Floats  bool
}

// Default suits a signed record or a request body.
var Default = Limits{Bytes: 64 << 10, Depth: 16, Members: 256}

// Trusted suits files that this program wrote itself.
var Trusted = Limits{Bytes: 1 << 30, Depth: 32, Members: 1 << 20}

// Error says why a text is not in the dialect. Code is stable:
// json_syntax, json_duplicate_member, json_number_not_safe_integer,
// json_ill_formed_unicode, json_trailing_data, json_too_deep,
// json_too_many_members or json_too_large.
type Error struct {
	Code   string
	Offset int // in bytes
}

func (e *Error) Error() string { return e.Code + " at byte " + strconv.Itoa(e.Offset) }

const maxSafe = 1<<53 - 1

// Parse reads exactly one value from b. The error, if any, is an *Error.
func Parse(b []byte, l Limits) (Value, error) {
	if l.Bytes == 0 {
		l.Bytes = Default.Bytes
	}
	if l.Depth == 0 {
		l.Depth = Default.Depth
	}
	if l.Members == 0 {
		l.Members = Default.Members
	}
	if len(b) > l.Bytes {
		return Value{}, &Error{"json_too_large", l.Bytes}
	}
	p := parser{s: string(b), l: l}
	if !utf8.ValidString(p.s) {
		return Value{}, &Error{"json_ill_formed_unicode", 0}
	}
	p.skipSpace()
	v, err := p.parseValue(0)
	if err != nil {
		return Value{}, err
	}
	p.skipSpace()
	if p.i != len(p.s) {
		return Value{}, &Error{"json_trailing_data", p.i}
	}
	return v, nil
}

type parser struct {
	s string
	i int
	n int // values so far
	l Limits

	// What was read of the arrays and objects that are not yet read to their end.
	items   []Value
	members []Member
}

func (p *parser) syntaxError(code string) error { return &Error{code, p.i} }

func (p *parser) skipSpace() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

func (p *parser) parseValue(depth int) (Value, error) {
	if p.i >= len(p.s) {
		return Value{}, p.syntaxError("json_syntax")
	}
	if p.n++; p.l.Values > 0 && p.n > p.l.Values {
		return Value{}, p.syntaxError("json_too_many_members")
	}
	at := int32(p.i)
	switch c := p.s[p.i]; c {
	case '{', '[':
		if depth >= p.l.Depth {
			return Value{}, p.syntaxError("json_too_deep")
		}
		if c == '{' {
			return p.parseObject(depth + 1)
		}
		return p.parseArray(depth + 1)
	case '"':
		s, err := p.parseString()
		return Value{Kind: KindString, at: at, Text: s}, err
	case 't':
		return Value{Kind: KindBool, at: at, Bool: true}, p.parseWord("true")
	case 'f':
		return Value{Kind: KindBool, at: at}, p.parseWord("false")
	case 'n':
		return Value{at: at}, p.parseWord("null")
	}
	return p.parseNumber()
}

func (p *parser) parseWord(w string) error {
	if len(p.s)-p.i < len(w) || p.s[p.i:p.i+len(w)] != w {
		return p.syntaxError("json_syntax")
	}
	p.i += len(w)
	return nil
}

func (p *parser) parseArray(depth int) (Value, error) {
	v, start := Value{Kind: KindArray, at: int32(p.i)}, len(p.items)
	p.i++
	p.skipSpace()
	if p.i < len(p.s) && p.s[p.i] == ']' {
		p.i++
		return v, nil
	}
	for {
		p.skipSpace()
		item, err := p.parseValue(depth)
		if err != nil {
			return v, err
		}
		if len(p.items)-start >= p.l.Members*64 {
			return v, p.syntaxError("json_too_many_members")
		}
		p.items = append(p.items, item)
		done, err := p.nextElement(']')
		if err != nil {
			return v, err
		}
		if done {
			v.Items = slices.Clone(p.items[start:])
			p.items = p.items[:start]
			return v, nil
		}
	}
}

func (p *parser) parseObject(depth int) (Value, error) {
	v, start := Value{Kind: KindObject, at: int32(p.i)}, len(p.members)
	p.i++
	p.skipSpace()
	if p.i < len(p.s) && p.s[p.i] == '}' {
		p.i++
		return v, nil
	}
	var seen names
	for {
		p.skipSpace()
		at := p.i
		if p.i >= len(p.s) || p.s[p.i] != '"' {
			return v, p.syntaxError("json_syntax")
		}
		name, err := p.parseString()
		if err != nil {
			return v, err
		}
		if seen.addName(p.members[start:], name) {
			return v, &Error{"json_duplicate_member", at}
		}
		if len(p.members)-start >= p.l.Members {
			return v, p.syntaxError("json_too_many_members")
		}
		p.skipSpace()
		if p.i >= len(p.s) || p.s[p.i] != ':' {
			return v, p.syntaxError("json_syntax")
		}
		p.i++
		p.skipSpace()
		item, err := p.parseValue(depth)
		if err != nil {
			return v, err
		}
		p.members = append(p.members, Member{name, item})
		done, err := p.nextElement('}')
		if err != nil {
			return v, err
		}
		if done {
			v.Members = slices.Clone(p.members[start:])
			p.members = p.members[:start]
			return v, nil
		}
	}
}

// names finds duplicates: by a scan in small objects, by a set in large ones.
type names struct{ set map[string]struct{} }

func (n *names) addName(have []Member, name string) (dup bool) {
	if n.set == nil {
		for i := range have {
			if have[i].Name == name {
				return true
			}
		}
		if len(have) < 32 {
			return false
		}
		n.set = make(map[string]struct{}, 2*len(have))
		for i := range have {
			n.set[have[i].Name] = struct{}{}
		}
	}
	if _, dup = n.set[name]; !dup {
		n.set[name] = struct{}{}
	}
	return dup
}

// nextElement consumes a comma, or the closing byte (done).
func (p *parser) nextElement(closing byte) (done bool, err error) {
	p.skipSpace()
	if p.i >= len(p.s) {
		return false, p.syntaxError("json_syntax")
	}
	switch p.s[p.i] {
	case ',':
		p.i++
		return false, nil
	case closing:
		p.i++
		return true, nil
	}
	return false, p.syntaxError("json_syntax")
}

func (p *parser) parseDigits() int {
	n := 0
	for p.i < len(p.s) && p.s[p.i] >= '0' && p.s[p.i] <= '9' {
		p.i++
		n++
	}
	return n
}

func (p *parser) parseNumber() (Value, error) {
	start := p.i
	if p.s[p.i] == '-' {
		p.i++
	}
	lead := p.i
	n := p.parseDigits()
	if n == 0 || n > 1 && p.s[lead] == '0' {
		p.i = start
		return Value{}, p.syntaxError("json_syntax")
	}
	integer := true
	if p.i < len(p.s) && p.s[p.i] == '.' {
		integer = false
		p.i++
		if p.parseDigits() == 0 {
			return Value{}, p.syntaxError("json_syntax")
		}
	}
	if p.i < len(p.s) && (p.s[p.i] == 'e' || p.s[p.i] == 'E') {
		integer = false
		p.i++
		if p.i < len(p.s) && (p.s[p.i] == '+' || p.s[p.i] == '-') {
			p.i++
		}
		if p.parseDigits() == 0 {
			return Value{}, p.syntaxError("json_syntax")
		}
	}
	tok := p.s[start:p.i]
	if !p.l.Floats && (!integer || !isSafeInteger(tok)) {
		return Value{}, &Error{"json_number_not_safe_integer", start}
	}
	return Value{Kind: KindNumber, at: int32(start), Text: tok}, nil
}

func isSafeInteger(tok string) bool {
	if tok == "-0" || len(tok) > 17 {
		return false
	}
	n, err := strconv.ParseInt(tok, 10, 64)
	return err == nil && n <= maxSafe && n >= -maxSafe
}

// parseString reads a string; the common case without escapes copies nothing.
func (p *parser) parseString() (string, error) {
	p.i++
	start := p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			s := p.s[start:p.i]
			p.i++
			return s, nil
		case c == '\\':
			return p.parseEscaped(start)
		case c < 0x20:
			return "", p.syntaxError("json_syntax")
		}
		p.i++
	}
	return "", p.syntaxError("json_syntax")
}

func (p *parser) parseEscaped(start int) (string, error) {
	b := append(make([]byte, 0, p.i-start+32), p.s[start:p.i]...)
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			p.i++
			return string(b), nil
		case c < 0x20:
			return "", p.syntaxError("json_syntax")
		case c != '\\':
			b = append(b, c)
			p.i++
		default:
			r, err := p.parseEscape()
			if err != nil {
				return "", err
			}
			b = utf8.AppendRune(b, r)
		}
	}
	return "", p.syntaxError("json_syntax")
}

// parseEscape reads one escape sequence, a surrogate pair counting as one.
func (p *parser) parseEscape() (rune, error) {
	if p.i+1 >= len(p.s) {
		return 0, p.syntaxError("json_syntax")
	}
	c := p.s[p.i+1]
	if c != 'u' {
		r := unescapeByte(c)
		if r == 0 {
			return 0, p.syntaxError("json_syntax")
		}
		p.i += 2
		return r, nil
	}
	r, ok := p.parseHex4(p.i + 2)
	if !ok {
		return 0, p.syntaxError("json_syntax")
	}
	if r < 0xD800 || r > 0xDFFF {
		p.i += 6
		return r, nil
	}
	if r < 0xDC00 && p.i+7 < len(p.s) && p.s[p.i+6] == '\\' && p.s[p.i+7] == 'u' {
		if lo, ok := p.parseHex4(p.i + 8); ok && lo >= 0xDC00 && lo <= 0xDFFF {
			p.i += 12
			return (r-0xD800)<<10 + (lo - 0xDC00) + 0x10000, nil
		}
	}
	return 0, p.syntaxError("json_ill_formed_unicode")
}

func unescapeByte(c byte) rune {
	switch c {
	case '"', '\\', '/':
		return rune(c)
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return 0
}

func (p *parser) parseHex4(at int) (rune, bool) {
	if at+4 > len(p.s) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(p.s[at : at+4]) {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
