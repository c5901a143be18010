package originsql

import (
	"context"
	"errors"

	"colophon/internal/origin"
)

var _ origin.Inquiries = (*Store)(nil)

// execChanged runs one conditional write that returns the row it wrote, and
// reports whether it wrote one.
func (s *Store) execChanged(ctx context.Context, st Statement) (bool, error) {
	_, err := queryOne(ctx, s, scanText, st)
	if errors.Is(err, origin.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// execCount runs one write that returns the rows it wrote, and counts them.
func (s *Store) execCount(ctx context.Context, st Statement) (int64, error) {
	rows, err := queryAll(ctx, s, scanText, st)
	return int64(len(rows)), err
}

// nullable is a text in a column that is NULL if there is none.
type nullable struct{ p *string }

// Scan reads the column.
func (n nullable) Scan(src any) error {
	*n.p = textOf(src)
	return nil
}

func (n nullable) value() any {
	if *n.p == "" {
		return nil
	}
	return *n.p
}
