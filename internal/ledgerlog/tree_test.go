package ledgerlog_test

import (
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
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
		must(t, err)
		s = append(s, h...)
	}
	return s
}

func (s tree) root(t testing.TB, size int64) tlog.Hash {
	t.Helper()
	h, err := tlog.TreeHash(size, s)
	must(t, err)
	return h
}

func manyLeaves(n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = []byte(fmt.Sprintf("leaf %d", i))
	}
	return out
}

func (v *ledgerVectors) leaves() (leaves [][]byte) {
	for _, r := range v.Records {
		leaves = append(leaves, []byte(r.LeafJCS))
	}
	return leaves
}
