package bucket

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/blob"
	releaselist "colophon/internal/release"
	"colophon/internal/staticindex"
	"colophon/internal/withdrawn"

	"github.com/minio/minio-go/v7"
)

// metaSHA256 is the name of the digest in an object's metadata. The client uses
// names without "x-amz-meta-".
const metaSHA256 = "Sha256"

// gzipSuffix is the suffix of a file's compressed sibling.
const gzipSuffix = ".gz"

// headers are the headers with which an object is stored.
type headers struct {
	ContentType     string
	CacheControl    string
	ContentEncoding string
	Disposition     string
}

// headersOf returns the headers of a published file. A compressed sibling has
// those of the original file, and Content-Encoding.
func headersOf(key string) headers {
	name, compressed := strings.CutSuffix(key, gzipSuffix)
	p := exports.PolicyOf(exports.Key(name))
	h := headers{ContentType: p.ContentType, CacheControl: p.CacheControl, Disposition: p.Disposition}
	if compressed {
		h.ContentEncoding = "gzip"
	}
	return h
}

// digestName returns a digest of the headers. Lists contain it, so that an
// object is stored again when its headers change.
func (h headers) digestName() string {
	sum := sha256.Sum256([]byte(h.ContentType + "\n" + h.CacheControl + "\n" + h.ContentEncoding + "\n" + h.Disposition))
	return hex.EncodeToString(sum[:4])
}

// putOptions returns the client's options for storing an object with these
// headers.
func (h headers) putOptions(sum [32]byte) minio.PutObjectOptions {
	return minio.PutObjectOptions{
		ContentType: h.ContentType, CacheControl: h.CacheControl, ContentEncoding: h.ContentEncoding, ContentDisposition: h.Disposition,
		UserMetadata:         map[string]string{metaSHA256: hex.EncodeToString(sum[:])},
		DisableContentSha256: true, // the digest is given, and signed with the request
	}
}

// matchesStored reports whether an object is stored with these headers and this
// digest.
func (h headers) matchesStored(info minio.ObjectInfo, sum [32]byte, size int64) bool {
	return info.Size == size &&
		info.UserMetadata[metaSHA256] == hex.EncodeToString(sum[:]) &&
		info.ContentType == h.ContentType &&
		info.Metadata.Get("Cache-Control") == h.CacheControl &&
		info.Metadata.Get("Content-Encoding") == h.ContentEncoding &&
		info.Metadata.Get("Content-Disposition") == h.Disposition
}

// rootKeys are the objects from which readers start, in the order in which they
// are written: each after everything that it leads to.
var rootKeys = []string{
	string(exports.KeyOf(exports.PathLedgerCheckpoint)),
	blob.RootKey, // of a build that packs its entries
	exports.SandboxPrefix + string(staticindex.IndexKey),
	string(staticindex.IndexKey),
	releaselist.ListKey,
	withdrawn.Key, // as of the release
}

// IsRoot reports whether readers start from this object.
func IsRoot(key string) bool { return slices.Contains(rootKeys, strings.TrimSuffix(key, gzipSuffix)) }
