// Package urlkey is the profile service.url-key.v1 and the keys made of it.
//
// URLKey gives equal http and https addresses one form, which records must
// hold already; LookupKey hashes it for the indexes and EntryID mints ids from
// it. RegistryDigest binds an entry: hex SHA-256 of
//
//	service.registry-binding.v1 LF site_id LF entry_id LF canonical_url LF portable digest
package urlkey
