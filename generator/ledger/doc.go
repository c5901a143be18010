// Package ledger writes and audits the provenance ledger: a transparency log
// published as plain files (C2SP tlog-tiles), to which leaves are only ever
// added.
//
// Builder spells the files while leaves pass by, so that memory does not grow
// with the log: tiles of 256 hashes, bundles of 256 leaves, and a partial file
// of each for every size that was signed. Audit reads a published log, from a
// folder or over HTTP, and recomputes all of it from its leaves. Agree
// holds a log against golang.org/x/mod/sumdb, an implementation that is not
// ours. Ask collects the cosignatures of witnesses (C2SP tlog-witness).
package ledger

// The files of the log besides its tiles, below its prefix.
const (
	PolicyFile = "policy"      // C2SP tlog-policy
	KeyFile    = "ledger.vkey" // the key that signs now, as auditors take it
)
