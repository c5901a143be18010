package usereport

import (
	"context"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Service keeps reports.
type Service struct {
	Store origin.UseReports // nil: none are kept
	Now   func() time.Time
}

// Reporter is who sends a report: the holder of a credential.
type Reporter struct {
	Kind string // partner, buyer
	ID   string
}

// Receive keeps what a document says about registered pages. Events that were
// reported before are counted and not kept again; events about what is not
// registered here are counted and forgotten. It keeps all or nothing. The error
// is a *wire.Invalid if the document cannot be used.
func (s Service) Receive(ctx context.Context, from Reporter, body *wire.Value) (*exports.UseReportReceipt, error) {
	now := s.Now()
	d, err := parse(body, now)
	if err != nil {
		return nil, err
	}
	pages, err := s.findPages(ctx, d)
	if err != nil {
		return nil, err
	}
	receipt := &exports.UseReportReceipt{Ignored: d.ignored}
	at := exports.Instant(now)
	var rows []origin.UseReport
	matched := map[string]bool{}
	for _, e := range d.events {
		var found []origin.ReportedPage
		for _, name := range e.names {
			if found = pages[name]; len(found) > 0 {
				break
			}
		}
		switch {
		case len(found) == 0:
			receipt.Unmatched++
			continue
		case matched[e.key]:
			receipt.Repeated++
			continue
		}
		matched[e.key] = true
		for _, p := range found {
			rows = append(rows, origin.UseReport{
				ReporterKind: from.Kind, ReporterID: from.ID, EventKey: e.key, EntryID: p.EntryID, SiteID: p.SiteID,
				Event: e.kind, Agent: d.agent, OccurredAt: e.at, ReportedAt: at,
			})
		}
	}
	added, err := s.Store.AddUseReports(ctx, rows)
	if err != nil {
		return nil, err
	}
	accepted := map[string]bool{}
	for _, key := range added {
		accepted[key] = true
	}
	receipt.Accepted = int64(len(accepted))
	receipt.Repeated += int64(len(matched) - len(accepted))
	return receipt, nil
}

// findPages returns the pages that a document is about, by address and by
// entry. Two publishers may register one address.
func (s Service) findPages(ctx context.Context, d *document) (map[string][]origin.ReportedPage, error) {
	var urls, ids []string
	asked := map[string]bool{}
	for _, e := range d.events {
		for _, name := range e.names {
			switch {
			case asked[name]:
			case exports.ValidEntryID(name):
				ids = append(ids, name)
			default:
				urls = append(urls, name)
			}
			asked[name] = true
		}
	}
	found := map[string][]origin.ReportedPage{}
	if len(urls)+len(ids) == 0 {
		return found, nil
	}
	pages, err := s.Store.ReportedPages(ctx, urls, ids)
	for _, p := range pages {
		found[p.URL] = append(found[p.URL], p)
		found[p.EntryID] = append(found[p.EntryID], p)
	}
	return found, err
}
