// Package blob stores many small values in few immutable files, so that a
// registry of a million entries has some ten thousand packs for an asset server, or
// some thirty for a store that answers Range requests.
//
// # Table
//
// A table maps keys to values, in the order of the bytes of its keys. Package
// document says what it holds: files, the facts of entries by publisher, and the
// publisher of each entry.
//
// # Blob
//
// A blob has one value or a few neighbouring ones. It is a packed text (see
// package staticindex) of, for each value, its key and its data, each with its
// length before it. Where a blob begins follows from the keys alone (Writer.Starts),
// so a value that changes, comes or goes changes one blob or two.
//
// # Pack
//
// A pack is blobs and pages end to end. It is named by the first 16 bytes of its
// SHA-256 (PackKey) and never changes under its name. How large packs become is up to the writer: small ones suit
// servers that send whole files, large ones those that send ranges. Readers need not
// know it.
//
// # Page
//
// The index is a tree of pages. Each row of a page has the first key of a blob, or of a
// page of the level below, and its location. Rows come by key:
//
//	uvarint  rows
//	         of each row:
//	uvarint  length of what its key shares with the key before it
//	text     the rest of its key
//	byte     0: it lies in the pack of the row before; 1: in the pack that this page
//	         lies in; 2: in the pack that is named next
//	16       after a 2, the name of the pack
//	uvarint  offset in the pack
//	uvarint  length
//	16       first bytes of the SHA-256 of the blob or page
//
// At the four lowest levels, a page ends before each key in whose hash seven given bits
// are zero, one of 128 keys; each level looks at other bits. So pages too change only around the keys that change.
//
// # Root
//
// The root (RootKey, JSON) changes with each release. It names the topmost page, whose
// digest vouches for all that is below it.
//
// # Changes
//
// A change reads the blobs that it touches, writes them again with the pages above
// them into new packs, and then the root. A pack of which less than half is in use is
// emptied into the new ones; so is one that is larger than packs may be now, and so
// are packs less than half full once there are more than sixteen.
package blob
