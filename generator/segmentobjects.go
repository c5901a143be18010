package generator

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"colophon/internal/segment"
)

// cachedObjects reads published files, and keeps the last few whole ones:
// neighbouring slices are in one object.
type cachedObjects struct {
	dir  string
	keys []string
	data [][]byte
	size int
}

// objectsKept is one object and one directory of every layer, with one of its
// shared items; packs are large, so that fewer of them are kept.
const (
	objectsKept = 4 * segment.MaxLayers
	bytesKept   = 128 << 20
)

func (c *cachedObjects) objectPath(key string) string {
	return filepath.Join(c.dir, filepath.FromSlash(key))
}

// Read returns a published file; a missing one is fs.ErrNotExist.
func (c *cachedObjects) Read(_ context.Context, key string) ([]byte, error) {
	if at := slices.Index(c.keys, key); at >= 0 {
		return c.data[at], nil
	}
	data, err := os.ReadFile(c.objectPath(key))
	if err != nil {
		return nil, err
	}
	c.keys = append(c.keys, key)
	c.data = append(c.data, data)
	c.size += len(data)
	for len(c.keys) > objectsKept || c.size > bytesKept && len(c.keys) > 1 {
		c.size -= len(c.data[0])
		c.data[0] = nil
		c.keys = c.keys[1:]
		c.data = c.data[1:]
	}
	return data, nil
}

// ReadRange returns a part of a published file.
func (c *cachedObjects) ReadRange(_ context.Context, key string, offset, length int64) ([]byte, error) {
	f, err := os.Open(c.objectPath(key))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, min(max(length, 0), segment.MaxBucket))
	_, err = f.ReadAt(data, offset)
	return data, err
}
