package channel

import (
	"encoding/base64"
	"errors"
	"strings"
)

// errStructured says that a text is not an RFC 9651 dictionary.
var errStructured = errors.New("not a structured field dictionary")

type sfKind uint8

const (
	sfOther sfKind = iota // a value without a meaning in any vocabulary here
	sfToken
)

// sfMember is one member of a dictionary.
type sfMember struct {
	key    string
	kind   sfKind
	text   string // of a token
	params string // its parameters as they are written, ";exceptions=research"
}

// parseDictionary parses a Structured Fields dictionary (RFC 9651, section
// 4.2.2) strictly. A repeated key keeps its first position and the last value.
func parseDictionary(s string) ([]sfMember, error) {
	p := sfReader{s: strings.Trim(s, " ")}
	var dict []sfMember
	for p.i < len(p.s) {
		m, ok := p.readMember()
		if !ok {
			return nil, errStructured
		}
		dict = putMember(dict, m)
		p.skipSpace()
		if p.i == len(p.s) {
			return dict, nil
		}
		if !p.acceptByte(',') {
			return nil, errStructured
		}
		p.skipSpace()
		if p.i == len(p.s) {
			return nil, errStructured // trailing comma
		}
	}
	return dict, nil
}

func putMember(dict []sfMember, m sfMember) []sfMember {
	for i := range dict {
		if dict[i].key == m.key {
			dict[i] = m
			return dict
		}
	}
	return append(dict, m)
}

type sfReader struct {
	s string
	i int
}

func (p *sfReader) acceptByte(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *sfReader) skipSpace() {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\t') {
		p.i++
	}
}

// takeWhile consumes octets of a set and returns them.
func (p *sfReader) takeWhile(in func(byte) bool) string {
	from := p.i
	for p.i < len(p.s) && in(p.s[p.i]) {
		p.i++
	}
	return p.s[from:p.i]
}

func (p *sfReader) readMember() (sfMember, bool) {
	key, ok := p.readKey()
	if !ok {
		return sfMember{}, false
	}
	m := sfMember{key: key}
	if !p.acceptByte('=') {
		return m, p.readParameters() // the boolean true
	}
	if p.acceptByte('(') {
		return m, p.innerList() && p.readParameters()
	}
	m.kind, m.text, ok = p.readItem()
	from := p.i
	ok = ok && p.readParameters()
	m.params = p.s[from:p.i]
	return m, ok
}

func (p *sfReader) readKey() (string, bool) {
	if p.i >= len(p.s) || !isLower(p.s[p.i]) && p.s[p.i] != '*' {
		return "", false
	}
	return p.takeWhile(func(c byte) bool {
		return isLower(c) || isDigit(c) || c == '_' || c == '-' || c == '.' || c == '*'
	}), true
}

func (p *sfReader) innerList() bool {
	for {
		for p.acceptByte(' ') {
		}
		if p.acceptByte(')') {
			return true
		}
		if _, _, ok := p.readItem(); !ok || !p.readParameters() {
			return false
		}
		if p.i >= len(p.s) || p.s[p.i] != ' ' && p.s[p.i] != ')' {
			return false
		}
	}
}

func (p *sfReader) readParameters() bool {
	for p.acceptByte(';') {
		for p.acceptByte(' ') {
		}
		if _, ok := p.readKey(); !ok {
			return false
		}
		if !p.acceptByte('=') {
			continue
		}
		if _, _, ok := p.readItem(); !ok {
			return false
		}
	}
	return true
}

func (p *sfReader) readItem() (sfKind, string, bool) {
	if p.i >= len(p.s) {
		return 0, "", false
	}
	switch c := p.s[p.i]; {
	case c == '"':
		return sfOther, "", p.readQuoted()
	case c == ':':
		return sfOther, "", p.readBinary()
	case c == '?':
		p.i++
		return sfOther, "", p.acceptByte('0') || p.acceptByte('1')
	case c == '@':
		p.i++
		return sfOther, "", p.readNumber(false)
	case c == '%':
		p.i++
		return sfOther, "", p.readDisplay()
	case c == '-' || isDigit(c):
		return sfOther, "", p.readNumber(true)
	case isLower(c) || c >= 'A' && c <= 'Z' || c == '*':
		return sfToken, p.takeWhile(sfTokenByte), true
	}
	return 0, "", false
}

func (p *sfReader) readQuoted() bool {
	p.i++
	return p.readUntil('\\', func() bool { return p.acceptByte('"') || p.acceptByte('\\') })
}

// readUntil reads to the closing quote; after the escape octet, rest must accept.
func (p *sfReader) readUntil(escape byte, rest func() bool) bool {
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == '"':
			return true
		case c == escape && !rest(), c < 0x20, c > 0x7e:
			return false
		}
	}
	return false
}

func (p *sfReader) readBinary() bool {
	end := strings.IndexByte(p.s[p.i+1:], ':')
	if end < 0 {
		return false
	}
	text := p.s[p.i+1 : p.i+1+end]
	p.i += end + 2
	_, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	return err == nil
}

func (p *sfReader) readDisplay() bool {
	return p.acceptByte('"') && p.readUntil('%', func() bool { return len(p.takeWhile(hexLower)) >= 2 })
}

func hexLower(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' }

// readNumber checks an integer of up to 15 digits or, if allowed, a decimal of up
// to 12 and 3.
func (p *sfReader) readNumber(decimal bool) bool {
	p.acceptByte('-')
	whole := p.takeWhile(isDigit)
	if whole == "" || len(whole) > 15 {
		return false
	}
	if !decimal || !p.acceptByte('.') {
		return true
	}
	part := p.takeWhile(isDigit)
	return len(whole) <= 12 && len(part) >= 1 && len(part) <= 3
}

func sfTokenByte(c byte) bool {
	return isLower(c) || isDigit(c) || c >= 'A' && c <= 'Z' || strings.IndexByte("!#$%&'*+-.^_`|~:/", c) >= 0
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
