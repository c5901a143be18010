package exports

import "colophon/internal/wire"

// UseEvents are what a report says happened to a page, in their usual order.
var UseEvents = []string{"retrieved", "grounded", "reproduced", "cited", "presented", "engaged"}

// OwnWord is what stands beside every figure that was reported.
const OwnWord = "These figures are what each reporter said of itself. Nobody checked them; they prove no use, rule none out, and grant no right."

// UseReportReceipt says what became of the events of a report.
type UseReportReceipt struct {
	Accepted  int64 // kept now
	Ignored   int64 // not about content
	Repeated  int64 // kept before
	Unmatched int64 // about no page that is registered here
}

func (r *UseReportReceipt) Members(m *wire.Members) {
	m.Int("accepted", &r.Accepted)
	m.Flag("grants_rights", false)
	m.Int("ignored", &r.Ignored)
	m.Int("repeated", &r.Repeated)
	m.Int("unmatched", &r.Unmatched)
}
