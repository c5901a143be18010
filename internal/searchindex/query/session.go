package query

import (
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
	"colophon/internal/wire/order"
)

// Searcher searches published files.
type Searcher struct{ files *staticindex.Files }

// New makes a searcher over published files.
func New(files *staticindex.Files) *Searcher { return &Searcher{files} }

// part is an index as one generation has it: all records, or those that are laid over
// the index of another generation.
type part struct {
	gen    string
	name   string
	root   *searchindex.Root
	leaves map[int]searchindex.Leaf
}

// openPart opens an index of a generation.
func (c *Searcher) openPart(ctx context.Context, gen, name string) (*part, error) {
	root, err := c.files.ReadOnce(ctx, searchindex.RootKey(gen, name), func(b []byte) (any, error) {
		return searchindex.DecodeRoot(b)
	})
	if err != nil {
		return nil, err
	}
	return &part{gen: gen, name: name, root: root.(*searchindex.Root), leaves: map[int]searchindex.Leaf{}}, nil
}

func (p *part) leafKey(n int) exports.Key   { return searchindex.LeafKey(p.gen, p.name, n) }
func (p *part) commonKey(n int) exports.Key { return searchindex.CommonKey(p.gen, p.name, n) }
func (p *part) blockKey(n int) exports.Key  { return staticindex.BlockKey(p.gen, p.name, n) }

// blockSize is how many records block n has.
func (p *part) blockSize(n int) int { return min(p.root.PerFile, p.root.Docs-n*p.root.PerFile) }

// Session is one question to one index: what was read for it. Records are numbered
// from 0 as if the index were one; that may be laid over a base.
type Session struct {
	files   *staticindex.Files
	parts   []*part              // ownPart, and basePart
	over    *staticindex.Overlay // of the second part; nil where there is one
	docs    int
	perFile int
	have    map[location][]byte // records
}

// The parts of a session.
const (
	ownPart  = 0 // of the generation that is asked
	basePart = 1 // of the one that it is laid over
)

// location is where a record is: its number in a part.
type location struct {
	part int
	doc  uint32
}

// Open begins a question to an index of a generation.
func (c *Searcher) Open(ctx context.Context, g *staticindex.Generation, name string) (*Session, error) {
	p, err := c.openPart(ctx, g.Gen, name)
	if err != nil {
		return nil, err
	}
	s := &Session{files: c.files, parts: []*part{p}, over: p.root.Over, docs: p.root.Docs, perFile: p.root.PerFile, have: map[location][]byte{}}
	damaged := staticindex.OutageError(string(searchindex.RootKey(g.Gen, name)), staticindex.ErrMalformed)
	if (s.over != nil) != (g.Base != nil && searchindex.IsLaidOver(name)) {
		return nil, damaged
	}
	if s.over == nil {
		return s, nil
	}
	base, err := c.openPart(ctx, g.Base.Gen, name)
	if err != nil {
		return nil, err
	}
	if base.root.Docs != s.over.Base() || base.root.Over != nil {
		return nil, damaged
	}
	s.parts = append(s.parts, base)
	s.docs = s.over.Len()
	return s, nil
}

// locate tells where a record of the index is.
func (s *Session) locate(doc uint32) location {
	if s.over == nil {
		return location{ownPart, doc}
	}
	i, added := s.over.Find(doc)
	if added {
		return location{ownPart, i}
	}
	return location{basePart, i}
}

// term is a word of the index.
type term struct {
	word   string
	count  int       // records that have it; of a common one of two parts, at most so many until its postings are loaded
	in     []posting // where its postings are
	weight int       // quarters: 4 as asked, less for a guess
	loaded bool
	p      searchindex.Postings
}

// posting is what a part has of a word.
type posting struct {
	part   int
	count  int
	list   []byte // encoded, unless common
	common int    // number of the common word, or -1
}

// isCommon reports whether the postings of a term are files of their own.
func (t *term) isCommon() bool {
	return slices.ContainsFunc(t.in, func(x posting) bool { return x.common >= 0 })
}

// found is a word of a part.
type found struct {
	word string
	posting
}

func (s *Session) inLeaf(part int, t *searchindex.Term) found {
	return found{t.Word, posting{part, t.Count, t.List, -1}}
}

func (s *Session) inCommon(part, n int) found {
	t := &s.parts[part].root.Common[n]
	return found{t.Word, posting{part, t.Count, nil, n}}
}

// joinTerms makes terms of what the parts have, in order of their words. One that no
// record has any more is left out, unless it is common.
func (s *Session) joinTerms(list []found, weight int) (group, error) {
	order.By(list, func(a, b *found) int {
		if a.word != b.word {
			return strings.Compare(a.word, b.word)
		}
		return a.part - b.part
	})
	var out group
	for _, f := range list {
		if n := len(out); n > 0 && out[n-1].word == f.word {
			out[n-1].in = append(out[n-1].in, f.posting)
			out[n-1].count += f.count
			continue
		}
		out = append(out, &term{word: f.word, count: f.count, in: []posting{f.posting}, weight: weight})
	}
	if s.over == nil {
		return out, nil
	}
	return s.dropEmpty(out)
}

// dropEmpty counts the terms whose postings are at hand, and leaves out those that no
// record has.
func (s *Session) dropEmpty(g group) (group, error) {
	var out group
	for _, t := range g {
		if !t.isCommon() {
			if err := s.decodePostings(t, nil); err != nil {
				return nil, err
			}
		}
		if t.count > 0 {
			out = append(out, t)
		}
	}
	return out, nil
}

// leafRef names a leaf of a part.
type leafRef struct{ part, n int }

// prepare reads the leaves in which words would be.
func (s *Session) prepare(ctx context.Context, words []string) error {
	var wanted []leafRef
	for i, p := range s.parts {
		for _, w := range words {
			if p.root.FindCommon(w) >= 0 {
				continue
			}
			n := p.root.LeafOf(w)
			if n < 0 || p.leaves[n] != nil {
				continue
			}
			p.leaves[n] = searchindex.Leaf{}
			wanted = append(wanted, leafRef{i, n})
		}
	}
	return s.readLeaves(ctx, wanted)
}

func (s *Session) readLeaves(ctx context.Context, wanted []leafRef) error {
	keys := make([]exports.Key, len(wanted))
	for i, l := range wanted {
		keys[i] = s.parts[l.part].leafKey(l.n)
	}
	files, err := s.files.ReadAll(ctx, keys)
	if err != nil {
		return err
	}
	for i, b := range files {
		p := s.parts[wanted[i].part]
		leaf, err := searchindex.DecodeLeaf(b, wanted[i].n, p.root.Docs)
		if err != nil {
			return staticindex.OutageError(string(keys[i]), err)
		}
		p.leaves[wanted[i].n] = leaf
	}
	return nil
}

// findTerm looks a prepared word up; nil when no record has it.
func (s *Session) findTerm(word string, weight int) (*term, error) {
	var list []found
	for i, p := range s.parts {
		if n := p.root.FindCommon(word); n >= 0 {
			list = append(list, s.inCommon(i, n))
			continue
		}
		leaf := p.leaves[p.root.LeafOf(word)]
		if n, ok := leaf.Find(word); ok {
			list = append(list, s.inLeaf(i, &leaf[n]))
		}
	}
	g, err := s.joinTerms(list, weight)
	if err != nil || len(g) == 0 {
		return nil, err
	}
	return g[0], nil
}

// loadPostings decodes the postings of terms, reading the common ones.
func (s *Session) loadPostings(ctx context.Context, terms []*term) error {
	var keys []exports.Key
	var wait []*term
	for _, t := range terms {
		if t.loaded {
			continue
		}
		wait = append(wait, t)
		for _, x := range t.in {
			if x.common >= 0 {
				keys = append(keys, s.parts[x.part].commonKey(x.common))
			}
		}
	}
	files, err := s.files.ReadAll(ctx, keys)
	if err != nil {
		return err
	}
	for _, t := range wait {
		common := 0
		for _, x := range t.in {
			if x.common >= 0 {
				common++
			}
		}
		if err := s.decodePostings(t, files[:common]); err != nil {
			return err
		}
		files = files[common:]
	}
	return nil
}

// decodePostings decodes what each part has of a term. files are those of its
// common words, in order.
func (s *Session) decodePostings(t *term, files [][]byte) error {
	if t.loaded {
		return nil
	}
	for _, x := range t.in {
		p := s.parts[x.part]
		var one searchindex.Postings
		var err error
		key := p.leafKey(p.root.LeafOf(t.word))
		if x.common >= 0 {
			key = p.commonKey(x.common)
			one, err = searchindex.DecodeList(files[0], x.common, x.count, p.root.Docs)
			files = files[1:]
		} else {
			one, err = searchindex.DecodePostings(x.list, x.count, p.root.Docs)
		}
		if err != nil {
			return staticindex.OutageError(string(key), err)
		}
		t.p = mergePostings(t.p, s.placePostings(x.part, one))
	}
	t.count = len(t.p.Docs)
	t.loaded = true
	return nil
}

// placePostings numbers the postings of a part as records of the index, without those
// that are no more. It overwrites p.
func (s *Session) placePostings(part int, p searchindex.Postings) searchindex.Postings {
	if s.over == nil {
		return p
	}
	n := 0
	for i, doc := range p.Docs {
		place, ok := uint32(0), true
		if part == ownPart {
			place = s.over.PlaceAdded(doc)
		} else {
			place, ok = s.over.PlaceBase(doc)
		}
		if ok {
			p.Docs[n], p.Impacts[n] = place, p.Impacts[i]
			n++
		}
	}
	return searchindex.Postings{Docs: p.Docs[:n], Impacts: p.Impacts[:n]}
}

// mergePostings merges postings of different records.
func mergePostings(a, b searchindex.Postings) searchindex.Postings {
	if len(a.Docs) == 0 {
		return b
	}
	if len(b.Docs) == 0 {
		return a
	}
	var out searchindex.Postings
	for len(a.Docs)+len(b.Docs) > 0 {
		if len(b.Docs) == 0 || len(a.Docs) > 0 && a.Docs[0] < b.Docs[0] {
			out.Docs, out.Impacts = append(out.Docs, a.Docs[0]), append(out.Impacts, a.Impacts[0])
			a.Docs, a.Impacts = a.Docs[1:], a.Impacts[1:]
		} else {
			out.Docs, out.Impacts = append(out.Docs, b.Docs[0]), append(out.Impacts, b.Impacts[0])
			b.Docs, b.Impacts = b.Docs[1:], b.Impacts[1:]
		}
	}
	return out
}

// blockRef names a block of a part.
type blockRef struct{ part, n int }

// missingBlocks are the blocks of records that are not at hand.
func (s *Session) missingBlocks(docs []uint32) []blockRef {
	var out []blockRef
	for _, d := range docs {
		at := s.locate(d)
		block := blockRef{at.part, int(at.doc) / s.parts[at.part].root.PerFile}
		if _, ok := s.have[at]; !ok && !slices.Contains(out, block) {
			out = append(out, block)
		}
	}
	return out
}

// ReadRecords reads the records of docs, in that order.
func (s *Session) ReadRecords(ctx context.Context, docs []uint32) ([][]byte, error) {
	blocks := s.missingBlocks(docs)
	keys := make([]exports.Key, len(blocks))
	for i, b := range blocks {
		keys[i] = s.parts[b.part].blockKey(b.n)
	}
	files, err := s.files.ReadAll(ctx, keys)
	if err != nil {
		return nil, err
	}
	for i, file := range files {
		b, p := blocks[i], s.parts[blocks[i].part]
		k, err := staticindex.DecodeBlock(file, b.n)
		if err != nil || len(k) != p.blockSize(b.n) {
			return nil, staticindex.OutageError(string(keys[i]), staticindex.ErrMalformed)
		}
		for j := range k {
			s.have[location{b.part, uint32(b.n*p.root.PerFile + j)}] = k[j]
		}
	}
	out := make([][]byte, len(docs))
	for i, d := range docs {
		out[i] = s.have[s.locate(d)]
	}
	return out, nil
}
