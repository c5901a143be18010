package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"colophon/exports"
	"colophon/internal/segment"
)

// findLeft asks once for the tombstones of what left the origin since the plan.
func (f *segmentForm) findLeft(ctx context.Context, values valueReader) (_ []segment.Value, err error) {
	if !f.looked && f.takeOut != nil {
		f.looked = true
		f.left, err = f.takeOut(ctx, values)
	}
	return f.left, err
}

// buryMeanwhile lays what left the origin since the plan over a new base, on which
// nothing lies yet. What is too much for a delta is left out of another base.
func (f *segmentForm) buryMeanwhile(ctx context.Context, root *segment.Root) (*segment.Root, error) {
	if f.buried {
		return root, nil
	}
	g := f.continueFrom(root)
	left, err := f.findLeft(ctx, g.before)
	if err != nil || len(left) == 0 {
		return root, err
	}
	m, err := g.mergeDeltas(ctx, deltaValues{entries: left}, mostAhead(root))
	if err == nil {
		return g.writeDelta(ctx, m)
	}
	if !errors.Is(err, errManyChanges) {
		return nil, err
	}
	if root, err = g.mergeBase(ctx, left); err != nil {
		return nil, err
	}
	return root, g.forgetUnnamed(ctx, root)
}

// continueFrom is a form that goes on from a root of which the objects are staged.
func (f *segmentForm) continueFrom(root *segment.Root) *segmentForm {
	staged := &cachedObjects{find: f.out.currentPath}
	return &segmentForm{
		out: f.out, profile: f.profile, before: &segment.Reader{Root: root, Source: staged}, entries: newValueSpool(f.out.stage, spoolMemory), named: f.named,
	}
}

// forgetUnnamed takes objects out of the release that a root does not name.
func (f *segmentForm) forgetUnnamed(ctx context.Context, root *segment.Root) error {
	named := map[string]bool{}
	r := segment.Reader{Root: root, Source: f.before.Source}
	err := r.Objects(ctx, func(d segment.Digest) error {
		named[segment.ObjectKey(d)] = true
		return nil
	})
	if err != nil {
		return err
	}
	for key := range f.named {
		if named[key] {
			continue
		}
		if err := f.out.forgetFile(exports.Key(key)); err != nil {
			return err
		}
	}
	f.named = named
	return nil
}

// forgetFile takes back a file that was put.
func (t *tree) forgetFile(key exports.Key) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := string(key)
	delete(t.list, name)
	if at := slices.Index(t.staged, name); at >= 0 {
		t.staged = slices.Delete(t.staged, at, at+1)
	}
	err := os.Remove(filepath.Join(t.stage, filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot clear the stage: %w", err)
	}
	return nil
}
