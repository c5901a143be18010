package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"colophon/internal/wire"
)

// Fault is one thing that is wrong with a document, and where.
type Fault struct {
	Source  string // name of the document, such as a file's
	Line    int    // from 1, 0 unknown
	Pointer string // RFC 6901, "" the whole document
	Detail  string
}

func (f Fault) String() string {
	at := f.Source
	if f.Line > 0 {
		at += ":" + strconv.Itoa(f.Line)
	}
	if f.Pointer != "" {
		at += ": " + f.Pointer
	}
	return at + ": " + f.Detail
}

// Faults are all that is wrong with documents. Nothing of them is written then.
type Faults []Fault

const toldFaults = 8 // in an error, which is one line

func (f Faults) Error() string {
	var told []string
	for i := range f {
		if i == toldFaults {
			told = append(told, fmt.Sprintf("and %d more", len(f)-i))
			break
		}
		told = append(told, f[i].String())
	}
	return strings.Join(told, "; ")
}

// Source is one document as it was read.
type Source struct {
	Name  string
	text  []byte
	value wire.Value
}

// limits suit a registry of some thousand publishers.
var limits = wire.Limits{Bytes: 64 << 20, Depth: 8, Members: 4096}

// Read decodes one document strictly. Errors contain the name, and are of type
// Faults.
func Read(name string, text []byte) (Source, error) {
	s := Source{Name: name, text: text}
	value, err := wire.Parse(text, limits)
	var broken *wire.Error
	if errors.As(err, &broken) {
		return s, Faults{{Source: name, Line: lineAt(text, broken.Offset), Detail: broken.Code}}
	}
	if err != nil {
		return s, err
	}
	s.value = value
	err = s.readRecord(&Document{}, &value, "")
	return s, err
}

// readRecord decodes a value into a record, and returns the errors as Faults.
func (s *Source) readRecord(r wire.Record, v *wire.Value, pointer string) error {
	err := wire.DecodeValue(v, r)
	var bad *wire.Invalid
	if !errors.As(err, &bad) {
		return err
	}
	var out Faults
	for _, f := range bad.Fields {
		detail := f.Detail
		switch word, isText := valueAt(v, f.Pointer).Str(); {
		case len(f.Allowed) > 0 && isText:
			detail = strconv.Quote(word) + " is not one of " + strings.Join(f.Allowed, ", ")
		case f.Code == "unknown_member":
			detail = "this member is not known"
		}
		out = append(out, Fault{Source: s.Name, Line: s.lineOf(pointer + f.Pointer), Pointer: pointer + f.Pointer, Detail: detail})
	}
	return out
}

// valueAt returns the value of a pointer below v, nil if there is none.
func valueAt(v *wire.Value, pointer string) *wire.Value {
	for _, name := range strings.Split(pointer, "/")[1:] {
		if at, err := strconv.Atoi(name); err == nil && v != nil && at < len(v.Items) {
			v = &v.Items[at]
		} else {
			v = v.Get(name)
		}
	}
	return v
}

// lineOf returns the line on which the value of a pointer begins, or that of
// the nearest value around it.
func (s *Source) lineOf(pointer string) int {
	d := json.NewDecoder(bytes.NewReader(s.text))
	at, _ := seekValue(d, strings.Split(pointer, "/")[1:])
	return lineAt(s.text, int(at))
}

// seekValue reads up to the value at a path, and returns the offset of its first
// byte. It returns false if there is no such value.
func seekValue(d *json.Decoder, path []string) (int64, bool) {
	before := d.InputOffset()
	token, err := d.Token()
	if err != nil {
		return before, false
	}
	start := d.InputOffset()
	open, isOpen := token.(json.Delim)
	if len(path) == 0 || !isOpen {
		return start, len(path) == 0
	}
	name := wire.UnescapePointer(path[0])
	for i := 0; d.More(); i++ {
		key := strconv.Itoa(i)
		if open == '{' {
			token, err := d.Token()
			if err != nil {
				return start, false
			}
			key, _ = token.(string)
		}
		if key == name {
			return seekValue(d, path[1:])
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return start, false
		}
	}
	return start, false
}

func lineAt(text []byte, offset int) int {
	return 1 + bytes.Count(text[:min(max(offset, 0), len(text))], []byte("\n"))
}
