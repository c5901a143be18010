package provenance_test

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/provenance"
	"colophon/internal/wire"
)

func ExampleCanonicalText() {
	text, err := provenance.CanonicalText("\ufeffCafe\u0301\r\n\t noir ")
	fmt.Printf("%q %v\n", text, err)
	fmt.Println(provenance.PortableDigest([]byte(text)))
	_, err = provenance.CanonicalText("caf\xe9")
	fmt.Println(err)
	// Output:
	// "Café noir" <nil>
	// 940d84e514de656a0d094e1f2257f165256435d100116d8529779d51e2bc4717
	// text_ill_formed_unicode
}

func ExampleURLKey() {
	canonical, _ := provenance.URLKey("HTTPS://News.Example.COM:443/a/./b/../caf%c3%a9?#top")
	fmt.Println(canonical)
	fmt.Println(provenance.URLKeyHex(canonical)[:12])
	fmt.Println(provenance.EntryID("news", canonical)[:16])
	_, err := provenance.URLKey("https://news.example.com@evil.example/")
	fmt.Println(err)
	// Output:
	// https://news.example.com/a/caf%C3%A9
	// 28779cd9b9de
	// ent_28779cd9b9de
	// url_userinfo
}

func ExampleSign() {
	signer, _ := provenance.NewSigner(make([]byte, 32)) // a seed for examples only
	public, _ := provenance.NewKeySet(provenance.Key{ID: signer.KeyID(), Public: signer.Public(), NotAfter: 1 << 40})
	unsigned, _ := wire.Parse([]byte(`{"proof":{"created":"2026-11-20T10:00:00Z"},"schema_version":"service.contentdna-provenance.v1"}`), wire.Default)
	signed, err := provenance.Sign(signer, unsigned)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := provenance.Verify(signed.Append(nil), provenance.Question{Keys: public, Verify: provenance.Ed25519})
	fmt.Println("signature", r.Signature, "- key", r.Key, "- text", r.Text)
	fmt.Println("schema", r.Schema, "at", r.Pointer)
	// Output:
	// signature ok - key ok - text not_requested
	// schema record_malformed at /publisher_id
}

func ExampleTilePath() {
	fmt.Println(provenance.TilePath(tlog.Tile{H: 8, L: 0, N: 1234067, W: 256}))
	fmt.Println(provenance.TilePath(tlog.Tile{H: 8, L: provenance.EntriesLevel, N: 3, W: 70}))
	// Output:
	// tile/0/x001/x234/067
	// tile/entries/003.p/70
}

func ExampleCheckProof() {
	leaf := []byte(`{"leaf":"service.index-leaf.v1"}`)
	signer, _ := provenance.NewSigner(make([]byte, 32))
	key := provenance.VerifierKey{Name: "log.example/ledger", Public: signer.Public()}
	one := provenance.Checkpoint{Origin: key.Name, Size: 1, Root: tlog.RecordHash(leaf)}
	note, _ := provenance.SignCheckpoint(one, key.Public, signer)
	proof := provenance.Proof{Index: 0, Checkpoint: note}.Append(nil)

	index, state, err := provenance.CheckProof(proof, leaf, key, provenance.Ed25519)
	fmt.Println(index, state.Size, err)
	_, _, err = provenance.CheckProof(proof, []byte("another leaf"), key, provenance.Ed25519)
	fmt.Println(err)
	// Output:
	// 0 1 <nil>
	// proof_invalid
}
