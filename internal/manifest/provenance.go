package manifest

import (
	"colophon/exports"
	"colophon/internal/record"
	"colophon/internal/wire"
)

// Provenance describes the format of records and lists the public keys, at
// exports.WellKnownProvenance.
type Provenance struct {
	Head
	Keys []PublicKey
}

func (x *Provenance) Members(m *wire.Members) {
	x.Head.Members(m)
	m.Const("canonicalization", "RFC 8785 (JCS) of the record without proof.signature_b64u")
	m.Const("cryptosuite", exports.Cryptosuite)
	listMember(m, "does_not_prove", "ownership", "permission", "infringement", "ai_training")
	wire.List(m, "keys", &x.Keys)
	m.Const("keys_url", exports.WellKnownKeys)
	m.Const("ledger", exports.PathLedgerManifest)
	listMember(m, "proves", "record_integrity", "attestation_by_key")
	m.Const("record_template", "/v1/public/contentdna-provenance/{entry_id}")
	m.Const("schema_version", exports.SchemaProvenance)
	listMember(m, "signing_context", exports.Cryptosuite, exports.SchemaProvenance)
	m.Const("site_template", "/v1/public/sites/{site_id}/contentdna-provenance")
	m.Object("text_profile", &document{exports.ProfileCanonicalText, "/developers/provenance/", "15.0.0"})
	m.Object("url_rule", &document{exports.ProfileURLKey, "/developers/provenance/", ""})
	m.Object("verify", &action{"POST", exports.PathVerify})
}

// PublicKey is an Ed25519 key as a JWK (RFC 8037), with the time in which it
// may sign in Unix seconds.
type PublicKey struct {
	ID        string
	X         string // base64url
	NotBefore int64
	NotAfter  int64
	Revoked   *record.Revocation // nil while trusted
}

func (k *PublicKey) Members(m *wire.Members) {
	m.Const("alg", "Ed25519")
	m.Const("crv", "Ed25519")
	m.Int("exp", &k.NotAfter)
	m.String("kid", &k.ID)
	m.Const("kty", "OKP")
	m.Int("nbf", &k.NotBefore)
	wire.Opt(m, "revoked", &k.Revoked)
	m.Const("use", "sig")
	m.String("x", &k.X)
}

// Ledger describes the transparency log, at exports.PathLedgerManifest.
type Ledger struct {
	Head
	Log *Log // nil: nothing is logged
}

func (x *Ledger) Members(m *wire.Members) {
	x.Head.Members(m)
	m.Const("docs", "/developers/ledger/")
	listMember(m, "events", exports.LedgerEvents...)
	m.Const("hash", "rfc6962-sha256")
	m.Const("keys", exports.WellKnownKeys)
	m.Const("retention", "permanent")
	m.Const("search", exports.PathLedgerSearch)
	log, state := x.Log, "published"
	if log == nil {
		log, state = &Log{}, "no_log"
	}
	m.Enum("state", &state, "published", "no_log")
	m.Int("tree_size", &log.Size)
	if x.Log != nil || !m.Writing() {
		log.logMembers(m)
	}
}

// Log is the log of a service that keeps one.
type Log struct {
	BaseURL   string
	Origin    string // name of the log
	Key       string // verifier key (C2SP signed-note)
	Keys      []LogKey
	Witnesses []Witness
	Quorum    int64
	Root      string // base64
	Size      int64
	Index     Index
}

func (l *Log) logMembers(m *wire.Members) {
	optionalMember(m, "checkpoint", exports.PathLedgerCheckpoint)
	optionalMember(m, "entries_template", exports.PathLedgerLog+"tile/entries/{tile}")
	optionalMember(m, "format", "c2sp.org/tlog-tiles")
	index := &l.Index
	wire.Opt(m, "index", &index)
	leaves := []string{record.FormatRecordLeaf, record.FormatKeyLeaf, record.FormatIndexLeaf, record.FormatPolicyLeaf}
	m.OptStrings("leaf_formats", &leaves)
	alwaysMember(m, "log_keys", &l.Keys)
	optionalMember(m, "log_origin", l.Origin)
	optionalMember(m, "policy", exports.PathLedgerPolicy)
	optionalMember(m, "prefix", l.BaseURL+exports.PathLedgerLog)
	l.quorumMembers(m)
	optionalMember(m, "root", l.Root)
	optionalMember(m, "tile_template", exports.PathLedgerLog+"tile/{level}/{tile}")
	optionalMember(m, "vkey", l.Key)
	alwaysMember(m, "witnesses", &l.Witnesses)
}

func optionalMember(m *wire.Members, name, value string) { m.OptString(name, &value) }

// alwaysMember is a list of a log: written even when empty, absent without a log.
func alwaysMember[T any, P interface {
	*T
	wire.Record
}](m *wire.Members, name string, list *[]T) {
	if m.Writing() {
		wire.List[T, P](m, name, list)
		return
	}
	wire.OptList[T, P](m, name, list)
}

func (l *Log) quorumMembers(m *wire.Members) {
	if m.Writing() {
		m.Int("quorum", &l.Quorum)
		return
	}
	m.OptInt("quorum", &l.Quorum)
}

// LogKey is a key that the log has or had.
type LogKey struct {
	ID      string
	Key     string // verifier key
	Status  string // active, retired, revoked
	Revoked *record.Revocation
}

func (k *LogKey) Members(m *wire.Members) {
	m.String("key_id", &k.ID)
	wire.Opt(m, "revoked", &k.Revoked)
	m.Enum("status", &k.Status, "active", "retired", "revoked")
	m.String("vkey", &k.Key)
}

// Witness is asked to cosign the log.
type Witness struct {
	Name       string
	Key        string // verifier key
	CosignedAt int64  // Unix seconds of its cosignature of the published state, negative for none
}

func (w *Witness) Members(m *wire.Members) {
	m.NullInt("cosigned_at", &w.CosignedAt)
	m.String("name", &w.Name)
	m.String("vkey", &w.Key)
}

// Index is the search index that the log names.
type Index struct {
	Generation string
	Bits       int64
	Files      string // path of the list of files
	LedgerSize int64
}

func (x *Index) Members(m *wire.Members) {
	m.Int("bits", &x.Bits)
	m.String("generation", &x.Generation)
	m.Int("ledger_size", &x.LedgerSize)
	m.String("manifest", &x.Files)
}

// Map describes the rights map, at exports.PathMapManifest.
type Map struct {
	Head
	Root    string // digest of the release
	Records int64
}

func (x *Map) Members(m *wire.Members) {
	x.Head.Members(m)
	boundaryMembers(m)
	m.Const("covers", "active, approved, public")
	m.Const("csv", exports.PathMapCSV)
	m.Const("csv_metadata", exports.PathMapCSVMeta)
	listMember(m, "excludes", "private_registry_records", "private_buyer_data", "credentials", "article_bodies", "private_agreements")
	m.Const("list", exports.PathMap)
	listMember(m, "readiness_levels", exports.ReadinessLevels...)
	m.Const("readiness_note", exports.ReadinessNote)
	m.Int("record_count", &x.Records)
	m.Const("record_template", exports.PathMap+"/publishers/{site_id}")
	m.String("root", &x.Root)
	listMember(m, "signals", exports.ReadinessSignals...)
	m.Const("sitemap", exports.PathMapSitemap)
	listMember(m, "uses", exports.UseWords()...)
	listMember(m, "verdicts", exports.Verdicts...)
}
