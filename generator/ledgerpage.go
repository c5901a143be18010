package generator

import (
	"context"
	"encoding/base64"
	"time"

	"colophon/generator/ledger"
	"colophon/internal/ledgerlog"
	"colophon/internal/manifest"
	"colophon/internal/rights"
	"colophon/internal/staticindex"
	"colophon/templates"
)

// eventsOnPage is how many of the last events the page of the ledger shows.
const eventsOnPage = 20

// ledgerPage returns the page about the log.
func (b *build) ledgerPage() (templates.LedgerPage, error) {
	v := templates.LedgerPage{Site: b.siteFrame(b.release.GeneratedAt)}
	if b.opt.Ledger == nil {
		return v, nil
	}
	v.Origin = b.log.name
	v.Size = b.log.size
	v.Root = base64.StdEncoding.EncodeToString(b.log.root[:])
	v.Checkpoint, v.VerifyKey = string(b.log.note), b.verifierKey()
	v.Quorum = int64(b.log.policy.Quorum)
	for _, w := range witnessList(b.log.policy.Witnesses, b.log.note) {
		row := templates.LedgerWitness{Name: w.Name}
		if w.CosignedAt >= 0 {
			row.At = time.Unix(w.CosignedAt, 0).UTC().Format(time.RFC3339)
		}
		v.Witnesses = append(v.Witnesses, row)
	}
	lines, err := b.store.LedgerLines(context.Background(), b.log.size, eventsOnPage)
	for i := range lines {
		r := rights.LedgerRow(b.findSite(lines[i].SiteID), &lines[i])
		e := templates.LedgerEvent{Index: r.Index, Op: r.Event, Reason: r.Reason, SiteID: r.SiteID, Title: r.Publisher, At: r.At}
		if r.Title != "" {
			e.EntryID, e.Title = r.EntryID, r.Title
		}
		v.Events = append(v.Events, e)
	}
	return v, err
}

// ledgerManifest describes the provenance ledger.
func (b *build) ledgerManifest() *manifest.Ledger {
	out := &manifest.Ledger{Head: b.manifestHead()}
	if b.opt.Ledger == nil {
		return out
	}
	out.Log = &manifest.Log{
		BaseURL:   b.opt.BaseURL,
		Origin:    b.log.name,
		Key:       b.verifierKey(),
		Keys:      b.logKeyList(),
		Witnesses: witnessList(b.log.policy.Witnesses, b.log.note),
		Quorum:    int64(b.log.policy.Quorum),
		Root:      base64.StdEncoding.EncodeToString(b.log.root[:]),
		Size:      b.log.size,
		Index: manifest.Index{
			Generation: b.index.Gen,
			Bits:       b.index.PBits,
			Files:      "/" + staticindex.Prefix(b.index.Gen) + indexManifestFile,
			LedgerSize: b.log.indexed,
		},
	}
	return out
}

// logKeyList lists every key that the log ever had.
func (b *build) logKeyList() []manifest.LogKey {
	var out []manifest.LogKey
	for i := range b.opt.Ledger.Keys {
		k := &b.opt.Ledger.Keys[i]
		row := manifest.LogKey{ID: k.ID, Key: ledgerlog.VerifierKey{Name: b.log.name, Public: k.Public}.String(), Status: "retired", Revoked: k.Revoked}
		switch {
		case k.Revoked != nil:
			row.Status = "revoked"
		case k.ID == b.opt.Ledger.Signer.KeyID():
			row.Status = "active"
		}
		out = append(out, row)
	}
	return out
}

// witnessList says which witnesses are asked, and which cosigned the state
// that is published, at what second.
func witnessList(witnesses []ledger.Witness, note []byte) []manifest.Witness {
	var out []manifest.Witness
	for _, w := range witnesses {
		row := manifest.Witness{Name: w.Key.Name, Key: w.Key.String(), CosignedAt: -1}
		if c, ok := ledgerlog.FindCosignature(note, w.Key); ok {
			row.CosignedAt = c.At
		}
		out = append(out, row)
	}
	return out
}
