// Package registrydir reads and writes the folder of a registry: its settings, its
// keys and its secret, and the origin, which is in that folder or in a database
// that the folder or its caller names.
package registrydir

import (
	"path/filepath"
)

// Dir is the folder of a registry. It is a value: a dry run works with the Dir of
// a copy.
type Dir struct {
	Path   string // the folder
	Origin string // the origin in Postgres, "" elsewhere
	D1     string // the origin in D1, "" elsewhere
	DryRun bool   // the origin opened for writing is a copy
	CopyOf string // the folder that Path is a copy of, "" it is none

	Getenv func(string) string
	Note   func(format string, args ...any) // reports progress; may be nil
	Warn   func(format string, args ...any) // reports trouble; may be nil
}

// File returns the path of a file or a folder of the registry.
func (d *Dir) File(name string) string { return filepath.Join(d.Path, name) }

func (d *Dir) note(format string, args ...any) {
	if d.Note != nil {
		d.Note(format, args...)
	}
}

func (d *Dir) warn(format string, args ...any) {
	if d.Warn != nil {
		d.Warn(format, args...)
	}
}
