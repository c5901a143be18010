package generator

import (
	"maps"
	"slices"
	"time"

	"colophon/exports"
	"colophon/internal/segment"
)

// takenOut notes what was taken out of the published segments since the build that
// wrote them. All of it is due in the next build, which alone can tell whether it
// came back meanwhile. A nil one is empty.
type takenOut struct {
	// Entries says, by id, how many versions before the current record went with it.
	Entries map[string]int64 `json:"entries,omitempty"`

	OfSites map[string]int64 `json:"of_sites,omitempty"` // alike, entries of Sites
	Sites   []string         `json:"sites,omitempty"`    // publishers of which everything went, by id
	Files   []string         `json:"files,omitempty"`    // of these publishers and their offers, by name
}

func newTakenOut() *takenOut {
	return &takenOut{Entries: map[string]int64{}, OfSites: map[string]int64{}}
}

func (t *takenOut) isEmpty() bool { return len(t.Entries)+len(t.Sites) == 0 }

// entryIDs are the entries that were taken out by themselves, by id.
func (t *takenOut) entryIDs() []string {
	if t == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(t.Entries))
}

// versionsOf is how many earlier versions of an entry were taken out.
func (t *takenOut) versionsOf(entryID string) int64 {
	if t == nil {
		return 0
	}
	return max(t.Entries[entryID], t.OfSites[entryID])
}

func (t *takenOut) hasEntry(entryID string) bool {
	if t == nil {
		return false
	}
	_, alone := t.Entries[entryID]
	_, withSite := t.OfSites[entryID]
	return alone || withSite
}

func (t *takenOut) hasSite(siteID string) bool { return t != nil && slices.Contains(t.Sites, siteID) }

// hasFile tells whether a key is of a file, or a document of an entry, that was
// taken out.
func (t *takenOut) hasFile(key exports.Key) bool {
	if t == nil {
		return false
	}
	if entryID, ok := exports.EntryOfKey(key); ok {
		return t.hasEntry(entryID)
	}
	_, found := slices.BinarySearch(t.Files, string(key))
	return found
}

// with is the note of both.
func (t *takenOut) with(earlier *takenOut) *takenOut {
	if earlier == nil {
		return t
	}
	both := newTakenOut()
	for _, note := range []*takenOut{earlier, t} {
		maps.Copy(both.Entries, note.Entries)
		maps.Copy(both.OfSites, note.OfSites)
		both.Sites = append(both.Sites, note.Sites...)
		both.Files = append(both.Files, note.Files...)
	}
	slices.Sort(both.Sites)
	slices.Sort(both.Files)
	return both
}

func (t *takenOut) count(passed time.Duration) Withdrawn {
	w := Withdrawn{Entries: int64(len(t.Entries)), Publishers: int64(len(t.Sites)), Duration: passed}
	for entryID := range t.OfSites {
		if _, counted := t.Entries[entryID]; !counted {
			w.Entries++
		}
	}
	return w
}

// tombstones are laid over what is taken out, by key.
func (t *takenOut) tombstones() []segment.Value {
	keys := map[segment.Key]bool{}
	for _, entries := range []map[string]int64{t.Entries, t.OfSites} {
		for entryID, earlier := range entries {
			keys[segment.KeyOf(exports.EntryFactsName(entryID))] = true
			for v := int64(1); v <= earlier; v++ {
				keys[segment.KeyOf(exports.VersionFactsName(entryID, v))] = true
			}
		}
	}
	for _, name := range t.Files {
		keys[segment.KeyOf(name)] = true
	}
	out := make([]segment.Value, 0, len(keys))
	for key := range keys {
		out = append(out, segment.Value{Key: key})
	}
	slices.SortFunc(out, compareValues)
	return out
}
