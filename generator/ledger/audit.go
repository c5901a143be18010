package ledger

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/ledgerlog"
	"colophon/internal/record"
)

// Question says what to audit, and what is known about it.
type Question struct {
	Read  ledgerlog.ReadTile
	Files []string               // every file below the prefix, nil if unknown
	Key   *ledgerlog.VerifierKey // the key to trust; nil: the key in the policy
	Known []byte                 // a checkpoint seen earlier, nil for none
	// KnownKey signed Known. If the log has another key now, a leaf must
	// announce it.
	KnownKey *ledgerlog.VerifierKey
}

// Report is the result of an audit.
type Report struct {
	Checkpoint ledgerlog.Checkpoint
	Note       []byte
	Key        ledgerlog.VerifierKey   // the key that signs now
	Keys       []ledgerlog.VerifierKey // that key, and earlier ones that are still valid
	Leaves     map[string]int64        // by form
	Files      int64                   // number of files compared
	Witnesses  []string                // names of the witnesses that cosigned
	Silent     []string                // names of the policy's witnesses that did not cosign
	Quorum     int                     // cosignatures that the policy requires
	Findings   []string
}

// maxFindings limits the findings about a log that is wrong throughout.
const maxFindings = 50

// Audit recomputes a log from its leaves and compares every file of it. It
// returns an error only if there is no report; faults of the log are findings
// in the report.
func Audit(q Question) (Report, error) {
	a := &audit{q: q, Report: Report{Leaves: map[string]int64{}}, keys: map[string]bool{}}
	if err := a.openLog(); err != nil {
		return a.Report, err
	}
	a.listFiles()
	a.checkLeaves()
	a.compareRemembered()
	return a.Report, nil
}

type audit struct {
	Report
	q      Question
	policy Policy
	listed map[tlog.Tile][]int // widths of the partial files, by the place of the tile
	rest   map[string]bool     // listed files that were not compared yet
	keys   map[string]bool     // keys that leaves announced
	past   tlog.Hash           // root at the size of the checkpoint seen earlier
}

func (a *audit) addFinding(format string, args ...any) {
	if len(a.Findings) < maxFindings {
		a.Findings = append(a.Findings, fmt.Sprintf(format, args...))
	}
}

// openLog reads the policy, the key and the checkpoint.
func (a *audit) openLog() error {
	text, err := a.q.Read(PolicyFile)
	if err != nil {
		return fmt.Errorf("cannot read the ledger's policy: %w", err)
	}
	if a.policy, err = ParsePolicy(text); err != nil {
		return err
	}
	a.Key, a.Keys, a.Quorum = a.policy.Keys[0], a.policy.Keys, a.policy.Quorum
	if a.q.Key != nil && *a.q.Key != a.Key {
		return fmt.Errorf("the ledger's policy names the key %s, not the one to trust, %s", a.Key, a.q.Key)
	}
	if own, err := a.q.Read(KeyFile); err != nil || string(own) != a.Key.String()+"\n" {
		a.addFinding("%s is not the key of the policy", KeyFile)
	}
	if a.Note, err = a.q.Read(ledgerlog.CheckpointPath); err != nil {
		return fmt.Errorf("cannot read the checkpoint: %w", err)
	}
	if a.Checkpoint, err = ledgerlog.OpenCheckpoint(a.Note, a.Key, record.Ed25519); err != nil {
		return fmt.Errorf("the checkpoint does not hold: %w", err)
	}
	a.checkSignatures()
	a.Files += 3
	return nil
}

// checkSignatures checks every signature line of the checkpoint.
func (a *audit) checkSignatures() {
	if !strings.HasPrefix(string(a.Note), string(a.Checkpoint.Append(nil))+"\n") {
		a.addFinding("the checkpoint has lines that this service does not write")
	}
	lines, err := ledgerlog.Signatures(a.Note)
	if err != nil {
		a.addFinding("the checkpoint has signature lines that this service does not write")
	}
	known := map[signerID]bool{{a.Key.Name, a.Key.Hash()}: true}
	for _, w := range a.policy.Witnesses {
		id := signerID{w.Key.Name, w.Key.Hash()}
		known[id] = true
		if _, ok := ledgerlog.FindCosignature(a.Note, w.Key); ok {
			a.Witnesses = append(a.Witnesses, w.Key.Name)
			continue
		}
		a.Silent = append(a.Silent, w.Key.Name)
		if slices.ContainsFunc(lines, id.signed) {
			a.addFinding("the cosignature of %s does not hold", w.Key.Name)
		}
	}
	seen := map[signerID]bool{}
	for _, line := range lines {
		id := signerID{line.Name, line.Hash}
		if !known[id] || seen[id] {
			a.addFinding("the checkpoint has a signature line of %q that nothing accounts for", id.name)
		}
		seen[id] = true
	}
	if len(a.Witnesses) < a.policy.Quorum {
		a.addFinding("%d witnesses cosigned, the policy asks for %d", len(a.Witnesses), a.policy.Quorum)
	}
}

// signerID identifies the signer of a signature line.
type signerID struct {
	name string
	hash uint32
}

func (id signerID) signed(line note.Signature) bool { return id == signerID{line.Name, line.Hash} }

// listFiles sorts the files of the log into partial tiles and the rest.
func (a *audit) listFiles() {
	a.listed, a.rest = map[tlog.Tile][]int{}, map[string]bool{}
	for _, path := range a.q.Files {
		switch path {
		case PolicyFile, KeyFile, ledgerlog.CheckpointPath, "index.html":
			continue
		}
		a.rest[path] = true
		if t, ok := ledgerlog.ParseTilePath(path); ok && t.W < width {
			a.listed[placeOf(t)] = append(a.listed[placeOf(t)], t.W)
		}
	}
}

// placeOf returns the tile with the width left out.
func placeOf(t tlog.Tile) tlog.Tile { return tlog.Tile{H: t.H, L: t.L, N: t.N} }

// checkLeaves reads all leaves and compares every file.
func (a *audit) checkLeaves() {
	size := a.Checkpoint.Size
	b := &Builder{Put: a.compareFile, Sizes: []int64{size}, Final: size}
	known, err := ledgerlog.ReadCheckpoint(a.q.Known)
	if err != nil {
		known.Size = -1
	}
	for n := int64(0); n*width < size; n++ {
		tile, _ := ledgerlog.TileAt(size, ledgerlog.EntriesLevel, n)
		leaves, err := a.readLeaves(tile)
		if err != nil {
			a.addFinding("%s: %v", ledgerlog.TilePath(tile), err)
			return
		}
		for _, leaf := range leaves {
			a.checkLeaf(b.Size(), leaf)
			if err := b.Add(leaf); err != nil {
				a.addFinding("leaf %d: %v", b.Size(), err)
				return
			}
			if b.Size() != known.Size {
				continue
			}
			if a.past, err = b.Root(); err != nil {
				a.addFinding("leaf %d: %v", b.Size(), err)
				return
			}
		}
	}
	if root, err := b.Root(); err != nil || root != a.Checkpoint.Root {
		a.addFinding("the leaves do not lead to the root that the checkpoint signs")
	}
	for _, path := range slices.Sorted(maps.Keys(a.rest)) {
		a.addFinding("%s: nothing accounts for this file", path)
	}
}

var errBundle = errors.New("the bundle lacks leaves that it should have")

func (a *audit) readLeaves(tile tlog.Tile) ([][]byte, error) {
	data, err := a.q.Read(ledgerlog.TilePath(tile))
	if err != nil {
		return nil, err
	}
	leaves, err := ledgerlog.ParseEntries(data)
	if err == nil && len(leaves) != tile.W {
		err = errBundle
	}
	return leaves, err
}

// compareFile compares a published file with the recomputed one, and the
// partial files of the same tile with its beginning.
func (a *audit) compareFile(path string, data []byte) error {
	t, _ := ledgerlog.ParseTilePath(path)
	a.comparePath(path, data)
	for _, w := range a.listed[placeOf(t)] {
		if w < t.W {
			partial := t
			partial.W = w
			a.comparePath(ledgerlog.TilePath(partial), firstEntries(t.L, data, w))
		}
	}
	return nil
}

func (a *audit) comparePath(path string, want []byte) {
	a.Files++
	delete(a.rest, path)
	got, err := a.q.Read(path)
	switch {
	case err != nil:
		a.addFinding("%s: %v", path, err)
	case string(got) != string(want):
		a.addFinding("%s: not what the leaves lead to", path)
	}
}

// firstEntries returns the first w hashes of a tile, or leaves of a bundle.
func firstEntries(level int, data []byte, w int) []byte {
	if level != ledgerlog.EntriesLevel {
		return data[:tlog.HashSize*w]
	}
	end := 0
	for range w {
		end += 2 + int(data[end])<<8 + int(data[end+1])
	}
	return data[:end]
}
