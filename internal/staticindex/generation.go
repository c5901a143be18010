package staticindex

import (
	"colophon/exports"
	"colophon/internal/wire"
)

// Format names the format of the static index in its first file.
const Format = "service.static-index.v5"

// Generation is one published state of the static index: all files below
// _ix/<gen>/, none of which ever changes.
type Generation struct {
	Gen      string // 16 hex digits over the names and digests of its files
	Release  exports.Release
	Pages    int64 // registered pages
	Codes    int64 // similarity codes, which search by similarity finds
	SiteBits int64 // the directory of sites has 1<<SiteBits files
	PBits    int64 // bits of the lookup by URL and entry
	FBits    int64 // bits of the lookup by fingerprint

	LedgerSize int64 // leaves of the ledger that the index covers
}

func (g *Generation) Members(m *wire.Members) {
	m.OptInt("codes", &g.Codes)
	m.Int("f_bits", &g.FBits)
	m.String("gen", &g.Gen)
	m.Int("ledger_size", &g.LedgerSize)
	m.Int("p_bits", &g.PBits)
	m.Int("pages", &g.Pages)
	m.Object("release", &g.Release)
	m.Int("site_bits", &g.SiteBits)
}

// Index is the file at IndexKey: the generation in force.
type Index struct{ Current Generation }

func (x *Index) Members(m *wire.Members) {
	m.Object("current", &x.Current)
	m.Const("format", Format)
}

// Unnamed stands for the name of a generation while its files are made.
const Unnamed = "0000000000000000"

// ValidGen reports whether s is the name of a generation.
func ValidGen(s string) bool {
	if len(s) != 16 {
		return false
	}
	_, ok := DecodeHex(s)
	return ok
}
