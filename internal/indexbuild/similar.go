package indexbuild

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"

	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/staticindex"
)

// similarCodes is the kind of the lines with codes among the lookup indexes.
const similarCodes = "y"

// fileCode adds a code to the similarity search, by the id of what has it.
func (b *builder) fileCode(code iscc.Code, id string) error {
	var key [32]byte
	binary.BigEndian.PutUint32(key[:], staticindex.Hash(id)) // lines are sorted by row
	line := append(code[:], id...)
	return b.fileLine(b.codes, key, line, len(line))
}

// writeCodes puts the files of codes and the files of their bands.
func (b *builder) writeCodes(ctx context.Context, count *int64) error {
	all, err := os.CreateTemp(b.dir, "codes-*")
	if err != nil {
		return err
	}
	defer all.Close()
	n := 0
	for i := range b.codes.parts {
		n += b.codes.parts[i].lines
	}
	*count = int64(n)
	if err := b.writeCodeFiles(ctx, all, n); err != nil {
		return err
	}
	for band := range lookup.SimilarBands {
		if n == 0 {
			break
		}
		if err := errors.Join(ctx.Err(), b.writeBand(all, band, n)); err != nil {
			return err
		}
	}
	return nil
}

// writeCodeFiles puts the n codes, sorted by their rows, and writes the same codes
// with their rows to all.
func (b *builder) writeCodeFiles(ctx context.Context, all io.Writer, n int) error {
	if n == 0 {
		return nil
	}
	out := bufio.NewWriterSize(all, 1<<16)
	var codes []lookup.CodeRow
	file := 0
	flush := func() error {
		data := lookup.AppendCodes(nil, file, codes)
		codes = codes[:0]
		file++
		return b.out.Put(lookup.CodesKey(b.out.Gen, file-1), data)
	}
	for part := range parts {
		lines, err := b.codes.readSorted(part)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for _, x := range lines {
			row := lookup.RowOf(string(x.line[32:]))
			for file < lookup.CodesFile(row, n) {
				if err := flush(); err != nil {
					return err
				}
			}
			codes = append(codes, lookup.CodeRow{Code: [32]byte(x.line), EntryID: string(x.line[32:])})
			if _, err := out.Write(binary.BigEndian.AppendUint32(x.line[:32:32], row)); err != nil {
				return err
			}
		}
	}
	for file < 1<<lookup.CodeBits(n) {
		if err := flush(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeBand puts the files of one band of all n codes.
func (b *builder) writeBand(all *os.File, band, n int) error {
	list, err := readBand(all, band, n)
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

// readBand returns the postings of n codes in one band.
func readBand(all *os.File, band, n int) ([]lookup.BandPosting, error) {
	if _, err := all.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(all, 1<<16)
	list := make([]lookup.BandPosting, n)
	var next [32 + 4]byte
	for i := range list {
		if _, err := io.ReadFull(in, next[:]); err != nil {
			return nil, err
		}
		code := iscc.Code(next[:32])
		list[i] = lookup.BandPosting{Key: code.Band(band*lookup.SimilarWidth, lookup.SimilarWidth), Row: binary.BigEndian.Uint32(next[32:])}
	}
	return list, nil
}
