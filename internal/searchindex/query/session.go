package query

import (
	"context"
	"slices"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// Searcher searches published files.
type Searcher struct{ files *staticindex.Files }

// New returns a searcher over published files.
func New(files *staticindex.Files) *Searcher { return &Searcher{files} }

// Session is one question to one index, with the files read for it.
type Session struct {
	files  *staticindex.Files
	gen    string
	name   string
	root   *searchindex.Root
	leaves map[int]searchindex.Leaf
	blocks map[searchindex.BlockID]staticindex.Block
}

// Open begins a question to an index of a generation.
func (c *Searcher) Open(ctx context.Context, g *staticindex.Generation, name string) (*Session, error) {
	root, err := c.files.ReadOnce(ctx, searchindex.RootKey(g.Gen, name), func(b []byte) (any, error) {
		return searchindex.DecodeRoot(b)
	})
	if err != nil {
		return nil, err
	}
	return &Session{files: c.files, gen: g.Gen, name: name, root: root.(*searchindex.Root), leaves: map[int]searchindex.Leaf{}, blocks: map[searchindex.BlockID]staticindex.Block{}}, nil
}

// Groups returns how the records of the index are divided.
func (s *Session) Groups() *searchindex.Groups { return &s.root.Groups }

func (s *Session) leafKey(n int) exports.Key {
	return searchindex.LeafKey(s.gen, s.name, s.root.Leaves[n])
}

// term is a word of the index.
type term struct {
	word   string
	count  int    // records that have it
	weight int    // quarters: 4 as asked, less for a guess
	list   []byte // postings, encoded, unless common
	common int    // number of the common word, whose postings are a file of their own, or -1
	loaded bool
	p      searchindex.Postings
}

// isCommon reports whether the postings of a term are a file of their own.
func (t *term) isCommon() bool { return t.common >= 0 }

func (s *Session) inLeaf(t *searchindex.Term, weight int) *term {
	return &term{word: t.Word, count: t.Count, list: t.List, common: -1, weight: weight}
}

func (s *Session) inCommon(n, weight int) *term {
	t := &s.root.Common[n]
	return &term{word: t.Word, count: t.Count, common: n, weight: weight}
}

// prepare reads the leaves in which words would be.
func (s *Session) prepare(ctx context.Context, words []string) error {
	var wanted []int
	for _, w := range words {
		if s.root.FindCommon(w) >= 0 {
			continue
		}
		n := s.root.LeafOf(w)
		if n < 0 || s.leaves[n] != nil {
			continue
		}
		s.leaves[n] = searchindex.Leaf{}
		wanted = append(wanted, n)
	}
	return s.readLeaves(ctx, wanted)
}

func (s *Session) readLeaves(ctx context.Context, wanted []int) error {
	keys := make([]exports.Key, len(wanted))
	for i, n := range wanted {
		keys[i] = s.leafKey(n)
	}
	files, err := s.files.ReadAll(ctx, keys)
	if err != nil {
		return err
	}
	for i, b := range files {
		leaf, err := searchindex.DecodeLeaf(b, s.root.Leaves[wanted[i]], s.root.Docs)
		if err != nil {
			return staticindex.OutageError(string(keys[i]), err)
		}
		s.leaves[wanted[i]] = leaf
	}
	return nil
}

// findTerm returns the term of a prepared word, nil if no record has it.
func (s *Session) findTerm(word string, weight int) *term {
	if n := s.root.FindCommon(word); n >= 0 {
		return s.inCommon(n, weight)
	}
	leaf := s.leaves[s.root.LeafOf(word)]
	if n, ok := leaf.Find(word); ok {
		return s.inLeaf(&leaf[n], weight)
	}
	return nil
}

// loadPostings decodes the postings of terms, reading the common ones.
func (s *Session) loadPostings(ctx context.Context, terms []*term) error {
	var keys []exports.Key
	var common []*term
	for _, t := range terms {
		switch {
		case t.loaded:
		case t.isCommon():
			keys = append(keys, searchindex.CommonKey(s.gen, s.name, t.word))
			common = append(common, t)
		default:
			p, err := s.root.DecodePostings(t.list, t.count)
			if err != nil {
				return staticindex.OutageError(string(s.leafKey(s.root.LeafOf(t.word))), err)
			}
			t.p, t.loaded = p, true
		}
	}
	files, err := s.files.ReadAll(ctx, keys)
	if err != nil {
		return err
	}
	for i, t := range common {
		p, err := s.root.DecodeList(files[i], t.word, t.count)
		if err != nil {
			return staticindex.OutageError(string(keys[i]), err)
		}
		t.p, t.loaded = p, true
	}
	return nil
}

// missingBlocks returns the blocks of records that have not been read.
func (s *Session) missingBlocks(docs []uint32) []searchindex.BlockID {
	var out []searchindex.BlockID
	for _, d := range docs {
		block, _ := s.root.BlockOf(d)
		if _, ok := s.blocks[block]; !ok && !slices.Contains(out, block) {
			out = append(out, block)
		}
	}
	return out
}

// ReadRecords reads the records of docs, in that order.
func (s *Session) ReadRecords(ctx context.Context, docs []uint32) ([][]byte, error) {
	blocks := s.missingBlocks(docs)
	keys := make([]exports.Key, len(blocks))
	for i, id := range blocks {
		keys[i] = searchindex.BlockKey(s.gen, s.name, id)
	}
	files, err := s.files.ReadAll(ctx, keys)
	if err != nil {
		return nil, err
	}
	for i, file := range files {
		id := blocks[i]
		k, err := staticindex.DecodeBlock(file, id.Group, id.N)
		if err != nil {
			return nil, staticindex.OutageError(string(keys[i]), err)
		}
		s.blocks[id] = k
	}
	out := make([][]byte, len(docs))
	for i, d := range docs {
		id, line := s.root.BlockOf(d)
		if k := s.blocks[id]; line >= len(k) || len(k[line]) == 0 {
			return nil, staticindex.OutageError(string(searchindex.BlockKey(s.gen, s.name, id)), staticindex.ErrMalformed)
		}
		out[i] = s.blocks[id][line]
	}
	return out, nil
}
