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
//	CRT6 <i>/root.idx  Root: records, records in a block, separators, common words, ranks, orders
//	CLF3 <i>/t/…       Leaf: neighbouring words with their postings
//	CPL3 <i>/l/…       postings of one common word
//	CBL3 <i>/d/…       staticindex.Block: the records themselves; Doc has those of pages
//	CSO2 <i>/o/…       an order: the numbers of all records, the first first
//
// To search for "tides", a reader
//
//  1. makes it a word by the rule of Tokens: "tide"
//  2. finds in the root the last separator that is not above it: number n, or
//     the word itself among the common ones
//  3. reads leaf n and finds the word: how many records have it, which is the
//     exact total, and its postings
//  4. orders them by Best, after adding up the scores of several words, and
//     reads the blocks of the first ten: record r is in block r / PerFile
//
// This is a leaf, number 0, of an index of four records. Its one word is
// "tide", in records 1 and 3, with impacts 10 and 7:
//
//	43 4c 46 33        CLF3
//	00                 leaf 0
//	01                 one word
//	0a 00              a packed text of ten bytes, stored
//	00 04 74 69 64 65  shares 0 bytes with the word before, then 4: tide
//	02                 in two records
//	02                 a list of two bytes
//	1a                 1 record before the first, impact 10
//	17                 1 record between the two, impact 7
package searchindex
