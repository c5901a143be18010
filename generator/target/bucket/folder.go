package bucket

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"colophon/generator/target"
	releaselist "colophon/internal/release"
	"colophon/internal/withdrawn"
)

// ErrMismatch is returned if a folder differs from its list of files.
var ErrMismatch = errors.New("the folder does not match its list of files")

// folder is a folder that a build wrote.
type folder struct {
	root      *os.Root
	list      target.Files // files of the release
	files     []object     // the files to publish, sorted by key
	withdrawn []byte       // list of the withdrawals since the release, as first read; nil if there is none
}

// openFolder reads the list of a published folder. It checks that the folder
// has these files with these sizes, and no others except those that wait to be
// deleted (target.WaitingFile), which are not published. It returns ErrMismatch
// if the folder differs.
func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot read the published folder: %w", err)
	}
	f := &folder{root: root}
	if err := errors.Join(f.readList(), f.readWithdrawn()); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	waiting, err := target.ReadWaiting(dir)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	if err := f.checkSizes(waiting); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return f, nil
}

// readList reads the signed list of the release. Files in packs are not
// objects.
func (f *folder) readList() error {
	list, err := target.ReadFiles(f.root.FS())
	if err != nil {
		return fmt.Errorf("%w: %w", target.ErrDamaged, err)
	}
	if len(list.Rows) == 0 {
		return fmt.Errorf("%q holds no build: %s is missing", f.root.Name(), releaselist.ListKey)
	}
	f.list = list
	for _, file := range list.InFolder().Rows {
		f.files = append(f.files, object{Key: file.Name, SHA256: file.SHA256, Size: file.Size, Headers: headersOf(file.Name).digestName()})
	}
	return nil
}

// readWithdrawn adds the list of withdrawals since the release. The list is not
// part of the release and may be replaced at any time.
func (f *folder) readWithdrawn() error {
	data, err := f.root.ReadFile(withdrawn.Key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	f.withdrawn = data
	o := object{Key: withdrawn.Key, SHA256: sha256.Sum256(data), Size: int64(len(data)), Headers: headersOf(withdrawn.Key).digestName()}
	at, _ := slices.BinarySearchFunc(f.files, o, func(a, b object) int { return strings.Compare(a.Key, b.Key) })
	f.files = slices.Insert(f.files, at, o)
	return nil
}

// checkSizes compares the folder with its list.
func (f *folder) checkSizes(waiting map[string]waiting) error {
	return f.list.Compare(f.root.FS(), waiting, func(name string, listed *releaselist.File, there fs.DirEntry) error {
		switch {
		case listed == nil:
			return fmt.Errorf("%w: %q is not in it", ErrMismatch, name)
		case there == nil:
			return fmt.Errorf("%w: %q is missing", ErrMismatch, name)
		}
		info, err := there.Info()
		if err == nil && info.Size() != listed.Size {
			err = mismatchError(name)
		}
		return err
	})
}

func mismatchError(name string) error {
	return fmt.Errorf("%w: %q is another file than was built", ErrMismatch, name)
}

// checkFile reads a file and compares it with its row.
func (f *folder) checkFile(o *object) error {
	file, err := f.open(o.Key)
	if err != nil {
		return err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return err
	}
	if [32]byte(h.Sum(nil)) != o.SHA256 {
		return mismatchError(o.Key)
	}
	return nil
}

func (f *folder) open(key string) (io.ReadCloser, error) {
	if key == withdrawn.Key {
		return io.NopCloser(bytes.NewReader(f.withdrawn)), nil
	}
	return f.root.Open(key)
}

func (f *folder) close() error { return f.root.Close() }
