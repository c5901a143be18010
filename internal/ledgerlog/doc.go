// Package ledgerlog reads and writes the documents of the ledger, a C2SP
// tlog-tiles log: tiles and entry bundles, and the signed Checkpoint of its
// state. From these Log computes whether a leaf is at the index that is claimed
// for it.
//
// Merkle tree hashes, paths and checks come from golang.org/x/mod/sumdb/tlog,
// here and in the worker; Tiles is its tlog.HashReader. Signing and witness
// cosignatures (sign.go, cosignature.go) use golang.org/x/mod/sumdb/note and
// are not part of the worker, which cannot include note because it brings
// crypto/ed25519 and crypto/rand. What the worker needs, parsing a verifier key
// and finding one signature for the platform to verify, is in note.go and is
// used natively too. Tests compare it with note.
package ledgerlog
