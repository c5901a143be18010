package blob

import (
	"encoding/base64"

	"colophon/internal/wire"
)

// Format is the name of the format in the root.
const Format = "service.packs.v2"

// Root is the content of the root file.
type Root struct {
	Facts    int64      // version of the encoding of values
	Frame    *PageFrame // frame of the pages for people; nil: there are none
	Top      []byte     // topmost page of the index, whose rows name their packs
	Levels   int64      // levels of pages, with the topmost one
	PackSize int64      // most bytes of a pack, except one that holds a single larger blob

	// Generation is that of the static index. Packs have its files under names
	// without it, see staticindex.CutGeneration.
	Generation string
}

func (r *Root) Members(m *wire.Members) {
	m.Const("document", Format)
	m.Int("facts", &r.Facts)
	wire.Opt(m, "frame", &r.Frame)
	m.OptString("generation", &r.Generation)
	m.Nested("index", r.topMember)
	m.Int("levels", &r.Levels)
	m.Int("pack_size", &r.PackSize)
}

// topMember is the topmost page in base64url, beside its digest.
func (r *Root) topMember(m *wire.Members) {
	digest, page := IDOf(r.Top).String(), base64.RawURLEncoding.EncodeToString(r.Top)
	m.String("digest", &digest)
	m.String("page", &page)
	if m.Writing() {
		return
	}
	var err error
	if r.Top, err = base64.RawURLEncoding.DecodeString(page); err != nil || IDOf(r.Top).String() != digest {
		m.Refuse("page", "malformed", "Not the page that the digest names.")
	}
}

// Append appends the encoding of the root.
func (r *Root) Append(dst []byte) []byte { return wire.Append(dst, r) }

// ParseRoot parses a root; it returns ErrDamaged.
func ParseRoot(data []byte) (*Root, error) {
	r := &Root{}
	if err := wire.Decode(data, r, wire.Trusted); err != nil {
		return nil, ErrDamaged
	}
	if r.Levels < 1 || r.Levels > MaxLevels || r.PackSize < 1 || r.PackSize > maxPack {
		return nil, ErrDamaged
	}
	return r, nil
}
