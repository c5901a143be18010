package intake

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"path/filepath"
	"time"

	"colophon/internal/extract"
	"colophon/internal/origin"
)

// run is one import, which may take several attempts.
type run struct {
	id      string
	started string // instant
	resumed bool   // an earlier attempt did not end
}

// sourceName names a source in the memory: its address, or its whole path.
func sourceName(source string) string {
	if path, err := filepath.Abs(source); err == nil && source != "-" && !extract.IsWeb(source) {
		return path
	}
	return source
}

// runKey returns the key under which the memory keeps the run itself.
func (im *importer) runKey() string { return "import " + im.site.id + " " + im.source }

// beginRun begins a run, or continues the one that did not end.
func (im *importer) beginRun(ctx context.Context) error {
	last, err := im.readFetch(ctx, im.runKey())
	if err != nil {
		return err
	}
	now := im.opt.Now()
	im.run = run{id: newRunID(), started: formatInstant(now)}
	at, _ := time.Parse(time.RFC3339, last.FetchedAt)
	open := last.Outcome == "running" && now.Sub(at) < resumeWithin && im.opt.Source != "-"
	if last.Run != "" && open {
		im.run = run{id: last.Run, started: last.FetchedAt, resumed: true}
	}
	im.sum.Run = im.run.id
	return im.markRun(ctx, "running")
}

func (im *importer) markRun(ctx context.Context, outcome string) error {
	return im.store.PutFetch(ctx, origin.Fetch{
		URL: im.runKey(), SiteID: im.site.id, Outcome: outcome, Run: im.run.id, FetchedAt: im.run.started, Source: im.source,
	})
}

func newRunID() string {
	var b [16]byte
	rand.Read(b[:]) //nolint:errcheck // it never fails
	return "run_" + hex.EncodeToString(b[:])
}
