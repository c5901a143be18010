package searchindex_test

import (
	"fmt"

	"colophon/internal/searchindex"
)

// ExampleLeaf encodes the leaf of the package's worked example.
func ExampleLeaf() {
	p := searchindex.Postings{Docs: []uint32{0, 2}, Impacts: []uint8{7, 10}} // the last one is the first
	groups := searchindex.NewGroups([]uint32{4})
	leaf := searchindex.Leaf{{Word: "tide", Count: 2, List: groups.AppendPostings(nil, p)}}
	b := leaf.Append(nil, "", deflater())
	fmt.Printf("% x\n", b)

	back, err := searchindex.DecodeLeaf(b, "", 4)
	at, found := back.Find("tide")
	fmt.Println(err, found, back[at].Count)
	// Output:
	// 43 4c 46 34 00 01 0c 00 00 04 74 69 64 65 02 04 00 02 1a 17
	// <nil> true 2
}
