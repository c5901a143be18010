// Package wasmfile reads of a Wasm binary what tells its size: the code of
// each function, the names of functions, and the bytes of its data. It also
// gives functions other names.
//
// The format: https://webassembly.github.io/spec/core/binary/modules.html,
// names: https://webassembly.github.io/spec/core/appendix/custom.html.
package wasmfile

import (
	"encoding/binary"
	"errors"
	"strings"
)

// Module is what was read of a binary.
type Module struct {
	Imports int            // functions imported, numbered first
	Bodies  [][]byte       // code of each function that is not imported
	Names   map[int]string // by function number
	Data    int            // bytes of all data segments

	sections []section
}

// section is a part of the binary, as it stands.
type section struct {
	id    byte
	bytes []byte
	names bool // the custom section of names
}

// ErrBroken is returned for bytes that are no Wasm module.
var ErrBroken = errors.New("not a well-formed wasm module")

const preamble = "\x00asm\x01\x00\x00\x00"

// numbers of sections
const (
	customSection = 0
	importSection = 2
	codeSection   = 10
	dataSection   = 11
)

// functionNames is the number of the part of the name section that has the
// names of functions.
const functionNames = 1

// Parse reads a binary. It returns ErrBroken when that ends early or is no
// Wasm module.
func Parse(b []byte) (*Module, error) {
	body, ok := strings.CutPrefix(string(b), preamble)
	if !ok {
		return nil, ErrBroken
	}
	m := &Module{Names: map[int]string{}}
	r := &reader{b: []byte(body)}
	for len(r.b) > 0 && !r.bad {
		id := r.byte()
		s := section{id: id, bytes: r.bytes(r.int())}
		if !m.readSection(&s) {
			return nil, ErrBroken
		}
		m.sections = append(m.sections, s)
	}
	if r.bad {
		return nil, ErrBroken
	}
	return m, nil
}

func (m *Module) readSection(s *section) bool {
	r := &reader{b: s.bytes}
	switch s.id {
	case customSection:
		s.names = string(r.bytes(r.int())) == "name"
		if s.names {
			m.readNames(r)
		}
	case importSection:
		m.readImports(r)
	case codeSection:
		for n := r.int(); n > 0 && !r.bad; n-- {
			m.Bodies = append(m.Bodies, r.bytes(r.int()))
		}
	case dataSection:
		m.Data = len(s.bytes)
	}
	return !r.bad
}

func (m *Module) readImports(s *reader) {
	for n := s.int(); n > 0 && !s.bad; n-- {
		s.bytes(s.int())
		s.bytes(s.int())
		switch s.byte() {
		case 0: // function
			s.int()
			m.Imports++
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

func (m *Module) readNames(s *reader) {
	for len(s.b) > 0 && !s.bad {
		kind := s.byte()
		sub := &reader{b: s.bytes(s.int())}
		if kind != functionNames {
			continue
		}
		for n := sub.int(); n > 0 && !sub.bad; n-- {
			i := sub.int()
			m.Names[i] = string(sub.bytes(sub.int()))
		}
	}
}

// Rename is the binary with names[i] as the name of the function whose code is
// Bodies[i], and no other names.
func (m *Module) Rename(names []string) []byte {
	out := []byte(preamble)
	for _, s := range m.sections {
		if s.names {
			continue
		}
		out = append(out, s.id)
		out = appendBytes(out, s.bytes)
	}

	list := binary.AppendUvarint(nil, uint64(len(names)))
	for i, name := range names {
		list = binary.AppendUvarint(list, uint64(m.Imports+i))
		list = appendBytes(list, []byte(name))
	}

	content := appendBytes(nil, []byte("name"))
	content = append(content, functionNames)
	content = appendBytes(content, list)

	out = append(out, customSection)
	return appendBytes(out, content)
}

func appendBytes(out, b []byte) []byte {
	out = binary.AppendUvarint(out, uint64(len(b)))
	return append(out, b...)
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
