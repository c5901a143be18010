package staticindex

import (
	"time"

	"colophon/exports"
	"colophon/internal/wire"
)

// Format names the format of the static index in its first file.
const Format = "service.static-index.v3"

// Generation is one published state of the static index: all files below
// _ix/<gen>/, none of which ever changes.
type Generation struct {
	Gen      string // 16 hex digits over everything that went in
	Release  exports.Release
	Pages    int64 // registered pages, which feed and inventory list
	PerFile  int64 // pages in one block of feed and inventory
	Codes    int64 // similarity codes, which search by similarity finds
	SiteBits int64 // the directory of sites has 1<<SiteBits files
	PBits    int64 // so has the lookup by URL and entry
	FBits    int64 // so has the lookup by fingerprint
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

// Index is the file at IndexKey: the generation in force and earlier ones, the
// latest first, whose files stay so that a walk by cursor can end as it began.
type Index struct {
	Current Generation
	Earlier []Generation
}

// Generations are all that are named, the latest first.
func (x *Index) Generations() []Generation {
	return append([]Generation{x.Current}, x.Earlier...)
}

// How long the files of a generation stay after another has taken its place.
const (
	KeepFor     = 24 * 60 * 60 // seconds
	KeepAtLeast = 2            // generations before the one in force
	KeepAtMost  = 8
)

// Kept are the generations of earlier, the latest first, that stay when
// current is in force. Time is what the releases tell of themselves, so the
// answer depends on nothing else: a generation was replaced by the second one
// after it at the latest, whose release tells of a change that the first one
// after it had not.
func (current *Generation) Kept(earlier []Generation) []Generation {
	all := []Generation{*current}
	for _, g := range earlier {
		if g.Gen != current.Gen && len(all) <= KeepAtMost {
			all = append(all, g)
		}
	}
	now := secondsOf(current.Release.GeneratedAt)
	for i := len(all) - 1; i > KeepAtLeast; i-- {
		replaced := secondsOf(all[i-2].Release.GeneratedAt)
		if now < replaced+KeepFor {
			break
		}
		all = all[:i]
	}
	return all[1:]
}

// secondsOf is an instant of a release in seconds since 1970.
func secondsOf(at string) int64 {
	t, _ := time.Parse(time.RFC3339, at) // the release before any build has none
	return t.Unix()
}

// Members describes the JSON form.
func (x *Index) Members(m *wire.Members) {
	m.Object("current", &x.Current)
	wire.List(m, "earlier", &x.Earlier)
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
