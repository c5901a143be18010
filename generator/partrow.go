package generator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/segment"
)

// rendered is what a part made of an entry: its files, or its values with the
// items that they share with others.
type rendered struct {
	siteID  string
	entryID string
	input   [sha256.Size]byte // of all that it follows from
	files   []renderedFile
	values  []segment.Value
	shared  [][]byte
}

type renderedFile struct {
	name string
	data []byte
}

// renderEntry spells the documents of an entry, and keeps them.
func (b *build) renderEntry(ctx context.Context, s *siteFacts, r *pageRow, logged logged) (*rendered, error) {
	out := &rendered{siteID: r.page.SiteID, entryID: r.page.EntryID, input: b.inputOf(r, logged)}
	one := *b
	one.out = &tree{sink: out.addFile}
	one.entries = &fileForm{out: one.out, frame: b.frame}
	if b.opt.Form == FormSegments {
		one.entries = (*renderedForm)(out)
	}
	return out, one.publishEntry(ctx, &s.SiteSnapshot, &r.page, r.last, logged)
}

func (m *rendered) addFile(name string, data []byte) error {
	m.files = append(m.files, renderedFile{name, bytes.Clone(data)})
	return nil
}

// renderedForm keeps the values of one entry.
type renderedForm rendered

func (f *renderedForm) write(e *entryDocuments) error {
	f.values = packEntry(e, func(item []byte) exports.FactRef {
		f.shared = append(f.shared, append([]byte{}, item...))
		return exports.FactRef(segment.KeyOf(string(item)))
	})
	return nil
}

func (f *renderedForm) finish(context.Context) error { return nil }

func (f *renderedForm) close() {}

// inputOf is the digest of all that the documents of an entry follow from,
// beside the program and its options: what holds for its site, the page and its
// record, and where its records are in the ledger.
func (b *build) inputOf(r *pageRow, where logged) [sha256.Size]byte {
	text := appendText(nil, b.plan.now.Sites[r.page.SiteID])
	text = r.appendFacts(text)
	text = appendText(text, b.log.name)
	for i := range where[r.page.EntryID] {
		x := &where[r.page.EntryID][i]
		for _, n := range []int64{x.Version, x.Position, x.Size} {
			text = binary.AppendVarint(text, n)
		}
		text = appendText(text, string(x.Path))
		text = appendText(text, b.log.notes[x.Size])
	}
	return sha256.Sum256(text)
}

// publishRendered publishes what a part made.
func (b *build) publishRendered(m *rendered) error {
	for _, f := range m.files {
		if err := b.out.putFile(exports.Key(f.name), f.data); err != nil {
			return err
		}
	}
	form, ok := b.entries.(*segmentForm)
	if !ok {
		return nil
	}
	for _, item := range m.shared {
		form.shareItem(item)
	}
	return form.addValues(m.entryID, m.values)
}

// appendTo spells a row: texts with their lengths, lists with their numbers.
func (m *rendered) appendTo(dst []byte) []byte {
	for _, s := range []string{m.siteID, m.entryID, string(m.input[:])} {
		dst = appendText(dst, s)
	}
	dst = binary.AppendUvarint(dst, uint64(len(m.files)))
	for _, f := range m.files {
		dst = appendText(appendText(dst, f.name), string(f.data))
	}
	dst = binary.AppendUvarint(dst, uint64(len(m.values)))
	for _, v := range m.values {
		dst = appendText(appendText(dst, string(v.Key[:])), string(v.Data))
	}
	dst = binary.AppendUvarint(dst, uint64(len(m.shared)))
	for _, item := range m.shared {
		dst = appendText(dst, string(item))
	}
	return dst
}

var errPiece = errors.New("a piece of it is damaged")

// parseRendered reads a row. The error is errPiece.
func parseRendered(text string) (*rendered, error) {
	d := rowDecoder{text: text}
	m := &rendered{siteID: d.readString(), entryID: d.readString()}
	d.readDigest(m.input[:])
	for n := d.readUint(); n > 0 && !d.failed; n-- {
		m.files = append(m.files, renderedFile{d.readString(), []byte(d.readString())})
	}
	for n := d.readUint(); n > 0 && !d.failed; n-- {
		var v segment.Value
		d.readDigest(v.Key[:])
		v.Data = []byte(d.readString())
		m.values = append(m.values, v)
	}
	for n := d.readUint(); n > 0 && !d.failed; n-- {
		m.shared = append(m.shared, []byte(d.readString()))
	}
	if d.failed || d.text != "" {
		return nil, errPiece
	}
	return m, nil
}

// readDigest reads a text of just that length.
func (d *rowDecoder) readDigest(to []byte) {
	s := d.readString()
	if copy(to, s); len(s) != len(to) {
		d.failed = true
	}
}

// A piece is rows with their lengths, compressed, under the SHA-256 of its bytes.
const (
	maxPiece    = 256 << 20 // before compression
	pieceSuffix = ".zst"
)

// pieceSize is from how many bytes on, before compression, a piece is stored.
// Tests make it smaller.
var pieceSize = 16 << 20

// pieceWriter makes pieces, one after the other.
type pieceWriter struct {
	text   []byte
	pieces []string
}

func (p *pieceWriter) addRow(row []byte) { p.text = appendText(p.text, string(row)) }

// finishPiece spells the piece and begins the next one.
func (p *pieceWriter) finishPiece() (name string, data []byte, err error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return "", nil, err
	}
	defer z.Close()
	data = z.EncodeAll(p.text, nil)
	name = pieceName(data)
	p.text = p.text[:0]
	p.pieces = append(p.pieces, name)
	return name, data, nil
}

func pieceName(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]) + pieceSuffix
}

// readPiece reads the rows of a piece and checks its name.
func readPiece(ctx context.Context, from PartStore, name string) (*rowDecoder, error) {
	data, err := from.ReadPart(ctx, name, maxPiece)
	if err != nil {
		return nil, fmt.Errorf("a piece of it cannot be read: %w", err)
	}
	if pieceName(data) != name {
		return nil, errPiece
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPiece))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	text, err := z.DecodeAll(data, nil)
	if err != nil {
		return nil, errPiece
	}
	return &rowDecoder{text: string(text)}, nil
}

// lastOf is the newest record of a row, with its text.
func (b *build) lastOf(r *pageRow) (origin.Record, error) {
	last := r.toRecord()
	text, err := b.spool.readRecord(r.text)
	last.JSON = text
	return last, err
}
