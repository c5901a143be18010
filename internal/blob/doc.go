// Package blob stores many small values in few immutable files, so that a
// registry of a million entries is some ten thousand files for an asset server,
// or some thirty objects for a store that answers Range requests.
//
// # Table
//
// A table maps keys to values, in the order of the bytes of its keys. What it
// holds is said by package document: files, the facts of entries by publisher,
// and which publisher an entry is of.
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
// A pack is blobs and pages end to end. It is named by its SHA-256 (PackKey) and never
// changes under its name. How large packs become is the one choice that a release
// has: small ones for servers that send whole files, large ones for those that send
// ranges. Readers need not know it.
//
// # Page
//
// The index is a tree of pages. A row of a page has the key of the first value of a
// blob, or of a page of the level below, and where that lies. Rows come by key:
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
// A page ends before a key of whose hash seven bits are zero, other ones on each level,
// so that pages too change only around the keys that change.
//
// # Root
//
// The root (RootKey, JSON) is the one file that changes. It names the topmost page,
// whose digest vouches for all that is below it.
//
// # Changes
//
// A change reads the blobs that it touches, writes them again with the pages above
// them into a new pack, and then the root. A pack of which less than half is in use is
// emptied into the new one.
package blob
