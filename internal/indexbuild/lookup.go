package indexbuild

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"slices"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/urlkey"
)

const (
	maxBucketBits = 20
	partBits      = 6 // bits of the key by which lines are divided into parts
	parts         = 1 << partBits
)

// keyedLines collects the lines of one lookup index, divided into parts by key:
// in memory up to a limit, then in temporary files.
type keyedLines struct {
	kind  string
	dir   string
	limit int // bytes in memory
	held  int
	parts [parts]linePart
	sizes []uint32 // bytes for each value of the top maxBucketBits bits; nil if there are no buckets
	most  int      // bytes that a bucket should not exceed
}

// linePart holds the lines whose keys begin with the same bits: first those in
// its file, then those in memory.
type linePart struct {
	file   *os.File
	inFile int64 // bytes
	held   []byte
	lines  int
}

// linesMemory is how many bytes of lines are kept in memory before they go to
// disk.
const linesMemory = 2 << 20

func newKeyedLines(dir, kind string) *keyedLines {
	return &keyedLines{kind: kind, dir: dir, limit: linesMemory}
}

// newBuckets returns keyedLines whose lines will be put into buckets, of about so
// many bytes at most.
func newBuckets(dir, kind string, most int) *keyedLines {
	l := newKeyedLines(dir, kind)
	l.most = most
	l.sizes = make([]uint32, 1<<maxBucketBits)
	return l
}

// lookUp adds all keys of an entry.
func (b *builder) lookUp(e *Entry) error {
	if !exports.ValidEntryID(e.EntryID) {
		return errors.New("the id is not valid")
	}
	c := exports.Candidate{EntryID: e.EntryID, SiteID: e.SiteID, Publisher: e.Publisher, CanonicalURL: e.URL, Title: e.Title, Section: e.Section,
		ContentFormat: e.ContentFormat, PublishedAt: e.PublishedAt, Portable: e.Digest, Registry: e.Registry, ISCC: e.ISCC,
		RecordVersion: e.RecordVersion, RecordSHA256: e.RecordSHA256, LedgerIndex: e.LedgerIndex, RightsVector: e.RightsVector, Withdrawn: e.Withdrawn,
		Successor: e.Successor, SuccessorURL: e.SuccessorURL}
	facts, err := lookup.AppendFacts(b.facts[:0], &c)
	if err != nil {
		return err
	}
	b.facts = facts
	p, f := b.lookups[0], b.lookups[1]
	urlKey := urlkey.LookupKey(urlkey.LookupURL, e.URL)
	err = b.fileFacts(p, urlKey, lookup.TagURL, "")
	for _, alias := range e.Aliases {
		err = errors.Join(err, b.fileFacts(p, urlkey.LookupKey(urlkey.LookupURL, alias), lookup.TagAlias, alias))
	}
	own := lookup.EntryKey(e.EntryID, urlkey.LookupKey(urlkey.LookupEntry, e.EntryID))
	if lookup.BucketOf(own, maxBucketBits) != lookup.BucketOf(urlKey, maxBucketBits) {
		err = errors.Join(err, b.fileFacts(p, own, lookup.TagEntry, ""))
	}
	if c.ISCC != "" {
		code, malformed := iscc.Parse(c.ISCC)
		err = errors.Join(err, malformed, b.fileCode(code, c.EntryID))
	}
	if c.Portable != "" {
		err = errors.Join(err, b.fileDigest(f, c.Portable, lookup.TagPortableOf, lookup.TagPortable, c.EntryID))
	}
	if c.Registry != "" {
		err = errors.Join(err, b.fileDigest(f, c.Registry, lookup.TagRegistryOf, lookup.TagRegistry, c.EntryID))
	}
	return err
}

// fileFacts adds the facts of the current entry under one of its keys.
func (b *builder) fileFacts(l *keyedLines, key [32]byte, tag, alias string) error {
	b.line = append(lookup.AppendTag(b.line[:0], tag, alias), b.facts...)
	return b.fileLine(l, key, b.line, len(b.line))
}

// fileDigest adds a digest of the current entry: the line that refers to the
// entry, and after a line break the line that replaces it if the digest has
// more entries than lookup.MaxReferences.
func (b *builder) fileDigest(l *keyedLines, digest, tag, longTag, entryID string) error {
	line, err := lookup.AppendReference(b.line[:0], tag, digest, entryID)
	if err != nil {
		return err
	}
	short := len(line)
	b.line = append(lookup.AppendTag(append(line, '\n'), longTag, ""), b.facts...)
	return b.fileLine(l, urlkey.LookupKey(urlkey.LookupFingerprint, digest), b.line, short)
}

// fileLine keeps a line that takes size bytes of its bucket.
func (b *builder) fileLine(l *keyedLines, key [32]byte, line []byte, size int) error {
	b.sum.Write(line)
	if l.sizes != nil {
		l.sizes[lookup.BucketOf(key, maxBucketBits)] += uint32(size + 1)
	}
	return l.addLine(key, line)
}

func (l *keyedLines) addLine(key [32]byte, line []byte) error {
	p := &l.parts[lookup.BucketOf(key, partBits)]
	before := len(p.held)
	p.held = binary.AppendUvarint(p.held, uint64(len(line)))
	p.held = append(p.held, key[:]...)
	p.held = append(p.held, line...)
	p.lines++
	if l.held += len(p.held) - before; l.held < l.limit {
		return nil
	}
	return l.spillToDisk()
}

// spillToDisk writes the lines in memory to disk.
func (l *keyedLines) spillToDisk() error {
	for i := range l.parts {
		if err := l.parts[i].spill(l.dir); err != nil {
			return err
		}
	}
	l.held = 0
	return nil
}

func (p *linePart) spill(dir string) (err error) {
	if len(p.held) == 0 {
		return nil
	}
	if p.file == nil {
		if p.file, err = os.CreateTemp(dir, "lookup-*"); err != nil {
			return err
		}
	}
	n, err := p.file.Write(p.held)
	p.inFile += int64(n)
	p.held = p.held[:0]
	return err
}

// bucketBits returns the least number of bits with which no bucket exceeds
// l.most bytes, except for buckets that more bits would hardly divide; it returns
// at most maxBucketBits.
func (l *keyedLines) bucketBits() int {
	for bits := 0; bits < maxBucketBits; bits++ {
		if l.fitsBuckets(bits) {
			return bits
		}
	}
	return maxBucketBits
}

func (l *keyedLines) fitsBuckets(bits int) bool {
	per := len(l.sizes) >> bits
	for lo := 0; lo < len(l.sizes); lo += per {
		sum, most := uint64(0), uint64(0)
		for _, n := range l.sizes[lo : lo+per] {
			sum += uint64(n)
			most = max(most, uint64(n))
		}
		if sum > uint64(l.most) && sum-most > uint64(l.most/4) {
			return false
		}
	}
	return true
}

// replaceReferences keeps the references of digests that have few entries, and
// replaces all others by the facts. Lines are sorted by key.
func replaceReferences(lines []keyed) {
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].key == lines[0].key {
			n++
		}
		for i := range lines[:n] {
			short, long, _ := bytes.Cut(lines[i].line, []byte("\n"))
			lines[i].line = short
			if n > lookup.MaxReferences && len(long) > 0 {
				lines[i].line = long
			}
		}
		lines = lines[n:]
	}
}

// keyed is a line with its key.
type keyed struct {
	key  [32]byte
	line []byte
}

// writeBuckets puts every bucket of an index, including those without lines.
func (b *builder) writeBuckets(ctx context.Context, l *keyedLines, bits *int64) error {
	n := l.bucketBits()
	*bits = int64(n)
	k := lookup.Bucket{Kind: l.kind, Bits: n}
	flush := func() error {
		data := k.Append(nil)
		b.mu.Lock()
		b.stats.LargestBucket = max(b.stats.LargestBucket, int64(len(data)))
		b.mu.Unlock()
		err := b.out.Put(lookup.BucketKey(b.out.Gen, k.Kind, k.N), data)
		k.N, k.Lines = k.N+1, k.Lines[:0]
		return err
	}
	for part := range parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		lines, err := l.readSorted(part)
		if err != nil {
			return err
		}
		if l.kind == lookup.LookupFingerprint {
			replaceReferences(lines)
		}
		for _, x := range lines {
			for at := lookup.BucketOf(x.key, n); k.N < at; {
				if err := flush(); err != nil {
					return err
				}
			}
			k.Lines = append(k.Lines, x.line)
		}
	}
	for k.N < 1<<n {
		if err := flush(); err != nil {
			return err
		}
	}
	return nil
}

// readSorted reads a part back, sorted by key and line.
func (l *keyedLines) readSorted(part int) ([]keyed, error) {
	p := &l.parts[part]
	data := p.held
	if p.file != nil {
		data = make([]byte, p.inFile, p.inFile+int64(len(p.held)))
		if _, err := p.file.ReadAt(data, 0); err != nil {
			return nil, err
		}
		data = append(data, p.held...)
	}
	out := make([]keyed, 0, p.lines)
	for len(data) > 0 {
		n, used := binary.Uvarint(data)
		end := used + 32 + int(n)
		out = append(out, keyed{[32]byte(data[used : used+32]), data[used+32 : end]})
		data = data[end:]
	}
	slices.SortFunc(out, func(a, b keyed) int {
		if c := bytes.Compare(a.key[:], b.key[:]); c != 0 {
			return c
		}
		return bytes.Compare(a.line, b.line)
	})
	return out, nil
}

func (l *keyedLines) close() {
	for i := range l.parts {
		if f := l.parts[i].file; f != nil {
			f.Close()
		}
	}
}
