package backup

import (
	"context"
	"io"
)

// Count returns a repository that calls told with how many bytes of an archive
// were written or read, and of how many, 0 if that is not known.
func Count(repo Repository, told func(done, total int64)) Repository {
	return &countedRepository{repo, told}
}

// countedRepository calls told with the bytes that were written or read.
type countedRepository struct {
	Repository
	told func(done, total int64)
}

// Put stores a backup.
func (r *countedRepository) Put(ctx context.Context, id string, write func(io.Writer) ([]byte, error)) error {
	return r.Repository.Put(ctx, id, func(w io.Writer) ([]byte, error) {
		return write(io.MultiWriter(w, &byteCounter{told: r.told}))
	})
}

// Archive opens the archive of a backup.
func (r *countedRepository) Archive(ctx context.Context, id string) (io.ReadCloser, error) {
	m, err := ReadManifest(ctx, r.Repository, id)
	if err != nil {
		return nil, err
	}
	archive, err := r.Repository.Archive(ctx, id)
	if err != nil {
		return nil, err
	}
	counter := &byteCounter{told: r.told}
	if m.Archive != nil {
		counter.total = m.Archive.Size
	}
	return struct {
		io.Reader
		io.Closer
	}{io.TeeReader(archive, counter), archive}, nil
}

// byteCounter counts what is written to it.
type byteCounter struct {
	done, total int64
	told        func(done, total int64)
}

// Write counts.
func (c *byteCounter) Write(p []byte) (int, error) {
	c.done += int64(len(p))
	c.told(c.done, c.total)
	return len(p), nil
}
