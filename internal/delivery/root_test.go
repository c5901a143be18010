package delivery

import (
	"encoding/base64"
	"strconv"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// TestRoot checks that an empty list has the root of RFC 6962, and a list of
// two items the root of its leaves.
func TestRoot(t *testing.T) {
	t.Parallel()
	var r Root
	if r.String() != "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" {
		t.Errorf("empty: %s", r.String())
	}
	seen := map[string]bool{r.String(): true}
	for i := range 70 {
		r.Add("itm_"+string(rune('a'+i%26)), int64(i), "digest")
		want := rootOf(i + 1)
		if r.String() != want || seen[want] || r.Size() != int64(i+1) {
			t.Fatalf("%d items: %s, not %s", i+1, r.String(), want)
		}
		seen[want] = true
	}
}

// rootOf computes the root of the first n items as RFC 6962 defines it.
func rootOf(n int) string {
	leaves := make([]tlog.Hash, n)
	for i := range leaves {
		leaves[i] = tlog.RecordHash([]byte("itm_" + string(rune('a'+i%26)) + "\n" + strconv.Itoa(i) + "\ndigest"))
	}
	var tree func(list []tlog.Hash) tlog.Hash
	tree = func(list []tlog.Hash) tlog.Hash {
		if len(list) == 1 {
			return list[0]
		}
		k := 1
		for k*2 < len(list) {
			k *= 2
		}
		return tlog.NodeHash(tree(list[:k]), tree(list[k:]))
	}
	root := tree(leaves)
	return base64.StdEncoding.EncodeToString(root[:])
}
