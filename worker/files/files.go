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

// ReadPath reads the file that is published at a path. It returns
// fs.ErrNotExist if there is none.
func (s *Service) ReadPath(ctx context.Context, path string) ([]byte, error) {
	key := exports.KeyOf(path)
	if key == "" {
		return nil, fs.ErrNotExist
	}
	return s.Read(ctx, string(key))
}

// ReadRecord reads the record that is published at a path. It returns
// fs.ErrNotExist if there is none. The error about a file with unexpected content
// wraps nothing, because no caller is at fault.
func (s *Service) ReadRecord(ctx context.Context, path string, r wire.Record) error {
	body, err := s.ReadPath(ctx, path)
	if err != nil {
		return err
	}
	if err := wire.Decode(body, r, wire.Trusted); err != nil {
		return errors.New("cannot read " + path + ": " + err.Error())
	}
	return nil
}

// readList is ReadRecord for a list, which stays empty if none is published.
func (s *Service) readList(ctx context.Context, path string, list wire.Record) error {
	err := s.ReadRecord(ctx, path, list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// ListPublishers returns the published list of publishers, which is empty if
// none is published.
func (s *Service) ListPublishers(ctx context.Context) ([]exports.PublisherSummary, error) {
	var list exports.PublisherList
	err := s.readList(ctx, exports.PathPublishers, &list)
	return list.Data, err
}

// ListCategories returns the published list of categories, which is empty if
// none is published.
func (s *Service) ListCategories(ctx context.Context) ([]exports.Category, error) {
	var list exports.CategoryList
	err := s.readList(ctx, exports.PathCategories, &list)
	return list.Data, err
}

// ReadStats reads the totals of the release.
func (s *Service) ReadStats(ctx context.Context) (r exports.Stats, err error) {
	err = s.ReadRecord(ctx, exports.PathStats, &r)
	return r, err
}

// ReadPublisher reads the record of a publisher.
func (s *Service) ReadPublisher(ctx context.Context, siteID string) (r exports.Publisher, err error) {
	err = s.ReadRecord(ctx, exports.PublisherPath(siteID), &r)
	return r, err
}
