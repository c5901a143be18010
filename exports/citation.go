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

// Members describes the JSON form.
func (c *Citation) Members(m *wire.Members) {
	m.String("canonical_url", &c.CanonicalURL)
	m.Object("citation", &citationForms{c})
	m.Const("document", DocumentCitation)
	m.String("entry_id", &c.EntryID)
	m.Object("fingerprints", &citationFingerprints{c})
	m.Time("generated_at", &c.GeneratedAt)
	m.Flag("grants_rights", false)
	wire.Opt(m, "ledger", &c.Ledger)
	m.Object("provenance", &citationProvenance{c})
	m.Object("publisher", &citationPublisher{c})
	m.Object("rights", &citationRights{c})
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

// Members describes the JSON form.
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

// Members describes the JSON form.
func (s *CitedSource) Members(m *wire.Members) {
	m.Strings("byline", &s.Byline)
	m.OptString("language", &s.Language)
	m.OptTime("modified_at", &s.ModifiedAt)
	m.OptTime("published_at", &s.PublishedAt)
	m.OptString("section", &s.Section)
	m.String("title", &s.Title)
}

type citationForms struct{ c *Citation }

func (f *citationForms) Members(m *wire.Members) {
	m.String("bibtex", &f.c.BibTeX)
	m.Object("csl", &CSL{f.c})
	m.String("html", &f.c.HTML)
	m.String("plain_text", &f.c.Plain)
}

type citationFingerprints struct{ c *Citation }

func (f *citationFingerprints) Members(m *wire.Members) {
	p, g := newFingerprint(f.c.Portable, ProfileCanonicalText), newFingerprint(f.c.Registry, "")
	m.OptString("iscc", &f.c.ISCC)
	wire.OrNull(m, "portable", &p)
	wire.OrNull(m, "registry", &g)
	if p != nil && !m.Writing() {
		f.c.Portable = p.Digest
	}
	if g != nil && !m.Writing() {
		f.c.Registry = g.Digest
	}
}

type citationProvenance struct{ c *Citation }

func (p *citationProvenance) Members(m *wire.Members) {
	m.NullInt("ledger_index", &p.c.LedgerIndex)
	record := ""
	if p.c.Portable != "" {
		record = RecordPath(p.c.EntryID)
	}
	m.NullString("record", &record)
	status := p.c.Status
	if record == "" && status == "active" {
		status = "none"
	}
	m.Enum("status", &status, "active", "none", "superseded", "withdrawn")
	if !m.Writing() {
		p.c.Status = status
	}
}

type citationPublisher struct{ c *Citation }

func (p *citationPublisher) Members(m *wire.Members) {
	m.String("name", &p.c.Publisher)
	m.String("site_id", &p.c.SiteID)
	m.String("url", &p.c.PublisherURL)
}

type citationRights struct{ c *Citation }

func (r *citationRights) Members(m *wire.Members) {
	m.OptTime("as_of", &r.c.RightsAsOf)
	DerivedLink(m, "check", RightsCheckPath(r.c.EntryID))
	passport := ""
	if r.c.Portable != "" {
		passport = RecordPath(r.c.EntryID) + "#rights_passport"
	}
	m.NullString("passport", &passport)
	m.String("rights_vector", &r.c.RightsVector)
}

// CSL is a citation as a CSL-JSON item. It is derived from the citation, so a
// reader checks that it is there and ignores what it says.
type CSL struct{ C *Citation }

// Members describes the JSON form.
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
