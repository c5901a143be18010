package staticindex

import (
	"errors"

	"colophon/internal/paging"
)

// parseCursor reads a cursor made for the question of that mark.
func (w *Window) parseCursor(text string) error {
	c, err := paging.ParseCursor(text)
	switch {
	case errors.Is(err, paging.ErrCursorFormer):
		return w.cursorExpired()
	case err != nil || c.Mark != w.mark:
		return InvalidParam("cursor", "is not a cursor of this list; start again without it")
	}
	w.Pos, w.after = c.Pos, c.After
	return nil
}

// cursorExpired returns the error of a cursor whose place is gone, with the
// address at which the list begins again.
func (w *Window) cursorExpired() *Error {
	e := &Error{Code: "cursor_expired", Param: "cursor", Detail: "The record after which the list would continue is not where it was."}
	if w.ask.Path != "" {
		e.Start = w.linkAddress("*")
	}
	return e
}

// After returns the place of the record after which the part asked for begins,
// "" where Pos says it.
func (w *Window) After() string { return w.after }

// Resume determines where a part begins that follows a record. before is the
// place of the record at Pos-1, "" if there is none: if that is the record, the
// part begins at Pos. Otherwise the list has changed since. If places rise
// along the list, the part begins with the first of its count records that
// comes after; placeAt returns the place of one, and its errors end the search.
// If places do not rise, what follows is unknown: Resume returns an Error with
// the code cursor_expired.
func (w *Window) Resume(before string, rising bool, count int, placeAt func(i int) (string, error)) (err error) {
	if w.after == "" || before == w.after {
		return nil
	}
	if !rising {
		return w.cursorExpired()
	}
	w.Pos, err = findAfter(w.after, w.Pos, count, placeAt)
	return err
}

// findAfter returns the first of count records whose place comes after one. It
// looks at guess and then twice as far away each time, because most releases
// move a record by a few places, and then bisects what is left.
func findAfter(after string, guess, count int, placeAt func(i int) (string, error)) (int, error) {
	low, high := 0, count
	lower, higher := false, false // a record on that side of the place was seen
	for step := 1; low < high; step *= 2 {
		at := min(max(guess, low), high-1)
		place, err := placeAt(at)
		if err != nil {
			return 0, err
		}
		if place > after {
			high, higher, guess = at, true, at-step
		} else {
			low, lower, guess = at+1, true, at+step
		}
		if lower && higher {
			guess = low + (high-low)/2
		}
	}
	return low, nil
}

// CursorAfter returns the cursor with which the list continues after record i
// of this part, which has that place.
func (w *Window) CursorAfter(i int, place string) string {
	return paging.Cursor{Mark: w.mark, Pos: w.Pos + i + 1, After: place}.String()
}
