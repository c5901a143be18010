package ledger

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/go-retryablehttp"

	"colophon/exports"
	"colophon/internal/ledgerlog"
)

// maxFile is the maximum size of a file of a log: 256 leaves of 65,535 bytes,
// rounded up.
const maxFile = 17 << 20

// CheckpointFile is the path of the ledger's checkpoint among the published
// files.
var CheckpointFile = strings.TrimPrefix(exports.PathLedgerLog, "/") + ledgerlog.CheckpointPath

// Folder returns a function that reads a log, or a whole site, from a folder.
func Folder(dir string) ledgerlog.ReadTile {
	return func(path string) ([]byte, error) {
		if !fs.ValidPath(path) {
			return nil, fs.ErrNotExist
		}
		return os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
	}
}

// FilesOf lists the files in a folder, by their paths relative to it.
func FilesOf(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	return out, err
}

// Remote returns a function that reads a log, or a whole site, below a URL.
func Remote(ctx context.Context, base string) ledgerlog.ReadTile {
	c := newClient()
	base = strings.TrimSuffix(base, "/")
	return func(path string) ([]byte, error) {
		req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, base+"/"+path, nil)
		if err != nil {
			return nil, err
		}
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		switch resp.StatusCode {
		case http.StatusOK:
		case http.StatusNotFound, http.StatusGone:
			return nil, fmt.Errorf("%s/%s: %w", base, path, fs.ErrNotExist)
		default:
			return nil, fmt.Errorf("%s/%s answered %s", base, path, resp.Status)
		}
		data, err := io.ReadAll(io.LimitReader(resp.Body, maxFile+1))
		if err == nil && len(data) > maxFile {
			err = fmt.Errorf("%s/%s is larger than any file of a log", base, path)
		}
		return data, err
	}
}
