package generator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/exports"
	"colophon/generator/ledger"
	"colophon/internal/blob"
	"colophon/internal/ledgerlog"
	"colophon/internal/origin"
	"colophon/internal/release"
)

// ledgerTiles writes the tiles and bundles of the log, or reuses those of the
// published build, and computes the root.
func (b *build) ledgerTiles(ctx context.Context) error {
	from, edge := int64(0), map[int64]tlog.Hash(nil)
	if b.canResumeLog() {
		var err error
		if from, edge, err = b.findResumePoint(ctx); err != nil {
			return err
		}
	}
	if from > 0 {
		if err := b.writeLogFiles(ctx, from, edge); err != nil {
			return err
		}
		if b.takeOver() {
			return nil
		}
	}
	return b.writeLogFiles(ctx, 0, nil)
}

// packsTiles reports whether the tiles and bundles are in packs.
func (b *build) packsTiles() bool { return b.out.packs != nil }

// canResumeLog reports whether files of the published log can be reused. A
// build that renders everything must write all values of its packs.
func (b *build) canResumeLog() bool { return !b.packsTiles() || b.plan.reuse }

// readPublishedLog returns a reader of the published log. It returns
// fs.ErrNotExist for a missing file.
func (b *build) readPublishedLog(ctx context.Context) ledgerlog.ReadTile {
	inFolder := ledger.Folder(b.out.dir + "/" + ledgerPrefix)
	form, packs := b.entries.(*packForm)
	return func(path string) ([]byte, error) {
		name := ledgerPrefix + path
		if packs && exports.Packed(exports.Key(name)) {
			return form.readPublishedFile(ctx, name)
		}
		return inFolder(path)
	}
}

// readStagedTile returns a reader of the log's files that this build wrote or
// reuses. Of those written to packs it has only the tiles of hashes.
func (b *build) readStagedTile(ctx context.Context) ledgerlog.ReadTile {
	published := b.readPublishedLog(ctx)
	return func(path string) ([]byte, error) {
		if !b.packsTiles() {
			return os.ReadFile(b.out.currentPath(ledgerPrefix + path))
		}
		if data, ok := b.log.packed[path]; ok {
			return data, nil
		}
		return published(path)
	}
}

// findResumePoint returns the last multiple of 256 leaves that the published
// build covers, with the hashes of the right edge there. It returns 0 if that
// log cannot be continued; then all files are made from the origin. It returns
// errPacks if the packs with the files are damaged.
func (b *build) findResumePoint(ctx context.Context) (int64, map[int64]tlog.Hash, error) {
	read := b.readPublishedLog(ctx)
	note, err := read(ledgerlog.CheckpointPath)
	if err != nil {
		return 0, nil, nil
	}
	c, err := ledgerlog.ReadCheckpoint(note)
	if err != nil || !slices.ContainsFunc(b.log.checkpoints, func(known origin.LedgerCheckpoint) bool { return known.Size == c.Size }) {
		return 0, nil, nil
	}
	edge, err := ledger.Edge(c.Size, read)
	if errors.Is(err, blob.ErrDamaged) {
		return 0, nil, fmt.Errorf("%w: %w", errPacks, err)
	}
	if err != nil {
		return 0, nil, nil
	}
	from := c.Size &^ (ledgerlog.TileWidth - 1)
	check := &ledger.Builder{}
	check.Resume(from, edge)
	if err := b.addLeaves(ctx, from, c.Size, check); err != nil {
		return 0, nil, nil
	}
	if root, err := check.Root(); err != nil || root != c.Root {
		return 0, nil, nil
	}
	return from, edge, nil
}

// writeLogFiles writes the files of the log, beginning after a number of
// leaves.
func (b *build) writeLogFiles(ctx context.Context, from int64, edge map[int64]tlog.Hash) error {
	w := &ledger.Builder{Put: b.putLedger, Sizes: b.log.signedSizes(), Final: b.log.size}
	w.Resume(from, edge)
	if err := b.addLeaves(ctx, from, b.log.size, w); err != nil {
		return err
	}
	var err error
	b.log.root, err = w.Root()
	return err
}

// addLeaves adds the leaves from … to-1 from the origin.
func (b *build) addLeaves(ctx context.Context, from, to int64, w *ledger.Builder) error {
	for from < to {
		events, err := b.store.LedgerEvents(ctx, from, int(min(to-from, int64(ledgerBatch))))
		if err != nil {
			return err
		}
		if len(events) == 0 {
			return fmt.Errorf("the ledger of the origin ends after %d of %d leaves", from, to)
		}
		for i := range events {
			if err := w.Add([]byte(events[i].Leaf)); err != nil {
				return err
			}
		}
		from += int64(len(events))
		reached("tiles")
	}
	return ctx.Err()
}

// putLedger writes a file of the log. It returns an error if the file is
// published with other content.
func (b *build) putLedger(path string, data []byte) error {
	name := ledgerPrefix + path
	f := release.FileOf(name, data)
	if old, ok := b.out.before.Find(name); ok && old != f {
		return fmt.Errorf("%w: the file %q of the ledger is published and would change", ErrUnsafe, name)
	}
	if mine, ok := b.out.list[name]; ok {
		if mine != f {
			return fmt.Errorf("the file %q of the ledger was written otherwise by this build", name)
		}
		return nil
	}
	if t, ok := ledgerlog.ParseTilePath(path); ok && b.packsTiles() && t.L != ledgerlog.EntriesLevel {
		b.log.packed[path] = data
	}
	return b.out.putFile(exports.Key(name), data)
}

// takeOver reuses the published full tiles that were not written, and the
// partial tiles that are still needed. It reports whether all are there.
func (b *build) takeOver() bool {
	for _, row := range b.out.before.Below(ledgerPrefix) {
		t, isTile := ledgerlog.ParseTilePath(strings.TrimPrefix(row.Name, ledgerPrefix))
		if !isTile || t.W < ledgerlog.TileWidth {
			continue
		}
		if !b.takeOverFile(row) {
			return false
		}
	}
	for path := range ledger.Partials(b.log.signedSizes(), b.log.size) {
		name := ledgerPrefix + path
		if f, ok := b.out.before.Find(name); ok && !b.takeOverFile(f) {
			return false
		}
		if _, ok := b.out.list[name]; !ok {
			return false
		}
	}
	for level := ledgerlog.EntriesLevel; b.log.size>>(8*max(level, 0)) > 0; level++ {
		for n := range b.log.size >> (8 * (max(level, 0) + 1)) {
			t := tlog.Tile{H: ledgerlog.TileHeight, L: level, N: n, W: ledgerlog.TileWidth}
			if _, ok := b.out.list[ledgerPrefix+ledgerlog.TilePath(t)]; !ok {
				return false
			}
		}
	}
	return true
}

func (b *build) takeOverFile(row release.File) bool {
	if _, ok := b.out.list[row.Name]; ok {
		return true
	}
	return b.out.keepFile(row) == nil
}
