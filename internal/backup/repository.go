package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrNoBackup means that a repository has no complete backup, or none of the
// id that was asked for.
var ErrNoBackup = errors.New("there is no backup")

// Repository keeps backups.
type Repository interface {
	// List returns the ids of the complete backups, oldest first.
	List(ctx context.Context) ([]string, error)

	// Put stores a backup. write writes the archive and returns the
	// manifest. After an error the backup is not listed.
	Put(ctx context.Context, id string, write func(io.Writer) (manifest []byte, err error)) error

	// Manifest returns the manifest of a backup, or ErrNoBackup.
	Manifest(ctx context.Context, id string) ([]byte, error)

	// Archive opens the archive of a backup.
	Archive(ctx context.Context, id string) (io.ReadCloser, error)

	// Remove removes a backup.
	Remove(ctx context.Context, id string) error

	// String is the address of the repository.
	String() string
}

// OpenRepository opens the repository at an address: a folder, or
// s3://bucket/prefix.
func OpenRepository(address string, s3 S3Options) (Repository, error) {
	if strings.HasPrefix(address, "s3://") {
		return openS3(address, s3)
	}
	if address == "" || strings.Contains(address, "://") {
		return nil, fmt.Errorf("%q is neither a folder nor s3://bucket/prefix", address)
	}
	return folder(address), nil
}

// folder is a repository in a folder of this machine.
type folder string

// Names of folders that are not backups (yet, or no longer).
const (
	partialPrefix = ".partial-"
	removedPrefix = ".removed-"
)

func (f folder) String() string { return string(f) }

func (f folder) List(context.Context) ([]string, error) {
	entries, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, entry := range entries {
		if !idPattern.MatchString(entry.Name()) {
			continue
		}
		if _, err := os.Stat(filepath.Join(string(f), entry.Name(), manifestName)); err == nil {
			ids = append(ids, entry.Name())
		}
	}
	slices.Sort(ids)
	return ids, nil
}

func (f folder) Put(_ context.Context, id string, write func(io.Writer) ([]byte, error)) error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	for _, prefix := range []string{partialPrefix, removedPrefix} {
		removeLeftovers(string(f), prefix)
	}
	partial := filepath.Join(string(f), partialPrefix+id)
	if err := os.Mkdir(partial, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(partial)

	var manifest []byte
	err := createSynced(filepath.Join(partial, archiveName), func(w io.Writer) (err error) {
		manifest, err = write(w)
		return err
	})
	if err != nil {
		return err
	}
	if err := writeSynced(filepath.Join(partial, manifestName), manifest); err != nil {
		return err
	}
	if err := Sync(partial); err != nil {
		return err
	}
	if err := os.Rename(partial, filepath.Join(string(f), id)); err != nil {
		return err
	}
	return Sync(string(f))
}

func (f folder) Manifest(_ context.Context, id string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(string(f), id, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w %q in %s", ErrNoBackup, id, f)
	}
	return data, err
}

func (f folder) Archive(_ context.Context, id string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(string(f), id, archiveName))
}

func (f folder) Remove(_ context.Context, id string) error {
	removed := filepath.Join(string(f), removedPrefix+id)
	if err := os.Rename(filepath.Join(string(f), id), removed); err != nil {
		return err
	}
	return os.RemoveAll(removed)
}

// writeSynced writes a new private file and brings it to disk.
func writeSynced(path string, data []byte) error {
	return createSynced(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// createSynced is writeSynced for what is made while it is written.
func createSynced(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// Sync brings a file, or the names in a folder, to disk.
func Sync(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
