package indexbuild

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"colophon/internal/blob"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/staticindex"
)

// fileCode adds a code to the similarity search, by the id of what has it. Codes
// are sorted by row.
func (b *Builder) fileCode(code iscc.Code, id string) error {
	key := binary.BigEndian.AppendUint32(nil, staticindex.Hash(id))
	key = append(append(key, code[:]...), id...)
	b.sum.Write(key)
	return b.codes.Add(string(key), nil)
}

// parseCode returns a code, by its key among the codes.
func parseCode(key string) lookup.CodeRow {
	return lookup.CodeRow{Code: [32]byte([]byte(key[4:36])), EntryID: key[36:]}
}

// writeCodes puts the files of codes and the files of their bands.
func (b *Builder) writeCodes(ctx context.Context, count *int64) error {
	*count = b.codes.Count()
	n := int(*count)
	if n == 0 {
		return nil
	}
	fileOf := func(key string) int { return lookup.CodesFile(lookup.RowOf(key[36:]), n) }
	err := b.codes.EachPart(1<<lookup.CodeBits(n), fileOf, func(file int, sorted []blob.Value) error {
		codes := make([]lookup.CodeRow, len(sorted))
		for i, v := range sorted {
			codes[i] = parseCode(v.Key)
		}
		return errors.Join(b.out.Put(lookup.CodesKey(b.out.Gen, file), lookup.AppendCodes(nil, file, codes)), ctx.Err())
	})
	for band := 0; band < lookup.SimilarBands && err == nil; band++ {
		err = errors.Join(b.writeBand(band, n), ctx.Err())
	}
	return err
}

// writeBand puts the files of one band of all n codes.
func (b *Builder) writeBand(band, n int) error {
	list := make([]lookup.BandPosting, 0, n)
	err := b.codes.Each(func(v blob.Value) error {
		c := parseCode(v.Key)
		code := iscc.Code(c.Code)
		list = append(list, lookup.BandPosting{Key: code.Band(band*lookup.SimilarWidth, lookup.SimilarWidth), Row: lookup.RowOf(c.EntryID)})
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(x, y lookup.BandPosting) int {
		return cmp.Or(cmp.Compare(x.Key, y.Key), cmp.Compare(x.Row, y.Row))
	})
	for file := range 1 << lookup.SimilarBits(n) {
		number := band<<lookup.SimilarBits(n) | file
		end := 0
		for end < len(list) && lookup.BandFile(band, list[end].Key, n) == number {
			end++
		}
		if err := b.out.Put(lookup.BandKey(b.out.Gen, number), lookup.AppendBand(nil, number, n, list[:end])); err != nil {
			return err
		}
		list = list[end:]
	}
	return nil
}
