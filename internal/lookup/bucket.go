package lookup

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// The lookup indexes and the tags of their lines.
const (
	LookupPrimary     = "p" // by the key of a URL
	LookupFingerprint = "f" // by the key of a digest

	TagURL      = "u" // the canonical URL of the entry
	TagEntry    = "e" // an entry id that does not carry its bucket
	TagPortable = "p"
	TagRegistry = "r"

	// Lines that refer to an entry instead of holding its facts.
	TagPortableOf = "P"
	TagRegistryOf = "R"

	TagReservation = "c" // a reservation for the content with a code
)

// MaxReferences is up to how many entries of one digest have lines that refer
// to them; each costs a reader the bucket of the entry. More have their facts
// beside the digest.
const MaxReferences = 8

// Reference says that a digest is one of an entry, whose facts are in the
// bucket of its id.
type Reference struct{ Tag, EntryID string }

// Bucket is one file of a lookup index: every record whose key begins with
// its bits. A bucket without records exists too, so a missing file is an
// outage and never "no match".
type Bucket struct {
	Kind  string // LookupPrimary or LookupFingerprint
	Bits  int    // the index has 1<<Bits buckets
	N     int
	Lines [][]byte
}

// EntryKey returns the lookup key of an entry id: an id that carries its URL's
// key ("ent_" and 24 hex digits) is filed by the first 12 of them, every other
// by its own lookup key, other.
func EntryKey(id string, other [32]byte) [32]byte {
	b, ok := packedID(id)
	if !ok {
		return other
	}
	return [32]byte(append(b[:6], make([]byte, 26)...))
}

// Append appends the bucket to b: a header line
//
//	#service.shard.v2 p 1a2 bits=13 n=122
//
// with the number in hex, then the lines in their order.
func (k *Bucket) Append(b []byte) []byte {
	size := 0
	for _, line := range k.Lines {
		size += len(line) + 1
	}
	head := k.headerLine(len(k.Lines))
	b = append(slices.Grow(b, len(head)+size), head...)
	for _, line := range k.Lines {
		b = append(append(b, line...), '\n')
	}
	return b
}

func (k *Bucket) headerLine(lines int) string {
	return "#service.shard.v2 " + k.Kind + " " + strconv.FormatInt(int64(k.N), 16) + " bits=" + strconv.Itoa(k.Bits) + " n=" + strconv.Itoa(lines) + "\n"
}

// DecodeBucket reads bucket n of an index of 1<<bits buckets. A file of
// another bucket, or one cut short, is refused. Lines stay part of the file.
func DecodeBucket(file []byte, kind string, bits, n int) (*Bucket, error) {
	head, rest, ok := bytes.Cut(file, []byte("\n"))
	if !ok {
		return nil, staticindex.ErrMalformed
	}
	k := &Bucket{Kind: kind, Bits: bits, N: n}
	for len(rest) > 0 {
		var line []byte
		if line, rest, ok = bytes.Cut(rest, []byte("\n")); !ok {
			return nil, staticindex.ErrMalformed
		}
		k.Lines = append(k.Lines, line)
	}
	if k.headerLine(len(k.Lines)) != string(head)+"\n" {
		return nil, staticindex.ErrMalformed
	}
	return k, nil
}

// AppendTag writes how the line of an entry begins, before its facts: the tag and
// a space.
func AppendTag(b []byte, tag string) []byte { return append(append(b, tag...), ' ') }

// AppendFacts writes the facts of an entry, which are the same on all its lines,
// as a canonical JSON array: entry id, site id, publisher, URL, title, section,
// content format, published at, portable digest, registry digest, record version,
// record digest, ledger index (-1 none), rights vector, withdrawn, similarity
// code, and of a page that moved the entry id and the address of its successor.
// Digests and the code are base64url.
func AppendFacts(b []byte, c *exports.Candidate) ([]byte, error) {
	var sums [3]string
	for i, digest := range []string{c.Portable, c.Registry, c.RecordSHA256} {
		raw, ok := staticindex.DecodeHex(digest)
		if !ok || len(raw) != 0 && len(raw) != 32 {
			return nil, staticindex.ErrMalformed
		}
		sums[i] = base64.RawURLEncoding.EncodeToString(raw)
	}
	code, err := exports.CodeBody(c.ISCC)
	if err != nil {
		return nil, staticindex.ErrMalformed
	}
	b = append(b, '[')
	for _, s := range []string{c.EntryID, c.SiteID, c.Publisher, c.CanonicalURL, c.Title, c.Section, c.ContentFormat, c.PublishedAt, sums[0], sums[1]} {
		b = append(wire.AppendString(b, s), ',')
	}
	b = append(strconv.AppendInt(b, c.RecordVersion, 10), ',')
	b = append(wire.AppendString(b, sums[2]), ',')
	b = append(strconv.AppendInt(b, max(-1, c.LedgerIndex), 10), ',')
	b = append(wire.AppendString(b, c.RightsVector), ',')
	b = append(strconv.AppendBool(b, c.Withdrawn), ',')
	b = wire.AppendString(b, base64.RawURLEncoding.EncodeToString(code))
	if c.Successor != "" {
		b = wire.AppendString(append(b, ','), c.Successor)
		b = wire.AppendString(append(b, ','), c.SuccessorURL)
	}
	return append(b, ']'), nil
}

// AppendReference appends the line that gives the owner of a digest, in hex:
//
//	P <digest in base64url> ent_0123456789abcdef01234567
func AppendReference(b []byte, tag, digest, entryID string) ([]byte, error) {
	raw, ok := staticindex.DecodeHex(digest)
	if !ok || len(raw) != 32 {
		return nil, staticindex.ErrMalformed
	}
	b = append(append(b, tag...), ' ')
	b = base64.RawURLEncoding.AppendEncode(b, raw)
	return append(append(b, ' '), entryID...), nil
}

// References returns the entries of a digest, given in hex, whose facts are
// elsewhere.
func (k *Bucket) References(digest string) ([]Reference, error) {
	raw, ok := staticindex.DecodeHex(digest)
	if !ok {
		return nil, nil
	}
	needle := base64.RawURLEncoding.EncodeToString(raw)
	var out []Reference
	for _, line := range k.Lines {
		if !isReference(line) {
			continue
		}
		words := strings.Split(string(line), " ")
		if len(words) != 3 || !exports.ValidEntryID(words[2]) {
			return nil, staticindex.ErrMalformed
		}
		if words[1] == needle {
			out = append(out, Reference{words[0], words[2]})
		}
	}
	return out, nil
}

// isReference reports whether a line is a reference.
func isReference(line []byte) bool {
	return bytes.HasPrefix(line, []byte(TagPortableOf+" ")) || bytes.HasPrefix(line, []byte(TagRegistryOf+" "))
}

// Find returns the candidates whose tag is one of tags and whose value is
// exactly value: the URL, the entry id, or the digest in hex.
func (k *Bucket) Find(value string, tags ...string) ([]exports.Candidate, error) {
	needle := []byte(value)
	if k.Kind == LookupFingerprint {
		raw, ok := staticindex.DecodeHex(value)
		if !ok {
			return nil, nil
		}
		needle = []byte(base64.RawURLEncoding.EncodeToString(raw))
	}
	var out []exports.Candidate
	for _, line := range k.Lines {
		if !bytes.Contains(line, needle) || isReference(line) || isReservation(line) {
			continue
		}
		tag, c, err := parseCandidate(line)
		if err != nil {
			return nil, err
		}
		if slices.Contains(tags, tag) && matchesValue(&c, tag, value) {
			out = append(out, c)
		}
	}
	return out, nil
}

// matchesValue compares the full value, and sets the basis on which it matches.
func matchesValue(c *exports.Candidate, tag, value string) bool {
	switch tag {
	case TagPortable:
		c.Basis = exports.BasisPortable
		return c.Portable == value
	case TagRegistry:
		c.Basis = exports.BasisRegistry
		return c.Registry == value
	}
	if c.EntryID == value {
		c.Basis = exports.BasisEntry
		return true
	}
	c.Basis = exports.BasisURL
	return tag == TagURL && c.CanonicalURL == value
}

func parseCandidate(line []byte) (tag string, c exports.Candidate, err error) {
	tag, rest, ok := strings.Cut(string(line), " ")
	v, err := wire.Parse([]byte(rest), wire.Default)
	if err != nil || !ok || v.Kind != wire.KindArray || len(v.Items) != 16 && len(v.Items) != 18 {
		return "", c, staticindex.ErrMalformed
	}
	f := factReader{items: v.Items}
	c = exports.Candidate{EntryID: f.nextText(), SiteID: f.nextText(), Publisher: f.nextText(), CanonicalURL: f.nextText(), Title: f.nextText(), Section: f.nextText(), ContentFormat: f.nextText(), PublishedAt: f.nextText(),
		Portable: f.nextDigest(), Registry: f.nextDigest(), RecordVersion: f.nextInt(), RecordSHA256: f.nextDigest(), LedgerIndex: f.nextInt(), RightsVector: f.nextText()}
	c.Withdrawn = f.flag()
	c.ISCC = exports.CodeText(f.sum())
	if len(f.items) > 0 {
		c.Successor, c.SuccessorURL = f.nextText(), f.nextText()
	}
	if f.bad {
		return "", c, staticindex.ErrMalformed
	}
	return tag, c, nil
}

type factReader struct {
	items []wire.Value
	bad   bool
}

func (f *factReader) nextItem() *wire.Value {
	v := &f.items[0]
	f.items = f.items[1:]
	return v
}

func (f *factReader) nextText() string {
	s, ok := f.nextItem().Str()
	f.bad = f.bad || !ok
	return s
}

func (f *factReader) flag() bool {
	v := f.nextItem()
	f.bad = f.bad || v.Kind != wire.KindBool
	return v.Bool
}

func (f *factReader) nextInt() int64 {
	n, ok := f.nextItem().Int()
	f.bad = f.bad || !ok
	return n
}

func (f *factReader) nextDigest() string { return hex.EncodeToString(f.sum()) }

// sum reads 32 bytes, or nothing.
func (f *factReader) sum() []byte {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(f.nextText())
	f.bad = f.bad || err != nil || len(raw) != 0 && len(raw) != 32
	return raw
}

// packedID returns the 12 bytes of an entry id that carries its lookup key.
func packedID(id string) ([]byte, bool) {
	if len(id) != len(exports.PrefixEntry)+24 || id[:len(exports.PrefixEntry)] != exports.PrefixEntry {
		return nil, false
	}
	return staticindex.DecodeHex(id[len(exports.PrefixEntry):])
}

// BucketKey is bucket n of a lookup index, "p" or "f".
func BucketKey(gen, kind string, n int) exports.Key { return staticindex.FileKey(gen, kind, "/", n) }
