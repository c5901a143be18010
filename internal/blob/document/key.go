package document

import (
	"slices"
	"strconv"
	"strings"

	"colophon/internal/staticindex"
)

// Prefixes of the keys of a table. A release in packs has:
//
//	file/NAME                   a published file; of the index, without the generation
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

// Average numbers of values in a blob.
const (
	entriesInBlob = 16
	idsInBlob     = 64
	filesInBlob   = 4
)

// StartsBlob reports whether a blob begins with key, which follows previous:
// each file that stands alone begins one, each publisher's first entry does,
// and other entries and files do by the hash of their id or name. The versions
// of an entry share its blob.
func StartsBlob(previous, key string) bool {
	owner, rest := splitKey(key)
	if before, _ := splitKey(previous); before != owner {
		return true
	}
	switch {
	case strings.Contains(rest, versionMark) && owner != sharedFiles:
		return false
	case owner == idPrefix:
		return staticindex.Hash(rest)%idsInBlob == 0
	case owner == sharedFiles:
		return staticindex.Hash(rest)%filesInBlob == 0
	}
	return staticindex.Hash(rest)%entriesInBlob == 0
}

// sharedFolders hold many small files of publishers that look alike, so that
// neighbours are compressed together.
var sharedFolders = [...]string{"publishers/", "rights-map/", "v1/public/ai-rights-map/", "v1/public/sites/"}

// sharedFiles is the owner of the files in sharedFolders, see splitKey.
const sharedFiles = FilePrefix

// StandsAlone reports whether a key always has its own blob: that of a file
// outside sharedFolders.
func StandsAlone(key string) bool {
	name, isFile := strings.CutPrefix(key, FilePrefix)
	return isFile && !slices.ContainsFunc(sharedFolders[:], func(folder string) bool { return strings.HasPrefix(name, folder) })
}

// splitKey splits a key into the part that all keys of a blob share, and the
// rest.
func splitKey(key string) (owner, rest string) {
	switch {
	case StandsAlone(key):
		return key, ""
	case strings.HasPrefix(key, FilePrefix):
		return sharedFiles, key[len(FilePrefix):]
	case strings.HasPrefix(key, SitePrefix):
		end := len(SitePrefix) + strings.IndexByte(key[len(SitePrefix):], '/') + 1
		return key[:end], key[end:]
	}
	return idPrefix, strings.TrimPrefix(key, idPrefix)
}
