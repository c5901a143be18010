package rightscheck

import (
	"encoding/hex"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	provrecord "colophon/internal/record"
)

var must = assert.NoError

// TestReceiptVector signs a fixed answer with the first key of RFC 8032,
// section 7.1: the same answer must always have the same receipt.
func TestReceiptVector(t *testing.T) {
	seed, _ := hex.DecodeString("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
	k, err := provrecord.NewKeyFile([32]byte(seed), 1704067200, 1893456000, provrecord.KeyActive)
	must(t, err)
	signer, err := k.Signer()
	must(t, err)
	a := &exports.RightsAnswer{
		EvaluatedAt: "2026-11-20T09:00:00Z", ValidUntil: "2026-11-21T09:00:00Z",
		Policy: &exports.PolicyRef{Digest: "sha-256:823412d1eacb67956220e532959f0104603057c88704863ca38e7cd188fda812"},
		Candidates: []exports.ResourceRights{{
			EntryID: "ent_uxk63f6obrc7bv7c4f42k6jlvz", URL: "https://harbor-ledger.example/shipping/tide-tables-2026", RightsVector: "LDDSLDUU",
		}},
	}
	r, err := signReceipt(signer, a, "2026-11-20.3")
	must(t, err)
	if r.KeyID != "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k" || r.Signature != "N4QdwHwxHVVl8t89l5AaKZc6dKr-64zU8agnvrotWmkgwxqUPeCyCf2gNlhXrnEMDg1HP7UcHRn0fICEdrmXBQ" {
		t.Errorf("key %s, signature %s over %s", r.KeyID, r.Signature, r.Payload.Append(nil))
	}
}
