package indexbuild

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"colophon/exports"
	"colophon/internal/blob"
	"colophon/internal/extsort"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/release"
	"colophon/internal/urlkey"
)

// maxBucketBits bounds the number of buckets.
const maxBucketBits = 20

// buckets collects the lines of one lookup index by their keys.
type buckets struct {
	kind  string
	most  int64           // bytes that a bucket has on average, at most
	size  int64           // bytes of all buckets
	lines *extsort.Sorter // the key of a value is the key of a line and the line

	// Private look-ups find the entries whose lines have this tag.
	ranges release.RangeKind
	ranged string
	count  int64 // of such lines
}

func newBuckets(dir, kind string, most int64, ranges release.RangeKind, ranged string) *buckets {
	return &buckets{kind: kind, most: most, lines: extsort.New(dir, extsort.Memory/2), ranges: ranges, ranged: ranged}
}

// lookUp adds all keys of an entry.
func (b *Builder) lookUp(e *Entry, urlKey [32]byte) error {
	if !exports.ValidEntryID(e.EntryID) {
		return errors.New("the id is not valid")
	}
	c := exports.Candidate{EntryID: e.EntryID, SiteID: e.SiteID, Publisher: e.Publisher, CanonicalURL: e.URL, Title: e.Title, Section: e.Section,
		ContentFormat: e.ContentFormat, PublishedAt: e.PublishedAt, Portable: e.Digest, Registry: e.Registry, ISCC: e.ISCC,
		RecordVersion: e.RecordVersion, RecordSHA256: e.RecordSHA256, LedgerIndex: e.LedgerIndex, RightsVector: e.RightsVector, Withdrawn: e.Withdrawn,
		Successor: e.Successor, SuccessorURL: e.SuccessorURL}
	line, err := lookup.AppendFacts(b.line[:0], &c)
	if err != nil {
		return err
	}
	b.line = line
	facts := append(rangeFacts(e), line...) // of all keys
	p, f := b.lookups[0], b.lookups[1]
	err = b.fileFacts(p, urlKey, lookup.TagURL, e.EntryID, facts)
	own := lookup.EntryKey(e.EntryID, urlkey.LookupKey(urlkey.LookupEntry, e.EntryID))
	if urlkey.Part(own[:], maxBucketBits) != urlkey.Part(urlKey[:], maxBucketBits) {
		err = errors.Join(err, b.fileFacts(p, own, lookup.TagEntry, e.EntryID, facts))
	}
	if c.ISCC != "" {
		code, malformed := iscc.Parse(c.ISCC)
		err = errors.Join(err, malformed, b.fileCode(code, c.EntryID))
	}
	if c.Portable != "" {
		err = errors.Join(err, b.fileDigest(f, c.Portable, lookup.TagPortableOf, c.EntryID, facts))
	}
	if c.Registry != "" {
		err = errors.Join(err, b.fileDigest(f, c.Registry, lookup.TagRegistryOf, c.EntryID, facts))
	}
	return err
}

// fileFacts adds the facts of an entry under one of its keys.
func (b *Builder) fileFacts(l *buckets, key [32]byte, tag, entryID string, facts []byte) error {
	head := lookup.AppendTag(nil, tag)
	return b.fileLine(l, key, append(head, entryID...), facts, len(head)+len(facts)-rangeFactsSize)
}

// fileDigest adds a digest of an entry.
func (b *Builder) fileDigest(l *buckets, digest, tag, entryID string, facts []byte) error {
	line, err := lookup.AppendReference(nil, tag, digest, entryID)
	if err != nil {
		return err
	}
	return b.fileLine(l, urlkey.LookupKey(urlkey.LookupFingerprint, digest), line, facts, len(line))
}

// fileLine keeps a line that takes size bytes of its bucket. Lines of a key are
// sorted by head; lineOf says what becomes of that and of the facts.
func (b *Builder) fileLine(l *buckets, key [32]byte, head, facts []byte, size int) error {
	l.size += int64(size + 1)
	if tag, _, _ := bytes.Cut(head, []byte(" ")); string(tag) == l.ranged {
		l.count++
	}
	return l.lines.Add(string(key[:])+string(head), facts)
}

// lineOf returns the line of a value that is one of n with the same key: the facts
// of an entry, a reference to it, or a reservation. If a digest has more entries
// than lookup.MaxReferences, their references are replaced by their facts.
func lineOf(v blob.Value, n int) []byte {
	switch tag := tagOf(v); {
	case tag == lookup.TagURL || tag == lookup.TagEntry:
		return append(lookup.AppendTag(nil, tag), v.Data[rangeFactsSize:]...)
	case tag == lookup.TagPortableOf && n > lookup.MaxReferences:
		return append(lookup.AppendTag(nil, lookup.TagPortable), v.Data[rangeFactsSize:]...)
	case tag == lookup.TagRegistryOf && n > lookup.MaxReferences:
		return append(lookup.AppendTag(nil, lookup.TagRegistry), v.Data[rangeFactsSize:]...)
	}
	return []byte(v.Key[32:])
}

// tagOf returns the tag of a line, by its value.
func tagOf(v blob.Value) string {
	tag, _, _ := strings.Cut(v.Key[32:], " ")
	return tag
}

// bits returns the number of bits of a key that select its bucket.
func (l *buckets) bits() int {
	bits := 0
	for bits < maxBucketBits && l.size>>bits > l.most {
		bits++
	}
	return bits
}

// linesOf returns the lines of a bucket.
func linesOf(sorted []blob.Value) [][]byte {
	lines := make([][]byte, 0, len(sorted))
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n].Key[:32] == sorted[0].Key[:32] {
			n++
		}
		for _, v := range sorted[:n] {
			lines = append(lines, lineOf(v, n))
		}
		sorted = sorted[n:]
	}
	return lines
}

// writeBuckets puts every bucket of an index, including those without lines, and
// the files for private look-ups with the same keys. It returns by how many bits of
// its key each is found.
func (b *Builder) writeBuckets(ctx context.Context, l *buckets) (bits, rangeBits int64, err error) {
	n := l.bits()
	bucketOf := func(key string) int { return urlkey.Part(key, n) }
	ranges := release.NewRangeWriter(l.ranges, l.count, b.out.Put)
	err = l.lines.EachPart(1<<n, bucketOf, func(at int, sorted []blob.Value) error {
		for _, v := range sorted {
			if tagOf(v) != l.ranged {
				continue
			}
			if err := ranges.Add(rangeRow(v)); err != nil {
				return err
			}
		}
		k := lookup.Bucket{Kind: l.kind, Bits: n, N: at, Lines: linesOf(sorted)}
		return errors.Join(b.out.Put(lookup.BucketKey(b.out.Gen, k.Kind, k.N), k.Append(nil)), ctx.Err())
	})
	if err == nil {
		rangeBits, err = ranges.Finish()
	}
	return int64(n), rangeBits, err
}
