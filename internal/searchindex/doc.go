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
//	CRT3 <i>/root.idx     Root: records, records in a block, 1 if spread, separators, common words, ranks
//	CLF2 <i>/t/…          Leaf: neighbouring words with their postings
//	CPL2 <i>/l/…          postings of one common word
//	CHD1 <i>/h/… <i>/k/…  Head: records kept again for the words of leaf n; for common word n
//	CBL2 <i>/d/…          Block: the records themselves, packed; Doc.Store says what a page's has
//	CSC1 y/…              similarity codes; see CodesKey
//	CSB1 b/…              the codes by their bands
//	     site/…           directory of sites, lines of JSON (SiteRow)
//	     p/… f/…          lookup by URL and entry, by fingerprint, lines of text (Bucket)
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
// For a single word, Head saves step 4 or some of its blocks.
//
// This is a leaf, number 0, of an index of four records. Its one word is
// "tide", in records 1 and 3, with impacts 10 and 7:
//
//	43 4c 46 32        CLF2
//	00                 leaf 0
//	01                 one word
//	08 00              a packed text of eight bytes, stored
//	00 04 74 69 64 65  shares 0 bytes with the word before, then 4: tide
//	02                 in two records
//	03                 a list of three bytes
//	17 56 07           the list
//
// The list is one stream of bits, the lowest of each byte first, as
// AppendPostings has it. Here: the usual impact 1110, a width of gaps 10000, 1
// for impacts that differ, record 10 in the two bits of a number below four,
// 1 for another impact, 0101, then the gap 11, 0 for the usual impact, and
// zeroes up to the byte.
package searchindex
