package query

import (
	"context"

	"colophon/exports"
)

// session is one question to one index: what was read for it.
type session struct {
	c      *Catalog
	gen    string
	name   string
	root   *exports.Root
	leaves map[int]exports.Leaf
	have   map[uint32]exports.Stored
	files  int // read for the words
}

func (c *Catalog) session(ctx context.Context, gen, name string) (*session, error) {
	r, err := c.root(ctx, gen, name)
	if err != nil {
		return nil, err
	}
	return &session{c: c, gen: gen, name: name, root: r, leaves: map[int]exports.Leaf{}, have: map[uint32]exports.Stored{}}, nil
}

// term is a word of the index.
type term struct {
	word   string
	count  int
	list   []byte // encoded, unless common
	common int    // number of the common word, or -1
	weight int    // quarters: 4 as asked, less for a guess
	p      exports.Postings
}

// prepare reads the leaves in which words would be.
func (s *session) prepare(ctx context.Context, words []string) error {
	var numbers []int
	for _, w := range words {
		if s.root.FindCommon(w) >= 0 {
			continue
		}
		n := s.root.LeafOf(w)
		if n < 0 || s.leaves[n] != nil {
			continue
		}
		s.leaves[n] = exports.Leaf{}
		numbers = append(numbers, n)
	}
	return s.readLeaves(ctx, numbers)
}

func (s *session) readLeaves(ctx context.Context, numbers []int) error {
	keys := make([]exports.Key, len(numbers))
	for i, n := range numbers {
		keys[i] = exports.LeafKey(s.gen, s.name, n)
	}
	files, err := s.c.readAll(ctx, keys)
	if err != nil {
		return err
	}
	s.files += len(files)
	for i, b := range files {
		leaf, err := exports.DecodeLeaf(b, numbers[i], s.root.Docs)
		if err != nil {
			return outage(string(keys[i]), err)
		}
		s.leaves[numbers[i]] = leaf
	}
	return nil
}

// find looks a prepared word up; nil when no record has it.
func (s *session) find(word string, weight int) *term {
	if n := s.root.FindCommon(word); n >= 0 {
		return &term{word: word, count: s.root.Common[n].Count, common: n, weight: weight}
	}
	leaf := s.leaves[s.root.LeafOf(word)]
	if i, ok := leaf.Find(word); ok {
		return inLeaf(&leaf[i], weight)
	}
	return nil
}

func inLeaf(t *exports.Term, weight int) *term {
	return &term{word: t.Word, count: t.Count, list: t.List, common: -1, weight: weight}
}

// load decodes the postings of terms, reading the common ones.
func (s *session) load(ctx context.Context, terms []*term) error {
	var keys []exports.Key
	var wait []*term
	for _, t := range terms {
		if t.common >= 0 && t.p.Docs == nil {
			keys = append(keys, exports.CommonKey(s.gen, s.name, t.common))
			wait = append(wait, t)
		}
	}
	files, err := s.c.readAll(ctx, keys)
	if err != nil {
		return err
	}
	s.files += len(files)
	for i, t := range wait {
		if t.p, err = exports.DecodeList(files[i], t.common, t.count, s.root.Docs); err != nil {
			return outage(string(keys[i]), err)
		}
	}
	for _, t := range terms {
		if t.p.Docs == nil {
			if t.p, err = exports.DecodePostings(t.list, t.count, s.root.Docs); err != nil {
				return outage(string(exports.LeafKey(s.gen, s.name, s.root.LeafOf(t.word))), err)
			}
		}
	}
	return nil
}

// head reads the best records of a word; nil when it has none.
func (s *session) head(ctx context.Context, t *term) (*exports.Head, error) {
	heads, key, err := s.heads(ctx, t)
	if err != nil {
		return nil, err
	}
	for i := range heads {
		if h := &heads[i]; h.Word == t.word {
			s.hold(h.Docs, h.Records)
			return h, nil
		}
	}
	return nil, outage(string(key), exports.ErrShard)
}

// heads reads the file of heads that has the one of t.
func (s *session) heads(ctx context.Context, t *term) ([]exports.Head, exports.Key, error) {
	key := exports.LeafHeadKey(s.gen, s.name, s.root.LeafOf(t.word))
	if t.common >= 0 {
		key = exports.CommonHeadKey(s.gen, s.name, t.common)
	}
	b, err := s.c.read(ctx, key)
	if err != nil {
		return nil, key, err
	}
	heads, err := exports.DecodeHeads(b, s.root.Docs)
	if err != nil {
		return nil, key, outage(string(key), err)
	}
	return heads, key, nil
}

func (s *session) hold(docs []uint32, records exports.Block) {
	for i, doc := range docs {
		s.have[doc] = records[i]
	}
}

// supply gets records where docs lie in so many blocks that reading those
// would be too many files: from heads for a single word, or one that stands
// for several, and from extras for several words.
func (s *session) supply(ctx context.Context, docs []uint32, groups []group) error {
	if !s.paged() || s.files+len(s.missing(docs)) <= exports.ManyFiles {
		return nil
	}
	t := groups[0].most(docs)
	if len(groups) > 1 {
		other := groups[1].most(docs)
		if other.count == t.count && other.word < t.word {
			t, other = other, t
		}
		return s.extra(ctx, t, other)
	}
	if exports.HeadSize(t.count) == 0 && (t.count < exports.HeadFrom || s.root.Extras == 0) {
		return nil
	}
	heads, _, err := s.heads(ctx, t)
	for i := range heads {
		if groups[0].has(heads[i].Word) {
			s.hold(heads[i].Docs, heads[i].Records)
		}
	}
	return err
}

// extra reads the records kept for t with another word.
func (s *session) extra(ctx context.Context, t, other *term) error {
	if t.count < exports.ExtraFrom || s.root.Extras == 0 {
		return nil
	}
	part := exports.ExtraPart(other.word, exports.ExtraParts(t.count))
	n := exports.ExtraFile(t.word, part, s.root.Extras)
	key := exports.ExtraKey(s.gen, s.name, n)
	b, err := s.c.read(ctx, key)
	if err != nil {
		return err
	}
	extras, err := exports.DecodeExtras(b, n, s.root.Docs)
	if err != nil {
		return outage(string(key), err)
	}
	for _, x := range extras {
		if x.Word == t.word && x.Part == part {
			s.hold(x.Docs, x.Records)
		}
	}
	return nil
}

// missing are the blocks of the docs of which the record is not at hand.
func (s *session) missing(docs []uint32) []int {
	var out []int
	for _, d := range docs {
		n := int(d) / s.root.PerFile
		if _, ok := s.have[d]; !ok && !contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// records reads the records of docs, in that order.
func (s *session) records(ctx context.Context, docs []uint32) ([]exports.Stored, error) {
	numbers := s.missing(docs)
	keys := make([]exports.Key, len(numbers))
	for i, n := range numbers {
		keys[i] = exports.BlockKey(s.gen, s.name, n)
	}
	files, err := s.c.readAll(ctx, keys)
	if err != nil {
		return nil, err
	}
	for i, b := range files {
		k, err := exports.DecodeBlock(b, numbers[i])
		if err != nil || len(k) != min(s.root.PerFile, s.root.Docs-numbers[i]*s.root.PerFile) {
			return nil, outage(string(keys[i]), exports.ErrShard)
		}
		for j := range k {
			s.have[uint32(numbers[i]*s.root.PerFile+j)] = k[j]
		}
	}
	out := make([]exports.Stored, len(docs))
	for i, d := range docs {
		out[i] = s.have[d]
	}
	return out, nil
}

func contains(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}
