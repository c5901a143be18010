package delivery

import (
	"context"

	"colophon/exports"
	"colophon/internal/rights"
)

// rows is a part of an answer whose texts are opened together. Each row is
// chosen before it is listed, delivered or withheld; choosing it again makes a
// new decision. No method reads the store.
type rows interface {
	// count returns the number of rows.
	count() int
	// choose decides about a row. It returns the permit that opens its text and
	// the length of that text in bytes; ok is false if there is no text to
	// open.
	choose(i int) (p rights.Permit, size int64, ok bool)
	// tell writes a row without a text. together means that the next row holds
	// a text opened at the same moment.
	tell(i int, together bool) error
	// deliver writes a row with its text.
	deliver(i int, item *exports.Item, together bool) error
	// withhold writes a row whose permit no longer opened anything.
	withhold(i int, reason string) error
}

// maxTogether is how many bodies are opened at once.
const maxTogether = 20

// writeRows writes rows until the answer is full, and returns how many it
// wrote.
func (l *listing) writeRows(ctx context.Context, r rows) (int, error) {
	next := 0
	for next < r.count() && !l.isFull() {
		if err := l.renewRights(ctx); err != nil {
			return next, err
		}
		n, err := l.writeSome(ctx, r, next)
		if err != nil {
			return next, err
		}
		next = n
	}
	return next, nil
}

// writeSome writes the rows from one on whose texts can be opened together, at
// least one, and returns the index of the first row left. It writes opened
// texts before it reads anything else, so that no opened text waits while its
// right could end. A text that does not open ends the batch.
func (l *listing) writeSome(ctx context.Context, r rows, from int) (int, error) {
	b := l.gatherItems(r, from)
	if len(b.permits) == 0 {
		return b.end, tellRows(r, from, b.end, false)
	}
	opened, err := l.Bodies.Together(ctx, b.permits, l.q.Form)
	if err != nil {
		return from, err
	}
	if len(opened) == 0 {
		first := b.places[0]
		if err := tellRows(r, from, first, false); err != nil {
			return from, err
		}
		return first + 1, l.writeAgain(ctx, r, first, b.permits[0])
	}
	next, err := l.writeOpened(r, from, &b, opened)
	if err != nil || len(opened) < len(b.permits) {
		return next, err
	}
	return b.end, tellRows(r, next, b.end, false)
}

// writeOpened writes the rows up to the last that was opened, and returns the
// index of the next.
func (l *listing) writeOpened(r rows, from int, b *batch, opened []rights.Content) (int, error) {
	for i := range opened {
		l.bodies++
		l.bytes += int64(len(opened[i].Text))
	}
	for i := range opened {
		place := b.places[i]
		if err := tellRows(r, from, place, true); err != nil {
			return from, err
		}
		item := b.permits[i].WithBody(opened[i])
		if err := r.deliver(place, &item, i < len(opened)-1); err != nil {
			return from, err
		}
		from = place + 1
	}
	return from, nil
}

// writeAgain writes a row whose permit no longer opened anything: its text by a
// new permit, or the reason why there is none.
func (l *listing) writeAgain(ctx context.Context, r rows, i int, p rights.Permit) error {
	l.bodies++
	item, denial, err := l.readBody(ctx, p, l.q.Form)
	switch {
	case err != nil:
		return err
	case denial != "":
		return r.withhold(i, denial)
	}
	l.bytes += int64(len(item.Content.Text))
	return r.deliver(i, item, false)
}

func tellRows(r rows, from, end int, together bool) error {
	for i := from; i < end; i++ {
		if err := r.tell(i, together); err != nil {
			return err
		}
	}
	return nil
}

// batch is a set of texts that are opened together.
type batch struct {
	permits []rights.Permit
	places  []int // index of each permit's row
	end     int   // the first row that is left
}

// gatherItems chooses rows until it has as many texts as may be opened at once,
// or as fit into the answer. If no texts are asked for, it chooses one row.
func (l *listing) gatherItems(r rows, from int) batch {
	b := batch{end: from}
	var length int64
	for b.end < r.count() {
		n := len(b.permits)
		full := l.result.Count+int64(n) >= int64(l.q.Limit) || l.Budget.isSpent(l.rows+b.end-from, l.bodies+n, l.bytes+length)
		if b.end > from && (full || n == maxTogether || l.q.Meta) {
			return b
		}
		p, size, ok := r.choose(b.end)
		if ok && n > 0 && length+size > rights.MaxTogether {
			return b
		}
		if ok {
			b.permits = append(b.permits, p)
			b.places = append(b.places, b.end)
			length += size
		}
		b.end++
	}
	return b
}
