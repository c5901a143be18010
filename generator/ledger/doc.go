// Package ledger writes and audits the provenance ledger: an append-only
// transparency log that is published as plain files (C2SP tlog-tiles).
//
// Builder writes the files while the leaves pass by, so that memory does not
// grow with the log: tiles of 256 hashes, bundles of 256 leaves, and a partial
// file of each for every signed size. Audit reads a published log from a folder
// or over HTTP and recomputes all of it from its leaves. Agree checks a log
// with an independent implementation, golang.org/x/mod/sumdb. Ask collects the
// cosignatures of witnesses (C2SP tlog-witness).
package ledger

// The names of the log's files other than tiles, below its prefix.
const (
	PolicyFile = "policy"      // C2SP tlog-policy
	KeyFile    = "ledger.vkey" // the key that signs now, in the form that auditors use
)
