package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
)

// partsFolder holds what parts of a build hand to the build that joins them.
// It is the one folder that is listed.
const partsFolder = notesFolder + "parts/"

// Parts keeps parts of a build (generator.PartStore) below the notes of a
// bucket. No lease is needed: a file has the name of its content, or is one
// part's own.
type Parts struct{ bucket *Bucket }

// Parts is where the parts of the bucket's next release are.
func (b *Bucket) Parts() Parts { return Parts{b} }

// String is the address.
func (p Parts) String() string { return p.bucket.String() + "/" + strings.TrimSuffix(partsFolder, "/") }

// PutPart stores a file.
func (p Parts) PutPart(ctx context.Context, name string, data []byte) error {
	key := partsFolder + name
	h := headers{ContentType: "application/octet-stream", CacheControl: "no-store"}
	_, err := p.bucket.putObject(ctx, key, bytes.NewReader(data), int64(len(data)), sha256.Sum256(data), h, condition{})
	if err != nil {
		return p.bucket.requestError("write", key, err)
	}
	return nil
}

// ReadPart reads a file of at most limit bytes; fs.ErrNotExist where there is
// none.
func (p Parts) ReadPart(ctx context.Context, name string, limit int64) ([]byte, error) {
	data, _, found, err := p.bucket.getObject(ctx, partsFolder+name, limit)
	if err == nil && !found {
		err = fmt.Errorf("%s: %w", partsFolder+name, fs.ErrNotExist)
	}
	return data, err
}

// ListParts lists the names of all files, by name.
func (p Parts) ListParts(ctx context.Context) (names []string, err error) {
	ctx, cancel := p.bucket.withTimeout(ctx, 0)
	defer cancel()
	prefix := p.bucket.at.Prefix + partsFolder
	for o := range p.bucket.at.Client.Client.ListObjects(ctx, p.bucket.at.Name, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return nil, p.bucket.requestError("list", partsFolder, o.Err)
		}
		names = append(names, strings.TrimPrefix(o.Key, prefix))
	}
	slices.Sort(names)
	return names, nil
}

// RemoveParts removes files.
func (p Parts) RemoveParts(ctx context.Context, names []string) error {
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = partsFolder + name
	}
	return p.bucket.removeObjects(ctx, keys)
}
