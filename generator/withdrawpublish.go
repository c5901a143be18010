package generator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/internal/release"
	"colophon/internal/segment"
)

// stageWithdrawn stages in t the release that is published, without what is taken out:
// one delta of tombstones, the root with it, the signed list of files and the notes.
// The changes stay due, as the notes are those of the published build. Files of kept
// stay though the root does not name them any more.
func (b *build) stageWithdrawn(ctx context.Context, t *tree, noted inputs, published *segment.Reader, taken *takenOut, kept map[string]bool) error {
	var err error
	if t.before, err = readRows(t.dir, target.ListFile); err != nil {
		return err
	}
	dropped, err := b.buryValues(ctx, t, published, taken.tombstones())
	if err != nil {
		return err
	}
	for name := range kept {
		delete(dropped, name)
	}
	if err := b.changeReleaseList(t, dropped, taken.Files); err != nil {
		return err
	}
	t.after = t.mergeLists(func(name string) bool { return !dropped[name] && !t.isStaleSibling(name) })
	noted.TakenOut = taken.with(noted.TakenOut)
	return t.writeWithdrawalNotes(&noted, taken)
}

// startAhead is a tree over the same folder for what is published ahead of the build
// that the tree is of.
func (t *tree) startAhead() *tree {
	ahead := t.target.Ahead()
	return &tree{target: ahead, dir: t.dir, stage: ahead.Stage(), list: map[string]fileNote{}, made: map[string]bool{}, noSiblings: t.noSiblings}
}

// isStaleSibling tells whether a published file is the compressed sibling of one that
// was written without a sibling.
func (t *tree) isStaleSibling(name string) bool {
	plain, isSibling := strings.CutSuffix(name, ".gz")
	_, written := t.list[plain]
	return isSibling && written
}

// buryValues writes a delta of tombstones, and the root with it. It returns the
// objects that are not named any more.
func (b *build) buryValues(ctx context.Context, t *tree, published *segment.Reader, tombstones []segment.Value) (map[string]bool, error) {
	f := &segmentForm{out: t, profile: published.Root.Profile, before: published, named: map[string]bool{}}
	m, err := f.mergeDeltas(ctx, deltaValues{entries: tombstones}, mostAhead(published.Root))
	if err != nil {
		return nil, err
	}
	root, err := f.writeDelta(ctx, m)
	if err != nil {
		return nil, err
	}
	root.Frame = published.Root.Frame
	if err := t.putFile(segment.RootKey, root.Append(nil)); err != nil {
		return nil, err
	}
	return f.unnamedObjects(ctx, m)
}

// unnamedObjects are the objects of the deltas that were merged, without those that
// the new root names too.
func (f *segmentForm) unnamedObjects(ctx context.Context, m mergedDelta) (map[string]bool, error) {
	dropped := map[string]bool{}
	if len(m.dropped) == 0 {
		return dropped, nil
	}
	each := func(layers []segment.Layer, note func(key string)) error {
		r := segment.Reader{Root: &segment.Root{Profile: f.profile, Layers: layers}, Source: f.before.Source}
		return r.Objects(ctx, func(d segment.Digest) error {
			note(segment.ObjectKey(d))
			return nil
		})
	}
	if err := each(m.dropped, func(key string) { dropped[key] = !f.named[key] }); err != nil {
		return nil, err
	}
	err := each(m.below, func(key string) { delete(dropped, key) })
	return dropped, err
}

// changeReleaseList brings the signed list in step with what was put, and signs it
// anew. gone are files in segments that were taken out.
func (b *build) changeReleaseList(t *tree, dropped map[string]bool, gone []string) error {
	text, err := t.readPublishedFile(release.ListKey)
	if err != nil {
		return err
	}
	list, err := release.ParseList(text, b.opt.Keys)
	if err != nil {
		return err
	}
	for name, isDropped := range dropped {
		if isDropped {
			gone = append(slices.Clip(gone), name)
		}
	}
	var put []release.File
	for name, note := range t.list {
		if release.Listed(name) {
			put = append(put, release.File{Name: name, Size: note.size, SHA256: note.sum})
		}
	}
	tiles, err := list.ChangeFiles(put, gone, t.readPublishedFile)
	if err != nil {
		return err
	}
	signed, err := list.Sign(b.opt.Signer)
	if err != nil {
		return err
	}
	tiles[release.ListKey] = signed
	for name, text := range tiles {
		if err := t.putFile(exports.Key(name), text); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) readPublishedFile(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(name)))
}

// isDamagedRelease tells whether an error is of the signed list that is published.
func isDamagedRelease(err error) bool {
	return errors.Is(err, release.ErrDamaged) || errors.Is(err, release.ErrSignature)
}

// writeWithdrawalNotes writes the notes that differ from those of the build before:
// its lists of files, and what is taken out.
func (t *tree) writeWithdrawalNotes(noted *inputs, taken *takenOut) error {
	text, err := json.Marshal(noted)
	if err != nil {
		return err
	}
	notes := map[string][]byte{target.ListFile: t.after.appendTo(nil), inputsFile: text}
	if len(taken.Files) > 0 {
		packed, err := readRows(t.dir, packedFile)
		if err != nil {
			return err
		}
		packed.rows = slices.DeleteFunc(packed.rows, func(row fileRow) bool { return taken.hasFile(exports.Key(row.name)) })
		notes[packedFile] = packed.appendTo(nil)
	}
	return t.writeNotes(notes)
}

// writeNotes stages notes of a build, by name.
func (t *tree) writeNotes(notes map[string][]byte) error {
	for name, text := range notes {
		path := filepath.Join(t.stage, filepath.FromSlash(name))
		if err := t.makeFolder(filepath.Dir(path)); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return fmt.Errorf("cannot write %q: %w", name, err)
		}
	}
	return nil
}
