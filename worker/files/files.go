// Package files answers with published files, and reads them as records.
package files

import (
	"context"
	"errors"
	"io/fs"

	"colophon/exports"
	"colophon/internal/wire"
)

// Assets reads published files.
type Assets interface {
	// Read returns a whole file; a missing one is fs.ErrNotExist.
	Read(ctx context.Context, key string) ([]byte, error)
}

// Releases describes the published release.
type Releases interface {
	// Release returns the release, or an error when none can be read.
	Release(ctx context.Context) (exports.Release, error)
}

// Service reads published files and answers with them.
type Service struct {
	Assets
	Releases Releases
}

// ReadPath reads the file that is published at a path.
func (s *Service) ReadPath(ctx context.Context, path string) ([]byte, error) {
	return s.Read(ctx, string(exports.KeyOf(path)))
}

// ListPublishers returns the published list of publishers, which is empty if
// none is published.
func (s *Service) ListPublishers(ctx context.Context) ([]exports.PublisherSummary, error) {
	return readList[exports.PublisherSummary](ctx, s, exports.PathPublishers)
}

// ListCategories returns the published list of categories, which is empty if
// none is published.
func (s *Service) ListCategories(ctx context.Context) ([]exports.Category, error) {
	return readList[exports.Category](ctx, s, exports.PathCategories)
}

func readList[T any, P interface {
	*T
	wire.Record
}](ctx context.Context, s *Service, path string) ([]T, error) {
	v, err := s.ReadValue(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	data := v.Get("data")
	if err != nil || data == nil {
		return nil, err
	}
	out := make([]T, len(data.Items))
	for i := range data.Items {
		if err := wire.DecodeValue(&data.Items[i], P(&out[i])); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ReadStats reads the totals of the release.
func (s *Service) ReadStats(ctx context.Context) (r exports.Stats, err error) {
	v, err := s.ReadValue(ctx, exports.PathStats)
	if err == nil {
		err = wire.DecodeValue(&v, &r)
	}
	return r, err
}

// ReadPublisher reads the record of a publisher.
func (s *Service) ReadPublisher(ctx context.Context, siteID string) (r exports.Publisher, err error) {
	v, err := s.ReadValue(ctx, exports.PublisherPath(siteID))
	if err == nil {
		err = wire.DecodeValue(&v, &r)
	}
	return r, err
}

// ReadValue reads the JSON that is published at a path. It returns
// fs.ErrNotExist if there is none.
func (s *Service) ReadValue(ctx context.Context, path string) (wire.Value, error) {
	key := exports.KeyOf(path)
	if key == "" {
		return wire.Value{}, fs.ErrNotExist
	}
	body, err := s.Read(ctx, string(key))
	if err != nil {
		return wire.Value{}, err
	}
	return wire.Parse(body, wire.Trusted)
}
