package query

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/searchindex"
)

// Ask is what every list is asked with, as text that came from outside; ""
// means not given. Path and Params spell the links of the answer: the address
// without paging, and the parameters other than limit, offset and cursor.
type Ask struct {
	Q, Limit, Offset, Cursor string
	Path                     string
	Params                   [][2]string
	Either                   bool // a page need have only one of the words of Q
}

const (
	maxOffset = 10000
	maxTopic  = 200 // characters of q
)

// window is the part of a list that was asked for.
type window struct {
	gen   *searchindex.Generation
	mark  string
	pos   int
	limit int
	walk  bool // by cursor
	ask   *Ask
}

// pagingWindow checks the paging of a question about list, whose other parameters
// are marked by parts.
func (c *Catalog) pagingWindow(ctx context.Context, a *Ask, def, most int, list string, parts ...string) (*window, error) {
	w := &window{mark: exports.CursorMark(append([]string{list}, parts...)...), limit: def, ask: a}
	var err error
	if a.Limit != "" {
		if w.limit, err = parseNumber("limit", a.Limit, most); err != nil {
			return nil, err
		}
	}
	if a.Offset != "" && a.Cursor != "" {
		return nil, &Error{Code: "conflicting_parameters", Param: "offset", Detail: "Send offset or cursor, not both."}
	}
	if a.Offset != "" {
		if w.pos, err = parseNumber("offset", a.Offset, 1<<31-1); err != nil {
			return nil, err
		}
		if w.pos > maxOffset {
			return nil, &Error{Code: "offset_too_deep", Param: "offset", Detail: "Use cursor beyond " + strconv.Itoa(maxOffset) + " records."}
		}
	}
	gen := ""
	if a.Cursor != "" {
		w.walk = true
		if a.Cursor != "*" {
			if gen, w.pos, err = parseCursor(a.Cursor, w.mark); err != nil {
				return nil, err
			}
		}
	}
	w.gen, err = c.findGeneration(ctx, gen)
	if e, ok := err.(*Error); ok && e.Code == "cursor_expired" && a.Path != "" {
		e.Start = w.linkAddress("*")
	}
	return w, err
}

// parseNumber reads an integer from 0 to most, in digits alone. Anything larger
// that is still digits counts as too large, however long.
func parseNumber(param, s string, most int) (int, error) {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, invalidParam(param, "must be an integer from 0")
		}
		if n = n*10 + int(s[i]-'0'); n > most {
			if param == "offset" {
				return 0, &Error{Code: "offset_too_deep", Param: "offset", Detail: "Use cursor beyond " + strconv.Itoa(maxOffset) + " records."}
			}
			return 0, invalidParam(param, "must be at most "+strconv.Itoa(most))
		}
	}
	return n, nil
}

// parseTopic checks q and returns it trimmed.
func parseTopic(q string) (string, error) {
	if len(q) > 8*maxTopic {
		return "", invalidParam("q", "is longer than 200 characters")
	}
	if !utf8.ValidString(q) {
		return "", invalidParam("q", "is not UTF-8")
	}
	q = strings.TrimSpace(q)
	if utf8.RuneCountInString(q) > maxTopic {
		return "", invalidParam("q", "is longer than 200 characters")
	}
	for _, r := range q {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return "", invalidParam("q", "has a control character")
		}
	}
	return q, nil
}

// pageOf tells which part of a list of total records this is.
func (w *window) pageOf(total int) (exports.Page, exports.PageLinks, error) {
	if w.walk && w.pos > total {
		return exports.Page{}, exports.PageLinks{}, invalidParam("cursor", "is beyond the end of the list")
	}
	p := exports.Page{Limit: int64(w.limit), Offset: int64(w.pos), Total: int64(total), NextOffset: -1}
	l := exports.PageLinks{Self: w.linkAddress("")}
	if next := w.pos + w.limit; next < total && w.limit > 0 {
		p.NextCursor = formatCursor(w.gen.Gen, w.mark, next)
		if !w.walk && next <= maxOffset {
			p.NextOffset = int64(next)
		}
		l.Next = w.linkAddress(p.NextCursor)
	}
	return p, l, nil
}

// linkAddress spells a link: of this page, or of the one at the cursor next.
func (w *window) linkAddress(next string) string {
	b := []byte(w.ask.Path)
	sep := byte('?')
	add := func(name, value string) {
		if value == "" {
			return
		}
		b = append(append(append(b, sep), name...), '=')
		b = AppendEscaped(b, value)
		sep = '&'
	}
	for _, p := range w.ask.Params {
		add(p[0], p[1])
	}
	add("limit", w.ask.Limit)
	if next != "" {
		add("cursor", next)
	} else {
		add("offset", w.ask.Offset)
		add("cursor", w.ask.Cursor)
	}
	return string(b)
}

// AppendEscaped percent-encodes all but unreserved characters.
func AppendEscaped(b []byte, s string) []byte {
	const digits = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~*", c) >= 0 {
			b = append(b, c)
		} else {
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return b
}
