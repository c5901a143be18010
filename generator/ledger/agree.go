package ledger

import (
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/ledgerlog"
)

// Agree checks a log with golang.org/x/mod/sumdb before it is published: the
// note must open under the key, the tiles must lead to its root, and every
// earlier state must be a prefix of the log.
func Agree(read ledgerlog.ReadTile, signed []byte, key ledgerlog.VerifierKey, earlier ...ledgerlog.Checkpoint) error {
	verifier, err := note.NewVerifier(key.String())
	if err != nil {
		return fmt.Errorf("the key of the log: %w", err)
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return fmt.Errorf("the checkpoint of the log: %w", err)
	}
	c, err := ledgerlog.ReadCheckpoint(signed)
	if err != nil || string(c.Append(nil)) != opened.Text {
		return fmt.Errorf("the checkpoint of the log reads %q", opened.Text)
	}
	now := tlog.Tree{N: c.Size, Hash: c.Root}
	hashes := tlog.TileHashReader(now, tiles(read))
	for _, e := range earlier {
		if e.Size == 0 {
			continue
		}
		proof, err := tlog.ProveTree(c.Size, e.Size, hashes)
		if err == nil {
			err = tlog.CheckTree(proof, c.Size, now.Hash, e.Size, e.Root)
		}
		if err != nil {
			return fmt.Errorf("the log does not begin with its state of %d leaves: %w", e.Size, err)
		}
	}
	root, err := tlog.TreeHash(c.Size, hashes)
	if err != nil {
		return fmt.Errorf("the tiles of the log: %w", err)
	}
	if root != now.Hash {
		return fmt.Errorf("the tiles of the log have root %s, the checkpoint says %s", root, now.Hash)
	}
	return nil
}

// tiles adapts a ledgerlog.ReadTile to x/mod, which uses other paths.
type tiles ledgerlog.ReadTile

func (tiles) Height() int { return ledgerlog.TileHeight }

func (r tiles) ReadTiles(list []tlog.Tile) ([][]byte, error) {
	out := make([][]byte, len(list))
	for i, t := range list {
		data, err := r(ledgerlog.TilePath(t))
		if err != nil {
			return nil, err
		}
		out[i] = data
	}
	return out, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}
