package record_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/record"
	"colophon/internal/wire"
)

var must = assert.NoError

// vectors is testdata/provenance.json without its sections about URLs and the
// log.
type vectors struct {
	Keys []struct {
		Name, VKey string
		PublicHex  string `json:"public_hex"`
		SeedHex    string `json:"seed_hex"`
		JWK        json.RawMessage
	}
	Records        []recordVector
	SigningContext string `json:"signing_context"`
	Mutations      []struct {
		Name, Expect, Input string
		CanonicalBytes      *bool `json:"canonical_bytes"`
	} `json:"mutations_of_record_0"`
	KeyPolicy struct {
		Cases []struct {
			Name, Created, Expect string
			KeyID                 string `json:"key_id"`
			LeafIndex             *int64 `json:"leaf_index"`
		}
	} `json:"key_policy"`
	Forbidden struct{ Hex []string } `json:"forbidden_public_keys"`
}

type recordVector struct {
	Name               string
	CanonicalText      string `json:"canonical_text"`
	KeyID              string `json:"key_id"`
	LeafHash           string `json:"leaf_hash"`
	LeafJCS            string `json:"leaf_jcs"`
	RecordJCS          string `json:"record_jcs"`
	RecordSHA256       string `json:"record_sha256"`
	SignatureHex       string `json:"signature_hex"`
	SigningInputSHA256 string `json:"signing_input_sha256"`
	SigningInput       string `json:"signing_input_utf8"`
	SigningKey         string `json:"signing_key"`
	SourceText         string `json:"source_text"`
}

func loadVectors(t testing.TB) vectors {
	t.Helper()
	var v vectors
	text, err := os.ReadFile("testdata/provenance.json")
	must(t, err)
	must(t, json.Unmarshal(text, &v))
	for name, counts := range map[string][2]int{
		"keys": {len(v.Keys), 3}, "records": {len(v.Records), 5}, "mutations": {len(v.Mutations), 36},
		"key policy": {len(v.KeyPolicy.Cases), 8}, "forbidden keys": {len(v.Forbidden.Hex), 14},
	} {
		if counts[0] != counts[1] {
			t.Fatalf("%d %s in the vectors, want %d", counts[0], name, counts[1])
		}
	}
	return v
}

// keySet returns the document of the record keys, which does not include the
// log's key.
func (v *vectors) keySet(t testing.TB) record.KeySet {
	t.Helper()
	var document struct {
		Keys []json.RawMessage `json:"keys"`
	}
	for _, k := range v.Keys {
		if k.JWK != nil {
			document.Keys = append(document.Keys, k.JWK)
		}
	}
	b, err := json.Marshal(document)
	must(t, err)
	set, err := record.ParseKeySet(b)
	if err != nil || len(set.Keys()) != 2 {
		t.Fatalf("ParseKeySet: %v, %d keys", err, len(set.Keys()))
	}
	return set
}

// signer returns the private key with that name.
func (v *vectors) signer(t testing.TB, name string) *record.SeedSigner {
	t.Helper()
	for _, k := range v.Keys {
		if k.Name == name {
			s, err := record.NewSigner(unhex(t, k.SeedHex))
			must(t, err)
			return s
		}
	}
	t.Fatalf("no key %q", name)
	return nil
}

func parse(t testing.TB, s string) wire.Value {
	t.Helper()
	v, err := wire.Parse([]byte(s), wire.Default)
	must(t, err)
	return v
}

// at returns a pointer to leaf index i, as a Question has it.
func at(i int64) *int64 { return &i }

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	must(t, err)
	return b
}

// sum returns the hex SHA-256 of s.
func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}
