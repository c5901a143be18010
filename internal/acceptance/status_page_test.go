package acceptance_test

import (
	"context"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/worker"
)

// TestStatusTellsWhatHoldsNow checks that the page says so if there is no
// registry behind it, and otherwise counts what is pending.
func TestStatusTellsWhatHoldsNow(t *testing.T) {
	w := newRightsWorld(t)
	alone := w.deps
	alone.Origin = nil
	w.handle = worker.New(alone)
	page := string(w.read(exports.PathStatusPage, "", browser).Body)
	wants(t, page, "Age of the release", "Last change ", "this service has no registry", "20 November 2026, 09:00 UTC")
	assert.Lacks(t, "a slot or a count without a registry", page, "%%", "held for review")

	w.handle = worker.New(w.deps)
	must(t, w.store.PutJoin(context.Background(), origin.Join{JoinID: "jn_1", Lookup: "x", Host: "wait.example", State: origin.JoinWaiting, CreatedAt: rightsNow, ChangedAt: rightsNow}))
	page = string(w.read(exports.PathStatusPage, "", browser).Body)
	wants(t, page, "answered live from the registry", "<dt>Inquiries held for review</dt><dd>0</dd>", "<dt>Sites that asked to be listed</dt><dd>1</dd>")
	assert.Lacks(t, "the page names a site that waits", page, "wait.example")
}
