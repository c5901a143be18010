package originsql

import (
	"context"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

var useReportTable = recordsOf("use_reports", 4, func(r *origin.UseReport) []column {
	return []column{
		{"reporter_kind", &r.ReporterKind}, {"reporter_id", &r.ReporterID}, {"event_key", &r.EventKey}, {"entry_id", &r.EntryID}, {"site_id", &r.SiteID},
		{"event", &r.Event}, {"agent", &r.Agent}, {"occurred_at", &r.OccurredAt}, {"reported_at", &r.ReportedAt},
	}
})

// ReportedPages finds public pages by address and by entry.
func (s *Store) ReportedPages(ctx context.Context, urls, entryIDs []string) ([]origin.ReportedPage, error) {
	const query = `SELECT p.entry_id, p.site_id, p.canonical_url FROM pages p JOIN sites s ON s.site_id = p.site_id
		WHERE (p.canonical_url IN (SELECT value FROM json_each(?1) AS j) OR p.entry_id IN (SELECT value FROM json_each(?2) AS j))
		AND s.state = 'approved' AND s.visibility = 'public' ORDER BY p.entry_id LIMIT 2000`
	scan := into(func(p *origin.ReportedPage) []any { return []any{&p.EntryID, &p.SiteID, &p.URL} })
	return queryAll(ctx, s, scan, read("find reported pages", query, joinList(urls), joinList(entryIDs)))
}

// AddUseReports stores reports and returns the event key of each that was not
// stored before.
func (s *Store) AddUseReports(ctx context.Context, reports []origin.UseReport) ([]string, error) {
	if len(reports) == 0 {
		return nil, nil
	}
	list := wire.Array()
	for i := range reports {
		list.Items = append(list.Items, useReportTable.row(&reports[i]).array())
	}
	query := useReportTable.insertEachStatement() + " ON CONFLICT DO NOTHING RETURNING event_key"
	return queryAll(ctx, s, scanText, write("add reports of use", query, string(list.Append(nil))))
}

// UseReportCounts counts reports by month, event, reporter, agent and page.
func (s *Store) UseReportCounts(ctx context.Context, f origin.UseReportFilter) ([]origin.UseReportCount, error) {
	const query = `SELECT c.month, c.event, c.reporter_kind, c.reporter_id, coalesce(o.name, b.name, ''), c.agent, c.entry_id, coalesce(p.canonical_url, ''), c.n FROM
		(SELECT substr(occurred_at, 1, 7) AS month, event, reporter_kind, reporter_id, agent, entry_id, count(*) AS n FROM use_reports
			WHERE site_id = ?1 OR site_id IN (SELECT site_id FROM sites WHERE publisher_id = ?2)
			GROUP BY substr(occurred_at, 1, 7), event, reporter_kind, reporter_id, agent, entry_id) AS c
		LEFT JOIN partners AS o ON c.reporter_kind = 'partner' AND o.org_id = c.reporter_id
		LEFT JOIN buyers AS b ON c.reporter_kind = 'buyer' AND b.buyer_id = c.reporter_id
		LEFT JOIN pages AS p ON p.entry_id = c.entry_id
		ORDER BY c.month DESC, c.reporter_kind, c.reporter_id, c.agent, c.entry_id, c.event LIMIT ?3`
	scan := into(func(c *origin.UseReportCount) []any {
		return []any{&c.Month, &c.Event, &c.ReporterKind, &c.ReporterID, &c.Reporter, &c.Agent, &c.EntryID, &c.URL, &c.Count}
	})
	return queryAll(ctx, s, scan, read("count reports of use", query, f.SiteID, f.PublisherID, int64(f.Limit)))
}

// EraseUseReports deletes reports that came before an instant.
func (s *Store) EraseUseReports(ctx context.Context, before string, limit int) (int64, error) {
	const query = `DELETE FROM use_reports WHERE reported_at <= ?1
		AND event_key IN (SELECT event_key FROM use_reports WHERE reported_at <= ?1 LIMIT ?2) RETURNING event_key`
	return s.execCount(ctx, write("erase reports of use", query, before, int64(limit)))
}
