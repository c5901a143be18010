package staticindex

import (
	"errors"
	"sort"

	"colophon/exports"
)

// parseCursor reads a cursor made for the question of that mark.
func (w *Window) parseCursor(text string) error {
	c, err := exports.ParseCursor(text)
	switch {
	case errors.Is(err, exports.ErrCursorFormer):
		return w.cursorExpired()
	case err != nil || c.Mark != w.mark:
		return InvalidParam("cursor", "is not a cursor of this list; start again without it")
	}
	w.Pos, w.after = c.Pos, c.After
	return nil
}

// cursorExpired is the error of a cursor whose place is gone, with the address at which
// the list begins again.
func (w *Window) cursorExpired() *Error {
	e := &Error{Code: "cursor_expired", Param: "cursor", Detail: "The record after which the list would continue is not where it was."}
	if w.ask.Path != "" {
		e.Start = w.linkAddress("*")
	}
	return e
}

// After is the place of the record after which the part asked for begins, "" where
// Pos says it.
func (w *Window) After() string { return w.after }

// Resume settles where a part begins that follows a record. before is the place of
// the record at Pos-1, "" where there is none. If that is the record, the part begins
// at Pos. Otherwise the list has changed since. Of one in the order of its places
// (rising is true) placeAt tells the place of each of its count records, and the part
// begins with the first after that record. Any other list cannot say what follows:
// Resume fails with an Error of the code cursor_expired.
func (w *Window) Resume(before string, rising bool, count int, placeAt func(i int) (string, error)) (err error) {
	if w.after == "" || before == w.after {
		return nil
	}
	if !rising {
		return w.cursorExpired()
	}
	w.Pos = sort.Search(count, func(i int) bool {
		place, failed := placeAt(i)
		err = errors.Join(err, failed)
		return place > w.after
	})
	return err
}

// CursorAfter is the cursor with which the list continues after record i of this part,
// which has that place.
func (w *Window) CursorAfter(i int, place string) string {
	return exports.Cursor{Mark: w.mark, Pos: w.Pos + i + 1, After: place}.String()
}
