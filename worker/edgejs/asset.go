//go:build js && wasm

package edgejs

import (
	"context"
	"io/fs"
	"strconv"

	"colophon/internal/blob"
)

// Assets reads the published files from the R2 bucket PUBLISHED or, without
// that binding, from the binding ASSETS.
type Assets struct{}

var _ blob.Source = Assets{}

// Read returns the file with that key ("v1/public/network-stats.json", without
// a leading slash). It returns fs.ErrNotExist for a missing file, and another
// error for one that could not be read completely.
func (Assets) Read(_ context.Context, key string) ([]byte, error) {
	return readOp(opAsset, key, []byte(key))
}

// ReadBlob returns a blob or page. The script keeps the last one read, which it
// has verified.
func (Assets) ReadBlob(_ context.Context, at blob.Location) ([]byte, error) {
	key := blob.PackKey(at.Pack)
	arg := appendInt(appendInt([]byte(key), at.Offset), at.Length)
	return readOp(opPart, key, append(append(arg, '\n'), at.Digest.String()...))
}

func appendInt(arg []byte, n int64) []byte {
	return strconv.AppendInt(append(arg, '\n'), n, 10)
}

// Bodies reads the private content bodies (the R2 binding BODIES).
type Bodies struct{}

// Read returns the object with that key, or fs.ErrNotExist.
func (Bodies) Read(_ context.Context, key string) ([]byte, error) {
	return readOp(opBody, key, []byte(key))
}

// readOp runs an op that reads a file. It returns fs.ErrNotExist for a missing
// file.
func readOp(kind uint32, key string, arg []byte) ([]byte, error) {
	b, found, err := ask(kind, arg)
	if err == nil && !found {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: key, Err: err}
	}
	return b, nil
}
