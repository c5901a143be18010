package exports

import "colophon/internal/wire"

// Stats are the totals of the network.
type Stats struct {
	Publishers         int64
	AcceptingInquiries int64
	Websites           int64
	RegisteredPages    int64
	Categories         int64
	LicenseOffers      int64
	ProvenanceRecords  int64
	LedgerSize         int64
	Readiness          [5]int64 // in the order of ReadinessLevels
	Catalog            Release
}

func (s *Stats) Members(m *wire.Members) {
	m.Int("categories", &s.Categories)
	m.Time("generated_at", &s.Catalog.GeneratedAt)
	m.Flag("grants_rights", false)
	m.Int("ledger_size", &s.LedgerSize)
	m.Int("license_offers", &s.LicenseOffers)
	m.Int("provenance_records", &s.ProvenanceRecords)
	m.Int("publishers", &s.Publishers)
	m.Int("publishers_accepting_inquiries", &s.AcceptingInquiries)
	m.Object("readiness", &levelCounts{&s.Readiness})
	m.Int("registered_pages", &s.RegisteredPages)
	m.String("release", &s.Catalog.Name)
	m.String("root", &s.Catalog.Root)
	m.Int("websites", &s.Websites)
}

type levelCounts struct{ n *[5]int64 }

func (l *levelCounts) Members(m *wire.Members) {
	for i, level := range ReadinessLevels {
		m.Int(level, &l.n[i])
	}
}
