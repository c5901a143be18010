// Package provenance is the arithmetic of the provenance format: it turns
// texts and URLs into keys that anyone can compute again, signs and verifies
// records, and makes and checks the documents of the ledger. It is pure:
// no clock, no network, no files, and no work at start, so the generator, the
// worker and a stranger's checker run the same code.
//
// # Text: service.canonical-text.v1
//
// CanonicalText takes well-formed UTF-8, removes U+FEFF (with the variation
// selectors directly after it), U+00AD, U+200B and U+2060, normalises to NFC
// with the data of Unicode 15.0.0, writes each run of the 25 listed white-space
// characters as one space and none at the ends. A code point that 15.0.0 does
// not know is inert. PortableDigest is the hex SHA-256 of the result:
//
//	"Cafe" U+0301 CR LF "noir"  ->  "Café noir"
//
// The tables are frozen in nfc_tables.go: a toolchain's newer Unicode would
// change digests.
//
// # URL: service.url-key.v1
//
// URLKey gives equal http and https addresses one form, which records must
// hold already; LookupKey hashes it for the indexes and EntryID mints ids from
// it. RegistryDigest binds an entry: hex SHA-256 of
//
//	service.registry-binding.v1 LF site_id LF entry_id LF canonical_url LF portable digest
//
// # Record
//
// A record is a JSON object whose published file is its own canonical form
// (RFC 8785). Its proof is an Ed25519 signature over
//
//	eddsa-ed25519-service-2026 LF
//	service.contentdna-provenance.v1 LF
//	canonical JSON of the record less proof.signature_b64u
//
// Verify answers separately: schema, canonical bytes, signature, key, text.
// A key is named by its RFC 7638 thumbprint and published in a JWK set with
// nbf, exp and, once revoked, the size of the ledger below which its records
// still count (KeyPolicy).
//
// # Ledger
//
// The ledger is a C2SP tlog-tiles log. Its leaves are canonical JSON:
// RecordLeaf, KeyLeaf, IndexLeaf, PolicyLeaf. Its state is a signed
// Checkpoint; a Proof (C2SP tlog-proof) shows that a leaf is in it. Hashes and
// paths are those of golang.org/x/mod/sumdb/tlog; signing and cosignatures are
// over sumdb/note and not part of the worker, which keeps what it needs of a
// note in note.go.
package provenance
