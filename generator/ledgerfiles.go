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

// ledgerTiles writes the tiles and bundles of the log, or takes them over from
// the build that is published now, and computes the root.
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
		if missing, err := b.takeOver(); err != nil || !missing {
			return err
		}
	}
	b.out.heal = true
	defer func() { b.out.heal = false }()
	return b.writeLogFiles(ctx, 0, nil)
}

// packsTiles reports whether the tiles and bundles stand in packs.
func (b *build) packsTiles() bool { return b.out.packs != nil }

// canResumeLog reports whether files of the published log may stay as they are. A build
// that renders everything spells all values of its packs.
func (b *build) canResumeLog() bool { return !b.packsTiles() || b.plan.reuse }

// readPublishedLog reads files of the log that is published now. A missing one is
// fs.ErrNotExist.
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

// readStagedTile reads files of the log that this build wrote or took over. Of what
// it put into packs, these are the tiles of hashes.
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

// findResumePoint looks for the last multiple of 256 leaves that the published build
// covers, with the hashes of the right edge there. It is 0 when that build has
// no log that can be continued: then all is spelled again from the origin. Damage of the
// packs in which its files stand is errPacks.
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

// writeLogFiles writes the files of the log from a number of leaves on.
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

// addLeaves adds leaves from … to-1 of the origin.
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

// putLedger writes a file of the log once. A file that is published never
// changes.
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

// takeOver takes the full tiles of the published build that were not written,
// and the partial ones that are still due. It reports whether any is missing.
func (b *build) takeOver() (missing bool, err error) {
	for _, row := range b.out.before.Below(ledgerPrefix) {
		t, isTile := ledgerlog.ParseTilePath(strings.TrimPrefix(row.Name, ledgerPrefix))
		if !isTile || t.W < ledgerlog.TileWidth {
			continue
		}
		if err := b.takeOverFile(row); err != nil {
			return true, nil
		}
	}
	for path := range ledger.Partials(b.log.signedSizes(), b.log.size) {
		name := ledgerPrefix + path
		if f, ok := b.out.before.Find(name); ok {
			if err := b.takeOverFile(f); err != nil {
				return true, nil
			}
		}
		if _, ok := b.out.list[name]; !ok {
			return true, nil
		}
	}
	for level := ledgerlog.EntriesLevel; b.log.size>>(8*max(level, 0)) > 0; level++ {
		for n := range b.log.size >> (8 * (max(level, 0) + 1)) {
			t := tlog.Tile{H: ledgerlog.TileHeight, L: level, N: n, W: ledgerlog.TileWidth}
			if _, ok := b.out.list[ledgerPrefix+ledgerlog.TilePath(t)]; !ok {
				return true, nil
			}
		}
	}
	return false, nil
}

func (b *build) takeOverFile(row release.File) error {
	if _, ok := b.out.list[row.Name]; ok {
		return nil
	}
	return b.out.keepFile(row)
}
