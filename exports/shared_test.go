package exports

import (
	"sync"
	"testing"

	"colophon/internal/assert"
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
				assert.Equal(t, string(wire.Append(nil, r)), want, "%s became", name)
			})
		}
		all.Wait()
	}
}

// TestFingerprintsAreReadBack checks that what identifies an entry is read as it
// was written, in both documents that have it, also if a part is missing.
func TestFingerprintsAreReadBack(t *testing.T) {
	for _, want := range [][3]string{{"ISCC:E", "p", "r"}, {"", "p", ""}, {"ISCC:E", "", "r"}, {}} {
		at := "2026-11-28T12:00:00Z"
		c := Citation{EntryID: "ent_1", ISCC: want[0], Portable: want[1], Registry: want[2], Status: "active", GeneratedAt: at, RightsAsOf: at}
		var read Citation
		if err := wire.Decode(wire.Append(nil, &c), &read, wire.Trusted); err != nil {
			t.Fatal(err)
		}
		assert.Equal(t, [3]string{read.ISCC, read.Portable, read.Registry}, want, "a citation has")
		x := Candidate{EntryID: "ent_1", ISCC: want[0], Portable: want[1], Registry: want[2]}
		var readBack Candidate
		if err := wire.Decode(wire.Append(nil, &x), &readBack, wire.Trusted); err != nil {
			t.Fatal(err)
		}
		assert.Equal(t, [3]string{readBack.ISCC, readBack.Portable, readBack.Registry}, want, "a candidate has")
	}
}
