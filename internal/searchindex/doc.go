// Package searchindex is the static index: the format of its files, the words of
// a text, and the order of what was found. The packages below it build the files
// and ask them.
//
// # The format
//
// A reader needs nothing but files; a few hundred lines in any language will
// do, in a browser too. It begins with IndexKey (JSON, type Index), the only
// file that changes. Everything else lies below _ix/<gen>/ and never does.
//
// An unsigned varint has seven bits a byte, the lowest first, the high bit set
// on all but the last. A text is its length as a varint, then its bytes in
// UTF-8. A front-coded text is a varint of bytes shared with the text before
// it, then the rest as a text. A file begins with four letters that name its
// format, and most with their own number, so that no file can stand in for
// another. A packed text is its length, that after compression (raw DEFLATE,
// RFC 1951; 0 for a text that does not shrink, which is stored), and its bytes.
// Numbers of records begin at 0.
//
//	CRT4 <i>/root.idx  Root: records, records in a block, separators, common words, ranks
//	CLF3 <i>/t/…       Leaf: neighbouring words with their postings
//	CPL3 <i>/l/…       postings of one common word
//	CBL3 <i>/d/…       Block: the records themselves, lines of JSON; Doc has those of pages
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
