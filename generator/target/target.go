// Package target publishes a set of changes to a folder, and contains what it
// shares with package bucket, which publishes to an object store. Both write in
// the same order, so that a reader never meets a document that names a missing
// file: new objects first, then changed ones, then the root, and deletions
// last. Both also decide in the same way when files are deleted, see Wait.
package target

import (
	"errors"
	"strings"

	"colophon/internal/withdrawn"
)

// The notes of the build in a published folder. They are not served.
const (
	NotesDir = "_build"

	// IgnoreFile tells the asset server of Workers which files not to upload.
	IgnoreFile = ".assetsignore"

	// HeadersFile holds the headers of the files that the asset server answers
	// by itself.
	HeadersFile = "_headers"

	// probeFile is written and removed to test whether a folder is writable. It
	// remains if the process is killed in between.
	probeFile = ".probe"
)

// IsNote reports whether a file in a published folder is not part of the
// release: a note of the build, or the list of withdrawals since the release.
func IsNote(name string) bool {
	return strings.HasPrefix(name, NotesDir+"/") || name == IgnoreFile || name == HeadersFile || name == probeFile || name == withdrawn.Key
}

// ErrBusy is returned if another build or publisher is writing to the target.
var ErrBusy = errors.New("another build is writing to this folder")

// Object is one published file.
type Object struct {
	Key     string
	SHA256  [32]byte
	Size    int64  // in bytes
	Headers string // in a bucket: digest of the headers with which it is stored, 8 hex digits
}

// Changes is the difference between the published release and the next.
type Changes struct {
	Added   []Object
	Changed []Object
	Removed []Object // their Headers are NoHeaders
	Root    []Object // written last, in order
}

// written returns the objects to write, in order.
func (c *Changes) written() [][]Object { return [][]Object{c.Added, c.Changed, c.Root} }
