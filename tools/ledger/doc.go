// Package ledger tests the provenance ledger against Tessera v1.0.4, an
// independent implementation: its auditor must accept what we write, its writer
// must write the same, and its mirror must be able to copy it. The package has
// only tests.
package ledger
