package provenance_test

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/provenance"
)

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
