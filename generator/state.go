package generator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"colophon/generator/target"
	"colophon/internal/release"
)

// state is what a build notes beside the release: everything on which its
// outputs depend, so that the next build renders only what is due, and figures
// that the signed list of the release does not have. A build with the same
// inputs publishes the same bytes.
type state struct {
	Format   string            `json:"format"`
	Token    string            `json:"token"`         // identifies this build in the origin, which knows its last change that the build read
	Settings string            `json:"settings"`      // digest of the program and of the options
	Sites    map[string]string `json:"sites"`         // by id of a published site: digest of what is common to its pages
	Tables   map[string]string `json:"tables"`        // by name of a published file of entries: digest of its rows
	Changes  int64             `json:"changes"`       // changes of the origin so far
	Latest   string            `json:"latest_change"` // instant of the last change; "" for an empty origin

	// The figures that a build without changes reports again.
	Pages int64 `json:"pages"`
	Files int64 `json:"files"` // in the folder
	Bytes int64 `json:"bytes"` // size of these files
}

const stateFormat = "colophon.build.v1"

// NotesFile is the path of the state in a published folder. Each build writes
// it once.
const NotesFile = target.NotesDir + "/state.json"

// errOtherVersion is returned if another version of the program made the
// published build.
var errOtherVersion = errors.New("another version of the program made it")

// readState reads the state of the build in dir. It returns fs.ErrNotExist if
// there is no build, and errOtherVersion for one of another version.
func readState(dir string) (*state, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(NotesFile)))
	if err != nil {
		return nil, err
	}
	s := &state{}
	err = json.Unmarshal(data, s)
	if s.Format != stateFormat && json.Valid(data) {
		return nil, errOtherVersion
	}
	if err != nil {
		return nil, fmt.Errorf("the build in %q is damaged (%w); remove it to build again", dir, err)
	}
	return s, nil
}

// readBefore reads the state from which a build continues. It returns nil for a
// folder without a build, and for a build of another version, after which
// everything is rendered again. It returns an error for a folder with anything
// else in it.
func readBefore(dir string) (*state, error) {
	s, err := readState(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
			return nil, fmt.Errorf("the folder %q is not empty and holds no build; choose another with --out", dir)
		}
		return nil, nil
	}
	if errors.Is(err, errOtherVersion) {
		return nil, nil
	}
	return s, err
}

// Published is what is known about a published build.
type Published struct {
	Release string
	Changes int64  // changes of the origin in it
	Latest  string // instant of the last change; "" if the origin is empty
}

// ReadPublished reads what is known about the build in dir. It returns
// fs.ErrNotExist if there is none.
func ReadPublished(dir string) (Published, error) {
	s, err := readState(dir)
	if errors.Is(err, errOtherVersion) {
		return Published{}, fmt.Errorf("the build in %q cannot be used: %w; build again", dir, err)
	}
	if err != nil {
		return Published{}, err
	}
	l, err := release.ReadList(os.DirFS(dir))
	if err != nil {
		return Published{}, fmt.Errorf("the build in %q cannot be used: %w", dir, err)
	}
	return Published{Release: l.Catalog.Name, Changes: s.Changes, Latest: s.Latest}, nil
}

// checkSafe returns an error if the build must not replace the previous one: if
// time ran backwards, or publishers disappeared although the origin does not
// say so. before is nil if there is no previous build.
func (b *build) checkSafe(before *state) error {
	if before == nil {
		return nil
	}
	if !b.opt.Accept["rollback"] && (b.origin.Changes < before.Changes || b.origin.Latest < before.Latest) {
		return fmt.Errorf("%w: the origin is older than what is published (%s after %d changes, published %s after %d): was it restored from a backup? Build with --accept rollback if that is meant",
			ErrUnsafe, b.origin.Latest, b.origin.Changes, before.Latest, before.Changes)
	}
	for _, id := range slices.Sorted(maps.Keys(before.Sites)) {
		if !b.origin.Known[id] && !b.opt.Accept["vanished"] {
			return fmt.Errorf("%w: publisher %q is published but no longer in the origin; suspend or close publishers instead of deleting them, or build with --accept vanished", ErrUnsafe, id)
		}
	}
	return nil
}
