package generator

import (
	"context"
	"encoding/base64"

	"colophon/exports"
	"colophon/generator/ledger"
	"colophon/internal/provenance"
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/templates"
)

// eventsOnPage is how many of the last events the page of the ledger shows.
const eventsOnPage = 20

// ledgerPage is the page about the log.
func (b *build) ledgerPage() (templates.LedgerPage, error) {
	v := templates.LedgerPage{Site: b.frame(b.release.GeneratedAt)}
	if b.opt.Ledger == nil {
		return v, nil
	}
	v.Origin, v.Size, v.Root = b.log.name, b.log.size, base64.StdEncoding.EncodeToString(b.log.root[:])
	v.Checkpoint, v.VerifyKey = string(b.log.note), b.verifierKey()
	lines, err := b.store.LedgerLines(context.Background(), b.log.size, eventsOnPage)
	for i := range lines {
		r := rights.LedgerRow(b.site(lines[i].SiteID), &lines[i])
		e := templates.LedgerEvent{Index: r.Index, Op: r.Event, SiteID: r.SiteID, Title: r.Publisher, At: r.At}
		if r.Title != "" {
			e.EntryID, e.Title = r.EntryID, r.Title
		}
		v.Events = append(v.Events, e)
	}
	return v, err
}

// ledgerManifest describes the provenance ledger.
func (b *build) ledgerManifest() wire.Value {
	members := []wire.Member{
		m("search", str(exports.PathLedgerSearch)), m("hash", str("rfc6962-sha256")), m("retention", str("permanent")), m("keys", str(exports.WellKnownKeys)),
		m("events", strs(exports.LedgerEvents...)), m("docs", str("/developers/ledger/")),
	}
	if b.opt.Ledger == nil {
		return manifest(b.common(), append(members, m("state", str("no_log")), m("tree_size", wire.Int(0)))...)
	}
	return manifest(b.common(), append(members,
		m("state", str("published")), m("format", str("c2sp.org/tlog-tiles")), m("log_origin", str(b.log.name)), m("vkey", str(b.verifierKey())),
		m("prefix", str(b.opt.BaseURL+exports.PathLedgerLog)), m("checkpoint", str(exports.PathLedgerCheckpoint)), m("policy", str(exports.PathLedgerPolicy)),
		m("tile_template", str(exports.PathLedgerLog+"tile/{level}/{tile}")), m("entries_template", str(exports.PathLedgerLog+"tile/entries/{tile}")),
		m("tree_size", wire.Int(b.log.size)), m("root", str(base64.StdEncoding.EncodeToString(b.log.root[:]))), m("log_keys", b.logKeyList()),
		m("witnesses", witnessList(b.log.policy.Witnesses, b.log.note)), m("quorum", wire.Int(int64(b.log.policy.Quorum))),
		m("leaf_formats", strs(provenance.FormatRecordLeaf, provenance.FormatKeyLeaf, provenance.FormatIndexLeaf, provenance.FormatPolicyLeaf)),
		m("proof_format", str(provenance.ProofHeader)), m("index", obj(m("generation", str(b.index.Gen)), m("bits", wire.Int(b.index.PBits)),
			m("manifest", str("/"+exports.ShardPrefix(b.index.Gen)+"files.txt")), m("ledger_size", wire.Int(b.log.indexed)))),
	)...)
}

// logKeyList lists every key that the log ever had.
func (b *build) logKeyList() wire.Value {
	out := wire.Array()
	for i := range b.opt.Ledger.Keys {
		k := &b.opt.Ledger.Keys[i]
		status := "retired"
		if k.ID == b.opt.Ledger.Signer.KeyID() {
			status = "active"
		}
		v := obj(m("key_id", str(k.ID)), m("vkey", str(provenance.VerifierKey{Name: b.log.name, Public: k.Public}.String())))
		if k.Revoked != nil {
			status = "revoked"
			v = v.With("revoked", valueOf(k.Revoked))
		}
		out.Items = append(out.Items, v.With("status", str(status)))
	}
	return out
}

// witnessList tells which witnesses are asked, and which cosigned the state
// that is published, at what second.
func witnessList(witnesses []ledger.Witness, note []byte) wire.Value {
	out := wire.Array()
	for _, w := range witnesses {
		v := obj(m("name", str(w.Key.Name)), m("vkey", str(w.Key.String())), m("cosigned_at", wire.Null()))
		if c, ok := provenance.CheckCosignature(note, string(note), w.Key, provenance.Ed25519); ok {
			v = v.With("cosigned_at", wire.Int(c.At))
		}
		out.Items = append(out.Items, v)
	}
	return out
}
