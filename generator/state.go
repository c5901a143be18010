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

// state is what a build notes of itself beside what it publishes: all that its outputs
// follow from, so that the next build renders only what is due, and what the signed
// list of the release does not say. A build whose inputs are the same publishes the same
// bytes.
type state struct {
	Format     string            `json:"format"`
	Token      string            `json:"token"`         // names this build in the origin, which knows up to which write it was read
	Settings   string            `json:"settings"`      // digest of the program and of the options
	Categories string            `json:"categories"`    // digest of what pages of publishers name
	Sites      map[string]string `json:"sites"`         // by id of a published site: digest of what holds for each of its pages
	Tables     map[string]string `json:"tables"`        // by name of a published file of entries: digest of its rows
	Changes    int64             `json:"changes"`       // of the origin so far
	Latest     string            `json:"latest_change"` // instant of the last one, "" of an empty origin

	// The figures that a build with nothing to do reports again.
	Pages int64 `json:"pages"`
	Files int64 `json:"files"` // in the folder
	Bytes int64 `json:"bytes"` // of them
}

const stateFormat = "colophon.build.v1"

// NotesFile is the path, below the folder of a build, of the build's notes about
// itself. Each build writes it once.
const NotesFile = target.NotesDir + "/state.json"

// errOtherVersion says that another version of the program made the published build.
var errOtherVersion = errors.New("another version of the program made it")

// readState reads what the build in dir noted. It returns fs.ErrNotExist if there is
// no build, and errOtherVersion.
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

// readBefore reads the state that a build continues from. It is nil for a folder without a
// build, and for one of another version, of which everything is rendered again. A folder
// that is something else is refused.
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
	Changes int64  // changes of the origin that it holds
	Latest  string // instant of the last one, "" when the origin is empty
}

// ReadPublished reads what is known about the build in dir; fs.ErrNotExist says that
// there is none.
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

// checkSafe refuses what must not be published over the previous build, nil for none: time
// that ran backwards, and publishers that are gone without the origin saying so.
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
