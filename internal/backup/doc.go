// Package backup makes backups of a registry folder and restores them.
//
// A backup holds everything that a service cannot make again: the origin store
// as one consistent snapshot, the signing keys, the secret and the settings.
// The published files are not in it: a build makes the same bytes again.
//
// A repository is a folder or a prefix in an S3 bucket. Each backup is two
// objects below its id:
//
//	20261122T142501Z-3f9a1c20/registry.tar.zst.age   the files, encrypted
//	20261122T142501Z-3f9a1c20/manifest.json          what they are, in clear
//
// The manifest is written last: a backup without one is incomplete and is not
// listed. The archive is plain tar, zstd and age, so that it can be opened
// without this program:
//
//	age --decrypt --identity key.txt registry.tar.zst.age | zstd -d | tar x
//
// The manifest has a digest of every file and the head of the provenance
// ledger. It holds nothing private. Encryption keeps a backup from being read;
// it does not prove who wrote it: who can write to the repository can replace
// a backup that is encrypted to a public recipient.
package backup
