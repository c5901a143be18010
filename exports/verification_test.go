package exports

import (
	"strings"
	"testing"

	"colophon/internal/wire"
)

// TestInvalidProvesNothing checks that only the answer about a valid record
// lists what it proves.
func TestInvalidProvesNothing(t *testing.T) {
	for valid, want := range map[bool]string{true: `"proves":["record_integrity","attestation_by_key"]`, false: `"proves":[]`} {
		answer := Verification{Valid: valid, Schema: "ok", Signature: "ok", Key: "ok", Text: "not_requested", Ledger: "not_checked", Current: "latest", LedgerIndex: -1}
		if got := string(wire.Append(nil, &answer)); !strings.Contains(got, want) {
			t.Errorf("valid %v: %s lacks %s", valid, got, want)
		}
	}
}
