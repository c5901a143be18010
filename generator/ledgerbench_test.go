package generator

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator/ledger"
	"colophon/internal/ledgerlog"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/outcome"
	"colophon/internal/record"
	"colophon/internal/release"
)

// BenchmarkLedger appends 10,000 leaves to a log of 1,000,000 and publishes
// it: it writes the tiles and the checkpoint, and moves the changed files into
// place. Then it verifies leaves against the published tiles.
func BenchmarkLedger(b *testing.B) {
	root := b.TempDir()
	store := openStore(b, filepath.Join(root, "origin.db"))
	dir := filepath.Join(root, "dist")
	fill(b, store, 0, 1_000_000)
	start := time.Now()
	publishLog(b, store, dir)
	b.Logf("first publication of 1,000,000 leaves: %v", time.Since(start).Round(time.Millisecond))
	for b.Loop() {
		start := time.Now()
		fill(b, store, 1_000_000, 1_010_000)
		appended := time.Since(start)
		peak := watchMemory()
		start = time.Now()
		tree := publishLog(b, store, dir)
		published := time.Since(start)
		b.ReportMetric(float64(peak())/(1<<20), "peak-MiB")
		files, bytes := 0, int64(0)
		for name, note := range tree.list {
			if old, _ := tree.before.Find(name); old != note {
				files, bytes = files+1, bytes+note.Size
			}
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(appended.Seconds(), "s-append")
		b.ReportMetric(published.Seconds(), "s-publish")
		b.ReportMetric(float64(files), "files-written")
		b.ReportMetric(float64(bytes), "bytes-written")
		b.ReportMetric(float64(len(tree.list)), "files")
	}
	prove(b, dir)
}

// fill appends the leaves from position from up to, but not including, to.
func fill(tb testing.TB, store *originsql.Store, from, to int64) {
	tb.Helper()
	events := make([]origin.LedgerEvent, 0, ledgerBatch)
	for at := from; at < to; at++ {
		id, digest := fmt.Sprintf("ent_%024x", at), fmt.Sprintf("%064x", at*2654435761)
		leaf := record.LeafBytes(record.RecordLeaf{EntryID: id, Fingerprint: digest, IssuedAt: "2026-01-01T00:00:00Z", Op: record.OpIssue,
			RecordSHA256: digest, RecordVersion: 1, SiteID: "harbor-ledger", URLKey: digest})
		events = append(events, origin.LedgerEvent{Position: at, Kind: origin.LedgerRecord, Event: "registered", EntryID: id, Version: 1, SiteID: "harbor-ledger",
			Digest: digest, At: "2026-01-01T00:00:00Z", Leaf: string(leaf)})
		if len(events) == ledgerBatch || at == to-1 {
			must(tb, store.AppendLedger(context.Background(), events))
			events = events[:0]
		}
	}
}

// publishLog publishes a folder that holds only the log.
func publishLog(tb testing.TB, store *originsql.Store, dir string) *tree {
	tb.Helper()
	tree, err := newTree(dir)
	must(tb, err)
	defer tree.discardStage()
	ctx := context.Background()
	x := &build{store: store, opt: testOptions(tb, 2), out: tree, plan: newPlan()}
	must(tb, x.openLedger(ctx))
	must(tb, x.publishLedger(ctx))
	unlisted := func([]release.File) (map[exports.Key][]byte, error) { return nil, nil }
	must(tb, tree.sealRelease(x.plan.isKept, unlisted, func(int64, int64) (map[string][]byte, error) {
		return x.notes(0, 0)
	}))
	must(tb, tree.publishTree(ctx))
	return tree
}

// prove verifies 1,000 leaves against the published tiles, and logs the time
// and the number of files read for each.
func prove(b *testing.B, dir string) {
	read := ledger.Folder(filepath.Join(dir, "ledger"))
	policy, err := read(ledger.PolicyFile)
	must(b, err)
	keys, err := ledgerlog.PolicyKeys(policy)
	must(b, err)
	const n = 1000
	files := 0
	start := time.Now()
	for i := range int64(n) {
		counted := func(path string) ([]byte, error) {
			files++
			return read(path)
		}
		l := &ledgerlog.Log{Keys: keys, Read: counted, Verify: record.Ed25519}
		c, err := l.Checkpoint()
		must(b, err)
		index := i * 7919 * 101 % c.Size
		tiles := ledgerlog.NewTiles(c.Size, read)
		leaves, err := tiles.Leaves(index / ledgerlog.TileWidth)
		must(b, err)
		if in := l.AtIndex(leaves[index%ledgerlog.TileWidth], index); in.Code != outcome.OK {
			b.Fatalf("leaf %d: %s", index, in.Code)
		}
	}
	b.Logf("%d verifications: %v each, %.2f files read", n, time.Since(start)/n, float64(files)/n)
}
