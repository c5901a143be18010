package ledgerlog_test

import (
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
	"colophon/internal/record"
)

func TestProofVectors(t *testing.T) {
	v := loadLedger(t)
	log, key := grow(t, v.leaves()), v.logKey(t)
	for i, text := range v.Log.Proofs {
		path, err := tlog.ProveRecord(5, int64(i), log)
		if err != nil {
			t.Fatal(err)
		}
		made := ledgerlog.Proof{Index: int64(i), Path: path, Checkpoint: []byte(v.Log.Checkpoint5)}
		if got := string(made.Append(nil)); got != text {
			t.Errorf("proof %d\n got %q\nwant %q", i, got, text)
		}
		for j, leaf := range v.leaves() {
			index, c, err := ledgerlog.CheckProof([]byte(text), leaf, key, record.Ed25519)
			if i == j && (err != nil || index != int64(i) || c.Size != 5) {
				t.Errorf("proof %d: %d, %+v, %v", i, index, c, err)
			}
			if i != j && err != outcome.ProofInvalid {
				t.Errorf("proof %d for leaf %d: %v", i, j, err)
			}
		}
	}
}

// TestProofMutations changes each field of each proof.
func TestProofMutations(t *testing.T) {
	v := loadLedger(t)
	key := v.logKey(t)
	malformed, invalid, signature := outcome.ProofMalformed, outcome.ProofInvalid, outcome.CheckpointSignature
	for i, good := range v.Log.Proofs {
		lines := strings.SplitAfter(good, "\n")
		blank := strings.Index(good, "\n\n") + 2
		index := lines[1]
		set := func(n int, line string) string {
			out := append([]string(nil), lines...)
			out[n] = line
			return strings.Join(out, "")
		}
		cases := map[string]struct {
			proof string
			want  outcome.Code
		}{
			"other header":           {set(0, "c2sp.org/tlog-proof@v2\n"), malformed},
			"extra data":             {set(0, lines[0]+"extra YQ==\n"), malformed},
			"no index":               {set(1, ""), malformed},
			"index off by one":       {set(1, "index "+string(rune('0'+(i+1)%5))+"\n"), invalid},
			"index beyond the tree":  {set(1, "index 5\n"), invalid},
			"negative index":         {set(1, "index -1\n"), malformed},
			"index padded":           {set(1, "index 0"+index[6:]), malformed},
			"index not a number":     {set(1, "index x\n"), malformed},
			"index overflows":        {set(1, "index 99999999999999999999\n"), malformed},
			"first hash changed":     {set(2, flip(lines[2])), invalid},
			"first hash missing":     {set(2, ""), invalid},
			"first hash twice":       {set(2, lines[2]+lines[2]), invalid},
			"hash short":             {set(2, lines[2][:40]+"\n"), malformed},
			"hash with a return":     {set(2, lines[2][:9]+"\r"+lines[2][9:]), malformed},
			"hash not base64":        {set(2, "*"+lines[2][1:]), malformed},
			"hash of trailing bits":  {set(2, lines[2][:42]+next(lines[2][42])+"=\n"), malformed},
			"extra hash":             {good[:blank-1] + lines[2] + good[blank-1:], invalid},
			"64 hashes too many":     {set(2, strings.Repeat(lines[2], 66)), malformed},
			"no blank line":          {good[:blank-1] + good[blank:], malformed},
			"checkpoint origin":      {good[:blank] + strings.Replace(good[blank:], "ledger", "hedger", 1), signature},
			"checkpoint size":        {good[:blank] + strings.Replace(good[blank:], "\n5\n", "\n4\n", 1), signature},
			"checkpoint root":        {good[:blank] + strings.Replace(good[blank:], "gH6a", "gH6A", 1), signature},
			"checkpoint of size 3":   {good[:blank] + v.Log.Checkpoint3, invalid},
			"signature changed":      {good[:len(good)-20] + flip(good[len(good)-20:]), signature},
			"signature of other key": {strings.Replace(good, "test cMUn", "test cMUm", 1), outcome.CheckpointUnsigned},
			"signature missing":      {good[:strings.Index(good, "\u2014")], outcome.CheckpointUnsigned},
			"checkpoint missing":     {good[:blank], outcome.CheckpointMalformed},
			"cut in the middle":      {good[:blank-3], malformed},
			"empty":                  {"", malformed},
			"huge":                   {good + strings.Repeat("a", 1<<16), malformed},
		}
		if strings.Count(good[:blank], "\n") > 4 {
			swapped := append([]string(nil), lines...)
			swapped[2], swapped[3] = swapped[3], swapped[2]
			cases["hashes swapped"] = struct {
				proof string
				want  outcome.Code
			}{strings.Join(swapped, ""), invalid}
		}
		for name, c := range cases {
			t.Run("proof "+string(rune('0'+i))+" "+name, func(t *testing.T) {
				if c.proof == good {
					t.Fatal("nothing changed")
				}
				_, checkpoint, err := ledgerlog.CheckProof([]byte(c.proof), []byte(v.Records[i].LeafJCS), key, record.Ed25519)
				if err != c.want || checkpoint != (ledgerlog.Checkpoint{}) {
					t.Errorf("%v, want %s", err, c.want)
				}
			})
		}
	}
}

// flip changes the first character of a base64 line to another.
func flip(line string) string { return next(line[0]) + line[1:] }

// next is the base64 digit after c.
func next(c byte) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/A"
	return string(digits[strings.IndexByte(digits, c)+1])
}

func TestProofOfAnotherLog(t *testing.T) {
	v := loadLedger(t)
	other := v.logKey(t)
	other.Name = "ledger.example.org/another"
	if _, _, err := ledgerlog.CheckProof([]byte(v.Log.Proofs[0]), v.leaves()[0], other, record.Ed25519); err != outcome.CheckpointUnsigned {
		t.Errorf("under another name: %v", err)
	}
	other = v.logKey(t)
	other.Public = v.signer(t, "rfc8032-test1").Public()
	if _, _, err := ledgerlog.CheckProof([]byte(v.Log.Proofs[0]), v.leaves()[0], other, record.Ed25519); err != outcome.CheckpointUnsigned {
		t.Errorf("under another key: %v", err)
	}
}

func FuzzCheckProof(f *testing.F) {
	v := loadLedger(f)
	key := v.logKey(f)
	for i, proof := range v.Log.Proofs {
		f.Add([]byte(proof), []byte(v.Records[i].LeafJCS))
	}
	good := grow(f, v.leaves()).root(f, 5)
	f.Fuzz(func(t *testing.T, proof, leaf []byte) {
		index, c, err := ledgerlog.CheckProof(proof, leaf, key, record.Ed25519)
		if err != nil {
			return
		}
		if c.Root != good || string(leaf) != v.Records[index].LeafJCS {
			t.Fatalf("a proof of the fuzzer's own passes: %q", proof)
		}
		p, err := ledgerlog.ParseProof(proof)
		if err != nil || string(p.Append(nil)) != string(proof) {
			t.Fatalf("%q is written back as %q", proof, p.Append(nil))
		}
	})
}
