package segment

import (
	"encoding/base64"
	"encoding/binary"

	"colophon/exports"
	"colophon/internal/wire"
)

// Profile says how objects are meant to be read.
type Profile string

// The profiles.
const (
	Pages Profile = "pages" // read whole: for servers without Range
	Packs Profile = "packs" // read by range
)

// Valid tells whether the profile is known.
func (p Profile) Valid() bool { return p == Pages || p == Packs }

// Bounds of a root and its directories.
const (
	MaxInline     = 16   // objects of a segment whose digests stand in the root
	DirectorySize = 2048 // digests in a directory
	MaxLayers     = 5
	Format        = "service.entry-segments.v1"

	directoryMagic = "CSD1"
)

// Root is the content of the root file.
type Root struct {
	Profile Profile
	Facts   int64              // version of the encoding of values
	Layers  []Layer            // newest first, the base last
	Filter  Filter             // of the keys of entries in deltas
	Frame   *exports.PageFrame // of the pages for people; nil: there are none
}

// Layer is one segment of entries with the shared items that it brings.
type Layer struct {
	Entries Segment
	Shared  Segment
}

// Segment describes one segment.
type Segment struct {
	Shape
	Count       int64    // values, tombstones included
	Bytes       int64    // of all objects
	Objects     []Digest // of the objects, or nil where Directories stand
	Directories []Digest
}

// Empty tells whether the segment has no objects at all.
func (s *Segment) Empty() bool { return len(s.Objects) == 0 && len(s.Directories) == 0 }

// Members describes the JSON form.
func (r *Root) Members(m *wire.Members) {
	filter := base64.RawStdEncoding.EncodeToString(r.Filter)
	profile := string(r.Profile)
	m.Const("document", Format)
	m.Int("facts", &r.Facts)
	m.String("filter", &filter)
	wire.Opt(m, "frame", &r.Frame)
	wire.List(m, "layers", &r.Layers)
	m.Enum("profile", &profile, string(Pages), string(Packs))
	if m.Writing() {
		return
	}
	r.Profile = Profile(profile)
	raw, err := base64.RawStdEncoding.DecodeString(filter)
	if err != nil {
		m.Refuse("filter", "malformed", "Not base64.")
		return
	}
	r.Filter = raw
}

// Members describes the JSON form.
func (l *Layer) Members(m *wire.Members) {
	m.Object("entries", &l.Entries)
	m.Object("shared", &l.Shared)
}

// Members describes the JSON form.
func (s *Segment) Members(m *wire.Members) {
	prefix := int64(s.PrefixBits)
	bucket := int64(s.BucketBits)
	objects := digestTexts(s.Objects)
	directories := digestTexts(s.Directories)
	m.Int("bucket_bits", &bucket)
	m.Int("bytes", &s.Bytes)
	m.Int("count", &s.Count)
	m.OptStrings("directories", &directories)
	m.OptStrings("objects", &objects)
	m.Int("prefix_bits", &prefix)
	if m.Writing() {
		return
	}
	if prefix < 0 || prefix > MaxPrefixBits || bucket < 0 || bucket > MaxBucketBits {
		m.Refuse("prefix_bits", "out_of_range", "Out of the bounds of the format.")
		return
	}
	s.Shape = Shape{PrefixBits: int(prefix), BucketBits: int(bucket)}
	var err error
	if s.Objects, err = parseDigests(objects); err != nil {
		m.Refuse("objects", "malformed", "Not digests in hex.")
	}
	if s.Directories, err = parseDigests(directories); err != nil {
		m.Refuse("directories", "malformed", "Not digests in hex.")
	}
}

func digestTexts(list []Digest) []string {
	out := make([]string, len(list))
	for i, d := range list {
		out[i] = d.String()
	}
	return out
}

func parseDigests(list []string) ([]Digest, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]Digest, len(list))
	for i, text := range list {
		d, err := ParseDigest(text)
		if err != nil {
			return nil, err
		}
		out[i] = d
	}
	return out, nil
}

// maxWhole is the mean size of objects up to which they are read whole in packs
// too: one read instead of two, verified.
const maxWhole = 128 << 10

// readWhole tells whether the objects of a segment are read whole.
func (s *Segment) readWhole(p Profile) bool {
	return p == Pages || s.Bytes>>s.PrefixBits <= maxWhole
}

// Append spells the root.
func (r *Root) Append(dst []byte) []byte { return wire.Append(dst, r) }

// ParseRoot reads a root. The error is ErrDamaged.
func ParseRoot(data []byte) (*Root, error) {
	r := &Root{}
	if err := wire.Decode(data, r, wire.Trusted); err != nil {
		return nil, ErrDamaged
	}
	if len(r.Layers) == 0 || len(r.Layers) > MaxLayers || len(r.Filter) > maxFilter {
		return nil, ErrDamaged
	}
	for i := range r.Layers {
		if !r.Layers[i].Entries.isComplete() || !r.Layers[i].Shared.isComplete() {
			return nil, ErrDamaged
		}
	}
	return r, nil
}

// isComplete tells whether a segment names all of its objects.
func (s *Segment) isComplete() bool {
	switch {
	case s.Empty():
		return s.Count == 0
	case len(s.Objects) > 0:
		return len(s.Directories) == 0 && len(s.Objects) == s.Shape.Objects()
	}
	return len(s.Directories) == (s.Shape.Objects()+DirectorySize-1)/DirectorySize
}

// AppendDirectory spells directory number n with the digests of its objects.
func AppendDirectory(dst []byte, n int, digests []Digest) []byte {
	dst = append(dst, directoryMagic...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	for _, d := range digests {
		dst = append(dst, d[:]...)
	}
	return dst
}

// digestOffset is where the digest of an object stands in its directory.
func digestOffset(object int) int64 {
	return 8 + int64(len(Digest{}))*int64(object%DirectorySize)
}

// InDirectory reads the digest of an object from its directory. The error is
// ErrDamaged.
func InDirectory(directory []byte, object int) (Digest, error) {
	var d Digest
	n := object / DirectorySize
	at := int(digestOffset(object))
	if len(directory) < 8 || string(directory[:4]) != directoryMagic || binary.LittleEndian.Uint32(directory[4:]) != uint32(n) {
		return d, ErrDamaged
	}
	if len(directory) < at+len(d) {
		return d, ErrDamaged
	}
	copy(d[:], directory[at:])
	return d, nil
}
