package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"

	"colophon/internal/s3"
)

// S3Options says where an S3 service is.
type S3Options struct {
	Endpoint string // http(s)://host[:port], "" Amazon's
	Region   string // "" as the service says
}

// partSize is the size of the parts in which an archive is uploaded, of which
// one is in memory: 10,000 parts make an archive of 312 GiB at most.
const partSize = 32 << 20

// bucket is a repository below a prefix of an S3 bucket.
type bucket struct {
	*s3.Bucket
}

func openS3(address string, opt S3Options) (Repository, error) {
	b, err := s3.Open(address, s3.Options{Endpoint: opt.Endpoint, Region: opt.Region})
	if err != nil {
		return nil, err
	}
	return &bucket{b}, nil
}

func (b *bucket) objectKey(id, object string) string { return b.Prefix + id + "/" + object }

func (b *bucket) requestError(what string, err error) error {
	return fmt.Errorf("cannot %s %s: %w%s", what, b, err, b.ExplainRefusal(err))
}

func (b *bucket) List(ctx context.Context) ([]string, error) {
	var ids []string
	for o := range b.Client.Client.ListObjects(ctx, b.Name, minio.ListObjectsOptions{Prefix: b.Prefix, Recursive: true}) {
		if o.Err != nil {
			return nil, b.requestError("list", o.Err)
		}
		id, object, _ := strings.Cut(strings.TrimPrefix(o.Key, b.Prefix), "/")
		if object == manifestName && idPattern.MatchString(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

func (b *bucket) Put(ctx context.Context, id string, write func(io.Writer) ([]byte, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, w := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		_, err := b.Client.Client.PutObject(ctx, b.Name, b.objectKey(id, archiveName), r, -1,
			minio.PutObjectOptions{PartSize: partSize, ContentType: "application/octet-stream"})
		_ = r.CloseWithError(err) // the writer must not wait for a reader that has gone
		sent <- err
	}()
	counted := newMeter()
	manifest, err := write(io.MultiWriter(w, counted))
	_ = w.CloseWithError(err) // a pipe closes without an error; nil is the end of the file
	if sendErr := <-sent; sendErr != nil && (err == nil || errors.Is(err, sendErr)) {
		return b.requestError("write to", sendErr)
	}
	if err != nil {
		return err
	}
	info, err := b.Client.Client.StatObject(ctx, b.Name, b.objectKey(id, archiveName), minio.StatObjectOptions{})
	if err != nil {
		return b.requestError("read back from", err)
	}
	if info.Size != counted.size {
		return b.requestError("write to", fmt.Errorf("%d bytes were sent, %d are there", counted.size, info.Size))
	}
	_, err = b.Client.Client.PutObject(ctx, b.Name, b.objectKey(id, manifestName), bytes.NewReader(manifest), int64(len(manifest)),
		minio.PutObjectOptions{ContentType: "application/json"})
	if err != nil {
		return b.requestError("write to", err)
	}
	return nil
}

func (b *bucket) Manifest(ctx context.Context, id string) ([]byte, error) {
	o, err := b.Client.Client.GetObject(ctx, b.Name, b.objectKey(id, manifestName), minio.GetObjectOptions{})
	if err != nil {
		return nil, b.requestError("read", err)
	}
	defer o.Close()
	data, err := io.ReadAll(io.LimitReader(o, maxManifest))
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, fmt.Errorf("%w %q in %s", ErrNoBackup, id, b)
	}
	if err != nil {
		return nil, b.requestError("read", err)
	}
	return data, nil
}

func (b *bucket) Archive(ctx context.Context, id string) (io.ReadCloser, error) {
	o, err := b.Client.Client.GetObject(ctx, b.Name, b.objectKey(id, archiveName), minio.GetObjectOptions{})
	if err != nil {
		return nil, b.requestError("read", err)
	}
	return o, nil
}

// Remove removes the manifest first, so that half a backup is not listed.
func (b *bucket) Remove(ctx context.Context, id string) error {
	for _, object := range []string{manifestName, archiveName} {
		if err := b.Client.Client.RemoveObject(ctx, b.Name, b.objectKey(id, object), minio.RemoveObjectOptions{}); err != nil {
			return b.requestError("remove from", err)
		}
	}
	return nil
}
