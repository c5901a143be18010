package staticindex

import "colophon/exports"

func formatCursor(gen, mark string, pos int) string {
	return exports.Cursor{Gen: gen, Mark: mark, Pos: pos}.String()
}

// parseCursor reads a cursor made for the question of that mark.
func parseCursor(text, mark string) (gen string, pos int, err error) {
	c, ok := exports.ParseCursor(text)
	if !ok || c.Mark != mark {
		return "", 0, InvalidParam("cursor", "is not a cursor of this list; start again without it")
	}
	return c.Gen, c.Pos, nil
}

// CursorAfter is the cursor with which the list goes on after record i of this part.
func (w *Window) CursorAfter(i int) string { return formatCursor(w.Gen.Gen, w.mark, w.Pos+i+1) }
