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
	return b.codes.Add(string(key), nil)
}

// parseCode returns a code, by its key among the codes.
func parseCode(key string) lookup.CodeRow {
	return lookup.CodeRow{Code: [32]byte([]byte(key[4:36])), EntryID: key[36:]}
}

// rowCode is a code with its row.
type rowCode struct {
	code iscc.Code
	row  uint32
}

// writeCodes puts the files of codes and the files of their bands.
func (b *Builder) writeCodes(ctx context.Context, count *int64) error {
	*count = b.codes.Count()
	n := int(*count)
	if n == 0 {
		return nil
	}
	all := make([]rowCode, 0, n)
	fileOf := func(key string) int { return lookup.CodesFile(lookup.RowOf(key[36:]), n) }
	err := b.codes.EachPart(1<<lookup.CodeBits(n), fileOf, func(file int, sorted []blob.Value) error {
		codes := make([]lookup.CodeRow, len(sorted))
		for i, v := range sorted {
			codes[i] = parseCode(v.Key)
			all = append(all, rowCode{codes[i].Code, lookup.RowOf(codes[i].EntryID)})
		}
		return errors.Join(b.out.Put(lookup.CodesKey(b.out.Gen, file), lookup.AppendCodes(nil, file, codes)), ctx.Err())
	})
	for band := 0; band < lookup.SimilarBands && err == nil; band++ {
		err = errors.Join(b.writeBand(band, all), ctx.Err())
	}
	return err
}

// writeBand puts the files of one band of all codes.
func (b *Builder) writeBand(band int, all []rowCode) error {
	list := make([]lookup.BandPosting, len(all))
	for i := range all {
		list[i] = lookup.BandPosting{Key: all[i].code.Band(band*lookup.SimilarWidth, lookup.SimilarWidth), Row: all[i].row}
	}
	slices.SortFunc(list, func(x, y lookup.BandPosting) int {
		return cmp.Compare(uint64(x.Key)<<32|uint64(x.Row), uint64(y.Key)<<32|uint64(y.Row))
	})
	for file := range 1 << lookup.SimilarBits(len(all)) {
		number := band<<lookup.SimilarBits(len(all)) | file
		end := 0
		for end < len(list) && lookup.BandFile(band, list[end].Key, len(all)) == number {
			end++
		}
		if err := b.out.Put(lookup.BandKey(b.out.Gen, number), lookup.AppendBand(nil, number, len(all), list[:end])); err != nil {
			return err
		}
		list = list[end:]
	}
	return nil
}
