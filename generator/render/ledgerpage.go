package render

import (
	"encoding/base64"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/exports"
	"colophon/generator/ledger"
	"colophon/internal/ledgerlog"
	"colophon/internal/manifest"
	"colophon/internal/record"
	"colophon/internal/staticindex"
	"colophon/templates"
	"colophon/templates/frame"
)

// Log is the transparency log of a release.
type Log struct {
	Name   string // the origin line of its checkpoints
	Size   int64
	Root   tlog.Hash
	Note   []byte        // its checkpoint, as published
	Policy ledger.Policy // its first key signed the checkpoint
	Keys   []record.Key  // every key that the log ever had
	Events []exports.LedgerRow

	Index   staticindex.Generation // whose files are in the log by their digests
	Indexed int64                  // number of leaves that the index covers
}

// EventsOnPage is the number of recent events on the ledger's page.
const EventsOnPage = 20

// IndexManifest is the name of the list of an index's files, in the folder of
// its generation.
const IndexManifest = "files.txt"

// ledgerPage returns the page about the log. log is nil if there is none.
func ledgerPage(at frame.SiteFrame, log *Log) templates.LedgerPage {
	v := templates.LedgerPage{Site: at}
	if log == nil {
		return v
	}
	v.Origin = log.Name
	v.Size = log.Size
	v.Root = base64.StdEncoding.EncodeToString(log.Root[:])
	v.Checkpoint, v.VerifyKey = string(log.Note), log.Policy.Keys[0].String()
	v.Quorum = int64(log.Policy.Quorum)
	for _, w := range witnessList(log.Policy.Witnesses, log.Note) {
		row := templates.LedgerWitness{Name: w.Name}
		if w.CosignedAt >= 0 {
			row.At = time.Unix(w.CosignedAt, 0).UTC().Format(time.RFC3339)
		}
		v.Witnesses = append(v.Witnesses, row)
	}
	for i := range log.Events {
		r := &log.Events[i]
		e := templates.LedgerEvent{Index: r.Index, Op: r.Event, Reason: r.Reason, SiteID: r.SiteID, Title: r.Publisher, At: r.At}
		if r.Title != "" {
			e.EntryID, e.Title = r.EntryID, r.Title
		}
		v.Events = append(v.Events, e)
	}
	return v
}

// ledgerManifest returns the manifest of the provenance ledger.
func ledgerManifest(base string, c *Catalog, log *Log) *manifest.Ledger {
	out := &manifest.Ledger{Head: headOf(c)}
	if log == nil {
		return out
	}
	out.Log = &manifest.Log{
		BaseURL:   base,
		Origin:    log.Name,
		Key:       log.Policy.Keys[0].String(),
		Keys:      log.keyList(),
		Witnesses: witnessList(log.Policy.Witnesses, log.Note),
		Quorum:    int64(log.Policy.Quorum),
		Root:      base64.StdEncoding.EncodeToString(log.Root[:]),
		Size:      log.Size,
		Index: manifest.Index{
			Generation: log.Index.Gen,
			Bits:       log.Index.PBits,
			Files:      "/" + staticindex.Prefix(log.Index.Gen) + IndexManifest,
			LedgerSize: log.Indexed,
		},
	}
	return out
}

// keyList lists every key that the log ever had.
func (l *Log) keyList() []manifest.LogKey {
	var out []manifest.LogKey
	for i := range l.Keys {
		k := &l.Keys[i]
		verifier := ledgerlog.VerifierKey{Name: l.Name, Public: k.Public}.String()
		row := manifest.LogKey{ID: k.ID, Key: verifier, Status: "retired", Revoked: k.Revoked}
		switch {
		case k.Revoked != nil:
			row.Status = "revoked"
		case verifier == l.Policy.Keys[0].String():
			row.Status = "active"
		}
		out = append(out, row)
	}
	return out
}

// witnessList lists the witnesses that are asked, with the second at which each
// one cosigned the published checkpoint.
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
