package ledgerlog_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
	"colophon/internal/record"
)

func TestCheckpointVectors(t *testing.T) {
	v := loadLedger(t)
	signer, log := v.signer(t, "rfc8032-test3 (log)"), grow(t, v.leaves())
	key := v.logKey(t)
	if key.String() != v.Log.VKey || key.Name != v.Log.Origin {
		t.Errorf("verifier key %s", key)
	}
	for size, text := range map[int64]string{3: v.Log.Checkpoint3, 5: v.Log.Checkpoint5} {
		want := ledgerlog.Checkpoint{Origin: v.Log.Origin, Size: size, Root: log.root(t, size)}
		signed, err := ledgerlog.SignCheckpoint(want, signer.Public(), signer)
		if err != nil || string(signed) != text {
			t.Errorf("SignCheckpoint = %q, %v; want %q", signed, err, text)
		}
		got, err := ledgerlog.OpenCheckpoint([]byte(text), key, record.Ed25519)
		if err != nil || got != want {
			t.Errorf("OpenCheckpoint = %+v, %v", got, err)
		}
		verifier, err := note.NewVerifier(key.String())
		must(t, err)
		if opened, err := note.Open(signed, note.VerifierList(verifier)); err != nil || opened.Text != string(want.Append(nil)) {
			t.Errorf("x/mod opens %+v, %v", opened, err)
		}
	}
	var proof tlog.TreeProof
	for _, h := range v.Log.Consistency {
		proof = append(proof, tlog.Hash(unbase64(t, h)))
	}
	if err := tlog.CheckTree(proof, 5, log.root(t, 5), 3, log.root(t, 3)); err != nil {
		t.Errorf("the consistency proof from 3 to 5: %v", err)
	}
	for i := range proof {
		proof[i][0] ^= 1
		if tlog.CheckTree(proof, 5, log.root(t, 5), 3, log.root(t, 3)) == nil {
			t.Errorf("hash %d may be anything", i)
		}
		proof[i][0] ^= 1
	}
}

func unbase64(t testing.TB, s string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(s)
	must(t, err)
	return b
}

func TestCheckpointRefuses(t *testing.T) {
	v := loadLedger(t)
	key, good := v.logKey(t), v.Log.Checkpoint5
	signature := good[strings.Index(good, "\u2014"):]
	for _, c := range []struct {
		name, note string
		want       outcome.Code
	}{
		{"root changed", strings.Replace(good, "gH6a", "gH6b", 1), outcome.CheckpointSignature},
		{"size changed", strings.Replace(good, "\n5\n", "\n6\n", 1), outcome.CheckpointSignature},
		{"origin changed", strings.Replace(good, "ledger.", "ledges.", 1), outcome.CheckpointSignature},
		{"signature of size 3", strings.Replace(good, signature, v.Log.Checkpoint3[strings.Index(v.Log.Checkpoint3, "\u2014"):], 1), outcome.CheckpointSignature},
		{"no signature", strings.TrimSuffix(good, signature), outcome.CheckpointUnsigned},
		{"signature of another key", strings.Replace(good, "test cMUn", "test dMUn", 1), outcome.CheckpointUnsigned},
		{"signature of another name", strings.Replace(good, "\u2014 ledger", "\u2014 ledges", 1), outcome.CheckpointUnsigned},
		{"no final line end", strings.TrimSuffix(good, "\n"), outcome.CheckpointMalformed},
		{"no blank line", strings.Replace(good, "\n\n", "\n", 1), outcome.CheckpointMalformed},
		{"control character", strings.Replace(good, "ledger.", "ledger\r.", 1), outcome.CheckpointMalformed},
		{"hyphen for a dash", strings.Replace(good, "\u2014", "-", 1), outcome.CheckpointMalformed},
		{"signature not base64", strings.Replace(good, "test cMUn", "test =MUn", 1), outcome.CheckpointMalformed},
		{"ill-formed UTF-8", good + "\xff\n", outcome.CheckpointMalformed},
		{"empty", "", outcome.CheckpointMalformed},
		{"a bad signature first", strings.Replace(good, signature, "\u2014 "+v.Log.Origin+" cMUn+AAA\n"+signature, 1), outcome.CheckpointSignature},
		{"101 signatures", good + strings.Repeat("\u2014 witness.example AAAAAAAA\n", 100), outcome.CheckpointMalformed},
		{"too long", strings.Repeat("a\n", 40_000) + "\n" + signature, outcome.CheckpointMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.note == good {
				t.Fatal("nothing changed")
			}
			if got, err := ledgerlog.OpenCheckpoint([]byte(c.note), key, record.Ed25519); err != c.want || got != (ledgerlog.Checkpoint{}) {
				t.Errorf("%+v, %v; want %s", got, err, c.want)
			}
		})
	}
	if _, err := ledgerlog.OpenCheckpoint([]byte(good), key, nil); err != outcome.CheckpointSignature {
		t.Errorf("without a verifier: %v", err)
	}
}

// TestCheckpointBodies signs bodies that are not checkpoints of this ledger.
func TestCheckpointBodies(t *testing.T) {
	v := loadLedger(t)
	key, seed := v.logKey(t), v.seed(t, 2)
	root := "gH6a9Lvyfw2UPo15iRX3K/jeK2fP/GYNuURrzuc/+uw="
	for body, want := range map[string]error{
		v.Log.Origin + "\n5\n" + root + "\n":                   nil,
		v.Log.Origin + "\n5\n" + root + "\nextra 1\n":          nil,
		"other.example\n5\n" + root + "\n":                     outcome.CheckpointOrigin,
		v.Log.Origin + "\n05\n" + root + "\n":                  outcome.CheckpointMalformed,
		v.Log.Origin + "\n-5\n" + root + "\n":                  outcome.CheckpointMalformed,
		v.Log.Origin + "\n+5\n" + root + "\n":                  outcome.CheckpointMalformed,
		v.Log.Origin + "\n\n" + root + "\n":                    outcome.CheckpointMalformed,
		v.Log.Origin + "\n5\n" + root[:40] + "\n":              outcome.CheckpointMalformed,
		v.Log.Origin + "\n5\n":                                 outcome.CheckpointMalformed,
		v.Log.Origin + "\n9223372036854775808\n" + root + "\n": outcome.CheckpointMalformed,
		v.Log.Origin + "\n4611686018427387903\n" + root + "\n": nil,
		v.Log.Origin + "\n4611686018427387904\n" + root + "\n": outcome.CheckpointMalformed,
	} {
		signed := signWithXMod(t, v.Log.Origin, seed, body)
		if _, err := ledgerlog.OpenCheckpoint(signed, key, record.Ed25519); err != want {
			t.Errorf("%q: %v, want %v", body, err, want)
		}
	}
}

func TestSignCheckpointRefuses(t *testing.T) {
	v := loadLedger(t)
	signer := v.signer(t, "rfc8032-test3 (log)")
	other := v.signer(t, "rfc8032-test1").Public()
	for _, c := range []struct {
		checkpoint ledgerlog.Checkpoint
		public     [32]byte
		want       outcome.Code
	}{
		{ledgerlog.Checkpoint{Origin: "a b", Size: 1}, signer.Public(), outcome.CheckpointMalformed},
		{ledgerlog.Checkpoint{Origin: "a+b", Size: 1}, signer.Public(), outcome.CheckpointMalformed},
		{ledgerlog.Checkpoint{Size: 1}, signer.Public(), outcome.CheckpointMalformed},
		{ledgerlog.Checkpoint{Origin: "a", Size: -1}, signer.Public(), outcome.CheckpointMalformed},
		{ledgerlog.Checkpoint{Origin: "a", Size: 1 << 62}, signer.Public(), outcome.CheckpointMalformed},
		{ledgerlog.Checkpoint{Origin: "a", Size: 1}, other, outcome.KeyIDMismatch},
	} {
		if _, err := ledgerlog.SignCheckpoint(c.checkpoint, c.public, signer); err != c.want {
			t.Errorf("%+v: %v, want %v", c.checkpoint, err, c.want)
		}
	}
}
