package bucket

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"colophon/exports"
	"colophon/internal/blob"
	releaselist "colophon/internal/release"
	"colophon/internal/staticindex"
	"colophon/internal/withdrawn"

	"github.com/minio/minio-go/v7"
)

// Names of metadata are those of the client: without "x-amz-meta-".
const metaSHA256 = "Sha256"

// gzipSuffix is that of the compressed sibling of a file.
const gzipSuffix = ".gz"

// headers are those an object is stored with.
type headers struct {
	ContentType     string
	CacheControl    string
	ContentEncoding string
	Disposition     string
}

// headersOf are the headers of a published file. A compressed sibling has those
// of the file it stands for, and its encoding.
func headersOf(key string) headers {
	name, compressed := strings.CutSuffix(key, gzipSuffix)
	p := exports.PolicyOf(exports.Key(name))
	h := headers{ContentType: p.ContentType, CacheControl: p.CacheControl, Disposition: p.Disposition}
	if compressed {
		h.ContentEncoding = "gzip"
	}
	return h
}

// digestName names a set of headers in a list, so that an object is stored again
// when its headers change.
func (h headers) digestName() string {
	sum := sha256.Sum256([]byte(h.ContentType + "\n" + h.CacheControl + "\n" + h.ContentEncoding + "\n" + h.Disposition))
	return hex.EncodeToString(sum[:4])
}

// putOptions are the options of the client to store an object.
func (h headers) putOptions(sum [32]byte) minio.PutObjectOptions {
	return minio.PutObjectOptions{
		ContentType: h.ContentType, CacheControl: h.CacheControl, ContentEncoding: h.ContentEncoding, ContentDisposition: h.Disposition,
		UserMetadata:         map[string]string{metaSHA256: hex.EncodeToString(sum[:])},
		DisableContentSha256: true, // the digest is given, and signed with the request
	}
}

// matchesStored reports whether an object is there with these headers and this digest.
func (h headers) matchesStored(info minio.ObjectInfo, sum [32]byte, size int64) bool {
	return info.Size == size &&
		info.UserMetadata[metaSHA256] == hex.EncodeToString(sum[:]) &&
		info.ContentType == h.ContentType &&
		info.Metadata.Get("Cache-Control") == h.CacheControl &&
		info.Metadata.Get("Content-Encoding") == h.ContentEncoding &&
		info.Metadata.Get("Content-Disposition") == h.Disposition
}

// rootKeys are objects in which a reader begins, in the order in which they
// are written: after everything that they lead to.
var rootKeys = []string{
	string(exports.KeyOf(exports.PathLedgerCheckpoint)),
	blob.RootKey, // of a build that packs its entries
	exports.SandboxPrefix + string(staticindex.IndexKey),
	string(staticindex.IndexKey),
	releaselist.ListKey,
	withdrawn.Key, // as of the release
}

// IsRoot reports whether a reader begins in an object.
func IsRoot(key string) bool { return exports.OneOf(strings.TrimSuffix(key, gzipSuffix), rootKeys) }
