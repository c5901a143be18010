package backup

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"

	"colophon/internal/provenance"
)

// ledgerSchema is the first schema that has a ledger.
const ledgerSchema = 5

// readHead returns the newest signed state of the ledger in an origin store.
func readHead(ctx context.Context, db *sql.DB, schema int) (Head, error) {
	if schema < ledgerSchema {
		return Head{}, nil
	}
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
	var tree compactTree
	for rows.Next() {
		var position int64
		var leaf string
		if err := rows.Scan(&position, &leaf); err != nil {
			return nil, err
		}
		if position != tree.size {
			return nil, fmt.Errorf("leaf %d of the ledger is missing", tree.size)
		}
		tree.addLeaf(provenance.LeafHash([]byte(leaf)))
		if wanted[tree.size] {
			root := tree.rootHash()
			roots[tree.size] = base64.StdEncoding.EncodeToString(root[:])
		}
	}
	return roots, rows.Err()
}

// compactTree is an RFC 6962 tree of which only the complete subtrees are
// kept: one hash for each bit of its size.
type compactTree struct {
	size   int64
	hashes []provenance.Hash // the largest subtree first
}

func (t *compactTree) addLeaf(leaf provenance.Hash) {
	t.hashes = append(t.hashes, leaf)
	t.size++
	for n := t.size; n&1 == 0; n >>= 1 {
		last := len(t.hashes) - 1
		t.hashes[last-1] = provenance.NodeHash(t.hashes[last-1], t.hashes[last])
		t.hashes = t.hashes[:last]
	}
}

func (t *compactTree) rootHash() provenance.Hash {
	last := len(t.hashes) - 1
	root := t.hashes[last]
	for i := last - 1; i >= 0; i-- {
		root = provenance.NodeHash(t.hashes[i], root)
	}
	return root
}
