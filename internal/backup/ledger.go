package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"colophon/generator/ledger"
)

// readHead returns the newest signed state of the ledger in an origin store.
func readHead(ctx context.Context, db *sql.DB) (Head, error) {
	var note string
	err := db.QueryRowContext(ctx, "SELECT cosigned FROM ledger_checkpoints ORDER BY size DESC LIMIT 1").Scan(&note)
	if errors.Is(err, sql.ErrNoRows) {
		return Head{}, nil
	}
	if err != nil {
		return Head{}, err
	}
	return ParseHead([]byte(note))
}

// ledgerRoots computes the roots of the first n leaves of an origin's ledger,
// for each n in sizes, from the leaves themselves. A size beyond the ledger is
// not in the result.
func ledgerRoots(ctx context.Context, db *sql.DB, sizes ...int64) (map[int64]string, error) {
	wanted := map[int64]bool{}
	for _, n := range sizes {
		wanted[n] = true
	}
	rows, err := db.QueryContext(ctx, "SELECT position, leaf FROM ledger_events ORDER BY position")
	if err != nil {
		return nil, err
	}
	defer rows.Close()

	roots := map[int64]string{}
	tree := ledger.Builder{}
	for rows.Next() {
		var position int64
		var leaf string
		if err := rows.Scan(&position, &leaf); err != nil {
			return nil, err
		}
		if position != tree.Size() {
			return nil, fmt.Errorf("leaf %d of the ledger is missing", tree.Size())
		}
		if err := tree.Add([]byte(leaf)); err != nil {
			return nil, err
		}
		if !wanted[tree.Size()] {
			continue
		}
		root, err := tree.Root()
		if err != nil {
			return nil, err
		}
		roots[tree.Size()] = root.String()
	}
	return roots, rows.Err()
}
