package record_test

import (
	"fmt"

	"colophon/internal/record"
	"colophon/internal/wire"
)

func ExampleSign() {
	signer, _ := record.NewSigner(make([]byte, 32)) // a seed for examples only
	public, _ := record.NewKeySet(record.Key{ID: signer.KeyID(), Public: signer.Public(), NotAfter: 1 << 40})
	unsigned, _ := wire.Parse([]byte(`{"proof":{"created":"2026-11-20T10:00:00Z"},"schema_version":"service.contentdna-provenance.v1"}`), wire.Default)
	signed, err := record.Sign(signer, unsigned)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := record.Verify(signed.Append(nil), record.Question{Keys: public, Verify: record.Ed25519})
	fmt.Println("signature", r.Signature, "- key", r.Key, "- text", r.Text)
	fmt.Println("schema", r.Schema, "at", r.Pointer)
	// Output:
	// signature ok - key ok - text not_requested
	// schema record_malformed at /publisher_id
}
