package staticindex

import (
	"context"
	"strconv"

	"colophon/exports"
	"colophon/internal/paging"
)

// Ask is the question to a list, as text from outside; "" means not given. Path
// and Params make the links of the answer: the address without paging, and the
// parameters other than limit, offset and cursor.
type Ask struct {
	Q, Limit, Offset, Cursor string
	Path                     string
	Params                   [][2]string
	Either                   bool // a page needs only one of the words of Q
	// Sort is an order of the index, for people; "" is that of the API.
	Sort string
}

const maxOffset = 10000

// Window is the requested part of a list.
type Window struct {
	Gen   *Generation
	Pos   int // place of the first record
	Limit int // records at most

	mark  string
	walk  bool   // by cursor
	after string // see After
	ask   *Ask
}

// PagingWindow checks the paging of a question about list, whose other parameters
// are marked by parts.
func (c *Files) PagingWindow(ctx context.Context, a *Ask, def, most int, list string, parts ...string) (*Window, error) {
	w := &Window{Limit: def, mark: paging.Mark(append([]string{list}, parts...)...), ask: a}
	var err error
	if a.Limit != "" {
		if w.Limit, err = ParseNumber("limit", a.Limit, most); err != nil {
			return nil, err
		}
	}
	if a.Offset != "" && a.Cursor != "" {
		return nil, &Error{Code: "conflicting_parameters", Param: "offset", Detail: "Send offset or cursor, not both."}
	}
	if a.Offset != "" {
		if w.Pos, err = ParseNumber("offset", a.Offset, 1<<31-1); err != nil {
			return nil, err
		}
		if w.Pos > maxOffset {
			return nil, &Error{Code: "offset_too_deep", Param: "offset", Detail: "Use cursor beyond " + strconv.Itoa(maxOffset) + " records."}
		}
	}
	if a.Cursor != "" {
		w.walk = true
		if a.Cursor != "*" {
			if err := w.parseCursor(a.Cursor); err != nil {
				return nil, err
			}
		}
	}
	w.Gen, err = c.Current(ctx)
	return w, err
}

// ParseNumber reads an integer from 0 to most, in digits alone. Anything larger
// that is still digits counts as too large, however long.
func ParseNumber(param, s string, most int) (int, error) {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, InvalidParam(param, "must be an integer from 0")
		}
		if n = n*10 + int(s[i]-'0'); n > most {
			if param == "offset" {
				return 0, &Error{Code: "offset_too_deep", Param: "offset", Detail: "Use cursor beyond " + strconv.Itoa(maxOffset) + " records."}
			}
			return 0, InvalidParam(param, "must be at most "+strconv.Itoa(most))
		}
	}
	return n, nil
}

// Either reports whether a record needs only one of the words asked for.
func (w *Window) Either() bool { return w.ask.Either }

// Sort returns the order asked for, "" that of the API.
func (w *Window) Sort() string { return w.ask.Sort }

// PageOf returns which part of a list of total records this is. last is the
// place of its last record, after which the next part begins; "" if it has
// none.
func (w *Window) PageOf(total int, last string) (exports.Page, exports.PageLinks) {
	p := exports.Page{Limit: int64(w.Limit), Offset: int64(w.Pos), Total: int64(total), NextOffset: -1}
	l := exports.PageLinks{Self: w.linkAddress("")}
	if next := w.Pos + w.Limit; next < total && last != "" {
		p.NextCursor = w.CursorAfter(w.Limit-1, last)
		if !w.walk && next <= maxOffset {
			p.NextOffset = int64(next)
		}
		l.Next = w.linkAddress(p.NextCursor)
	}
	return p, l
}

// linkAddress returns a link to this page, or to the one at the cursor next.
func (w *Window) linkAddress(next string) string {
	b := []byte(w.ask.Path)
	sep := byte('?')
	add := func(name, value string) {
		if value == "" {
			return
		}
		b = append(append(append(b, sep), name...), '=')
		b = exports.AppendQuery(b, value, "*")
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
