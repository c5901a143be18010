package document

import (
	"strconv"
	"strings"

	"colophon/internal/staticindex"
)

// Prefixes of the keys of a table. A release in packs has:
//
//	file/NAME                   a published file
//	id/ENTRY                    the publisher of an entry
//	site/PUBLISHER/ENTRY        the facts of an entry, by its publisher
//	site/PUBLISHER/ENTRY/v/2    the facts of an earlier version of its record
const (
	FilePrefix = "file/"
	idPrefix   = "id/"
	SitePrefix = "site/"

	versionMark = "/v/"
)

// FileKey returns the key of a published file.
func FileKey(name string) string { return FilePrefix + name }

// IDKey returns the key of the publisher of an entry.
func IDKey(entryID string) string { return idPrefix + entryID }

// FactsKey returns the key of the current facts of an entry.
func FactsKey(siteID, entryID string) string { return SitePrefix + siteID + "/" + entryID }

// VersionKey returns the key of the facts of an earlier version of a record.
func VersionKey(siteID, entryID string, version int64) string {
	return FactsKey(siteID, entryID) + versionMark + strconv.FormatInt(version, 10)
}

// Average numbers of entries in a blob.
const (
	entriesInBlob = 8
	idsInBlob     = 64
)

// StartsBlob reports whether a blob begins with key, which follows previous:
// each file begins one, each publisher's first entry does, and other entries do
// by the hash of their id. The versions of an entry share its blob.
func StartsBlob(previous, key string) bool {
	owner, entry := splitKey(key)
	if before, _ := splitKey(previous); before != owner {
		return true
	}
	switch {
	case strings.Contains(entry, versionMark):
		return false
	case owner == idPrefix:
		return staticindex.Hash(entry)%idsInBlob == 0
	}
	return staticindex.Hash(entry)%entriesInBlob == 0
}

// StandsAlone reports whether a key always has its own blob.
func StandsAlone(key string) bool { return strings.HasPrefix(key, FilePrefix) }

// splitKey splits a key into the part that all keys of a blob share, and the
// rest.
func splitKey(key string) (owner, rest string) {
	switch {
	case StandsAlone(key):
		return key, ""
	case strings.HasPrefix(key, SitePrefix):
		end := len(SitePrefix) + strings.IndexByte(key[len(SitePrefix):], '/') + 1
		return key[:end], key[end:]
	}
	return idPrefix, strings.TrimPrefix(key, idPrefix)
}
