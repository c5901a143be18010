package record_test

import (
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/outcome"
	provrecord "colophon/internal/record"
	"colophon/internal/wire"
)

func TestVerifyVectors(t *testing.T) {
	v := loadVectors(t)
	keys := v.keySet(t)
	for i, c := range v.Records {
		t.Run(c.Name, func(t *testing.T) {
			r := provrecord.Verify([]byte(c.RecordJCS), provrecord.Question{
				Keys: keys, Verify: provrecord.Ed25519, Leaf: at(int64(i)), Text: &c.SourceText})
			if r.Code() != outcome.OK || r.Schema != outcome.OK || r.Signature != outcome.OK || r.Text != outcome.OK || !r.CanonicalBytes {
				t.Errorf("%s: %+v", r.Code(), r)
			}
			if r.RecordSHA256 != c.RecordSHA256 || r.KeyID != c.KeyID || r.TextDigest != sum(c.CanonicalText) {
				t.Errorf("sha %s key %s text %s", r.RecordSHA256, r.KeyID, r.TextDigest)
			}
			want := outcome.OK
			if c.SigningKey == "rfc8032-test1" {
				want = outcome.KeyRevokedLater
			}
			assert.Equal(t, r.Key, want, "key")
		})
	}
}

func TestVerifyMutations(t *testing.T) {
	v := loadVectors(t)
	keys := v.keySet(t)
	for _, c := range v.Mutations {
		t.Run(c.Name, func(t *testing.T) {
			r := provrecord.Verify([]byte(c.Input), provrecord.Question{Keys: keys, Verify: provrecord.Ed25519, Leaf: at(0)})
			if got := r.Code(); got != outcome.Code(c.Expect) {
				t.Fatalf("%s, want %s: %+v", got, c.Expect, r)
			}
			if c.CanonicalBytes != nil && (r.CanonicalBytes != *c.CanonicalBytes || r.RecordSHA256 != v.Records[0].RecordSHA256) {
				t.Errorf("canonical bytes %t, sha %s", r.CanonicalBytes, r.RecordSHA256)
			}
			if strings.HasPrefix(c.Expect, "json_") && (r.Signature != outcome.NotChecked || r.Key != outcome.NotChecked) {
				t.Errorf("checks went on after %s: %+v", c.Expect, r)
			}
		})
	}
}

// TestVerifyEveryByte flips one bit of each byte of a good record. No change may
// pass, except one that leaves the value the same.
func TestVerifyEveryByte(t *testing.T) {
	v := loadVectors(t)
	q := provrecord.Question{Keys: v.keySet(t), Verify: provrecord.Ed25519}
	record := []byte(v.Records[3].RecordJCS)
	if r := provrecord.Verify(record, q); r.Code() != outcome.OK {
		t.Fatalf("the record itself: %+v", r)
	}
	for i := range record {
		for _, bit := range []byte{1, 0x20} {
			record[i] ^= bit
			if r := provrecord.Verify(record, q); r.Code() == outcome.OK {
				t.Errorf("byte %d changed to %q passes", i, record[i])
			}
			record[i] ^= bit
		}
	}
	for i := range record {
		if r := provrecord.Verify(record[:i], q); r.Code() == outcome.OK {
			t.Errorf("the first %d bytes pass", i)
		}
	}
}

// TestVerifyLogKey checks that the ledger's key signs no records.
func TestVerifyLogKey(t *testing.T) {
	v := loadVectors(t)
	record := parse(t, v.Records[3].RecordJCS)
	signed, err := provrecord.Sign(v.signer(t, "rfc8032-test3 (log)"), record)
	must(t, err)
	r := provrecord.Verify(signed.Append(nil), provrecord.Question{Keys: v.keySet(t), Verify: provrecord.Ed25519})
	if r.Code() != outcome.KeyUnknown {
		t.Errorf("%s: %+v", r.Code(), r)
	}
}

func TestVerifyInjected(t *testing.T) {
	v := loadVectors(t)
	record := v.Records[3]
	q := provrecord.Question{Keys: v.keySet(t)}
	if r := provrecord.Verify([]byte(record.RecordJCS), q); r.Signature != outcome.SignatureInvalid {
		t.Errorf("without a verifier: %+v", r)
	}
	calls := 0
	q.Verify = func(public, message, signature []byte) bool {
		calls++
		if len(public) != 32 || string(message) != record.SigningInput || len(signature) != 64 {
			t.Errorf("called with %x, %q, %x", public, message, signature)
		}
		return true
	}
	if r := provrecord.Verify([]byte(record.RecordJCS), q); r.Signature != outcome.OK || calls != 1 {
		t.Errorf("%d calls: %+v", calls, r)
	}
}

func TestVerifyText(t *testing.T) {
	v := loadVectors(t)
	q := provrecord.Question{Keys: v.keySet(t), Verify: provrecord.Ed25519}
	for name, c := range map[string]struct {
		text string
		want outcome.Code
	}{
		"same after reflow": {"The  quick brown fox\r\n jumps over the lazy dog.\n", outcome.OK},
		"one letter off":    {"The quick brown fox jumps over the lazy dot.", outcome.TextMismatch},
		"empty":             {"", outcome.TextMismatch},
		"ill-formed":        {"The quick \xff", outcome.TextIllFormed},
	} {
		q.Text = &c.text
		r := provrecord.Verify([]byte(v.Records[3].RecordJCS), q)
		if r.Text != c.want || r.Code() != c.want {
			t.Errorf("%s: text %s, code %s; want %s", name, r.Text, r.Code(), c.want)
		}
		assert.Equal(t, r.Signature, outcome.OK, "%s: the text changed the signature check", name)
	}
}

// TestVerifyMembers signs records that violate the format: the signature is
// good, the schema is not.
func TestVerifyMembers(t *testing.T) {
	v := loadVectors(t)
	signer, keys := v.signer(t, "rfc8032-test2"), v.keySet(t)
	good := parse(t, v.Records[3].RecordJCS)
	prints := good.Get("fingerprints")
	portable := *prints.Get("portable")
	inPrints := func(name string, x wire.Value) wire.Value { return good.With("fingerprints", prints.With(name, x)) }
	str := wire.String
	for _, c := range []struct {
		name, pointer string
		record        wire.Value
	}{
		{"no publisher", "/publisher_id", good.Without("publisher_id")},
		{"empty site", "/site_id", good.With("site_id", str(""))},
		{"number for a site", "/site_id", good.With("site_id", wire.Int(1))},
		{"bad entry id", "/entry_id", good.With("entry_id", str("a/b"))},
		{"URL not canonical", "/canonical_url", good.With("canonical_url", str("https://News.example.com/"))},
		{"not a URL", "/canonical_url", good.With("canonical_url", str("javascript:alert(1)"))},
		{"no fingerprints", "/fingerprints/portable/algorithm", good.Without("fingerprints")},
		{"other algorithm", "/fingerprints/portable/algorithm", inPrints("portable", portable.With("algorithm", str("sha-1")))},
		{"other profile", "/fingerprints/portable/profile", inPrints("portable", portable.With("profile", str("service.canonical-text.v2")))},
		{"upper-case digest", "/fingerprints/portable/digest", inPrints("portable", portable.With("digest", str(strings.Repeat("A", 64))))},
		{"short digest", "/fingerprints/portable/digest", inPrints("portable", portable.With("digest", str("ab")))},
		{"empty registry", "/fingerprints/registry/algorithm", inPrints("registry", wire.Object())},
		{"registry without digest", "/fingerprints/registry/digest", inPrints("registry", wire.Object(wire.M("algorithm", str("sha-256"))))},
		{"version 0", "/record_version", good.With("record_version", wire.Int(0))},
		{"version as text", "/record_version", good.With("record_version", str("2"))},
		{"version 2 of nothing", "/supersedes", good.Without("supersedes")},
		{"version 1 that supersedes", "/supersedes", good.With("record_version", wire.Int(1))},
		{"source as text", "/source", good.With("source", str("x"))},
		{"no passport", "/rights_passport", good.Without("rights_passport")},
		{"status null", "/status", good.With("status", wire.Null())},
		{"created on no day", "/proof/created", good.With("proof", wire.Object(wire.M("created", str("2026-02-30T00:00:00Z"))))},
	} {
		t.Run(c.name, func(t *testing.T) {
			signed, err := provrecord.Sign(signer, c.record)
			must(t, err)
			r := provrecord.Verify(signed.Append(nil), provrecord.Question{Keys: keys, Verify: provrecord.Ed25519})
			if r.Schema != outcome.RecordMalformed || r.Pointer != c.pointer || r.Signature != outcome.OK || r.Code() != outcome.RecordMalformed {
				t.Errorf("schema %s at %q, signature %s, code %s; want %q", r.Schema, r.Pointer, r.Signature, r.Code(), c.pointer)
			}
		})
	}
	extra, err := provrecord.Sign(signer, good.With("later_member", str("x")))
	must(t, err)
	if r := provrecord.Verify(extra.Append(nil), provrecord.Question{Keys: keys, Verify: provrecord.Ed25519}); r.Code() != outcome.OK {
		t.Errorf("a signed unknown member is refused: %+v", r)
	}
}

func TestVerifyLimits(t *testing.T) {
	var members strings.Builder
	for i := range 257 {
		members.WriteString(`,"m` + strings.Repeat("x", i) + `":0`)
	}
	for want, record := range map[outcome.Code]string{
		"json_too_large":          `"` + strings.Repeat("a", 64<<10) + `"`,
		"json_too_many_members":   `{"a":0` + members.String() + `}`,
		outcome.SchemaUnknown:     `[]`,
		outcome.SuiteUnknown:      `{"schema_version":"service.contentdna-provenance.v1","proof":[]}`,
		"json_syntax":             ``,
		"json_ill_formed_unicode": "{\"a\":\"\xff\"}",
	} {
		r := provrecord.Verify([]byte(record), provrecord.Question{Verify: provrecord.Ed25519})
		assert.Equal(t, r.Code(), want, "%.40s", record)
	}
}

// TestVerifyWithoutProof checks records that nobody signed. What was not reached is
// said not to be checked.
func TestVerifyWithoutProof(t *testing.T) {
	text := "any"
	q := provrecord.Question{Verify: provrecord.Ed25519, Text: &text}
	for _, proof := range []string{"", `"proof":null,`, `"proof":{},`} {
		r := provrecord.Verify([]byte(`{`+proof+`"schema_version":"service.contentdna-provenance.v1"}`), q)
		if r.Code() != outcome.ProofMissing || r.Signature != outcome.NotChecked || r.Key != outcome.NotChecked || r.Text != outcome.NotChecked {
			t.Errorf("%q: %+v", proof, r)
		}
	}
	for _, c := range []struct{ record, want string }{{`{}`, `{}`}, {`{"proof":"x"}`, `{"proof":"x"}`}} {
		assert.Equal(t, string(provrecord.SigningInput(parse(t, c.record))), provrecord.SigningContext+c.want, "the signature of %s covers", c.record)
	}
}

func FuzzVerify(f *testing.F) {
	v := loadVectors(f)
	good := map[string]bool{}
	for _, c := range v.Records {
		f.Add([]byte(c.RecordJCS))
		good[c.RecordSHA256] = true
	}
	for _, c := range v.Mutations {
		f.Add([]byte(c.Input))
	}
	q := provrecord.Question{Keys: v.keySet(f), Verify: provrecord.Ed25519, Leaf: at(0)}
	f.Fuzz(func(t *testing.T, record []byte) {
		r := provrecord.Verify(record, q)
		if r.Code() == outcome.OK && !good[r.RecordSHA256] {
			t.Fatalf("a record of the fuzzer's own verifies: %q", record)
		}
		if r.CanonicalBytes && string(r.Record.Append(nil)) != string(record) {
			t.Fatalf("canonical_bytes is wrong for %q", record)
		}
	})
}
