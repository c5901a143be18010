package inbox

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/prose"
	"colophon/worker/edge"
	"colophon/worker/page"
)

// maxUseRows bounds the rows that are read, usePages those of the table of
// pages.
const (
	maxUseRows = 5000
	usePages   = 50
)

// useColumns are those of the table of uses. Its last column says whose word
// the figures are.
var useColumns = []string{"month", "reporter_kind", "reporter_id", "reporter", "agent", "entry_id", "url", "event", "count", "basis"}

// inboxUses answers with what partners and buyers reported of their use of the
// publisher's pages, as a page or as CSV.
func (s *Service) inboxUses(ctx context.Context, link *origin.InboxLink, here string, csv bool) (*edge.Response, error) {
	f := origin.UseReportFilter{SiteID: link.SiteID, Limit: maxUseRows}
	if link.PublisherID != "" {
		f.SiteID, f.PublisherID = "", link.PublisherID
	}
	counts, err := s.Reports.UseReportCounts(ctx, f)
	if err != nil {
		return nil, err
	}
	if csv {
		b := appendLine(nil, useColumns)
		for _, x := range counts {
			b = appendLine(b, []string{x.Month, x.ReporterKind, x.ReporterID, x.Reporter, x.Agent, x.EntryID, x.URL, x.Event, strconv.FormatInt(x.Count, 10), "reported"})
		}
		return tableFile(inboxUsesCSV, b), nil
	}
	names, err := s.siteNames(ctx, link, nil)
	if err != nil {
		return nil, err
	}
	v := page.UsesPage{Inbox: here, CSV: here + "/" + inboxUsesCSV, OwnWord: exports.OwnWord, Cut: len(counts) == maxUseRows}
	if len(counts) > 0 {
		v.Tables = useTables(counts)
	}
	return s.Pages.Respond(ctx, 200, "Reported uses of "+inboxOwner(link, names), page.Uses(v)), nil
}

// useTables returns what was reported by month, by agent and by page, the most
// used pages first.
func useTables(counts []origin.UseReportCount) []page.CountTable {
	table := func(title, first string, rowOf func(*origin.UseReportCount) string, most int) page.CountTable {
		sums := map[string]int64{}
		list := make([]tally, len(counts))
		for i := range counts {
			x := &counts[i]
			list[i] = tally{prose.Clean(rowOf(x), 300), x.Event, x.Count}
			sums[list[i].row] += x.Count
		}
		if most > 0 {
			slices.SortStableFunc(list, func(a, b tally) int { return cmp.Or(cmp.Compare(sums[b.row], sums[a.row]), cmp.Compare(a.row, b.row)) })
		}
		t := tallyTable(title, first, exports.UseEvents, list, prose.PlainWord)
		if most > 0 && len(t.Rows) > most+1 {
			t.Title += " (the " + strconv.Itoa(most) + " most used)"
			t.Rows = append(t.Rows[:most:most], t.Rows[len(t.Rows)-1])
		}
		return t
	}
	return []page.CountTable{
		table("By month", "Month", func(x *origin.UseReportCount) string { return x.Month }, 0),
		table("By reporter and agent", "Reporter and agent", reporterWords, usePages),
		table("By page", "Page", func(x *origin.UseReportCount) string { return cmp.Or(x.URL, x.EntryID) }, usePages),
	}
}

// reporterWords names a reporter and the agent that it names.
func reporterWords(x *origin.UseReportCount) string {
	name := cmp.Or(x.Reporter, x.ReporterID) + " (" + x.ReporterKind + ")"
	if x.Agent != "" {
		name += ", agent " + x.Agent
	}
	return name
}
