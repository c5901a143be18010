// Package blob stores many small values in few immutable files, so that a
// registry of a million entries has some ten thousand packs on an asset server,
// or some thirty in a store that answers Range requests.
//
// # Table
//
// A table maps keys to values, sorted by the bytes of its keys. Package
// document defines what it holds: files, the facts of entries by publisher, and
// the publisher of each entry.
//
// # Blob
//
// A blob holds one value or a few neighbouring ones. It is a packed text (see
// package staticindex) of the key and data of each value, each preceded by its
// length. Keys decide where a blob begins (Writer.Starts), so adding, changing
// or removing a value changes one blob or two. Only a blob that is full ends
// before the key that begins the next one, and then a change can move values
// up to that key.
//
// # Pack
//
// A pack is a sequence of blobs and pages. It is named by the first 16 bytes of
// its SHA-256 (PackKey), and a name always means the same bytes. The writer
// chooses the size of packs: small ones suit servers that send whole files,
// large ones those that send ranges. Readers need not know it.
//
// # Page
//
// The index is a tree of pages. Each row of a page has the first key of a blob,
// or of a page of the level below, and its location. Rows are sorted by key:
//
//	uvarint  rows
//	         for each row:
//	uvarint  length of the prefix that its key shares with the key before it
//	text     the rest of its key
//	byte     0: it lies in the pack of the row before; 1: in the pack of this page;
//	         2: in the pack that is named next
//	16       after a 2, the name of the pack
//	uvarint  offset in the pack
//	uvarint  length
//	16       first bytes of the SHA-256 of the blob or page
//
// At the four lowest levels, a page ends before each key whose hash has eight
// given bits of zero, one key in 256; each level tests other bits. So a change
// of keys changes only the pages around them.
//
// # Root
//
// The root (RootKey, JSON) changes with each release. It holds the topmost page,
// which has at most 512 rows and names the packs of all, and the digest of that
// page, which covers everything below it.
//
// # Changes
//
// A change reads the blobs that it affects, writes them and the pages above
// them into new packs, and then writes the root. The blobs of a pack move into
// the new packs if less than half of it is in use, if it exceeds the current
// pack size, or if it is less than half full and there are more than sixteen
// such packs.
package blob
