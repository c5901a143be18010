package query

import (
	"context"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// Searcher searches published files.
type Searcher struct{ files *staticindex.Files }

// New makes a searcher over published files.
func New(files *staticindex.Files) *Searcher { return &Searcher{files} }

// openRoot opens an index of a generation.
func (c *Searcher) openRoot(ctx context.Context, gen, name string) (*searchindex.Root, error) {
	root, err := c.files.ReadOnce(ctx, searchindex.RootKey(gen, name), func(b []byte) (any, error) {
		return searchindex.DecodeRoot(b)
	})
	if err != nil {
		return nil, err
	}
	return root.(*searchindex.Root), nil
}

// Session is one question to one index: what was read for it.
type Session struct {
	files  *staticindex.Files
	gen    string
	name   string
	root   *searchindex.Root
	leaves map[int]searchindex.Leaf
	have   map[uint32][]byte // records by number
}

func (c *Searcher) Open(ctx context.Context, gen, name string) (*Session, error) {
	r, err := c.openRoot(ctx, gen, name)
	if err != nil {
		return nil, err
	}
	return &Session{files: c.files, gen: gen, name: name, root: r, leaves: map[int]searchindex.Leaf{}, have: map[uint32][]byte{}}, nil
}

// term is a word of the index.
type term struct {
	word   string
	count  int
	list   []byte // encoded, unless common
	common int    // number of the common word, or -1
	weight int    // quarters: 4 as asked, less for a guess
	p      searchindex.Postings
}

// prepare reads the leaves in which words would be.
func (s *Session) prepare(ctx context.Context, words []string) error {
	var numbers []int
	for _, w := range words {
		if s.root.FindCommon(w) >= 0 {
			continue
		}
		n := s.root.LeafOf(w)
		if n < 0 || s.leaves[n] != nil {
			continue
		}
		s.leaves[n] = searchindex.Leaf{}
		numbers = append(numbers, n)
	}
	return s.readLeaves(ctx, numbers)
}

func (s *Session) readLeaves(ctx context.Context, numbers []int) error {
	keys := make([]exports.Key, len(numbers))
	for i, n := range numbers {
		keys[i] = searchindex.LeafKey(s.gen, s.name, n)
	}
	files, err := s.files.ReadAll(ctx, keys)
	if err != nil {
		return err
	}
	for i, b := range files {
		leaf, err := searchindex.DecodeLeaf(b, numbers[i], s.root.Docs)
		if err != nil {
			return staticindex.OutageError(string(keys[i]), err)
		}
		s.leaves[numbers[i]] = leaf
	}
	return nil
}

// findTerm looks a prepared word up; nil when no record has it.
func (s *Session) findTerm(word string, weight int) *term {
	if n := s.root.FindCommon(word); n >= 0 {
		return &term{word: word, count: s.root.Common[n].Count, common: n, weight: weight}
	}
	leaf := s.leaves[s.root.LeafOf(word)]
	if i, ok := leaf.Find(word); ok {
		return inLeaf(&leaf[i], weight)
	}
	return nil
}

func inLeaf(t *searchindex.Term, weight int) *term {
	return &term{word: t.Word, count: t.Count, list: t.List, common: -1, weight: weight}
}

// loadPostings decodes the postings of terms, reading the common ones.
func (s *Session) loadPostings(ctx context.Context, terms []*term) error {
	var keys []exports.Key
	var wait []*term
	for _, t := range terms {
		if t.common >= 0 && t.p.Docs == nil {
			keys = append(keys, searchindex.CommonKey(s.gen, s.name, t.common))
			wait = append(wait, t)
		}
	}
	files, err := s.files.ReadAll(ctx, keys)
	if err != nil {
		return err
	}
	for i, t := range wait {
		if t.p, err = searchindex.DecodeList(files[i], t.common, t.count, s.root.Docs); err != nil {
			return staticindex.OutageError(string(keys[i]), err)
		}
	}
	for _, t := range terms {
		if t.p.Docs == nil {
			if t.p, err = searchindex.DecodePostings(t.list, t.count, s.root.Docs); err != nil {
				return staticindex.OutageError(string(searchindex.LeafKey(s.gen, s.name, s.root.LeafOf(t.word))), err)
			}
		}
	}
	return nil
}

// missingBlocks are the blocks of the docs of which the record is not at hand.
func (s *Session) missingBlocks(docs []uint32) []int {
	var out []int
	for _, d := range docs {
		n := int(d) / s.root.PerFile
		if _, ok := s.have[d]; !ok && !containsInt(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// ReadRecords reads the records of docs, in that order.
func (s *Session) ReadRecords(ctx context.Context, docs []uint32) ([][]byte, error) {
	numbers := s.missingBlocks(docs)
	keys := make([]exports.Key, len(numbers))
	for i, n := range numbers {
		keys[i] = staticindex.BlockKey(s.gen, s.name, n)
	}
	files, err := s.files.ReadAll(ctx, keys)
	if err != nil {
		return nil, err
	}
	for i, b := range files {
		k, err := staticindex.DecodeBlock(b, numbers[i])
		if err != nil || len(k) != min(s.root.PerFile, s.root.Docs-numbers[i]*s.root.PerFile) {
			return nil, staticindex.OutageError(string(keys[i]), staticindex.ErrMalformed)
		}
		for j := range k {
			s.have[uint32(numbers[i]*s.root.PerFile+j)] = k[j]
		}
	}
	out := make([][]byte, len(docs))
	for i, d := range docs {
		out[i] = s.have[d]
	}
	return out, nil
}

func containsInt(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}
