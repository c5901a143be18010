//go:build js && wasm

package edgejs

import (
	"context"
	"io/fs"
)

// Assets reads the published files (the ASSETS binding).
type Assets struct{}

// Read returns the file of that key ("v1/public/network-stats.json", no slash
// in front). A missing file is fs.ErrNotExist; a file that could not be read
// whole is another error.
func (Assets) Read(_ context.Context, key string) ([]byte, error) {
	return read(opAsset, key)
}

// Bodies reads the private content bodies (the R2 binding BODIES).
type Bodies struct{}

// Read returns the object of that key, or fs.ErrNotExist.
func (Bodies) Read(_ context.Context, key string) ([]byte, error) {
	return read(opBody, key)
}

func read(kind uint32, key string) ([]byte, error) {
	b, found, err := ask(kind, []byte(key))
	if err == nil && !found {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: key, Err: err}
	}
	return b, nil
}
