package ledgerlog_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"colophon/internal/record"
)

// ledgerVectors is the part of ../record/testdata/provenance.json about the
// log.
type ledgerVectors struct {
	Keys []struct {
		Name    string
		SeedHex string `json:"seed_hex"`
	}
	Records []struct {
		LeafJCS string `json:"leaf_jcs"`
	}
	Log logVectors
}

type logVectors struct {
	Checkpoint3 string   `json:"checkpoint_3"`
	Checkpoint5 string   `json:"checkpoint_5"`
	Consistency []string `json:"consistency_3_to_5"`
	Origin      string
	VKey        string
}

func loadLedger(t testing.TB) ledgerVectors {
	t.Helper()
	var v ledgerVectors
	text, err := os.ReadFile("../record/testdata/provenance.json")
	must(t, err)
	must(t, json.Unmarshal(text, &v))
	if len(v.Keys) != 3 || len(v.Records) != 5 {
		t.Fatalf("%d keys, %d records in the vectors", len(v.Keys), len(v.Records))
	}
	return v
}

func (v *ledgerVectors) seed(t testing.TB, key int) []byte {
	t.Helper()
	seed, err := hex.DecodeString(v.Keys[key].SeedHex)
	must(t, err)
	return seed
}

// signer returns the private key with that name.
func (v *ledgerVectors) signer(t testing.TB, name string) *record.SeedSigner {
	t.Helper()
	for i, k := range v.Keys {
		if k.Name != name {
			continue
		}
		s, err := record.NewSigner(v.seed(t, i))
		must(t, err)
		return s
	}
	t.Fatalf("no key %q", name)
	return nil
}
