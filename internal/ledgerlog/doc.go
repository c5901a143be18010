// Package ledgerlog reads and writes the documents of the ledger, a C2SP
// tlog-tiles log: tiles and entry bundles, and the signed Checkpoint that is its
// state. Log computes from them whether a leaf is where it is said to be.
//
// Hashes, paths and checks of the Merkle tree are those of
// golang.org/x/mod/sumdb/tlog, here and in the worker; Tiles is its
// tlog.HashReader. Signing and the cosignatures of witnesses (sign.go,
// cosignature.go) are over golang.org/x/mod/sumdb/note and not part of the
// worker. The worker cannot carry note, which brings crypto/ed25519 and
// crypto/rand: what it needs, to read a verifier key and to find one signature
// that the platform then verifies, is in note.go and is used natively too. It
// is held against note by tests.
package ledgerlog
