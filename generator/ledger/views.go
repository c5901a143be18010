package ledger

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/ledgerlog"
	"colophon/internal/record"
)

// A View is a log as it was shown to somebody: a signed checkpoint and the
// tiles below it.
type View struct {
	Name string // where it was read
	Note []byte
	Read ledgerlog.ReadTile // nil if only the checkpoint is known
}

// ErrSplitView is returned for two signed checkpoints of one log of which
// neither continues the other: the log was shown differently to different
// readers.
var ErrSplitView = errors.New("split view")

// CompareViews checks that two views are of one log: one of the keys signed
// each checkpoint, and the tiles of the longer log show that it begins with the
// shorter one. It returns the checkpoint of other. It returns ErrSplitView if
// both checkpoints are valid but contradict each other.
func CompareViews(own, other View, keys []ledgerlog.VerifierKey) (ledgerlog.Checkpoint, error) {
	shorter, err := own.open(keys)
	if err != nil {
		return ledgerlog.Checkpoint{}, err
	}
	c, err := other.open(keys)
	if err != nil {
		return c, err
	}
	longer, view := c, other
	if longer.Size < shorter.Size {
		shorter, longer, view = longer, shorter, own
	}
	root := longer.Root
	if shorter.Size < longer.Size {
		if view.Read == nil {
			return c, fmt.Errorf("the checkpoint in %q has %d leaves and the log only %d: compare it again when the log has grown", view.Name, longer.Size, shorter.Size)
		}
		if root, err = tlog.TreeHash(shorter.Size, tlog.TileHashReader(tlog.Tree{N: longer.Size, Hash: longer.Root}, tiles(view.Read))); err != nil {
			return c, fmt.Errorf("cannot read the tiles of the log at %q: %w", view.Name, err)
		}
	}
	if root != shorter.Root {
		return c, fmt.Errorf("%w: the log of %d leaves at %q does not begin with the %d leaves that are shown elsewhere; keep both checkpoints, which prove it", ErrSplitView, longer.Size, view.Name, shorter.Size)
	}
	return c, nil
}

// open verifies the checkpoint of a view with one of the keys.
func (v View) open(keys []ledgerlog.VerifierKey) (ledgerlog.Checkpoint, error) {
	claimed, err := ledgerlog.ReadCheckpoint(v.Note)
	if err != nil {
		return claimed, fmt.Errorf("the checkpoint in %q cannot be read: %w", v.Name, err)
	}
	for _, key := range keys {
		if key.Name != claimed.Origin {
			return claimed, fmt.Errorf("%q shows the log %q, not %q", v.Name, claimed.Origin, key.Name)
		}
		c, err := ledgerlog.OpenCheckpoint(v.Note, key, record.Ed25519)
		if err == nil {
			return c, nil
		}
	}
	return claimed, fmt.Errorf("the checkpoint in %q is not signed by a key of the policy; if the key was replaced, name the newer view first", v.Name)
}
