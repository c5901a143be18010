package staticindex

import (
	"colophon/exports"
	"colophon/internal/wire"
)

// Format names the format of the static index in its first file.
const Format = "service.static-index.v4"

// Generation is one published state of the static index: all files below
// _ix/<gen>/, none of which ever changes.
type Generation struct {
	Gen      string // 16 hex digits over everything that went in
	Release  exports.Release
	Pages    int64 // registered pages
	PerFile  int64 // pages in one block of records
	Codes    int64 // similarity codes, which search by similarity finds
	SiteBits int64 // the directory of sites has 1<<SiteBits files
	PBits    int64 // bits of the lookup by URL and entry
	FBits    int64 // bits of the lookup by fingerprint
}

// Members describes the JSON form.
func (g *Generation) Members(m *wire.Members) {
	m.OptInt("codes", &g.Codes)
	m.Int("f_bits", &g.FBits)
	m.String("gen", &g.Gen)
	m.Int("p_bits", &g.PBits)
	m.Int("pages", &g.Pages)
	m.Int("per_file", &g.PerFile)
	m.Object("release", &g.Release)
	m.Int("site_bits", &g.SiteBits)
}

// Index is the file at IndexKey: the generation in force.
type Index struct{ Current Generation }

// Members describes the JSON form.
func (x *Index) Members(m *wire.Members) {
	m.Object("current", &x.Current)
	m.Const("format", Format)
}

// ValidGen reports whether s is the name of a generation.
func ValidGen(s string) bool {
	if len(s) != 16 {
		return false
	}
	_, ok := DecodeHex(s)
	return ok
}
