package ledgerlog_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/ledgerlog"
	"colophon/internal/record"
)

// cosign returns a witness's answer, made without the package under test.
func cosign(name string, private ed25519.PrivateKey, body string, at uint64) string {
	key := ledgerlog.WitnessKey{Name: name, Public: [32]byte(private[32:])}
	hash := binary.BigEndian.AppendUint32(nil, key.Hash())
	sig := ed25519.Sign(private, []byte("cosignature/v1\ntime "+uintText(at)+"\n"+body))
	raw := append(hash, binary.BigEndian.AppendUint64(nil, at)...)
	return "\u2014 " + name + " " + base64.StdEncoding.EncodeToString(append(raw, sig...)) + "\n"
}

func uintText(n uint64) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return uintText(n/10) + string(rune('0'+n%10))
}

func TestCosignature(t *testing.T) {
	log := ed25519.NewKeyFromSeed(make([]byte, 32))
	signer, err := record.NewSigner(make([]byte, 32))
	must(t, err)
	c := ledgerlog.Checkpoint{Origin: "registry.example/ledger", Size: 5}
	note, err := ledgerlog.SignCheckpoint(c, [32]byte(log[32:]), signer)
	must(t, err)
	body, _, _ := strings.Cut(string(note), "\n\n")
	witness := ed25519.NewKeyFromSeed([]byte("a seed for a witness, of tests .."[:32]))
	key := ledgerlog.WitnessKey{Name: "witness.example/w", Public: [32]byte(witness[32:])}
	line := cosign(key.Name, witness, body+"\n", 1_795_000_000)

	got, ok := ledgerlog.ReadCosignature(note, line, key)
	if !ok || got.At != 1_795_000_000 || got.Line != line {
		t.Fatalf("%+v, %v", got, ok)
	}
	whole := append(append([]byte(nil), note...), line...)
	if _, ok := ledgerlog.FindCosignature(whole, key); !ok {
		t.Error("the cosignature in the note itself is not found")
	}
	if _, err := ledgerlog.OpenCheckpoint(whole, ledgerlog.VerifierKey{Name: c.Origin, Public: [32]byte(log[32:])}, record.Ed25519); err != nil {
		t.Errorf("a cosigned checkpoint does not open: %v", err)
	}
	lines, err := ledgerlog.Signatures(whole)
	if err != nil || len(lines) != 2 || lines[0].Name != c.Origin || lines[1].Name != key.Name || lines[1].Hash != key.Hash() {
		t.Errorf("signatures %+v, %v", lines, err)
	}
	for i := range line[:len(line)-1] {
		bad := []byte(line)
		bad[i] ^= 1
		if _, ok := ledgerlog.ReadCosignature(note, string(bad), key); ok {
			t.Errorf("byte %d flipped is accepted: %q", i, bad)
		}
	}
	for name, bad := range map[string]string{
		"another name": cosign("witness.example/x", witness, body+"\n", 1), "another checkpoint": cosign(key.Name, witness, body+"x\n", 1),
		"nothing": "", "no time": strings.Replace(line, "\u2014", "-", 1),
	} {
		if _, ok := ledgerlog.ReadCosignature(note, bad, key); ok {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestWitnessKey(t *testing.T) {
	witness := ed25519.NewKeyFromSeed([]byte("a seed for a witness, of tests .."[:32]))
	key := ledgerlog.WitnessKey{Name: "witness.example/w", Public: [32]byte(witness[32:])}
	back, err := ledgerlog.ParseWitnessKey(key.String())
	if err != nil || back != key {
		t.Fatalf("%v, %v", back, err)
	}
	log := ledgerlog.VerifierKey(key)
	for i := range key.String() {
		bad := []byte(key.String())
		bad[i] ^= 1
		if k, err := ledgerlog.ParseWitnessKey(string(bad)); err == nil {
			t.Errorf("byte %d flipped gives %v", i, k)
		}
	}
	assert.Fails(t, assert.Err(ledgerlog.ParseWitnessKey(log.String())), "the key of a log is taken for that of a witness")
	assert.Fails(t, assert.Err(ledgerlog.ParseVerifierKey(key.String())), "the key of a witness is taken for that of a log")
}
