package origin

import "context"

// UseReport is one event that a partner or buyer reported about a page. It is
// the reporter's own word.
type UseReport struct {
	ReporterKind string // partner, buyer
	ReporterID   string
	EventKey     string // digest by which a repeated report is recognized
	EntryID      string
	SiteID       string
	Event        string // one of exports.UseEvents
	Agent        string // "" if the reporter names none
	OccurredAt   string
	ReportedAt   string
}

// ReportedPage is a public page that a report can be about.
type ReportedPage struct{ EntryID, SiteID, URL string }

// UseReportFilter selects reports of a site, or of the sites of a publisher's
// account. Limit bounds the rows of an answer.
type UseReportFilter struct {
	SiteID      string
	PublisherID string
	Limit       int
}

// UseReportCount counts events of one kind of one page by month and agent.
type UseReportCount struct {
	Month        string // YYYY-MM
	Event        string
	ReporterKind string
	ReporterID   string
	Reporter     string // name, "" if the account is gone
	Agent        string
	EntryID      string
	URL          string // "" if the page is gone
	Count        int64
}

// UseReports keeps what partners and buyers report.
type UseReports interface {
	// ReportedPages finds public pages by address and by entry, the withdrawn
	// ones too.
	ReportedPages(ctx context.Context, urls, entryIDs []string) ([]ReportedPage, error)
	// AddUseReports stores reports, all in one statement, and returns the event
	// key of each that was not stored before.
	AddUseReports(ctx context.Context, reports []UseReport) ([]string, error)
	// UseReportCounts counts them, the newest month first.
	UseReportCounts(ctx context.Context, f UseReportFilter) ([]UseReportCount, error)
}
