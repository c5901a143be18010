package main

import (
	"encoding/binary"
	"errors"
	"strings"
)

// module is what of a Wasm binary tells its size: bodies, names, data.
type module struct {
	imports int            // functions imported, numbered first
	bodies  []int          // bytes of each function's code
	names   map[int]string // by function number
	data    int            // bytes of all data segments
}

var errBroken = errors.New("not a well-formed wasm module")

// section numbers of the binary format
const (
	custom  = 0
	imports = 2
	code    = 10
	data    = 11
)

func parse(b []byte) (*module, error) {
	if len(b) < 8 || string(b[:4]) != "\x00asm" {
		return nil, errBroken
	}
	m := &module{names: map[int]string{}}
	r := &reader{b: b[8:]}
	for len(r.b) > 0 && !r.bad {
		id := r.byte()
		s := &reader{b: r.bytes(r.int())}
		switch id {
		case custom:
			if string(s.bytes(s.int())) == "name" {
				m.readNames(s)
			}
		case imports:
			m.readImports(s)
		case code:
			for n := s.int(); n > 0 && !s.bad; n-- {
				m.bodies = append(m.bodies, len(s.bytes(s.int())))
			}
		case data:
			m.data = len(s.b)
		}
		r.bad = r.bad || s.bad
	}
	if r.bad {
		return nil, errBroken
	}
	return m, nil
}

func (m *module) readImports(s *reader) {
	for n := s.int(); n > 0 && !s.bad; n-- {
		s.bytes(s.int())
		s.bytes(s.int())
		switch s.byte() {
		case 0: // function
			s.int()
			m.imports++
		case 2: // memory
			if s.byte()&1 != 0 {
				s.int()
			}
			s.int()
		default: // tables and globals: TinyGo imports none
			s.bad = true
		}
	}
}

func (m *module) readNames(s *reader) {
	for len(s.b) > 0 && !s.bad {
		kind := s.byte()
		sub := &reader{b: s.bytes(s.int())}
		if kind != 1 { // only the names of functions
			continue
		}
		for n := sub.int(); n > 0 && !sub.bad; n-- {
			i := sub.int()
			m.names[i] = string(sub.bytes(sub.int()))
		}
	}
}

// packages sums the code of each package, the named ones by their path.
func (m *module) packages() map[string]int {
	out := map[string]int{}
	for i, size := range m.bodies {
		out[packageOf(m.names[i+m.imports])] += size
	}
	return out
}

// packageOf finds the package in a symbol such as
// "(*database/sql.DB).QueryContext$1" or "interface:{…}.Write$invoke".
func packageOf(symbol string) string {
	s := strings.TrimSuffix(strings.TrimLeft(symbol, "(*"), ".command_export")
	if s == "" || strings.HasPrefix(s, "interface:") || strings.ContainsAny(s, "{ ") {
		return "(other)"
	}
	slash := strings.LastIndexByte(s, '/')
	if bracket := strings.IndexByte(s, '['); bracket >= 0 && bracket < slash {
		s, slash = s[:bracket], strings.LastIndexByte(s[:bracket], '/')
	}
	dot := strings.IndexByte(s[slash+1:], '.')
	if dot < 0 {
		return "(C and runtime support)"
	}
	return s[:slash+1+dot]
}

// reader takes the parts of the binary format from b; after a part that is
// not there it is bad and gives zeros.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) byte() byte {
	p := r.bytes(1)
	if len(p) == 0 {
		return 0
	}
	return p[0]
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	p := r.b[:n]
	r.b = r.b[n:]
	return p
}

func (r *reader) int() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > 1<<31 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}
