package enrol

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/edgecheck"
	"colophon/internal/intake"
	"colophon/internal/origin"
)

// CheckCheap looks for the signals of a site that need a few of its documents, which
// imports look for too, and stores what it saw. The other signals follow from the
// registry, and are derived in each build (internal/rights).
func CheckCheap(ctx context.Context, store Store, p *intake.Prover, site origin.Site, at string) ([]origin.Signal, error) {
	_, adapter := readAccessRules(ctx, p, &site)
	urvp := lookForLinked(ctx, p, &site, "urvp")
	hub := lookForLinked(ctx, p, &site, "integration-hub")
	adapter.Signal, urvp.Signal, hub.Signal = "adapter", "urvp", "integration_hub"
	return keepSignals(ctx, store, site.SiteID, at, adapter, urvp, hub)
}

// readAccessRules reads the access response of the publisher's pack at the site itself,
// which declares what the edge does for this publisher, and returns its rows and
// whether it was found.
func readAccessRules(ctx context.Context, p *intake.Prover, site *origin.Site) ([]edgecheck.Row, origin.Signal) {
	address := "https://" + intake.HostOf(site.SiteURL) + exports.WellKnownAccessResponse
	status, body := p.Document(ctx, address)
	if status == 0 {
		return nil, origin.Signal{}
	}
	rows, err := edgecheck.ParseAccessRules(body, site.SiteID)
	if status != http.StatusOK || err != nil || len(rows) == 0 {
		return nil, origin.Signal{State: "not_found"}
	}
	return rows, origin.Signal{State: "found", Evidence: address}
}

// lookForLinked looks for a JSON document that the home page names by a link of a
// relation.
func lookForLinked(ctx context.Context, p *intake.Prover, site *origin.Site, relation string) origin.Signal {
	targets, reached := p.Linked(ctx, intake.HostOf(site.SiteURL), relation)
	if !reached {
		return origin.Signal{}
	}
	for _, address := range targets {
		status, body := p.Document(ctx, address)
		if status == http.StatusOK && isJSONObject(body) {
			return origin.Signal{State: "found", Evidence: address}
		}
	}
	return origin.Signal{State: "not_found"}
}

// CheckEdge tests what a site's edge declares, by a request for each row. The edge is
// found if every conclusive sample matches and one of them is a denial; signed receipts
// are found if a denial has one and none has a false one. The report is the evidence of
// both and is published as parity.json.
func CheckEdge(ctx context.Context, store Store, p *intake.Prover, c *edgecheck.Checker, site origin.Site, at string) ([]origin.Signal, error) {
	rows, declared := readAccessRules(ctx, p, &site)
	edge := origin.Signal{Signal: "edge_access_control", State: declared.State}
	receipts := origin.Signal{Signal: "signed_receipts", State: declared.State}
	if declared.State == "found" {
		report, err := c.Check(ctx, rows)
		if err != nil {
			return nil, err
		}
		at = report.CheckedAt
		edge.State, edge.Evidence, edge.Report = "not_found", exports.ParityPath(site.SiteID), string(report.Value().Append(nil))
		if enforced(&report) {
			edge.State = "found"
		}
		if receipts.State = stateOfReceipts(&report); receipts.State == "found" {
			receipts.Evidence = exports.ParityPath(site.SiteID)
		}
	}
	return keepSignals(ctx, store, site.SiteID, at, edge, receipts)
}

// stateOfReceipts returns the state of the signal for receipts, "" if no sample reached
// the edge.
func stateOfReceipts(r *edgecheck.Report) string {
	valid, invalid := r.Receipts()
	switch {
	case valid > 0 && invalid == 0:
		return "found"
	case slices.ContainsFunc(r.Samples, func(x edgecheck.Sample) bool { return x.Observed != 0 }):
		return "not_found"
	}
	return ""
}

// enforced reports whether an edge did what it declares, as far as samples are
// conclusive.
func enforced(r *edgecheck.Report) bool {
	denials := 0
	for i := range r.Samples {
		s := &r.Samples[i]
		if s.Result == "match" && s.Decision != "allow" {
			denials++
		}
		if s.Result == "mismatch" || s.Result == "unreachable" {
			return false
		}
	}
	return denials > 0
}

// keepSignals stores what a check of a site saw.
func keepSignals(ctx context.Context, store Store, siteID, at string, seen ...origin.Signal) ([]origin.Signal, error) {
	for i := range seen {
		s := &seen[i]
		s.SiteID, s.CheckedAt, s.ChangedAt = siteID, at, at
		var err error
		if seen[i], err = keepSignal(ctx, store, *s); err != nil {
			return nil, err
		}
	}
	return seen, nil
}

// keepSignal stores what a check saw. After a check that reached nothing (no
// state), an earlier finding becomes stale, and a signal never seen becomes
// unchecked.
func keepSignal(ctx context.Context, store Store, s origin.Signal) (origin.Signal, error) {
	if s.State != "" {
		return s, store.PutSignal(ctx, s)
	}
	before, err := store.Signals(ctx, s.SiteID)
	if err != nil {
		return s, err
	}
	for _, old := range before {
		if old.Signal != s.Signal {
			continue
		}
		if old.State == "found" {
			old.State, old.ChangedAt = "stale", s.ChangedAt
			return old, store.PutSignal(ctx, old)
		}
		return old, nil
	}
	s.State, s.CheckedAt = "unchecked", ""
	return s, nil
}

func isJSONObject(body []byte) bool {
	return strings.HasPrefix(strings.TrimSpace(string(body)), "{") && json.Valid(body)
}
