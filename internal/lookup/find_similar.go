package lookup

import (
	"context"
	"math"
	"slices"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/staticindex"
)

// Bounds of one search by similarity. A search over them is refused rather than
// cut, because a list without some of its texts would suggest that there are
// none.
const (
	maxSimilarRows  = 4096 // codes that share a band
	maxSimilarFiles = 400  // in which these are
	maxSimilar      = 128  // entries that are similar enough
	fewBits         = 2    // of codes in so few files, all are read rather than the files of the bands
)

// UsualSimilarity is the least similarity, in thousandths, that callers ask for when
// they say nothing else.
const UsualSimilarity = 800

// Similar finds the entries whose texts are at least as similar to a code as
// least, in thousandths. It reads a file of each band, those with the codes that were
// found there, and the facts of each entry.
func (c *Resolver) Similar(ctx context.Context, code iscc.Code, least int64) (*exports.Similar, error) {
	return staticindex.AskAgain(ctx, c.files, func() (*exports.Similar, error) { return c.similar(ctx, code, least) })
}

func (c *Resolver) similar(ctx context.Context, code iscc.Code, least int64) (*exports.Similar, error) {
	g, err := c.files.Current(ctx)
	if err != nil {
		return nil, err
	}
	out := &exports.Similar{ISCC: code.String(), Min: least, Recall: recallAt(least)}
	found, err := c.similarCodes(ctx, g, &code, equalFor(least))
	if err != nil {
		return nil, err
	}
	if out.Reservations, err = c.similarReservations(ctx, found); err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, isReservationRow)
	if len(found) > maxSimilar {
		return nil, staticindex.InvalidParam("min", "leaves more than 128 entries: raise it, or screen the text in a mirror")
	}
	for _, x := range found {
		facts, err := c.Find(ctx, Query{EntryID: x.EntryID})
		if err != nil {
			return nil, err
		}
		if len(facts.Candidates) != 1 {
			return nil, staticindex.OutageError(string(staticindex.IndexKey), staticindex.ErrMalformed)
		}
		near := exports.SimilarCandidate{Candidate: facts.Candidates[0], Equal: int64(x.equal), Similarity: similarityOf(x.equal)}
		near.Candidate.Basis = exports.BasisSimilar
		out.Candidates = append(out.Candidates, near)
	}
	return out, nil
}

// similarRow is a code that agrees with another in a number of minima.
type similarRow struct {
	CodeRow
	equal int
}

// similarCodes finds the codes that agree in at least a number of minima, those
// that agree most first.
func (c *Resolver) similarCodes(ctx context.Context, g *staticindex.Generation, code *iscc.Code, least int) ([]similarRow, error) {
	if g.Codes == 0 {
		return nil, nil
	}
	files, err := c.filesToCompare(ctx, g, code)
	if err != nil {
		return nil, err
	}
	found, err := c.compareCodes(ctx, g, code, files, least)
	slices.SortStableFunc(found, func(a, b similarRow) int { return b.equal - a.equal })
	return found, err
}

// filesToCompare lists the files of codes that may share a band with one. Of few
// codes these are all, as they lie in fewer files than bands.
func (c *Resolver) filesToCompare(ctx context.Context, g *staticindex.Generation, code *iscc.Code) ([]int, error) {
	var files []int
	if n := CodeBits(int(g.Codes)); n <= fewBits {
		for i := range 1 << n {
			files = append(files, i)
		}
		return files, nil
	}
	rows, err := c.rowsSharingBands(ctx, g, code)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if n := CodesFile(row, int(g.Codes)); len(files) == 0 || files[len(files)-1] != n {
			files = append(files, n)
		}
	}
	if len(files) > maxSimilarFiles {
		return nil, tooCommon()
	}
	return files, nil
}

// sharesBand reports whether two codes agree in all minima of a band.
func sharesBand(a, b *iscc.Code) bool {
	for band := range SimilarBands {
		if a.Band(band*SimilarWidth, SimilarWidth) == b.Band(band*SimilarWidth, SimilarWidth) {
			return true
		}
	}
	return false
}

// similarityOf returns the similarity, in thousandths, for a number of equal
// minima.
func similarityOf(equal int) int64 { return int64(math.Round(iscc.Similarity(equal) * 1000)) }

// equalFor returns how many minima must agree for a similarity in thousandths.
func equalFor(least int64) int {
	equal := 0
	for similarityOf(equal) < least {
		equal++
	}
	return equal
}

// recallAt returns the share of texts of a similarity that share a band, both
// in thousandths, rounded down.
func recallAt(least int64) int64 {
	equal := (float64(least)/1000*15 + 1) / 16
	band := 1 - equal*equal*equal*equal*equal
	missed := 1.0
	for range SimilarBands {
		missed *= band
	}
	return int64((1 - missed) * 1000)
}

// rowsSharingBands lists the codes that agree with one in all minima of a band,
// rising.
func (c *Resolver) rowsSharingBands(ctx context.Context, g *staticindex.Generation, code *iscc.Code) ([]uint32, error) {
	codes := int(g.Codes)
	var keys [SimilarBands]uint32
	files := make([]int, SimilarBands)
	names := make([]exports.Key, SimilarBands)
	for band := range keys {
		keys[band] = code.Band(band*SimilarWidth, SimilarWidth)
		files[band] = BandFile(band, keys[band], codes)
		names[band] = BandKey(g.Gen, files[band])
	}
	read, err := c.files.ReadAll(ctx, names)
	if err != nil {
		return nil, err
	}
	var rows []uint32
	for band, b := range read {
		found, err := DecodeBand(b, files[band], codes, keys[band])
		if err != nil {
			return nil, staticindex.OutageError(string(names[band]), err)
		}
		rows = append(rows, found...)
	}
	slices.Sort(rows)
	if rows = slices.Compact(rows); len(rows) > maxSimilarRows {
		return nil, tooCommon()
	}
	return rows, nil
}

func tooCommon() *staticindex.Error {
	return staticindex.InvalidParam("iscc", "shares its wording with too many entries: screen the text in a mirror")
}

// compareCodes returns the codes in some files that share a band and agree in at
// least a number of minima.
func (c *Resolver) compareCodes(ctx context.Context, g *staticindex.Generation, code *iscc.Code, files []int, least int) ([]similarRow, error) {
	names := make([]exports.Key, len(files))
	for i, n := range files {
		names[i] = CodesKey(g.Gen, n)
	}
	read, err := c.files.ReadAll(ctx, names)
	if err != nil {
		return nil, err
	}
	var out []similarRow
	for i, b := range read {
		list, err := DecodeCodes(b, files[i])
		if err != nil {
			return nil, staticindex.OutageError(string(names[i]), err)
		}
		for at := range list {
			theirs := iscc.Code(list[at].Code)
			equal := theirs.Equal(code)
			if equal < least || !sharesBand(&theirs, code) {
				continue
			}
			out = append(out, similarRow{list[at], equal})
		}
	}
	return out, nil
}
