// Package staticindex holds what all files of the static index share: the name
// of the generation in force and where its files are, the form of numbers,
// texts and blocks of records, the reading of published files, and the paging
// of lists.
//
// A reader needs nothing but files. It begins with IndexKey (JSON, type Index),
// the only file that changes. Everything else lies below _ix/<gen>/ and never
// does. In a release of packs these files are read from packs (package blob), under the
// same keys.
//
// An unsigned varint has seven bits a byte, the lowest first, the high bit set
// on all but the last. A text is its length as a varint, then its bytes in
// UTF-8. A file begins with four letters that name its format and its version,
// and most with their own number, so that no file can stand in for another. A
// packed text is its length, that after compression (raw DEFLATE, RFC 1951; 0 for
// a text that does not shrink, which is stored), and its bytes.
//
//	CBL4 <i>/d/…         Block: records of the index i, lines of JSON
//
// Package searchindex has the files by which words are found, package lookup
// those by which a key is, package listing the directory of sites.
package staticindex
