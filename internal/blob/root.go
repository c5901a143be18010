package blob

import (
	"encoding/hex"

	"colophon/internal/wire"
)

// Format is the name of the format in the root.
const Format = "service.packs.v1"

// Root is the content of the root file.
type Root struct {
	Facts    int64      // version of the encoding of values
	Frame    *PageFrame // frame of the pages for people; nil: there are none
	Index    Location   // location of the topmost page
	Levels   int64      // levels of pages
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
	m.Object("index", &r.Index)
	m.Int("levels", &r.Levels)
	m.Int("pack_size", &r.PackSize)
}

func (at *Location) Members(m *wire.Members) {
	pack, digest := hex.EncodeToString(at.Pack[:]), hex.EncodeToString(at.Digest[:])
	m.String("digest", &digest)
	m.Int("length", &at.Length)
	m.Int("offset", &at.Offset)
	m.String("pack", &pack)
	if m.Writing() {
		return
	}
	var err error
	if at.Digest, err = parseID(digest); err != nil {
		m.Refuse("digest", "malformed", "Not 16 bytes in hex.")
	}
	if at.Pack, err = parseID(pack); err != nil {
		m.Refuse("pack", "malformed", "Not 16 bytes in hex.")
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
	at := &r.Index
	if r.Levels < 1 || r.Levels > MaxLevels || at.Offset < 0 || at.Offset > maxPack || at.Length < 0 || at.Length > maxLength || r.PackSize < 1 || r.PackSize > maxPack {
		return nil, ErrDamaged
	}
	return r, nil
}
