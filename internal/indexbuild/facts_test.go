package indexbuild

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"reflect"
	"testing"
)

func TestFactsRoundTrip(t *testing.T) {
	const gen = "0123456789abcdef"
	f := &Facts{
		IDs: []string{"ent_b", "ent_a", ""}, Site: []uint32{0, 1, 1}, At: []int64{20260101000000, 0, 3}, Number: []uint32{2, 0, 1}, Feed: []uint32{0, 2, 1},
		Sites: []string{"alpha", "beta"}, PageMeanLength: 37, LedgerMeanLength: 21, LedgerSize: 400, LedgerRows: 397, NoRows: []int64{0, 7, 399},
	}
	var out bytes.Buffer
	if err := f.WriteFacts(&out, gen); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFacts(out.Bytes(), gen)
	if err != nil || !reflect.DeepEqual(got, f) {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := ReadFacts(out.Bytes(), "fedcba9876543210"); !errors.Is(err, ErrFacts) {
		t.Errorf("the facts of another generation: %v", err)
	}
	for n := range out.Len() {
		if _, err := ReadFacts(out.Bytes()[:n], gen); !errors.Is(err, ErrFacts) {
			t.Fatalf("%d bytes of %d: %v", n, out.Len(), err)
		}
		flipped := bytes.Clone(out.Bytes())
		flipped[n] ^= 1
		if _, err := ReadFacts(flipped, gen); !errors.Is(err, ErrFacts) {
			t.Fatalf("with byte %d flipped: %v", n, err)
		}
	}
	// What is malformed under a digest that fits is refused too.
	body := out.Bytes()[:out.Len()-sha256.Size]
	for n := len(factsHeader(gen)); n < len(body); n++ {
		sum := sha256.Sum256(body[:n])
		if _, err := ReadFacts(append(bytes.Clone(body[:n]), sum[:]...), gen); !errors.Is(err, ErrFacts) {
			t.Fatalf("%d bytes of %d under their digest: %v", n, len(body), err)
		}
	}
}
