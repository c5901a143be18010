package exports

import "colophon/internal/wire"

// Successor is the entry of a page at the address to which its publisher moved
// it.
type Successor struct{ EntryID, CanonicalURL string }

func (s *Successor) Members(m *wire.Members) {
	m.String("canonical_url", &s.CanonicalURL)
	DerivedLink(m, "citation", CitationPath(s.EntryID))
	m.String("entry_id", &s.EntryID)
}

// optSuccessor describes the member "successor" of a record whose page may have
// moved.
func optSuccessor(m *wire.Members, entryID, address *string) {
	var s *Successor
	if *entryID != "" {
		s = &Successor{*entryID, *address}
	}
	wire.Opt(m, "successor", &s)
	if s != nil {
		*entryID, *address = s.EntryID, s.CanonicalURL
	}
}
