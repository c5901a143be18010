package record

import (
	"colophon/internal/outcome"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// The forms of ledger leaf.
const (
	FormatRecordLeaf = "service.provenance-leaf.v1"
	FormatKeyLeaf    = "service.key-leaf.v1"
	FormatIndexLeaf  = "service.index-leaf.v1"
	FormatPolicyLeaf = "service.policy-leaf.v1"
)

// Actions that a leaf records.
const (
	OpIssue     = "issue"
	OpSupersede = "supersede"
	OpWithdraw  = "withdraw"
	OpAdd       = "add"
	OpRevoke    = "revoke"
)

// RecordLeaf commits to one version of one record. It holds no title, text or
// URL in clear; digests are lower-case hex.
type RecordLeaf struct {
	EntryID          string
	Fingerprint      string // portable digest
	IssuedAt         string
	Op               string
	PrevRecordSHA256 string // absent when empty
	RecordSHA256     string
	RecordVersion    int64
	SiteID           string
	URLKey           string
}

func (l *RecordLeaf) Members(m *wire.Members) {
	m.String("entry_id", &l.EntryID)
	m.String("fingerprint", &l.Fingerprint)
	m.Time("issued_at", &l.IssuedAt)
	m.Const("leaf", FormatRecordLeaf)
	m.Enum("op", &l.Op, OpIssue, OpSupersede, OpWithdraw)
	m.OptString("prev_record_sha256", &l.PrevRecordSHA256)
	m.String("record_sha256", &l.RecordSHA256)
	m.Int("record_version", &l.RecordVersion)
	m.String("site_id", &l.SiteID)
	m.String("url_key", &l.URLKey)
}

// LeafOf returns the leaf of a record, signature included, so that anyone who
// has the record can look for it in the ledger.
func LeafOf(record wire.Value) (RecordLeaf, error) {
	if checkMembers(&record) != "" {
		return RecordLeaf{}, outcome.RecordMalformed
	}
	version, _ := record.Get("record_version").Int()
	leaf := RecordLeaf{
		EntryID:          stringOrEmpty(record.Get("entry_id")),
		Fingerprint:      stringOrEmpty(record.Get("fingerprints").Get("portable").Get("digest")),
		IssuedAt:         stringOrEmpty(record.Get("proof").Get("created")),
		Op:               OpIssue,
		PrevRecordSHA256: stringOrEmpty(record.Get("supersedes")),
		RecordSHA256:     RecordSHA256(record.Append(nil)),
		RecordVersion:    version,
		SiteID:           stringOrEmpty(record.Get("site_id")),
		URLKey:           urlkey.URLKeyHex(stringOrEmpty(record.Get("canonical_url"))),
	}
	switch {
	case isConst(record.Get("status"), "withdrawn"):
		leaf.Op = OpWithdraw
	case version > 1:
		leaf.Op = OpSupersede
	}
	return leaf, nil
}

// LeafBytes returns the leaf of a record as the ledger stores it.
func LeafBytes(leaf RecordLeaf) []byte { return wire.Append(nil, &leaf) }

// KeyLeaf announces a key or revokes it.
type KeyLeaf struct {
	KeyID           string
	Op              string // OpAdd or OpRevoke
	NotBefore       int64
	NotAfter        int64
	TrustedTreeSize int64 // negative, and absent, in OpAdd
}

// KeyLeafOf returns the leaf that announces the key or, if it is revoked, the
// leaf that revokes it.
func KeyLeafOf(k Key) KeyLeaf {
	leaf := KeyLeaf{KeyID: k.ID, Op: OpAdd, NotBefore: k.NotBefore, NotAfter: k.NotAfter, TrustedTreeSize: -1}
	if k.Revoked != nil {
		leaf.Op, leaf.TrustedTreeSize = OpRevoke, k.Revoked.TrustedTreeSize
	}
	return leaf
}

func (l *KeyLeaf) Members(m *wire.Members) {
	m.Int("exp", &l.NotAfter)
	m.String("kid", &l.KeyID)
	m.Const("leaf", FormatKeyLeaf)
	m.Int("nbf", &l.NotBefore)
	m.Enum("op", &l.Op, OpAdd, OpRevoke)
	if !m.Writing() {
		l.TrustedTreeSize = -1
	}
	m.OptRange("trusted_tree_size", &l.TrustedTreeSize, 0, 1<<53-1)
}

// IndexLeaf commits to a lookup index by the SHA-256 of its manifest.
type IndexLeaf struct {
	ManifestSHA256 string
	Bits           int64
	Entries        int64
	LedgerSize     int64
}

func (l *IndexLeaf) Members(m *wire.Members) {
	m.Int("bits", &l.Bits)
	m.Int("entries", &l.Entries)
	m.Const("leaf", FormatIndexLeaf)
	m.Int("ledger_size", &l.LedgerSize)
	m.String("manifest_sha256", &l.ManifestSHA256)
}

// PolicyLeaf commits to one version of a publisher's policy.
type PolicyLeaf struct {
	SiteID        string
	Version       int64
	PolicySHA256  string
	EffectiveFrom string
}

func (l *PolicyLeaf) Members(m *wire.Members) {
	m.Time("effective_from", &l.EffectiveFrom)
	m.Const("leaf", FormatPolicyLeaf)
	m.String("policy_sha256", &l.PolicySHA256)
	m.Int("policy_version", &l.Version)
	m.String("site_id", &l.SiteID)
}
