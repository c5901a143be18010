// Package target publishes a set of changes to a folder, and has what this shares with
// package bucket, which publishes to an object store. Both keep one order, so that a reader
// never meets a document that names a file which is not there: new objects
// first, then changed ones, then the root, deletions last; and one rule for what is
// deleted when, see Wait.
package target

import (
	"errors"
	"strings"

	"colophon/internal/withdrawn"
)

// The build's own notes inside a published folder; they are not served.
const (
	NotesDir = "_build"

	// IgnoreFile tells the asset server of Workers what not to upload.
	IgnoreFile = ".assetsignore"

	// HeadersFile has the headers of the files that it answers by itself.
	HeadersFile = "_headers"

	// probeFile is written and removed to learn that a folder can be written. A
	// kill in between leaves it there.
	probeFile = ".probe"
)

// IsNote reports whether a file of a published folder is not part of the release:
// notes of the build, and the list of withdrawals since then.
func IsNote(name string) bool {
	return strings.HasPrefix(name, NotesDir+"/") || name == IgnoreFile || name == HeadersFile || name == probeFile || name == withdrawn.Key
}

// ErrBusy says that another build or publisher is writing to the target.
var ErrBusy = errors.New("another build is writing to this folder")

// Object is one published file.
type Object struct {
	Key     string
	SHA256  [32]byte
	Size    int64  // in bytes
	Headers string // in a bucket: digest of the headers it is stored with, 8 hex digits
}

// Changes is what differs between the published release and the next.
type Changes struct {
	Added   []Object
	Changed []Object
	Removed []Object // Headers is NoHeaders
	Root    []Object // written last, in order
}

// written lists what is written, in its order.
func (c *Changes) written() [][]Object { return [][]Object{c.Added, c.Changed, c.Root} }
