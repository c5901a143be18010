package record_test

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
	"colophon/internal/record"
)

func TestKeyPolicyVectors(t *testing.T) {
	v := loadVectors(t)
	keys := v.keySet(t)
	for _, c := range v.KeyPolicy.Cases {
		t.Run(c.Name, func(t *testing.T) {
			leaf := record.NotLogged
			if c.LeafIndex != nil {
				leaf = *c.LeafIndex
			}
			if got := record.KeyPolicy(keys.Find(c.KeyID), c.Created, leaf); got != outcome.Code(c.Expect) {
				t.Errorf("%s, want %s", got, c.Expect)
			}
		})
	}
	key := keys.Find(v.Records[3].KeyID)
	assert.Equal(t, record.KeyPolicy(key, "2026-11-21", 0), outcome.CreatedNotAnInstant, "a date without time")
}

// TestKeyPolicyInstants compares the package's own calendar with package time.
func TestKeyPolicyInstants(t *testing.T) {
	public := [32]byte{9}
	for year := 0; year < 10000; year += 7 {
		for _, day := range []string{"01-01", "02-28", "02-29", "02-30", "03-01", "04-31", "12-31"} {
			created := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006") + "-" + day + "T23:59:58Z"
			want := outcome.CreatedNotAnInstant
			instant, err := time.Parse(time.RFC3339, created)
			if err == nil {
				want = outcome.OK
			}
			key := &record.Key{Public: public, NotBefore: instant.Unix(), NotAfter: instant.Unix() + 1}
			assert.Equal(t, record.KeyPolicy(key, created, 0), want, "%s", created)
		}
	}
}

func TestThumbprints(t *testing.T) {
	v := loadVectors(t)
	for _, k := range v.Keys {
		signer := v.signer(t, k.Name)
		public := signer.Public()
		assert.Equal(t, hex.EncodeToString(public[:]), k.PublicHex, "%s: public key %x", k.Name, public)
		if k.JWK != nil && !strings.Contains(string(k.JWK), `"kid": "`+record.Thumbprint(public)+`"`) &&
			!strings.Contains(string(k.JWK), `"kid":"`+record.Thumbprint(public)+`"`) {
			t.Errorf("%s: thumbprint %s is not in %s", k.Name, record.Thumbprint(public), k.JWK)
		}
	}
}

func TestForbiddenKeys(t *testing.T) {
	v := loadVectors(t)
	above := "f0" + strings.Repeat("ff", 30) // y = p+3: not of small order, but not canonical
	for _, x := range append(v.Forbidden.Hex, above+"7f", above+"ff") {
		t.Run(x, func(t *testing.T) {
			var public [32]byte
			copy(public[:], unhex(t, x))
			key := record.Key{ID: record.Thumbprint(public), Public: public, NotAfter: 1}
			if _, err := record.NewKeySet(key); err != outcome.KeyForbidden {
				t.Errorf("NewKeySet: %v", err)
			}
			vkey := ledgerlog.VerifierKey{Name: "log.example", Public: public}.String()
			if _, err := ledgerlog.ParseVerifierKey(vkey); err != outcome.VerifierKeyMalformed {
				t.Errorf("ParseVerifierKey: %v", err)
			}
		})
	}
}

// TestPointsBelowThePrime checks that y with a pattern of the prime in all but one
// byte is allowed.
func TestPointsBelowThePrime(t *testing.T) {
	pattern := strings.Repeat("ff", 30)
	for _, x := range []string{"ec" + pattern + "7e", "ed" + pattern + "3f", "00" + pattern + "7f"} {
		var public [32]byte
		copy(public[:], unhex(t, x))
		if record.ForbiddenPoint(public) {
			t.Errorf("%s is refused", x)
		}
	}
}

// TestForgedUnderIdentity shows why forbidden points are checked: the standard
// library accepts a signature that nobody made.
func TestForgedUnderIdentity(t *testing.T) {
	identity := append([]byte{1}, make([]byte, 31)...)
	if !record.Ed25519(identity, []byte("anything"), append(identity, make([]byte, 32)...)) {
		t.Skip("this toolchain refuses it by itself")
	}
	var public [32]byte
	copy(public[:], identity)
	assert.Fails(t, assert.Err(record.NewKeySet(record.Key{ID: record.Thumbprint(public), Public: public, NotAfter: 1})), "the identity is accepted as a key")
}

func TestKeySetRoundTrip(t *testing.T) {
	v := loadVectors(t)
	set := v.keySet(t)
	document := set.Append(nil)
	again, err := record.ParseKeySet(document)
	if err != nil || string(again.Append(nil)) != string(document) {
		t.Fatalf("%s, %v", again.Append(nil), err)
	}
	first := set.Keys()[0]
	if first.Revoked == nil || first.Revoked.TrustedTreeSize != 3 || first.Revoked.Reason != "superseded" || first.NotBefore != 1767225600 {
		t.Errorf("first key %+v", first)
	}
	reversed, err := record.NewKeySet(set.Keys()[1], set.Keys()[0])
	if err != nil || string(reversed.Append(nil)) != string(document) {
		t.Errorf("the document depends on the order of the keys: %v", err)
	}
	later := set.Keys()[1]
	before, after := record.Key{NotAfter: later.NotBefore + 1}, record.Key{NotAfter: later.NotBefore + 1}
	before.Public[0], after.Public[0] = 7, 9
	for _, k := range []*record.Key{&before, &after} {
		k.ID, k.NotBefore = record.Thumbprint(k.Public), later.NotBefore
	}
	if before.ID > after.ID {
		before, after = after, before
	}
	if ordered, err := record.NewKeySet(after, before); err != nil || ordered.Keys()[0].ID != before.ID {
		t.Errorf("keys of one beginning are not in the order of their ids: %v", err)
	}
	first.Revoked = &record.Revocation{At: first.NotBefore, Reason: "compromised"}
	never, err := record.NewKeySet(first)
	if err != nil {
		t.Fatalf("a key of which no record is trusted: %v", err)
	}
	if read, err := record.ParseKeySet(never.Append(nil)); err != nil || read.Keys()[0].Revoked.TrustedTreeSize != 0 {
		t.Errorf("a key of which no record is trusted is read as %+v, %v", read.Keys(), err)
	}
	if empty := (record.KeySet{}).Append(nil); string(empty) != `{"keys":[]}` {
		t.Errorf("empty set %s", empty)
	}
}

func TestParseKeySetRefuses(t *testing.T) {
	v := loadVectors(t)
	set := v.keySet(t)
	good := string(set.Append(nil))
	x := "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw"
	for _, c := range []struct{ name, from, to, want string }{
		{"kid of another key", `"kid":"FtIu`, `"kid":"AtIu`, "key_id_mismatch"},
		{"x one bit off", x, "Q" + x[1:], "key_id_mismatch"},
		{"x padded", x, x + "=", "key_malformed"},
		{"x with trailing bits", x, x[:42] + "x", "key_malformed"},
		{"x with a line end", x, x[:42] + `\n`, "key_malformed"},
		{"x missing", `,"x":"` + x + `"`, ``, "key_malformed"},
		{"no exp", `"exp":1826668800,`, ``, "key_malformed"},
		{"nbf as text", `"nbf":1795132800`, `"nbf":"1795132800"`, "key_malformed"},
		{"nbf after exp", `"nbf":1795132800`, `"nbf":1826668800`, "key_malformed"},
		{"other algorithm", `"alg":"Ed25519"`, `"alg":"EdDSA"`, "key_malformed"},
		{"for encryption", `"use":"sig"`, `"use":"enc"`, "key_malformed"},
		{"private key", `"x":"` + x, `"d":"` + x + `","x":"` + x, "key_malformed"},
		{"revoked without size", `,"trusted_tree_size":3`, ``, "key_malformed"},
		{"revoked as a flag", `"revoked":{"reason":"superseded","revoked_at":1795219200,"trusted_tree_size":3}`, `"revoked":true`, "key_malformed"},
		{"negative size", `"trusted_tree_size":3`, `"trusted_tree_size":-3`, "key_malformed"},
		{"no list", `{"keys":`, `{"kids":`, "key_document_invalid"},
		{"duplicate member", `"use":"sig"`, `"use":"sig","use":"sig"`, "json_duplicate_member"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := strings.Replace(good, c.from, c.to, 1)
			if bad == good {
				t.Fatalf("%q is not in %s", c.from, good)
			}
			got, err := record.ParseKeySet([]byte(bad))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || len(got.Keys()) != 0 {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	keys := set.Keys()
	if _, err := record.NewKeySet(keys[0], keys[1], keys[0]); err != outcome.KeyDuplicate {
		t.Errorf("the same key twice: %v", err)
	}
	other := strings.Replace(good, `"keys":[`, `"keys":[{"kty":"EC","crv":"P-256"},{"kty":"OKP","crv":"X25519"},{"kty":"EC","crv":"Ed25519"},`, 1)
	if set, err := record.ParseKeySet([]byte(other)); err != nil || len(set.Keys()) != 2 {
		t.Errorf("keys of other kinds: %v", err)
	}
}
