package intake

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/extract"
	"colophon/internal/wire"
)

// listNDJSON yields the lines of a file in which each is a page: a JSON object
// with the members url (needed) and one of text, markdown and html, and, as
// far as known, title, byline, section, language, published_at, modified_at,
// terms and content_format. A broken line is reported by its number.
func (l *lister) listNDJSON(_ context.Context, d *document, yield yieldFunc) error {
	for n := 1; ; n++ {
		line, tooLong, err := readLine(d.Reader, int(l.opt.MaxBytes))
		if err != nil && err != io.EOF {
			return sourceError("line %d: %v", n, err)
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if line = bytes.TrimSpace(line); tooLong || len(line) > 0 {
			one := ref{where: fmt.Sprintf("line %d", n)}
			if one.supplied, one.problem = parseLine(line, int(l.opt.MaxBytes)); tooLong {
				one.problem = failedProblem("too_large", "the line has more than %d bytes", l.opt.MaxBytes)
			}
			if err := yield(one); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// readLine reads to the next line end and keeps at most limit bytes.
func readLine(r *bufio.Reader, limit int) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > limit; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, tooLong, err
		}
	}
}

var lineMembers = []string{
	"url", "title", "text", "markdown", "html", "byline", "section", "language", "published_at", "modified_at", "terms", "content_format",
}

// parseLine reads a line as a page with its text.
func parseLine(line []byte, limit int) (*suppliedPage, *problem) {
	v, err := wire.Parse(line, wire.Limits{Bytes: limit, Depth: 4, Members: 64})
	if err != nil {
		return nil, failedProblem("bad_line", "%v", err)
	}
	if v.Kind != wire.KindObject {
		return nil, failedProblem("bad_line", "it is not a JSON object")
	}
	for _, m := range v.Members {
		if !slices.Contains(lineMembers, m.Name) {
			return nil, failedProblem("bad_line", "member %q is not one of %s", clipText(m.Name, 40), strings.Join(lineMembers, ", "))
		}
	}
	r := lineReader{v: &v}
	facts := draft{
		title: r.readText("title"), byline: r.readList("byline"), section: r.readText("section"), language: r.readChecked("language", extract.LanguageTag),
		published: r.readChecked("published_at", extract.Instant), modified: r.readChecked("modified_at", extract.Instant), terms: r.readList("terms"),
		format: r.readText("content_format"),
	}
	if facts.format != "" && !slices.Contains(exports.ContentFormats, facts.format) {
		r.failMember("content_format", "is not one of "+strings.Join(exports.ContentFormats, ", "))
	}
	u, err := parseAddress(r.readText("url"), nil)
	if err != nil {
		r.failMember("url", err.Error())
	}
	body, format := r.readBody()
	if r.problem != nil {
		return nil, r.problem
	}
	return &suppliedPage{url: u, facts: facts, body: body, format: format}, nil
}

// lineReader reads members of a line and keeps the first error.
type lineReader struct {
	v       *wire.Value
	problem *problem
}

func (r *lineReader) failMember(name, what string) {
	if r.problem == nil {
		r.problem = failedProblem("bad_line", "%s: %s", name, what)
	}
}

func (r *lineReader) readText(name string) string {
	m := r.v.Get(name)
	if m == nil || m.Kind == wire.KindNull {
		return ""
	}
	s, ok := m.Str()
	if !ok {
		r.failMember(name, "it is not a string")
	}
	return s
}

func (r *lineReader) readChecked(name string, read func(string) string) string {
	raw := r.readText(name)
	value := read(raw)
	if raw != "" && value == "" {
		r.failMember(name, fmt.Sprintf("%q cannot be read", clipText(raw, 60)))
	}
	return value
}

// readList reads a string or an array of strings.
func (r *lineReader) readList(name string) []string {
	m := r.v.Get(name)
	if m == nil || m.Kind == wire.KindNull {
		return nil
	}
	if m.Kind == wire.KindString {
		return extract.SplitNames(m.Text)
	}
	var list []string
	for i := range m.Items {
		s, ok := m.Items[i].Str()
		if !ok {
			r.failMember(name, "an item of it is not a string")
		}
		list = append(list, s)
	}
	if m.Kind != wire.KindArray {
		r.failMember(name, "it is neither a string nor a list of strings")
	}
	return list
}

// readBody returns the text in the one form that the line has.
func (r *lineReader) readBody() (body, format string) {
	for _, name := range []string{"text", "markdown", "html"} {
		if s := r.readText(name); s != "" {
			if body != "" {
				r.failMember(name, "the line has "+format+" already: give one of them")
			}
			body, format = s, name
		}
	}
	if body == "" {
		format = "text"
	}
	return body, format
}
