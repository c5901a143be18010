package query

import (
	"context"
	"sync"
	"time"

	"colophon/exports"
	"colophon/internal/searchindex"
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

// Catalog answers questions. It keeps the first file of the index for half a
// minute and the roots as long as their generation; one serves a whole
// process.
type Catalog struct {
	assets Assets
	now    func() time.Time

	mu    sync.Mutex
	index *searchindex.Index
	since time.Time
	roots map[exports.Key]*searchindex.Root
}

// New makes a catalog over published files.
func New(a Assets, now func() time.Time) *Catalog {
	return &Catalog{assets: a, now: now, roots: map[exports.Key]*searchindex.Root{}}
}

// indexLife is how long a generation may go unnoticed.
const indexLife = 30 * time.Second

// currentIndex returns the first file of the index; fresh asks for it anew.
func (c *Catalog) currentIndex(ctx context.Context, fresh bool) (*searchindex.Index, error) {
	now := c.now()
	c.mu.Lock()
	x, since := c.index, c.since
	c.mu.Unlock()
	if x != nil && !fresh && now.Sub(since) < indexLife {
		return x, nil
	}
	b, err := c.readFile(ctx, searchindex.IndexKey)
	if err != nil {
		return nil, err
	}
	x = new(searchindex.Index)
	if err := wire.Decode(b, x, wire.Default); err != nil || !saneAll(x) {
		return nil, outageError(string(searchindex.IndexKey), searchindex.ErrMalformed)
	}
	c.mu.Lock()
	if c.index != nil && c.index.Current.Gen != x.Current.Gen {
		c.roots = map[exports.Key]*searchindex.Root{}
	}
	c.index, c.since = x, now
	c.mu.Unlock()
	return x, nil
}

func saneAll(x *searchindex.Index) bool {
	for i := range x.Earlier {
		if !isSane(&x.Earlier[i]) {
			return false
		}
	}
	return isSane(&x.Current)
}

func isSane(g *searchindex.Generation) bool {
	bits := func(n int64) bool { return n >= 0 && n <= 24 }
	return searchindex.ValidGen(g.Gen) && g.PerFile > 0 && g.PerFile < 1<<16 && g.Pages >= 0 && g.Pages <= searchindex.MaxDocs && bits(g.PBits) && bits(g.FBits) && bits(g.SiteBits)
}

// findGeneration finds the generation of that name, or the one in force for "".
func (c *Catalog) findGeneration(ctx context.Context, gen string) (*searchindex.Generation, error) {
	for _, fresh := range []bool{false, true} {
		x, err := c.currentIndex(ctx, fresh)
		if err != nil {
			return nil, err
		}
		if gen == "" || gen == x.Current.Gen {
			return &x.Current, nil
		}
		for i := range x.Earlier {
			if gen == x.Earlier[i].Gen {
				return &x.Earlier[i], nil
			}
		}
	}
	return nil, &Error{Code: "cursor_expired", Param: "cursor", Detail: "The release that the cursor belongs to is gone."}
}

// Release is the release that is published now.
func (c *Catalog) Release(ctx context.Context) (exports.Release, error) {
	g, err := c.findGeneration(ctx, "")
	if err != nil {
		return exports.Release{}, err
	}
	return g.Release, nil
}

// openRoot opens an index of a generation.
func (c *Catalog) openRoot(ctx context.Context, gen, name string) (*searchindex.Root, error) {
	key := searchindex.RootKey(gen, name)
	c.mu.Lock()
	r := c.roots[key]
	c.mu.Unlock()
	if r != nil {
		return r, nil
	}
	b, err := c.readFile(ctx, key)
	if err != nil {
		return nil, err
	}
	if r, err = searchindex.DecodeRoot(b); err != nil {
		return nil, outageError(string(key), err)
	}
	c.mu.Lock()
	c.roots[key] = r
	c.mu.Unlock()
	return r, nil
}

func (c *Catalog) readFile(ctx context.Context, key exports.Key) ([]byte, error) {
	b, err := c.assets.Read(ctx, string(key))
	if err != nil {
		return nil, outageError(string(key), err)
	}
	return b, nil
}

// readAll reads files, all at once where the host can.
func (c *Catalog) readAll(ctx context.Context, keys []exports.Key) ([][]byte, error) {
	batch, ok := c.assets.(Batch)
	if !ok || len(keys) < 2 {
		out := make([][]byte, len(keys))
		for i, k := range keys {
			b, err := c.readFile(ctx, k)
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
		err = searchindex.ErrMalformed
	}
	if err != nil {
		return nil, outageError(names[0], err)
	}
	return out, nil
}
