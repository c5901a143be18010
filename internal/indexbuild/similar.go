package indexbuild

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
)

// similarCodes is the kind of the lines with codes among the lookup indexes.
const similarCodes = "y"

// fileCode adds the code of an entry to the similarity search.
func (b *builder) fileCode(key [32]byte, c *exports.Candidate) error {
	code, err := iscc.Parse(c.ISCC)
	if err != nil {
		return err
	}
	line := append(code[:], c.EntryID...)
	return b.fileLine(b.codes, key, line, len(line))
}

// writeCodes puts the files of codes and the files of their bands.
func (b *builder) writeCodes(ctx context.Context, count *int64) error {
	all, err := os.CreateTemp(b.dir, "codes-*")
	if err != nil {
		return err
	}
	defer all.Close()
	n, err := b.writeCodeFiles(ctx, all)
	if err != nil {
		return err
	}
	*count = int64(n)
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

// writeCodeFiles puts the codes, sorted by the keys of their entries, writes
// the same codes to all, and counts them.
func (b *builder) writeCodeFiles(ctx context.Context, all io.Writer) (n int, err error) {
	out := bufio.NewWriterSize(all, 1<<16)
	var rows []lookup.CodeRow
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		file := (n - 1) / lookup.SimilarRows
		data := lookup.AppendCodes(nil, file, rows)
		rows = rows[:0]
		return b.out.Put(lookup.CodesKey(b.out.Gen, file), data)
	}
	for part := range parts {
		lines, err := b.codes.readSorted(part)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return n, err
		}
		for _, x := range lines {
			rows = append(rows, lookup.CodeRow{Code: [32]byte(x.line), EntryID: string(x.line[32:])})
			if _, err := out.Write(x.line[:32]); err != nil {
				return n, err
			}
			if n++; len(rows) == lookup.SimilarRows {
				if err := flush(); err != nil {
					return n, err
				}
			}
		}
	}
	return n, errors.Join(flush(), out.Flush())
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
	var code iscc.Code
	for i := range list {
		if _, err := io.ReadFull(in, code[:]); err != nil {
			return nil, err
		}
		list[i] = lookup.BandPosting{Key: code.Band(band*lookup.SimilarWidth, lookup.SimilarWidth), Row: uint32(i)}
	}
	return list, nil
}
