package provenance_test

import (
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"colophon/internal/provenance"
)

// tree is a log in memory, kept by x/mod.
type tree []tlog.Hash

func (s tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		out[i] = s[x]
	}
	return out, nil
}

func grow(t testing.TB, leaves [][]byte) tree {
	t.Helper()
	var s tree
	for i, leaf := range leaves {
		h, err := tlog.StoredHashes(int64(i), leaf, s)
		if err != nil {
			t.Fatal(err)
		}
		s = append(s, h...)
	}
	return s
}

func (s tree) root(t testing.TB, size int64) provenance.Hash {
	t.Helper()
	h, err := tlog.TreeHash(size, s)
	if err != nil {
		t.Fatal(err)
	}
	return provenance.Hash(h)
}

func hashes[S ~[]tlog.Hash](in S) (out []provenance.Hash) {
	for _, h := range in {
		out = append(out, provenance.Hash(h))
	}
	return out
}

func (v *vectors) leaves() (leaves [][]byte) {
	for _, r := range v.Records {
		leaves = append(leaves, []byte(r.LeafJCS))
	}
	return leaves
}

// TestMerkleAgreesWithXMod draws trees, proofs and changes of both.
func TestMerkleAgreesWithXMod(t *testing.T) {
	var leaves [][]byte
	for i := range 300 {
		leaves = append(leaves, []byte{byte(i), byte(i >> 8)})
	}
	log := grow(t, leaves)
	rapid.Check(t, func(r *rapid.T) {
		size := rapid.Int64Range(1, 300).Draw(r, "size")
		index := rapid.Int64Range(0, size-1).Draw(r, "index")
		root, leaf := log.root(t, size), provenance.LeafHash(leaves[index])
		path, err := tlog.ProveRecord(size, index, log)
		if err != nil {
			r.Fatal(err)
		}
		check := func(p []provenance.Hash, i, n int64, leaf, root provenance.Hash) {
			theirs := make(tlog.RecordProof, len(p))
			for k := range p {
				theirs[k] = tlog.Hash(p[k])
			}
			want := tlog.CheckRecord(theirs, n, tlog.Hash(root), i, tlog.Hash(leaf)) == nil
			if got := provenance.CheckInclusion(p, i, n, leaf, root); got != want {
				r.Fatalf("CheckInclusion(%d hashes, %d, %d) = %t, x/mod says %t", len(p), i, n, got, want)
			}
		}
		p := hashes(path)
		if !provenance.CheckInclusion(p, index, size, leaf, root) {
			r.Fatal("a good proof fails")
		}
		check(p, rapid.Int64Range(-2, 301).Draw(r, "other index"), rapid.Int64Range(1, 301).Draw(r, "other size"), leaf, root)
		check(append(p, root), index, size, leaf, root)
		check(p, index, size, root, root)
		if len(p) > 0 {
			check(p[:len(p)-1], index, size, leaf, root)
			p[rapid.IntRange(0, len(p)-1).Draw(r, "hash")][3] ^= 1
			check(p, index, size, leaf, root)
		}
	})
}

// TestInclusionBounds asks for leaves that a tree of one leaf does not have.
func TestInclusionBounds(t *testing.T) {
	leaf := provenance.LeafHash([]byte("only"))
	for index, want := range map[int64]bool{-1: false, 0: true, 1: false, 2: false} {
		if got := provenance.CheckInclusion(nil, index, 1, leaf, leaf); got != want {
			t.Errorf("index %d of a tree of one leaf: %t", index, got)
		}
	}
	if provenance.CheckInclusion(nil, 0, 0, leaf, leaf) {
		t.Error("a tree without leaves holds one")
	}
}

func TestConsistencyAgreesWithXMod(t *testing.T) {
	var leaves [][]byte
	for i := range 70 {
		leaves = append(leaves, []byte{byte(i)})
	}
	log := grow(t, leaves)
	for size := int64(1); size <= 70; size++ {
		for old := int64(1); old <= size; old++ {
			p, err := tlog.ProveTree(size, old, log)
			if err != nil {
				t.Fatal(err)
			}
			proof, oldRoot, newRoot := hashes(p), log.root(t, old), log.root(t, size)
			if !provenance.CheckConsistency(proof, old, size, oldRoot, newRoot) {
				t.Fatalf("%d to %d: a good proof fails", old, size)
			}
			bad := func(what string, p []provenance.Hash, old, size int64, a, b provenance.Hash) {
				if provenance.CheckConsistency(p, old, size, a, b) {
					t.Fatalf("%d to %d: %s passes", old, size, what)
				}
			}
			if old < size {
				bad("roots swapped", proof, old, size, newRoot, oldRoot)
				bad("sizes swapped", proof, size, old, oldRoot, newRoot)
				bad("no proof", nil, old, size, oldRoot, newRoot)
			}
			bad("an extra hash", append(proof, newRoot), old, size, oldRoot, newRoot)
			bad("another old root", proof, old, size, provenance.Hash{}, newRoot)
			bad("another new root", proof, old, size, oldRoot, provenance.Hash{})
			bad("size 0", proof, 0, size, oldRoot, newRoot)
		}
	}
}
