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
	sfOther sfKind = iota // a value that no vocabulary here gives a meaning
	sfToken
)

// sfMember is one member of a dictionary; parameters are checked and dropped.
type sfMember struct {
	key  string
	kind sfKind
	text string // of a token
}

// parseDictionary reads a Structured Fields dictionary (RFC 9651, section
// 4.2.2) strictly. A repeated key keeps its first place and takes the last
// value.
func parseDictionary(s string) ([]sfMember, error) {
	p := sfReader{s: strings.Trim(s, " ")}
	var dict []sfMember
	for p.i < len(p.s) {
		m, ok := p.member()
		if !ok {
			return nil, errStructured
		}
		dict = putMember(dict, m)
		p.space()
		if p.i == len(p.s) {
			return dict, nil
		}
		if !p.eat(',') {
			return nil, errStructured
		}
		p.space()
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

func (p *sfReader) eat(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *sfReader) space() {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\t') {
		p.i++
	}
}

// run consumes octets of a set and returns them.
func (p *sfReader) run(in func(byte) bool) string {
	from := p.i
	for p.i < len(p.s) && in(p.s[p.i]) {
		p.i++
	}
	return p.s[from:p.i]
}

func (p *sfReader) member() (sfMember, bool) {
	key, ok := p.key()
	if !ok {
		return sfMember{}, false
	}
	m := sfMember{key: key}
	if !p.eat('=') {
		return m, p.parameters() // the boolean true
	}
	if p.eat('(') {
		return m, p.innerList() && p.parameters()
	}
	m.kind, m.text, ok = p.item()
	return m, ok && p.parameters()
}

func (p *sfReader) key() (string, bool) {
	if p.i >= len(p.s) || !lower(p.s[p.i]) && p.s[p.i] != '*' {
		return "", false
	}
	return p.run(func(c byte) bool {
		return lower(c) || digit(c) || c == '_' || c == '-' || c == '.' || c == '*'
	}), true
}

func (p *sfReader) innerList() bool {
	for {
		for p.eat(' ') {
		}
		if p.eat(')') {
			return true
		}
		if _, _, ok := p.item(); !ok || !p.parameters() {
			return false
		}
		if p.i >= len(p.s) || p.s[p.i] != ' ' && p.s[p.i] != ')' {
			return false
		}
	}
}

func (p *sfReader) parameters() bool {
	for p.eat(';') {
		for p.eat(' ') {
		}
		if _, ok := p.key(); !ok {
			return false
		}
		if !p.eat('=') {
			continue
		}
		if _, _, ok := p.item(); !ok {
			return false
		}
	}
	return true
}

func (p *sfReader) item() (sfKind, string, bool) {
	if p.i >= len(p.s) {
		return 0, "", false
	}
	switch c := p.s[p.i]; {
	case c == '"':
		return sfOther, "", p.quoted()
	case c == ':':
		return sfOther, "", p.binary()
	case c == '?':
		p.i++
		return sfOther, "", p.eat('0') || p.eat('1')
	case c == '@':
		p.i++
		return sfOther, "", p.number(false)
	case c == '%':
		p.i++
		return sfOther, "", p.display()
	case c == '-' || digit(c):
		return sfOther, "", p.number(true)
	case lower(c) || c >= 'A' && c <= 'Z' || c == '*':
		return sfToken, p.run(sfTokenByte), true
	}
	return 0, "", false
}

func (p *sfReader) quoted() bool {
	p.i++
	return p.until('\\', func() bool { return p.eat('"') || p.eat('\\') })
}

// until reads to the closing quote; after the escape octet, rest must accept.
func (p *sfReader) until(escape byte, rest func() bool) bool {
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

func (p *sfReader) binary() bool {
	end := strings.IndexByte(p.s[p.i+1:], ':')
	if end < 0 {
		return false
	}
	text := p.s[p.i+1 : p.i+1+end]
	p.i += end + 2
	_, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	return err == nil
}

func (p *sfReader) display() bool {
	return p.eat('"') && p.until('%', func() bool { return len(p.run(hexLower)) >= 2 })
}

func hexLower(c byte) bool { return digit(c) || c >= 'a' && c <= 'f' }

// number checks an integer of up to 15 digits or, if allowed, a decimal of up
// to 12 and 3.
func (p *sfReader) number(decimal bool) bool {
	p.eat('-')
	whole := p.run(digit)
	if whole == "" || len(whole) > 15 {
		return false
	}
	if !decimal || !p.eat('.') {
		return true
	}
	part := p.run(digit)
	return len(whole) <= 12 && len(part) >= 1 && len(part) <= 3
}

func sfTokenByte(c byte) bool {
	return lower(c) || digit(c) || c >= 'A' && c <= 'Z' || strings.IndexByte("!#$%&'*+-.^_`|~:/", c) >= 0
}

func lower(c byte) bool { return c >= 'a' && c <= 'z' }
func digit(c byte) bool { return c >= '0' && c <= '9' }
