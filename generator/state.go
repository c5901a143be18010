package generator

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"colophon/exports"
	"colophon/internal/wire"
)

// state is what a build notes for the next one.
type state struct {
	Release exports.Release
	Changes int64
	Latest  string // instant of the origin's last change, "" when empty
	Sites   []string
	Pages   int64
}

// Members describes the JSON form.
func (s *state) Members(m *wire.Members) {
	m.Object("catalog", &s.Release)
	m.Int("changes", &s.Changes)
	m.OptTime("latest_change", &s.Latest)
	m.Int("pages", &s.Pages)
	m.Strings("sites", &s.Sites)
}

func (b *build) encodeState() []byte {
	s := state{Release: b.release, Changes: b.changes, Latest: b.latest, Pages: b.report.Pages}
	for i := range b.sites {
		s.Sites = append(s.Sites, b.sites[i].Site.SiteID)
	}
	return wire.Append(nil, &s)
}

// readState reads what the previous build in dir noted; a folder without one
// is an empty state, a folder that is something else is refused.
func readState(dir string) (*state, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(stateFile)))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		if err == nil && len(entries) > 0 {
			return nil, fmt.Errorf("the folder %q is not empty and holds no build; choose another with --out", dir)
		}
		return &state{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the previous build: %w", err)
	}
	s := &state{}
	if err := wire.Decode(data, s, wire.Trusted); err != nil {
		return nil, fmt.Errorf("the previous build in %q is damaged (%w); remove it to build again", dir, err)
	}
	return s, nil
}

// Published is what a build noted about itself.
type Published struct {
	Release string
	Changes int64  // changes of the origin that it holds
	Latest  string // instant of the last one, "" when the origin is empty
	Pages   int64
}

// ReadPublished reads what the build in dir noted; fs.ErrNotExist says that
// there is none.
func ReadPublished(dir string) (Published, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(stateFile)))
	if err != nil {
		return Published{}, err
	}
	var s state
	if err := wire.Decode(data, &s, wire.Trusted); err != nil {
		return Published{}, fmt.Errorf("the build in %q is damaged: %w", dir, err)
	}
	return Published{Release: s.Release.Name, Changes: s.Changes, Latest: s.Latest, Pages: s.Pages}, nil
}

// checkSafe refuses what must not be published over the previous build: time that
// ran backwards, and publishers that are gone without the origin saying so.
func (b *build) checkSafe(before *state) error {
	if !b.opt.Accept["rollback"] && (b.changes < before.Changes || b.latest < before.Latest) {
		return fmt.Errorf("%w: the origin is older than what is published (%s after %d changes, published %s after %d): was it restored from a backup? Build with --accept rollback if that is meant",
			ErrUnsafe, b.latest, b.changes, before.Latest, before.Changes)
	}
	for _, id := range before.Sites {
		if !b.known[id] && !b.opt.Accept["vanished"] {
			return fmt.Errorf("%w: publisher %q is published but no longer in the origin; suspend or close publishers instead of deleting them, or build with --accept vanished", ErrUnsafe, id)
		}
	}
	return nil
}

// NotesFile is the path, below the folder of a build, of the build's notes about
// itself. Each build writes it once.
const NotesFile = stateFile
