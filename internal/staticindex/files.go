package staticindex

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"time"

	"colophon/exports"
	"colophon/internal/wire"
)

// Assets reads published files; a missing one is fs.ErrNotExist. It may also
// be a Batch.
type Assets interface {
	Read(ctx context.Context, key string) ([]byte, error)
}

// Batch is an Assets that reads several files at once, in the order of keys.
type Batch interface {
	ReadAll(ctx context.Context, keys []string) ([][]byte, error)
}

// Files reads the published files. It keeps the first file of the index for half a
// minute, and what ReadOnce read as long as its generation; one serves a whole
// process.
type Files struct {
	assets Assets
	now    func() time.Time

	mu    sync.Mutex
	index *Index
	since time.Time
	kept  map[exports.Key]any // see ReadOnce
}

// New reads published files through a.
func New(a Assets, now func() time.Time) *Files {
	return &Files{assets: a, now: now, kept: map[exports.Key]any{}}
}

// indexLife is how long a generation may go unnoticed.
const indexLife = 30 * time.Second

// currentIndex returns the first file of the index; fresh asks for a new copy.
func (c *Files) currentIndex(ctx context.Context, fresh bool) (*Index, error) {
	now := c.now()
	c.mu.Lock()
	x, since := c.index, c.since
	c.mu.Unlock()
	if x != nil && !fresh && now.Sub(since) < indexLife {
		return x, nil
	}
	b, err := c.Read(ctx, string(IndexKey))
	if err != nil {
		return nil, err
	}
	x = new(Index)
	if err := wire.Decode(b, x, wire.Default); err != nil || !isSane(&x.Current) {
		return nil, OutageError(string(IndexKey), ErrMalformed)
	}
	c.mu.Lock()
	if c.index != nil && c.index.Current.Gen != x.Current.Gen {
		c.forgetExcept(x.Current.Gen)
	}
	c.index, c.since = x, now
	c.mu.Unlock()
	return x, nil
}

// forgetExcept drops the cached files of all generations but one.
func (c *Files) forgetExcept(gen string) {
	kept := map[exports.Key]any{}
	for key, x := range c.kept {
		if strings.HasPrefix(string(key), Prefix(gen)) {
			kept[key] = x
		}
	}
	c.kept = kept
}

func isSane(g *Generation) bool {
	return ValidGen(g.Gen) && g.Pages >= 0 && g.Pages <= MaxRecords && saneBits(g.SiteBits) && saneBits(g.PBits) && saneBits(g.FBits)
}

func saneBits(n int64) bool { return n >= 0 && n <= 24 }

// Current returns the generation in force.
func (c *Files) Current(ctx context.Context) (*Generation, error) {
	x, err := c.currentIndex(ctx, false)
	if err != nil {
		return nil, err
	}
	return &x.Current, nil
}

// Superseded reports whether a generation other than g is now in force.
func (c *Files) Superseded(ctx context.Context, g *Generation) bool {
	x, err := c.currentIndex(ctx, true)
	return err == nil && x.Current.Gen != g.Gen
}

// AskAgain asks a question, and asks it once more if a file is missing because another
// generation was published meanwhile.
func AskAgain[T any](ctx context.Context, c *Files, ask func() (T, error)) (T, error) {
	before, err := c.Current(ctx)
	if err != nil {
		var none T
		return none, err
	}
	out, err := ask()
	if !errors.Is(err, fs.ErrNotExist) {
		return out, err
	}
	if !c.Superseded(ctx, before) {
		return out, err
	}
	return ask()
}

// Release returns the release that is published now.
func (c *Files) Release(ctx context.Context) (exports.Release, error) {
	g, err := c.Current(ctx)
	if err != nil {
		return exports.Release{}, err
	}
	return g.Release, nil
}

// ReadOnce reads a file and keeps the result of decode until another generation
// is in force. It returns an Error with the code index_unavailable if the file
// cannot be read.
func (c *Files) ReadOnce(ctx context.Context, key exports.Key, decode func([]byte) (any, error)) (any, error) {
	c.mu.Lock()
	x := c.kept[key]
	c.mu.Unlock()
	if x != nil {
		return x, nil
	}
	b, err := c.Read(ctx, string(key))
	if err != nil {
		return nil, err
	}
	if x, err = decode(b); err != nil {
		return nil, OutageError(string(key), err)
	}
	c.mu.Lock()
	c.kept[key] = x
	c.mu.Unlock()
	return x, nil
}

// Read reads a published file. It fails with an Error of the code index_unavailable.
func (c *Files) Read(ctx context.Context, key string) ([]byte, error) {
	b, err := c.assets.Read(ctx, key)
	if err != nil {
		return nil, OutageError(key, err)
	}
	return b, nil
}

// ReadAll reads files, concurrently if the host can.
func (c *Files) ReadAll(ctx context.Context, keys []exports.Key) ([][]byte, error) {
	batch, ok := c.assets.(Batch)
	if !ok || len(keys) < 2 {
		out := make([][]byte, len(keys))
		for i, k := range keys {
			b, err := c.Read(ctx, string(k))
			if err != nil {
				return nil, err
			}
			out[i] = b
		}
		return out, nil
	}
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = string(k)
	}
	out, err := batch.ReadAll(ctx, names)
	if err == nil && len(out) != len(keys) {
		err = ErrMalformed
	}
	if err != nil {
		return nil, OutageError(names[0], err)
	}
	return out, nil
}
