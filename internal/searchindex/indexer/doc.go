// Package indexer builds the static index: the files from which the worker
// answers search, paging and lookups without a database. It reads the public
// records once, grouped by site, keeps words and numbers in memory and the
// records themselves in a temporary folder, and then puts one file after the
// other. The same records always give the same bytes, on any number of
// processors. The formats are those of package searchindex (Root, Leaf, Block,
// Bucket and their keys).
//
// Pages are numbered so that those which answer the same search are
// neighbours: each goes with its home word, the rarest of its words that at
// least eight pages have. A search then finds its hits in few files.
package indexer
