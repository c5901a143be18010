// Package query searches published files only: it opens the index that package
// indexer wrote (see package searchindex for the format), reads the few files
// that hold the words of a question and the records of a page, and returns
// lists of exports. REST handlers and MCP tools call the same functions.
//
// A search finds the records that have every word of q. The last word may be
// unfinished: when no record has it as it stands, it means the words that
// begin with it; when nothing is found with it, or it is the only word and has fewer than ten
// records, those with such words follow after them. Common words are among
// such words only when no record has the last word as it stands, or nothing was found. When nothing at all is found, words
// one edit away are tried. If a word may stand for several, the most frequent of
// them counts most.
// A word far more frequent than another one of the question (8192 records,
// one in 32, and 16 times the other) is left out. Hits are ordered by score,
// then by their place in the index, which has the pages of a publisher together, the
// one registered last first.
//
// The rank of a record is BM25 in integers: for each word, the impact stored
// with it (0 to 15: field weight against length) times the rarity
// log2((2N+2)/(2n+1)) in 1/256.
package query
