// Package indexer builds the files of an index from records and their words. It
// keeps the vocabulary and numbers in memory, the records and their words in a
// temporary folder, and then writes one file after the other. The same records
// always give the same bytes, on any number of processors. The formats are
// those of package searchindex (Root, Leaf) and staticindex (Block).
package indexer
