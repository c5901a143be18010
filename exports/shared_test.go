package exports

import (
	"sync"
	"testing"

	"colophon/internal/wire"
)

// TestEncodingChangesNothing encodes records in several goroutines, as a build
// does with records that several of its documents show. The race detector finds
// an encoder that writes to them.
func TestEncodingChangesNothing(t *testing.T) {
	for name, r := range map[string]wire.Record{
		"entry":     &Entry{EntryID: "ent_1", Digest: "d"},
		"candidate": &Candidate{EntryID: "ent_1", Portable: "p", Registry: "r", Withdrawn: true},
		"offer":     &Offer{LicenseID: "lic_1", Represented: true},
		"citation":  &Citation{EntryID: "ent_1", Portable: "p", Registry: "r", Status: "active"},
		"item":      &Item{EntryID: "ent_1", Portable: "p", Recorded: true},
	} {
		want := string(wire.Append(nil, r))
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if got := string(wire.Append(nil, r)); got != want {
					t.Errorf("%s became %s", name, got)
				}
			})
		}
		all.Wait()
	}
}
