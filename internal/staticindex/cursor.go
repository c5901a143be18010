package staticindex

import "colophon/exports"

func formatCursor(gen, mark string, pos int) string {
	return exports.Cursor{Gen: gen, Mark: mark, Pos: pos}.String()
}

// parseCursor reads a cursor made for the question of that mark.
func parseCursor(text, mark string) (exports.Cursor, error) {
	c, ok := exports.ParseCursor(text)
	if !ok || c.Mark != mark || c.After != "" && c.Gen != "" {
		return c, errForeignCursor()
	}
	return c, nil
}

func errForeignCursor() error {
	return InvalidParam("cursor", "is not a cursor of this list; start again without it")
}

// After names the record after which the part asked for begins, "" where Pos
// says it. A list that can, finds its place; PageOf refuses the cursor of one
// that did not.
func (w *Window) After() string { return w.after }

// MoveTo makes the part begin at the place that was found.
func (w *Window) MoveTo(pos int) {
	w.Pos = pos
	w.after = ""
}

// GoOnAfter makes the list go on after that record, the last one of this part, in
// whatever generation is in force then. It does so only from a first page that
// was asked for without a cursor.
func (w *Window) GoOnAfter(record string) {
	if w.ask.Cursor == "" && w.ask.Offset == "" {
		w.last = record
	}
}

// nextCursor is the cursor of the part that begins at a place.
func (w *Window) nextCursor(pos int) string {
	if w.last != "" {
		return exports.Cursor{Mark: w.mark, Pos: pos, After: w.last}.String()
	}
	return formatCursor(w.Gen.Gen, w.mark, pos)
}

// CursorAfter is the cursor with which the list continues after record i of this part.
func (w *Window) CursorAfter(i int) string { return formatCursor(w.Gen.Gen, w.mark, w.Pos+i+1) }
