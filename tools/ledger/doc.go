// Package ledger holds the provenance ledger against Tessera v1.0.4, which is
// not ours: what we write, its auditor must accept, its writer must write too,
// and its mirror must be able to copy. It has tests only.
package ledger
