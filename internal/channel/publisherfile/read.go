package publisherfile

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"colophon/internal/channel/misspelt"
	"colophon/internal/wire"
)

// Problem is one thing that is wrong with a file, or not known. Line and
// Column count from 1, columns in characters; Pointer is an RFC 6901 JSON
// pointer, "" for the whole file. Code is stable.
type Problem struct {
	Line    int
	Column  int
	Pointer string
	Code    string
	Detail  string
}

// String returns one line: "12:5 /offers/0/payment/amount amount_invalid: …".
func (p Problem) String() string {
	s := p.Where()
	if p.Pointer != "" {
		s += " " + p.Pointer
	}
	s += " " + p.Code
	if p.Detail != "" {
		s += ": " + p.Detail
	}
	return s
}

// Where returns the position as "line:column".
func (p Problem) Where() string { return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column) }

// Errors is why a file counts as saying nothing: at least one problem, at most
// 32, in the order of the file.
type Errors []Problem

// Error returns the first of them and how many more there are.
func (e Errors) Error() string {
	if len(e) == 1 {
		return e[0].String()
	}
	return e[0].String() + " (and " + strconv.Itoa(len(e)-1) + " more)"
}

// Reading is a file that was read without an error.
type Reading struct {
	File
	Unknown []Problem // members that are not known, at most 32
	Extra   []wire.Member
}

// bounds of the JSON itself. Values bounds the memory that a file can cost.
var bounds = wire.Limits{Bytes: MaxBytes, Depth: 8, Members: 64, Values: 20000}

// Read reads a file. The error is Errors.
func Read(body []byte) (*Reading, error) {
	if len(body) > MaxBytes {
		return nil, Errors{{Line: 1, Column: 1, Code: "too_large", Detail: "The file may have " + strconv.Itoa(MaxBytes) + " bytes."}}
	}
	body = trimByteOrderMark(body)
	v, err := wire.Parse(body, bounds)
	if err != nil {
		return nil, Errors{syntaxProblem(body, err)}
	}
	var r Reading
	known := dropUnknown(&r, v, wire.Schema(&r.File, true), "")
	var found []Problem
	var invalid *wire.Invalid
	if err := wire.DecodeValue(&known, &r.File); errors.As(err, &invalid) {
		for _, f := range invalid.Fields {
			found = append(found, Problem{Pointer: f.Pointer, Code: f.Code, Detail: detailOf(&v, f)})
		}
	}
	if len(found) == 0 {
		writePlain(&r.File)
		found = checkFile(&r.File)
	}
	placeProblems(body, &v, r.Unknown)
	if len(found) == 0 {
		return &r, nil
	}
	placeProblems(body, &v, found)
	return nil, Errors(found)
}

// detailOf says what is wrong with a value, and which word a misspelt one
// resembles.
func detailOf(file *wire.Value, f wire.FieldError) string {
	if len(f.Allowed) == 0 {
		return f.Detail
	}
	word, _ := findPointer(file, f.Pointer).Str()
	return suggest(word, f.Allowed) + "One of " + strings.Join(f.Allowed, ", ") + "."
}

// suggest returns a question whether a similar word of a list was meant, "" if
// none is near.
func suggest(word string, list []string) string {
	nearest := misspelt.Nearest(word, list)
	if nearest == "" {
		return ""
	}
	return "Did you mean " + strconv.Quote(nearest) + " by " + strconv.Quote(word) + "? "
}

// Resembles reports whether a document, though it has mistakes, was written to be a
// publisher's file: a page that a server sends for any address was not.
func Resembles(body []byte) bool {
	text := strings.TrimSpace(string(trimByteOrderMark(body)))
	return strings.HasPrefix(text, "{") && strings.Contains(text, `"colophon_publisher"`)
}

func trimByteOrderMark(body []byte) []byte {
	return []byte(strings.TrimPrefix(string(body), "\ufeff"))
}

func syntaxProblem(body []byte, err error) Problem {
	var bad *wire.Error
	if !errors.As(err, &bad) {
		return Problem{Line: 1, Column: 1, Code: "json_syntax"}
	}
	offset := bad.Offset
	if bad.Code == "json_ill_formed_unicode" && !utf8.Valid(body) {
		offset = firstIllFormed(body)
	}
	p := Problem{Code: bad.Code}
	p.Line, p.Column = lineAndColumn(body, offset)
	return p
}

func firstIllFormed(body []byte) int {
	for i := 0; i < len(body); {
		r, n := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(body)
}

const maxProblems = 32

// dropUnknown returns a value without the members that a schema does not name,
// and records these.
func dropUnknown(r *Reading, v, schema wire.Value, pointer string) wire.Value {
	switch v.Kind {
	case wire.KindObject:
		return dropMembers(r, v, schema, pointer)
	case wire.KindArray:
		item := schema.Get("items")
		if item == nil {
			return v
		}
		items := make([]wire.Value, len(v.Items))
		for i := range v.Items {
			items[i] = dropUnknown(r, v.Items[i], *item, pointer+"/"+strconv.Itoa(i))
		}
		return wire.Array(items...)
	}
	return v
}

func dropMembers(r *Reading, v, schema wire.Value, pointer string) wire.Value {
	properties := schema.Get("properties")
	if properties == nil {
		return v
	}
	out := wire.Object()
	for _, m := range v.Members {
		at := pointer + "/" + wire.EscapePointer(m.Name)
		known := properties.Get(m.Name)
		if known != nil {
			out.Members = append(out.Members, wire.M(m.Name, dropUnknown(r, m.Value, *known, at)))
			continue
		}
		if len(r.Unknown) < maxProblems {
			var names []string
			for _, p := range properties.Members {
				names = append(names, p.Name)
			}
			detail := suggest(m.Name, names) + "This member is not known and was left aside."
			r.Unknown = append(r.Unknown, Problem{Pointer: at, Code: "unknown_member", Detail: detail})
			r.Extra = append(r.Extra, wire.M(at, m.Value))
		}
	}
	return out
}
