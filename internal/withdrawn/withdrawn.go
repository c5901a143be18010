// Package withdrawn reads the list of what was withdrawn since the published release
// was planned: a small signed file beside the root, which is written within seconds
// of a withdrawal and without a build. The worker, the native server and mirrors ask it
// before they answer with an entry, whatever release they hold. A screening answers
// from its release alone.
package withdrawn

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"colophon/exports"
)

// Key is the key of the list, which is not part of a release.
const Key = string(exports.WithdrawnKey)

// Members of the list. All texts in them are identifiers.
const (
	Entries = "entries" // entries that are withdrawn
	Erased  = "erased"  // entries of which nothing is answered, neither earlier versions
	Owners  = "owners"  // publishers, offers and reservations of which nothing is answered
)

// List is the list as it is published, canonical JSON; nil if none is published.
type List []byte

// Read reads the list; nil where none is published.
func Read(ctx context.Context, files Source) (List, error) {
	data, err := files.Read(ctx, Key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// HasEntry reports whether an entry is withdrawn or erased.
func (l List) HasEntry(id string) bool { return l.has(Entries, id) || l.has(Erased, id) }

// HasReservation reports whether a reservation, or the site that vouches for it,
// is withdrawn.
func (l List) HasReservation(id, siteID string) bool {
	return l.has(Owners, id) || l.has(Owners, siteID)
}

// has looks for an identifier among those of a member. Since identifiers have neither
// quotes nor brackets, the list need not be parsed for that.
func (l List) has(member, id string) bool {
	_, rest, _ := bytes.Cut(l, []byte(`"`+member+`":[`))
	ids, _, _ := bytes.Cut(rest, []byte("]"))
	return bytes.Contains(ids, []byte(`"`+id+`"`))
}

// tombstone is a member of a record that says that its entry is withdrawn.
const tombstone = `"status":"withdrawn"`

// Source reads published files; a missing one is fs.ErrNotExist.
type Source interface {
	Read(ctx context.Context, key string) ([]byte, error)
}

// Files are published files without what is withdrawn.
type Files struct{ Source }

// Read returns a published file. The error is fs.ErrNotExist if it is missing or withdrawn.
//
// The citation, page and record of a withdrawn entry are not returned, except for a record
// that itself says that the entry is withdrawn, and earlier versions. No file is returned
// of an erased entry, or of a publisher or offer that the list names among the owners.
func (f Files) Read(ctx context.Context, key string) ([]byte, error) {
	plain := exports.Key(strings.TrimSuffix(key, ".gz"))
	entry, isEntry := exports.EntryOfKey(plain)
	owner, isOwned := exports.PackedOwner(plain)
	if !isEntry && !isOwned {
		return f.Source.Read(ctx, key)
	}
	list, err := Read(ctx, f.Source)
	if err != nil {
		return nil, err
	}
	if isOwned && list.has(Owners, owner) || isEntry && list.has(Erased, entry) {
		return nil, fs.ErrNotExist
	}
	listed := isEntry && list.has(Entries, entry) && !strings.Contains(string(plain), "/v/")
	if listed && plain != exports.KeyOf(exports.RecordPath(entry)) {
		return nil, fs.ErrNotExist
	}
	data, err := f.Source.Read(ctx, key)
	if err == nil && listed && !bytes.Contains(data, []byte(tombstone)) {
		return nil, fs.ErrNotExist
	}
	return data, err
}

// ReadAll reads published files in the order of keys, at once where the source can.
// Files of which one may be withdrawn are read one after another.
func (f Files) ReadAll(ctx context.Context, keys []string) ([][]byte, error) {
	batch, ok := f.Source.(batch)
	if ok && !slices.ContainsFunc(keys, mayBeWithdrawn) {
		return batch.ReadAll(ctx, keys)
	}
	out := make([][]byte, len(keys))
	for i, key := range keys {
		var err error
		if out[i], err = f.Read(ctx, key); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// batch is a source that reads several files at once, in the order of keys.
type batch interface {
	ReadAll(ctx context.Context, keys []string) ([][]byte, error)
}

// mayBeWithdrawn reports whether a file is of an entry or of a publisher.
func mayBeWithdrawn(key string) bool {
	_, isEntry := exports.EntryOfKey(exports.Key(key))
	_, isOwned := exports.PackedOwner(exports.Key(key))
	return isEntry || isOwned
}
