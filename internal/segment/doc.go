// Package segment stores many small values in few immutable files, so that a
// registry of a million entries is some thousand files for an asset server, or
// some forty objects for a store that answers Range requests.
//
// # Keys
//
// A value is stored under a Key: the first 16 bytes of the SHA-256 of its name.
// Keys of names are spread evenly, so the leading bits of a key say in which
// object it is, and the bits after them in which bucket of the object.
//
// # Segment
//
// A segment is 2^p objects, p = PrefixBits. Object number n holds the values
// whose keys begin with the p bits of n. Its name is the SHA-256 of its bytes
// (ObjectKey), so it never changes under its name.
//
// # Object
//
// Numbers are little-endian. A varint is unsigned, seven bits a byte, the
// lowest first. With b = BucketBits:
//
//	0   4        "CSG1"
//	4   1        p
//	5   1        b
//	6   2        zero
//	8   4        number of the object, below 2^p
//	12  4        values in the object
//	16  4(2^b+1) offsets: where bucket i begins, from the start of the object;
//	             the last is the size of the object
//	…            buckets, without gaps
//
// A bucket is its values by ascending key:
//
//	16      key
//	varint  0 for a tombstone, else the length of the value plus one
//	…       the value
//
// A tombstone says that the key has no value, whatever an older segment says.
//
// # Directory
//
// Where a segment has more than MaxInline objects, their digests stand in
// directories of DirectorySize digests each, which are named like objects:
//
//	0  4   "CSD1"
//	4  4   number of the directory
//	8  32n digests, of object DirectorySize × number and those after it
//
// # Root
//
// The root (RootKey, JSON) is the one file that changes. It lists layers, the
// newest first; the last is the base, those before it are deltas. A layer has
// a segment of entries, among which are whole files, as they are or compressed (see
// document.AppendCompressedFile), and one of shared items: facts that many entries have
// in common, stored under the digest of their bytes. A reader asks the filter (see
// Filter) whether a delta may have the key, looks into the deltas from the
// newest on, and then into the base. The first value or tombstone counts.
//
// The files of one generation of the static index stand in a segment with a root
// of its own, below the folder of the generation: see document.IndexFolder. Its
// objects are the same but for the folder of their names.
//
// # Reading
//
// In the page profile an object is read whole, and verified by its name. In the
// pack profile objects are large, and a reader takes two ranges of one: eight
// bytes of offsets, then the bucket. Where the objects of a segment have no more
// than 128 KiB on average, as in deltas, it reads them whole.
package segment
