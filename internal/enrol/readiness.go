package enrol

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/edgecheck"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/record"
)

// The signals that are looked for at a site itself. The others follow from the
// registry, and are derived in each build (internal/rights).
var (
	// CheapSignals need a few documents of the site, and are looked for by
	// imports too.
	CheapSignals = []string{"adapter", "urvp", "integration_hub"}
	// EdgeSignal and ReceiptSignal need a request for each row of what the
	// site's edge declares.
	EdgeSignal    = "edge_access_control"
	ReceiptSignal = "signed_receipts"
)

// linked are the signals that the home page of a site names by a link of that
// relation, to a JSON document.
var linked = map[string]string{"urvp": "urvp", "integration_hub": "integration-hub"}

// EdgeChecker checks whether a site's edge does what it declares.
type EdgeChecker struct {
	Client  *http.Client
	Contact string
	Token   func(class string) string
	Now     func() time.Time
	Keys    record.KeySet // of the registry, which sign receipts
}

// CheckCheap looks for the cheap signals of a site and stores what it saw.
func CheckCheap(ctx context.Context, store Store, p *intake.Prover, site origin.Site, at string) ([]origin.Signal, error) {
	host := hostOf(site.SiteURL)
	var out []origin.Signal
	for _, name := range CheapSignals {
		seen := origin.Signal{SiteID: site.SiteID, Signal: name, CheckedAt: at, ChangedAt: at}
		if relation := linked[name]; relation != "" {
			seen.State, seen.Evidence = lookForLinked(ctx, p, host, relation)
		} else {
			seen.State, seen.Evidence = lookForAdapter(ctx, p, host, site.SiteID)
		}
		kept, err := keepSignal(ctx, store, seen)
		if err != nil {
			return nil, err
		}
		out = append(out, kept)
	}
	return out, nil
}

// lookForAdapter looks for the access response of the publisher's pack at the
// site itself, which declares what the edge does for this publisher.
func lookForAdapter(ctx context.Context, p *intake.Prover, host, siteID string) (state, evidence string) {
	address := "https://" + host + exports.WellKnownAccessResponse
	status, body := p.Document(ctx, address)
	if status == 0 {
		return "", ""
	}
	if status != http.StatusOK {
		return "not_found", ""
	}
	if rows, err := edgecheck.ParseAccessRules(body, siteID); err != nil || len(rows) == 0 {
		return "not_found", ""
	}
	return "found", address
}

// lookForLinked looks for a document that the home page names by a relation.
func lookForLinked(ctx context.Context, p *intake.Prover, host, relation string) (state, evidence string) {
	targets, reached := p.Linked(ctx, host, relation)
	if !reached {
		return "", ""
	}
	for _, address := range targets {
		status, body := p.Document(ctx, address)
		if status == http.StatusOK && isJSONObject(body) {
			return "found", address
		}
	}
	return "not_found", ""
}

// CheckEdge tests what a site's edge declares. The edge is found if every
// conclusive sample matches and one of them is a denial; signed receipts are
// found if a denial has one and none has a false one.
func CheckEdge(ctx context.Context, store Store, p *intake.Prover, c *EdgeChecker, site origin.Site, at string) ([]origin.Signal, error) {
	status, body := p.Document(ctx, "https://"+hostOf(site.SiteURL)+exports.WellKnownAccessResponse)
	rows, err := edgecheck.ParseAccessRules(body, site.SiteID)
	if status != http.StatusOK || err != nil || len(rows) == 0 {
		state := "not_found"
		if status == 0 {
			state = "" // it was not reached
		}
		return keepEdgeSignals(ctx, store, site.SiteID, state, at)
	}
	checker := edgecheck.Checker{Client: c.Client, Contact: c.Contact, Token: c.Token, Now: c.Now, Keys: c.Keys}
	report, err := checker.Check(ctx, rows)
	if err != nil {
		return nil, err
	}
	parity, err := KeepParity(ctx, store, site.SiteID, &report)
	if err != nil {
		return nil, err
	}
	receipts, err := keepSignal(ctx, store, receiptSignal(site.SiteID, &report))
	return []origin.Signal{parity, receipts}, err
}

// keepEdgeSignals keeps one state for all signals of an edge.
func keepEdgeSignals(ctx context.Context, store Store, siteID, state, at string) ([]origin.Signal, error) {
	var out []origin.Signal
	for _, name := range []string{EdgeSignal, ReceiptSignal} {
		kept, err := keepSignal(ctx, store, origin.Signal{SiteID: siteID, Signal: name, State: state, CheckedAt: at, ChangedAt: at})
		if err != nil {
			return nil, err
		}
		out = append(out, kept)
	}
	return out, nil
}

// receiptSignal returns the signal for receipts that follows from a report. Its state is
// empty if no sample reached the edge.
func receiptSignal(siteID string, r *edgecheck.Report) origin.Signal {
	s := origin.Signal{SiteID: siteID, Signal: ReceiptSignal, CheckedAt: r.CheckedAt, ChangedAt: r.CheckedAt}
	valid, invalid := r.Receipts()
	reached := func(x edgecheck.Sample) bool { return x.Observed != 0 }
	switch {
	case valid > 0 && invalid == 0:
		s.State, s.Evidence = "found", exports.ParityPath(siteID)
	case slices.ContainsFunc(r.Samples, reached):
		s.State = "not_found"
	}
	return s
}

// KeepParity keeps a report on a site's edge, which is the evidence of its
// signal and is published as parity.json.
func KeepParity(ctx context.Context, store Store, siteID string, r *edgecheck.Report) (origin.Signal, error) {
	s := origin.Signal{
		SiteID: siteID, Signal: EdgeSignal, State: "not_found", CheckedAt: r.CheckedAt, ChangedAt: r.CheckedAt,
		Evidence: exports.ParityPath(siteID), Report: string(r.Value().Append(nil)),
	}
	if enforced(r) {
		s.State = "found"
	}
	return keepSignal(ctx, store, s)
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
