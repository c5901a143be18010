package exports

import "colophon/internal/wire"

// Citation is the citation document of one entry: who published it, what
// identifies it, where its provenance is, and how to cite it.
type Citation struct {
	EntryID      string
	CanonicalURL string
	SiteID       string
	Publisher    string // name, untrusted text
	PublisherURL string
	Source       CitedSource
	Portable     string // hex digest
	Registry     string
	ISCC         string // similarity code of the text, "" if none
	LedgerIndex  int64  // negative while not logged
	Ledger       *LedgerPlace
	Status       string // active, superseded, withdrawn; none where the page has no record
	Successor    string // entry id of the page at the address it moved to, "" if none
	SuccessorURL string // canonical address of that page
	RightsVector string
	RightsAsOf   string // instant at which the vector was judged
	Plain        string
	HTML         string // escaped; only cite and a[href]
	BibTeX       string
	GeneratedAt  string
}

func (c *Citation) Members(m *wire.Members) {
	m.String("canonical_url", &c.CanonicalURL)
	m.Nested("citation", func(m *wire.Members) {
		m.String("bibtex", &c.BibTeX)
		m.Object("csl", &CSL{c})
		m.String("html", &c.HTML)
		m.String("plain_text", &c.Plain)
	})
	m.Const("document", DocumentCitation)
	m.String("entry_id", &c.EntryID)
	nestFingerprints(m, &c.ISCC, &c.Portable, &c.Registry)
	m.Time("generated_at", &c.GeneratedAt)
	m.Flag("grants_rights", false)
	wire.Opt(m, "ledger", &c.Ledger)
	m.Nested("provenance", func(m *wire.Members) {
		m.NullInt("ledger_index", &c.LedgerIndex)
		record := ""
		if c.Portable != "" {
			record = RecordPath(c.EntryID)
		}
		m.NullString("record", &record)
		status := c.Status
		if record == "" && status == "active" {
			status = "none"
		}
		m.Enum("status", &status, "active", "none", "superseded", "withdrawn")
		if !m.Writing() {
			c.Status = status
		}
	})
	m.Nested("publisher", func(m *wire.Members) {
		m.String("name", &c.Publisher)
		m.String("site_id", &c.SiteID)
		m.String("url", &c.PublisherURL)
	})
	m.Nested("rights", func(m *wire.Members) {
		m.OptTime("as_of", &c.RightsAsOf)
		DerivedLink(m, "check", RightsCheckPath(c.EntryID))
		passport := ""
		if c.Portable != "" {
			passport = RecordPath(c.EntryID) + "#rights_passport"
		}
		m.NullString("passport", &passport)
		m.String("rights_vector", &c.RightsVector)
	})
	m.Object("source", &c.Source)
	optSuccessor(m, &c.Successor, &c.SuccessorURL)
}

// SetPlace sets where the entry's record is in the ledger; p is nil if the
// record is not logged.
func (c *Citation) SetPlace(p *LedgerPlace) {
	c.Ledger, c.LedgerIndex = p, -1
	if p != nil {
		c.LedgerIndex = p.Index
	}
}

// LedgerPlace says where a record is in the ledger. Anyone can compute the
// inclusion proof from the tiles beside the checkpoint.
type LedgerPlace struct {
	Origin string // name of the log
	Index  int64
}

func (l *LedgerPlace) Members(m *wire.Members) {
	m.Const("checkpoint", PathLedgerCheckpoint)
	m.Int("leaf_index", &l.Index)
	m.String("origin", &l.Origin)
}

// CitedSource is the source metadata that a citation shows.
type CitedSource struct {
	Title       string
	Byline      []string
	PublishedAt string
	ModifiedAt  string
	Language    string
	Section     string
}

func (s *CitedSource) Members(m *wire.Members) {
	m.Strings("byline", &s.Byline)
	m.OptString("language", &s.Language)
	m.OptTime("modified_at", &s.ModifiedAt)
	m.OptTime("published_at", &s.PublishedAt)
	m.OptString("section", &s.Section)
	m.String("title", &s.Title)
}

// CSL is a citation as a CSL-JSON item. It is derived from the citation, so a
// reader checks that it is there and ignores what it says.
type CSL struct{ C *Citation }

func (x *CSL) Members(m *wire.Members) {
	c := x.C
	DerivedLink(m, "URL", c.CanonicalURL)
	authors := make([]cslName, len(c.Source.Byline))
	for i, name := range c.Source.Byline {
		authors[i].literal = name
	}
	wire.OptList(m, "author", &authors)
	DerivedLink(m, "container-title", c.Publisher)
	DerivedLink(m, "id", c.EntryID)
	if IsDay(c.Source.PublishedAt) || !m.Writing() {
		v := cslDate(c.Source.PublishedAt)
		m.Any("issued", &v)
	}
	lang := c.Source.Language
	m.OptString("language", &lang)
	DerivedLink(m, "title", c.Source.Title)
	m.Const("type", "webpage")
}

type cslName struct{ literal string }

func (n *cslName) Members(m *wire.Members) { m.String("literal", &n.literal) }

// cslDate turns 2026-01-02T… into {"date-parts":[[2026,1,2]]}.
func cslDate(at string) wire.Value {
	if len(at) < 10 {
		return wire.Null()
	}
	num := func(s string) wire.Value {
		n := int64(0)
		for i := 0; i < len(s); i++ {
			n = n*10 + int64(s[i]-'0')
		}
		return wire.Int(n)
	}
	day := wire.Array(num(at[:4]), num(at[5:7]), num(at[8:10]))
	return wire.Object(wire.M("date-parts", wire.Array(day)))
}
