package generator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"colophon/generator/target"
)

// PartsFolder keeps parts in a folder, which is made when it is first written to.
type PartsFolder string

// PartsBeside is the folder for the parts of the build in dir.
func PartsBeside(dir string) PartsFolder {
	return PartsFolder(target.PathBeside(dir, "parts"))
}

// unfinished begins the names of files that are being written.
const unfinished = ".part-"

// PutPart stores a file: whole or, after a kill, not at all.
func (f PartsFolder) PutPart(_ context.Context, name string, data []byte) (err error) {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return fmt.Errorf("cannot make the folder of parts: %w", err)
	}
	temp, err := os.CreateTemp(string(f), unfinished)
	if err != nil {
		return fmt.Errorf("cannot keep a part: %w", err)
	}
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), filepath.Join(string(f), name))
	}
	if err != nil {
		os.Remove(temp.Name())
		return fmt.Errorf("cannot keep a part: %w", err)
	}
	return nil
}

// ReadPart reads a file of at most limit bytes; a larger one is an error. One that
// is not there is fs.ErrNotExist.
func (f PartsFolder) ReadPart(_ context.Context, name string, limit int64) ([]byte, error) {
	in, err := os.Open(filepath.Join(string(f), filepath.Base(name)))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%q is larger than any part", name)
	}
	return data, err
}

// ListParts lists the files, those of killed parts too.
func (f PartsFolder) ListParts(context.Context) (names []string, err error) {
	files, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, file := range files {
		if file.Type().IsRegular() {
			names = append(names, file.Name())
		}
	}
	return names, err
}

// RemoveParts removes files, and the folder once it is empty.
func (f PartsFolder) RemoveParts(_ context.Context, names []string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(string(f), filepath.Base(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot remove a part: %w", err)
		}
	}
	left, err := os.ReadDir(string(f))
	if err != nil || len(left) > 0 {
		return nil
	}
	os.Remove(string(f)) //nolint:errcheck // another part may have begun
	return nil
}

// String is the path.
func (f PartsFolder) String() string { return strings.TrimSuffix(string(f), "/") }
