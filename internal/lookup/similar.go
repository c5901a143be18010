package lookup

import (
	"encoding/hex"
	"math/bits"

	"colophon/exports"
	"colophon/internal/staticindex"
)

// # Search by similarity
//
// A similarity code has 64 minima of 4 bits. It is found where it agrees with
// the asked one in all minima of a band: SimilarBands bands of SimilarWidth
// minima each, from the first on. Files of bands name a code by the first bits of
// a hash of its entry's id, its row, so that they do not change when other codes
// are added. Codes that share a row are all compared.
//
//	CSC2 y/…  CodeRow: the codes themselves; file n has those of rows that begin with the bits of n
//	CSB2 b/…  the rows of codes by what they have in a band
//
// Band b has 1<<SimilarBits files, file n of them is number b<<SimilarBits + n.
// It has the codes of which the number that the band makes begins with the bits
// of n.
const (
	SimilarBands = 11
	SimilarWidth = 5

	keyBits      = 4 * SimilarWidth
	rowBits      = 18
	bandPostings = 1 << 11 // of one file at least, about
	fileCodes    = 1 << 9  // likewise
	maxFileCodes = 1 << 14
	codesMagic   = "CSC2"
	bandMagic    = "CSB2"
	idBytes      = 12 // of an entry id that is packed
)

// CodesKey is file n of the codes.
func CodesKey(gen string, n int) exports.Key { return staticindex.FileKey(gen, "y", "/", n) }

// BandKey is file n of the bands.
func BandKey(gen string, n int) exports.Key { return staticindex.FileKey(gen, "b", "/", n) }

// SimilarBits is by how many leading bits of their keys the codes of a band are
// cut into files.
func SimilarBits(codes int) int {
	return min(keyBits, bits.Len(uint(max(0, codes-1))/bandPostings))
}

// BandFile returns the file that holds the codes with a key in a band.
func BandFile(band int, key uint32, codes int) int {
	n := SimilarBits(codes)
	return band<<n | int(key>>(keyBits-n))
}

// RowOf returns the row of a code, by the id of what has it.
func RowOf(id string) uint32 { return staticindex.Hash(id) >> (32 - rowBits) }

// CodeBits is by how many leading bits of their rows codes are cut into files.
func CodeBits(codes int) int { return min(rowBits, bits.Len(uint(max(0, codes-1))/fileCodes)) }

// CodesFile returns the file of codes that has a row.
func CodesFile(row uint32, codes int) int { return int(row >> (rowBits - CodeBits(codes))) }

// CodeRow is a similarity code and whose it is: that of an entry, or of the
// content that a reservation is about.
type CodeRow struct {
	Code    [32]byte
	EntryID string // or the id of a reservation
}

// AppendCodes writes file n of the codes after b: its number, the number of
// rows, and for each row the code and the 12 bytes of its entry's id. Then
// follow ids that are no "ent_" and 24 hex digits, which have zeros there: how many, and for
// each its row and its text.
func AppendCodes(b []byte, n int, rows []CodeRow) []byte {
	b = staticindex.AppendUint(append(b, codesMagic...), n)
	b = staticindex.AppendUint(b, len(rows))
	var others []int
	for i := range rows {
		b = append(b, rows[i].Code[:]...)
		id, ok := packedID(rows[i].EntryID)
		if !ok {
			id = make([]byte, idBytes)
			others = append(others, i)
		}
		b = append(b, id...)
	}
	b = staticindex.AppendUint(b, len(others))
	for _, i := range others {
		b = staticindex.AppendText(staticindex.AppendUint(b, i), rows[i].EntryID)
	}
	return b
}

// DecodeCodes reads file n of the codes.
func DecodeCodes(b []byte, n int) ([]CodeRow, error) {
	r := staticindex.NewReader(b)
	r.ExpectMagic(codesMagic)
	r.ExpectNumber(n)
	rows := make([]CodeRow, r.ReadUint(maxFileCodes))
	for i := range rows {
		d := r.ReadBytes(32 + idBytes)
		if r.Failed() {
			return nil, staticindex.ErrMalformed
		}
		rows[i] = CodeRow{[32]byte(d), exports.PrefixEntry + hex.EncodeToString(d[32:])}
	}
	for range r.ReadUint(len(rows)) {
		i := r.ReadUint(len(rows) - 1)
		if id := r.ReadString(); !r.Failed() {
			rows[i].EntryID = id
		}
	}
	if r.Failed() || r.Len() > 0 {
		return nil, staticindex.ErrMalformed
	}
	return rows, nil
}

// BandPosting is a code that has a key in a band.
type BandPosting struct {
	Key uint32
	Row uint32
}

// AppendBand writes file n of the bands after b, of an index of codes: its
// number, how many postings it has, and one stream of bits with, for each, the
// gap from the key before, at first from the least key of the file (see
// bitWriter.putGap), and the row. Postings rise by key and row.
func AppendBand(b []byte, n, codes int, list []BandPosting) []byte {
	b = staticindex.AppendUint(append(b, bandMagic...), n)
	b = staticindex.AppendUint(b, len(list))
	w := bitWriter{b: b}
	before := leastKey(n, codes)
	for _, p := range list {
		w.putGap(p.Key-before, gapBitsOf(codes))
		w.putBits(uint64(p.Row), rowBits)
		before = p.Key
	}
	return w.flush()
}

// DecodeBand reads the rows that have a key in file n of the bands.
func DecodeBand(b []byte, n, codes int, key uint32) ([]uint32, error) {
	head := staticindex.NewReader(b)
	head.ExpectMagic(bandMagic)
	head.ExpectNumber(n)
	count := head.ReadUint(codes)
	if head.Failed() {
		return nil, staticindex.ErrMalformed
	}
	r := bitReader{b: head.Rest()}
	at := uint64(leastKey(n, codes))
	end := at + 1<<(keyBits-SimilarBits(codes))
	var out []uint32
	for range count {
		at += r.readGap(gapBitsOf(codes))
		row := r.readBits(rowBits)
		if r.bad || at >= end {
			return nil, staticindex.ErrMalformed
		}
		if at == uint64(key) {
			out = append(out, uint32(row))
		}
	}
	if r.bad || len(r.b) > 0 || r.acc != 0 {
		return nil, staticindex.ErrMalformed
	}
	return out, nil
}

// leastKey returns the least key of file n of the bands.
func leastKey(n, codes int) uint32 {
	cut := SimilarBits(codes)
	return uint32(n&(1<<cut-1)) << (keyBits - cut)
}

// gapBitsOf returns the width of gaps between the keys of a band.
func gapBitsOf(codes int) uint { return uint(max(0, keyBits-bits.Len(uint(codes)))) }
