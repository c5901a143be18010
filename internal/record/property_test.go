package record_test

import (
	"testing"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"colophon/internal/outcome"
	provrecord "colophon/internal/record"
	"colophon/internal/wire"
)

// anyValue returns a generator of JSON values in our dialect, nested at most
// depth deep.
func anyValue(depth int) *rapid.Generator[wire.Value] {
	return rapid.Custom(func(r *rapid.T) wire.Value {
		kinds := 5
		if depth == 0 {
			kinds = 3
		}
		switch rapid.IntRange(0, kinds).Draw(r, "kind") {
		case 0:
			return wire.Null()
		case 1:
			return wire.Bool(rapid.Bool().Draw(r, "bool"))
		case 2:
			return wire.Int(rapid.Int64Range(-(1<<53-1), 1<<53-1).Draw(r, "int"))
		case 3:
			return wire.String(rapid.String().Draw(r, "string"))
		case 4:
			return wire.Array(rapid.SliceOfN(anyValue(depth-1), 0, 4).Draw(r, "items")...)
		}
		v := wire.Object()
		for _, name := range rapid.SliceOfNDistinct(rapid.String(), 0, 4, rapid.ID).Draw(r, "names") {
			v = v.With(name, anyValue(depth-1).Draw(r, "member"))
		}
		return v
	})
}

// TestSignedRecordsProperty signs records with members of every kind. They must
// verify, their bytes must equal those of another JCS implementation, and no
// member can be removed, changed or added.
func TestSignedRecordsProperty(t *testing.T) {
	v := loadVectors(t)
	signer := v.signer(t, "rfc8032-test2")
	q := provrecord.Question{Keys: v.keySet(t), Verify: provrecord.Ed25519}
	base := parse(t, v.Records[3].RecordJCS)
	rapid.Check(t, func(r *rapid.T) {
		record := base.With("extension", anyValue(3).Draw(r, "extension")).With("source", wire.Object(wire.M("title", wire.String(rapid.String().Draw(r, "title")))))
		signed, err := provrecord.Sign(signer, record)
		if err != nil {
			r.Fatal(err)
		}
		published := signed.Append(nil)
		if other, err := jcs.Transform(published); err != nil || string(other) != string(published) {
			r.Fatalf("canonical %s, another JCS gives %s, %v", published, other, err)
		}
		if result := provrecord.Verify(published, q); result.Code() != outcome.OK || !result.CanonicalBytes {
			r.Fatalf("%s: %+v", published, result)
		}
		name := rapid.SampledFrom(signed.Members).Draw(r, "member").Name
		for _, changed := range []wire.Value{
			signed.Without(name), signed.With(name, wire.String("changed")), signed.With(name+"x", wire.Null()),
		} {
			if result := provrecord.Verify(changed.Append(nil), q); result.Code() == outcome.OK {
				r.Fatalf("%s verifies", changed.Append(nil))
			}
		}
	})
}

// TestResultCodeOrder checks the order in which Code chooses a fault, by
// repairing a record with every fault one fault at a time.
func TestResultCodeOrder(t *testing.T) {
	r := provrecord.Result{
		Schema: outcome.SuiteUnknown, Signature: outcome.SignatureInvalid,
		Key: outcome.KeyExpired, Text: outcome.TextMismatch,
	}
	for _, step := range []struct {
		want outcome.Code
		mend func()
	}{
		{outcome.SuiteUnknown, func() { r.Schema = outcome.RecordMalformed }},
		{outcome.SignatureInvalid, func() { r.Signature = outcome.OK }},
		{outcome.RecordMalformed, func() { r.Schema = outcome.OK }},
		{outcome.KeyExpired, func() { r.Key = outcome.KeyRevokedLater }},
		{outcome.TextMismatch, func() { r.Text = outcome.NotRequested }},
		{outcome.OK, func() {}},
	} {
		if got := r.Code(); got != step.want {
			t.Errorf("%+v: %s, want %s", r, got, step.want)
		}
		step.mend()
	}
}
