// Package record signs and verifies records, and describes their keys and the
// leaves by which the ledger commits to them. It uses no clock, network or
// files and does no work at start, so the generator, the worker and independent
// checkers run the same code.
//
// A record is a JSON object whose published file is its own canonical form
// (RFC 8785). Its proof is an Ed25519 signature over
//
//	eddsa-ed25519-service-2026 LF
//	service.contentdna-provenance.v1 LF
//	canonical JSON of the record less proof.signature_b64u
//
// Verify reports schema, canonical bytes, signature, key and text separately. A
// key is named by its RFC 7638 thumbprint and published in a JWK set with nbf,
// exp and, once revoked, the size of the ledger below which its records still
// count (KeyPolicy). The leaves of the ledger are canonical JSON: RecordLeaf,
// KeyLeaf, IndexLeaf, PolicyLeaf.
package record
