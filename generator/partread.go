package generator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
)

// PartsTaken tells what a build took from parts.
type PartsTaken struct {
	Names      []string // files of parts that were there; what is not needed any more
	Used       int      // parts
	Entries    int64    // whose documents were taken over
	Signatures int64
	Unused     []error // why others were not used
}

// partReader gives the documents of all parts, in the order of sites and entries.
type partReader struct {
	store  PartStore
	signer *knowingSigner
	parts  []*partStream
	taken  *PartsTaken
}

// partStream gives those of one part.
type partStream struct {
	part   Part
	pieces []string
	rows   *rowDecoder
	ahead  *rendered // nil after the last one
}

// maxManifest bounds the manifest of a part.
const maxManifest = 16 << 20

// openParts opens the parts that this program made with the options of this
// build. Of another state of the origin they may be: each entry is compared.
func (b *build) openParts(ctx context.Context) error {
	taken := &b.report.Parts
	names, err := b.opt.Parts.ListParts(ctx)
	if err != nil {
		return fmt.Errorf("cannot look for parts: %w", err)
	}
	taken.Names = names
	signer := &knowingSigner{Signer: b.opt.Signer, known: map[[32]byte][]byte{}}
	r := &partReader{store: b.opt.Parts, signer: signer, taken: taken}
	key := b.opt.Keys.Find(b.opt.Signer.KeyID())
	for _, name := range names {
		if !strings.HasSuffix(name, manifestSuffix) {
			continue
		}
		data, err := r.store.ReadPart(ctx, name, maxManifest)
		if err != nil {
			r.skipPart(name, err)
			continue
		}
		m, err := openManifest(data, key)
		if err != nil {
			r.skipPart(name, err)
			continue
		}
		if m.Settings != b.plan.now.Settings {
			r.skipPart(name, errors.New("it was made by another program, or with other settings"))
			continue
		}
		r.openPart(ctx, name, m)
	}
	r.tellMissing()
	b.opt.Signer = signer
	b.parts = r
	b.fromParts = &atomic.Int64{}
	return ctx.Err()
}

// skipPart notes why a part, or the rest of one, is not used.
func (r *partReader) skipPart(name string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("a file of it is missing")
	}
	r.taken.Unused = append(r.taken.Unused, fmt.Errorf("%s is not used: %w", strings.TrimSuffix(name, manifestSuffix), err))
}

func (r *partReader) openPart(ctx context.Context, name string, m *partManifest) {
	for _, piece := range m.Signatures {
		rows, err := readPiece(ctx, r.store, piece)
		if err != nil {
			r.skipPart(name, err)
			return
		}
		for rows.text != "" && !rows.failed {
			if row := rows.readString(); len(row) == signatureRow {
				r.signer.known[[32]byte([]byte(row))] = []byte(row[32:])
			}
		}
	}
	s := &partStream{part: Part{m.Part, m.Of}, pieces: m.Documents}
	r.parts = append(r.parts, s)
	r.taken.Used++
	r.advancePart(ctx, s)
}

// tellMissing notes the parts that were not made, of as many as the others
// belong to.
func (r *partReader) tellMissing() {
	for _, s := range r.parts {
		if slices.ContainsFunc(r.parts, func(o *partStream) bool { return o.part.Of == s.part.Of && o.part.Number < s.part.Number }) {
			continue
		}
		for n := range s.part.Of {
			p := Part{n + 1, s.part.Of}
			if !slices.ContainsFunc(r.parts, func(o *partStream) bool { return o.part == p }) {
				r.taken.Unused = append(r.taken.Unused, fmt.Errorf("part %s is not there: what it would have made is made here", p))
			}
		}
	}
}

// advancePart goes to the next row of a part. A part that is damaged ends there.
func (r *partReader) advancePart(ctx context.Context, s *partStream) {
	s.ahead = nil
	for s.rows == nil || s.rows.text == "" {
		if len(s.pieces) == 0 {
			return
		}
		var err error
		if s.rows, err = readPiece(ctx, r.store, s.pieces[0]); err != nil {
			r.skipPart("the rest of "+manifestName(s.part), err)
			s.rows, s.pieces = nil, nil
			return
		}
		s.pieces = s.pieces[1:]
	}
	var err error
	if s.ahead, err = parseRendered(s.rows.readString()); err != nil {
		r.skipPart("the rest of "+manifestName(s.part), err)
		s.rows = nil
		s.pieces = nil
		s.ahead = nil
	}
}

// renderedOf finds what parts made of the rows of a batch. Batches come in the
// order of sites, and rows in that of entries.
func (r *partReader) renderedOf(ctx context.Context, rows []pageRow) map[string]*rendered {
	if r == nil {
		return nil
	}
	out := map[string]*rendered{}
	for i := range rows {
		if !rows[i].due {
			continue
		}
		for _, s := range r.parts {
			for s.ahead != nil && s.ahead.compareRow(&rows[i]) < 0 {
				r.advancePart(ctx, s)
			}
			if s.ahead != nil && s.ahead.compareRow(&rows[i]) == 0 {
				out[s.ahead.entryID] = s.ahead
			}
		}
	}
	return out
}

func (m *rendered) compareRow(r *pageRow) int {
	return cmp.Or(strings.Compare(m.siteID, r.page.SiteID), strings.Compare(m.entryID, r.page.EntryID))
}

// countTaken notes what was taken from parts.
func (b *build) countTaken() {
	b.report.Parts.Entries, b.report.Parts.Signatures = b.fromParts.Load(), b.parts.signer.taken.Load()
}
