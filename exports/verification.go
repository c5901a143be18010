package exports

import "colophon/internal/wire"

// Verification answers each question about a record separately. Valid means
// that the record is intact and attested by a key in force, nothing more.
type Verification struct {
	Valid         bool
	KeyID         string
	RecordSHA256  string
	Canonical     bool
	Schema        string // "ok", or the code of the fault
	Signature     string
	Key           string
	Text          string // "not_requested" without a text
	Ledger        string // ok, not_logged, ledger_unavailable, or the code of the fault
	LedgerIndex   int64  // when Ledger is ok
	LedgerSize    int64  // of the published log, 0 when not known
	Current       string // latest, superseded, unknown_record (the entry has no version of this digest), not_registered, unavailable
	LatestVersion int64
	LatestSHA256  string
}

func (v *Verification) Members(m *wire.Members) {
	checks := v.listChecks()
	wire.List(m, "checks", &checks)
	proves := []string{}
	if v.Valid {
		proves = []string{"record_integrity", "attestation_by_key"}
	}
	not := []string{"ownership", "permission", "infringement", "ai_training"}
	m.Strings("does_not_prove", &not)
	m.Flag("grants_rights", false)
	m.OptString("key_id", &v.KeyID)
	m.Strings("proves", &proves)
	m.OptString("record_sha256", &v.RecordSHA256)
	m.Bool("valid", &v.Valid)
}

func (v *Verification) listChecks() []verificationCheck {
	pass := func(code string) string {
		switch code {
		case "ok", "ok_key_revoked_later":
			return "pass"
		case "not_requested", "not_checked":
			return "not_requested"
		}
		return "fail"
	}
	var current string
	switch v.Current {
	case "latest":
		current = "pass"
	case "superseded", "not_registered":
		current = "warn"
	case "unknown_record":
		current = "fail"
	case "unavailable":
		current = "unavailable"
	}
	canonical := "warn"
	if v.Canonical {
		canonical = "pass"
	}
	ledger, index := pass(v.Ledger), int64(-1)
	switch v.Ledger {
	case "ok":
		index = v.LedgerIndex
	case "not_logged":
		ledger = "warn"
	case "ledger_unavailable":
		ledger = "unavailable"
	}
	return []verificationCheck{
		{name: "schema", result: pass(v.Schema), code: v.Schema, index: -1},
		{name: "canonical_bytes", result: canonical, index: -1},
		{name: "signature", result: pass(v.Signature), code: v.Signature, index: -1},
		{name: "key_status", result: pass(v.Key), code: v.Key, index: -1},
		{name: "text_digest", result: pass(v.Text), code: v.Text, index: -1},
		{name: "ledger_inclusion", result: ledger, code: v.Ledger, index: index, size: v.LedgerSize},
		{name: "current", result: current, code: v.Current, version: v.LatestVersion, digest: v.LatestSHA256, index: -1},
	}
}

type verificationCheck struct {
	name, result, code, digest string
	version, index, size       int64
}

func (c *verificationCheck) Members(m *wire.Members) {
	m.String("check", &c.name)
	m.OptString("code", &c.code)
	m.OptRange("index", &c.index, 0, 1<<53-1)
	m.OptString("latest_record_sha256", &c.digest)
	m.OptInt("latest_version", &c.version)
	m.Enum("result", &c.result, "pass", "fail", "warn", "not_requested", "unavailable")
	m.OptInt("tree_size", &c.size)
}
