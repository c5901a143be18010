// Package searchindex implements full-text search: the format of its files, the
// words of a text, and the order of hits. Package indexer below it builds the
// files, package query answers questions from them.
//
// # The format
//
// Package staticindex says where files lie, how a reader begins, and how numbers,
// texts and packed texts are written. A front-coded text is a varint of bytes
// shared with the text before it, then the rest as a text. Numbers of records
// begin at 0.
//
//	CRT7 <i>/root.idx  Root: records, Groups, records in a block, separators, common words, ranks, orders
//	CLF4 <i>/t/…       Leaf: neighbouring words with their postings
//	CPL4 <i>/l/…       postings of one common word
//	CBL4 <i>/d/…       staticindex.Block: the records themselves; Doc has those of pages
//	CSO3 <i>/o/…       an order: all records, the first first
//
// To search for "tides", a reader
//
//  1. makes it a word by the rule of Tokens: "tide"
//  2. finds in the root the last separator that is not above it, or the word
//     itself among the common ones
//  3. reads the leaf of that separator and finds the word: how many records have
//     it, which is the exact total, and its postings
//  4. orders them by Best, after adding up the scores of several words, and
//     reads the blocks of the first ten (Root.BlockOf)
//
// This is the first leaf of an index of four records in one group. Its one word
// is "tide", in the records of ordinal 1 and 3, with impacts 10 and 7:
//
//	43 4c 46 34        CLF4
//	00                 it has no separator, because it is the first
//	01                 one word
//	0c 00              a packed text of twelve bytes, stored
//	00 04 74 69 64 65  shares 0 bytes with the word before, then 4: tide
//	02                 in two records
//	04                 a list of four bytes
//	00 02              group 0 has two of them
//	1a                 1 ordinal before the first, impact 10
//	17                 1 ordinal between the two, impact 7
package searchindex
