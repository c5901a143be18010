package screen

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"colophon/internal/release"
)

// Folder is a mirror, or the published files of a registry, on this machine.
type Folder struct {
	Source interface {
		Read(ctx context.Context, name string) ([]byte, error)
	}
}

// Read reads a file.
func (d Folder) Read(ctx context.Context, name string) ([]byte, error) {
	return d.Source.Read(ctx, name)
}

// Open reads a file whole and verifies it. It returns release.ErrDamaged if its
// digest is another one.
func (d Folder) Open(ctx context.Context, f release.File) (io.ReaderAt, error) {
	data, err := d.Read(ctx, f.Name)
	if err == nil && sha256.Sum256(data) != f.SHA256 {
		err = fmt.Errorf("%w: %s", release.ErrDamaged, f.Name)
	}
	return bytes.NewReader(data), err
}

// Address is a registry on the web, from which only the parts of tables that
// are needed are read, by Range.
type Address struct {
	Base   string // without a final slash
	Client *http.Client
}

// maxFile bounds the files that are read whole, in bytes.
const maxFile = 64 << 20

// Read reads a file.
func (a *Address) Read(ctx context.Context, name string) ([]byte, error) {
	resp, err := a.get(ctx, name, "")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s is larger than %d MiB", name, maxFile>>20)
	}
	return data, err
}

func (a *Address) get(ctx context.Context, name, ranged string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", a.Base+"/"+strings.TrimPrefix(name, "/"), nil)
	if err != nil {
		return nil, err
	}
	want := http.StatusOK
	if ranged != "" {
		req.Header.Set("Range", ranged)
		want = http.StatusPartialContent
	}
	resp, err := a.Client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == want {
		return resp, nil
	}
	resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("%s: %w", req.URL, fs.ErrNotExist)
	}
	return nil, fmt.Errorf("%s: answered %s", req.URL, resp.Status)
}

// Open returns a file that is read by range requests.
func (a *Address) Open(ctx context.Context, f release.File) (io.ReaderAt, error) {
	return &ranged{ctx: ctx, from: a, name: f.Name, size: f.Size, blocks: map[int64][]byte{}}, nil
}

// ranged reads blocks of a file by Range and keeps the last ones.
type ranged struct {
	ctx  context.Context
	from *Address
	name string
	size int64

	mu     sync.Mutex
	blocks map[int64][]byte
	order  []int64
}

const (
	blockBytes = 128 << 10
	blocksKept = 64
)

// ReadAt reads from blocks, fetching those that are missing.
func (r *ranged) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		if at >= r.size {
			return n, io.EOF
		}
		b, err := r.block(at / blockBytes)
		if err != nil {
			return n, err
		}
		got := copy(p[n:], b[at%blockBytes:])
		n += got
		at += int64(got)
	}
	return n, nil
}

func (r *ranged) block(i int64) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if b := r.blocks[i]; b != nil {
		return b, nil
	}
	from, to := i*blockBytes, min((i+1)*blockBytes, r.size)
	resp, err := r.from.get(r.ctx, r.name, fmt.Sprintf("bytes=%d-%d", from, to-1))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b := make([]byte, to-from)
	if _, err := io.ReadFull(resp.Body, b); err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	r.blocks[i] = b
	if r.order = append(r.order, i); len(r.order) > blocksKept {
		delete(r.blocks, r.order[0])
		r.order = r.order[1:]
	}
	return b, nil
}
