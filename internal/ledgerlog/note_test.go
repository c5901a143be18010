package ledgerlog_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"colophon/internal/assert"
	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
	"colophon/internal/record"
)

var must = assert.NoError

func (v *ledgerVectors) logKey(t testing.TB) ledgerlog.VerifierKey {
	t.Helper()
	key, err := ledgerlog.ParseVerifierKey(v.Log.VKey)
	must(t, err)
	return key
}

// signWithXMod signs a note with the reference implementation.
func signWithXMod(t testing.TB, name string, seed []byte, body string) []byte {
	t.Helper()
	s, err := record.NewSigner(seed)
	must(t, err)
	vkey := ledgerlog.VerifierKey{Name: name, Public: s.Public()}.String()
	skey := "PRIVATE+KEY+" + name + "+" + vkey[len(name)+1:len(name)+9] + "+" + base64.StdEncoding.EncodeToString(append([]byte{1}, seed...))
	signer, err := note.NewSigner(skey)
	must(t, err)
	signed, err := note.Sign(&note.Note{Text: body}, signer)
	must(t, err)
	return signed
}

func TestWitnessLinesAreLeftAside(t *testing.T) {
	v := loadLedger(t)
	body, _, _ := strings.Cut(v.Log.Checkpoint5, "\n\n")
	witness := string(signWithXMod(t, "witness.example", make([]byte, 32), body+"\n"))
	line := witness[strings.Index(witness, "\u2014"):]
	for _, text := range []string{v.Log.Checkpoint5 + line, strings.Replace(v.Log.Checkpoint5, "\u2014", line+"\u2014", 1)} {
		if c, err := ledgerlog.OpenCheckpoint([]byte(text), v.logKey(t), record.Ed25519); err != nil || c.Size != 5 {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
	}
}

func TestParseVerifierKeyRefuses(t *testing.T) {
	v := loadLedger(t)
	good := v.Log.VKey
	for i := range good {
		changed := good[:i] + "!" + good[i+1:]
		if _, err := ledgerlog.ParseVerifierKey(changed); err != outcome.VerifierKeyMalformed {
			t.Errorf("%q: %v", changed, err)
		}
		if _, err := ledgerlog.ParseVerifierKey(good[:i]); err != outcome.VerifierKeyMalformed {
			t.Errorf("%q: %v", good[:i], err)
		}
	}
	key := ledgerlog.VerifierKey{Name: "log.example", Public: [32]byte{2: 0xFB}}
	text := key.String()
	if read, err := ledgerlog.ParseVerifierKey(text); strings.Count(text, "+") != 3 || err != nil || read != key {
		t.Errorf("a plus sign in the base64 part: %s is read as %+v, %v", text, read, err)
	}
	if _, err := note.NewVerifier(text); err != nil {
		t.Errorf("x/mod refuses %s: %v", text, err)
	}
}
