package ledgerlog_test

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/ledgerlog"
	"colophon/internal/record"
)

func ExampleTilePath() {
	fmt.Println(ledgerlog.TilePath(tlog.Tile{H: 8, L: 0, N: 1234067, W: 256}))
	fmt.Println(ledgerlog.TilePath(tlog.Tile{H: 8, L: ledgerlog.EntriesLevel, N: 3, W: 70}))
	// Output:
	// tile/0/x001/x234/067
	// tile/entries/003.p/70
}

func ExampleCheckProof() {
	leaf := []byte(`{"leaf":"service.index-leaf.v1"}`)
	signer, _ := record.NewSigner(make([]byte, 32))
	key := ledgerlog.VerifierKey{Name: "log.example/ledger", Public: signer.Public()}
	one := ledgerlog.Checkpoint{Origin: key.Name, Size: 1, Root: tlog.RecordHash(leaf)}
	note, _ := ledgerlog.SignCheckpoint(one, key.Public, signer)
	proof := ledgerlog.Proof{Index: 0, Checkpoint: note}.Append(nil)

	index, state, err := ledgerlog.CheckProof(proof, leaf, key, record.Ed25519)
	fmt.Println(index, state.Size, err)
	_, _, err = ledgerlog.CheckProof(proof, []byte("another leaf"), key, record.Ed25519)
	fmt.Println(err)
	// Output:
	// 0 1 <nil>
	// proof_invalid
}
