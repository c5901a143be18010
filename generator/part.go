package generator

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"colophon/internal/origin"
	"colophon/internal/record"
)

// A part of a build does ahead, on any machine, what is costly about the entries
// of a range of sites: it signs the records that are due, and spells the
// documents of entries whose records are in the ledger. It writes nothing but
// its own files, neither to the origin nor to what readers see. A build that
// joins parts takes from them what it would have made itself, byte for byte,
// and makes the rest.

// Part says which of how many parts this is, from 1 on.
type Part struct{ Number, Of int }

// maxParts bounds how many parts a build has.
const maxParts = 10_000

// ParsePart reads "3/8".
func ParsePart(text string) (Part, error) {
	number, of, found := strings.Cut(text, "/")
	n, err := strconv.Atoi(number)
	m, errOf := strconv.Atoi(of)
	if !found || err != nil || errOf != nil || n < 1 || m < n || m > maxParts {
		return Part{}, fmt.Errorf("%q is no part of a build, as 3/8 is, of at most %d", text, maxParts)
	}
	return Part{n, m}, nil
}

// String spells it as ParsePart reads it.
func (p Part) String() string { return fmt.Sprintf("%d/%d", p.Number, p.Of) }

// sitesOf is the range of sites of the part.
func (p Part) sitesOf(all []siteFacts) []siteFacts {
	return all[len(all)*(p.Number-1)/p.Of : len(all)*p.Number/p.Of]
}

// PartStore keeps the files of parts, by plain names, where readers of the
// release do not look.
type PartStore interface {
	// PutPart stores a file whole or not at all.
	PutPart(ctx context.Context, name string, data []byte) error
	// ReadPart reads a file of at most limit bytes; fs.ErrNotExist where there is none.
	ReadPart(ctx context.Context, name string, limit int64) ([]byte, error)
	// ListParts lists the names of all files.
	ListParts(ctx context.Context) ([]string, error)
	// RemoveParts removes files. One that is gone is no error.
	RemoveParts(ctx context.Context, names []string) error
}

// PartReport tells what a part did.
type PartReport struct {
	Part       Part
	Sequence   int64 // of the origin, up to which all writes were read
	Publishers int64
	Entries    int64 // whose documents were spelled
	Signatures int64 // of records that are due
	Bytes      int64 // of all files
	Duration   time.Duration
}

// BuildPart makes a part of the build in the folder dir, which need not be on this
// machine: see resolveForm. It only reads from the origin.
func BuildPart(ctx context.Context, store origin.Catalog, dir string, part Part, to PartStore, opt Options) (PartReport, error) {
	if opt.Signer == nil {
		return PartReport{}, errNoSigner
	}
	start := time.Now()
	temp, err := os.MkdirTemp("", "colophon-part-")
	if err != nil {
		return PartReport{}, fmt.Errorf("cannot make a folder for the part: %w", err)
	}
	defer os.RemoveAll(temp)

	signer := &keepingSigner{Signer: opt.Signer}
	opt.Signer = signer
	out := &tree{dir: temp, stage: temp, whole: true, list: map[string]fileNote{}, made: map[string]bool{}}
	b := &build{store: unwritten{store}, opt: opt, out: out, plan: newPlan()}
	if err := b.resolveForm(ctx, dir); err != nil {
		return PartReport{}, err
	}
	w := &partWriter{build: b, part: part, to: to, signer: signer}
	if err := w.writePart(ctx); err != nil {
		return PartReport{}, err
	}
	return PartReport{
		Part: part, Sequence: b.plan.now.Sequence, Publishers: int64(len(part.sitesOf(b.sites))), Entries: w.entries,
		Signatures: w.signed, Bytes: w.bytes, Duration: time.Since(start),
	}, nil
}

// partWriter makes one part.
type partWriter struct {
	*build
	part   Part
	to     PartStore
	signer *keepingSigner

	documents  pieceWriter
	signatures pieceWriter
	entries    int64
	signed     int64
	bytes      int64
}

// writePart writes the files of the part, and last the manifest that names them.
func (w *partWriter) writePart(ctx context.Context) (err error) {
	now := &w.plan.now
	if now.Settings = w.settingsDigest(); now.Settings == "" {
		return errors.New("the program cannot read itself, so that no other could tell whether it makes the same: parts need /proc")
	}
	if now.Sequence, err = w.store.Sequence(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{w.readOrigin, w.openLedger} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := w.publishAssets(); err != nil { // pages name them
		return err
	}
	mine := w.part.sitesOf(w.sites)
	if err := w.plan.compareSites(mine); err != nil {
		return err
	}
	for i := range mine {
		if err := w.renderSite(ctx, &mine[i]); err != nil {
			return err
		}
	}
	return w.putManifest(ctx)
}

// renderSite signs and spells what is due of a site.
func (w *partWriter) renderSite(ctx context.Context, s *siteFacts) error {
	return w.rowsOfOrigin(ctx, s, func(rows []pageRow, after string) error {
		if err := w.issueBatch(ctx, s, rows, after); err != nil {
			return err
		}
		if err := w.putSignatures(ctx); err != nil {
			return err
		}
		logged, err := w.readLogged(ctx, s.Site.SiteID, rows, after)
		if err != nil {
			return err
		}
		made := make([]*rendered, len(rows))
		err = w.runParallel(len(rows), func(i int) (err error) {
			if rows[i].version > 0 && w.opt.Ledger != nil && logged.recordOf(rows[i].last) == nil {
				return nil // its proof is not known before all records are
			}
			made[i], err = w.renderEntry(ctx, s, &rows[i], logged)
			return err
		})
		if err != nil {
			return err
		}
		for _, m := range made {
			if m == nil {
				continue
			}
			w.entries++
			if err := w.addRow(ctx, &w.documents, m.appendTo(nil)); err != nil {
				return err
			}
		}
		if w.opt.Progress != nil {
			w.opt.Progress(w.entries, 0, "pages")
		}
		return ctx.Err()
	})
}

// putSignatures takes over what was signed since the last call.
func (w *partWriter) putSignatures(ctx context.Context) error {
	for _, row := range w.signer.takeRows() {
		w.signed++
		if err := w.addRow(ctx, &w.signatures, row); err != nil {
			return err
		}
	}
	return nil
}

// addRow adds a row, and stores the piece that it fills.
func (w *partWriter) addRow(ctx context.Context, p *pieceWriter, row []byte) error {
	p.addRow(row)
	if len(p.text) < pieceSize {
		return nil
	}
	return w.putPiece(ctx, p)
}

func (w *partWriter) putPiece(ctx context.Context, p *pieceWriter) error {
	if len(p.text) == 0 {
		return nil
	}
	name, data, err := p.finishPiece()
	if err != nil {
		return err
	}
	w.bytes += int64(len(data))
	return w.to.PutPart(ctx, name, data)
}

// putManifest ends the part.
func (w *partWriter) putManifest(ctx context.Context) error {
	if err := errors.Join(w.putPiece(ctx, &w.documents), w.putPiece(ctx, &w.signatures)); err != nil {
		return err
	}
	m := partManifest{
		Format: partFormat, Settings: w.plan.now.Settings, Sequence: w.plan.now.Sequence, Part: w.part.Number, Of: w.part.Of,
		Documents: w.documents.pieces, Signatures: w.signatures.pieces,
	}
	data, err := m.signManifest(w.signer.Signer)
	if err != nil {
		return err
	}
	w.bytes += int64(len(data))
	reached("part")
	return w.to.PutPart(ctx, manifestName(w.part), data)
}

const (
	partFormat  = "colophon.part.v1"
	partContext = partFormat + "\n" // which no record and no checkpoint begins with
)

// partManifest names the pieces of a part, and what they were made by.
type partManifest struct {
	Format     string   `json:"format"`
	Settings   string   `json:"settings"` // digest of the program and of the options
	Sequence   int64    `json:"sequence"` // of the origin
	Part       int      `json:"part"`
	Of         int      `json:"of"`
	Documents  []string `json:"documents"`  // names of pieces, in the order of sites and entries
	Signatures []string `json:"signatures"` // names of pieces
}

// signedManifest is a manifest as it is stored.
type signedManifest struct {
	Manifest  json.RawMessage `json:"manifest"`
	Signature []byte          `json:"signature"` // Ed25519, by the key of records, over partContext and Manifest
}

const manifestSuffix = ".json"

func manifestName(p Part) string {
	return fmt.Sprintf("part-%d-of-%d%s", p.Number, p.Of, manifestSuffix)
}

func (m *partManifest) signManifest(signer record.Signer) ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	signature, err := signer.Sign(append([]byte(partContext), text...))
	if err != nil {
		return nil, fmt.Errorf("cannot sign the part: %w", err)
	}
	return json.Marshal(signedManifest{text, signature})
}

var errManifest = errors.New("it is damaged, or signed with another key")

// openManifest reads what signManifest wrote with that key; else errManifest.
func openManifest(data []byte, key *record.Key) (*partManifest, error) {
	var s signedManifest
	var m partManifest
	if key == nil || json.Unmarshal(data, &s) != nil || json.Unmarshal(s.Manifest, &m) != nil || m.Format != partFormat {
		return nil, errManifest
	}
	message := append([]byte(partContext), s.Manifest...)
	if len(s.Signature) != ed25519.SignatureSize || !record.Ed25519(key.Public[:], message, s.Signature) {
		return nil, errManifest
	}
	if m.Part < 1 || m.Of < m.Part || m.Of > maxParts {
		return nil, errManifest
	}
	return &m, nil
}

// signatureRow is the digest of what was signed, and the signature.
const signatureRow = sha256.Size + ed25519.SignatureSize
