package lookup

import (
	"context"
	"sort"

	"colophon/exports"
	"colophon/internal/staticindex"
)

// layer is what a look-up asks of one generation: the one in force, or the one that
// it is laid over.
type layer struct {
	gen   string
	bits  map[string]int // by kind of look-up
	codes int
	gone  superseded // entries of which what the layer says holds no more
}

// superseded are ids of entries, in order.
type superseded []string

func (s superseded) has(entryID string) bool {
	i := sort.SearchStrings(s, entryID)
	return i < len(s) && s[i] == entryID
}

const supersededMagic = "CSU1"

// SupersededKey is the list of the entries that the look-ups of the base tell of no
// more, since they changed or are gone.
func SupersededKey(gen string) exports.Key {
	return exports.Key(staticindex.Prefix(gen) + LookupPrimary + "/over.idx")
}

// AppendSuperseded writes ids, which must rise, after b: the generation that is the base
// as a text, how many ids, and each as a text.
func AppendSuperseded(b []byte, base string, ids []string) []byte {
	b = staticindex.AppendText(append(b, supersededMagic...), base)
	b = staticindex.AppendUint(b, len(ids))
	for _, id := range ids {
		b = staticindex.AppendText(b, id)
	}
	return b
}

func decodeSuperseded(b []byte, base string) (superseded, error) {
	r := staticindex.NewReader(b)
	r.ExpectMagic(supersededMagic)
	if r.ReadString() != base {
		r.Fail()
	}
	out := make(superseded, 0, r.ReadUint(r.Len()))
	for range cap(out) {
		id := r.ReadString()
		if n := len(out); n > 0 && id <= out[n-1] {
			r.Fail()
		}
		out = append(out, id)
	}
	return out, r.Finish()
}

// openLayers are what a look-up asks: the generation, and its base.
func (c *Resolver) openLayers(ctx context.Context, g *staticindex.Generation) ([]layer, error) {
	own := layer{gen: g.Gen, bits: map[string]int{LookupPrimary: int(g.PBits), LookupFingerprint: int(g.FBits)}, codes: int(g.Codes)}
	if g.Base == nil {
		return []layer{own}, nil
	}
	gone, err := c.files.ReadOnce(ctx, SupersededKey(g.Gen), func(b []byte) (any, error) { return decodeSuperseded(b, g.Base.Gen) })
	if err != nil {
		return nil, err
	}
	base := g.Base
	return []layer{own, {base.Gen, map[string]int{LookupPrimary: int(base.PBits), LookupFingerprint: int(base.FBits)}, int(base.Codes), gone.(superseded)}}, nil
}
