package searchindex_test

import (
	"fmt"

	"colophon/internal/searchindex"
)

// ExampleLeaf encodes the leaf of the package's worked example.
func ExampleLeaf() {
	p := searchindex.Postings{Docs: []uint32{1, 3}, Impacts: []uint8{10, 7}}
	leaf := searchindex.Leaf{{Word: "tide", Count: 2, List: searchindex.AppendPostings(nil, p)}}
	b := leaf.Append(nil, 0, deflater())
	fmt.Printf("% x\n", b)

	back, err := searchindex.DecodeLeaf(b, 0, 4)
	at, found := back.Find("tide")
	fmt.Println(err, found, back[at].Count)
	// Output:
	// 43 4c 46 33 00 01 0a 00 00 04 74 69 64 65 02 02 1a 17
	// <nil> true 2
}
