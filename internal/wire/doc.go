// Package wire is the JSON dialect of Colophon: a strict reader, a canonical
// writer, and Members, by which a record describes itself once.
//
// Reading accepts I-JSON narrowed further: well-formed UTF-8 without a byte
// order mark, no duplicate member names (compared after unescaping), numbers
// only as safe integers (unless Limits.Floats), and bounds on bytes, depth
// and members, so that hostile input costs little and never overflows a stack.
//
// Writing is canonical (RFC 8785): the same value always gives the same bytes,
// which can therefore be hashed, signed and compared. For example
//
//	{"b": [1, true], "a": "\u00e9"}
//
// is read as a Value and written back as
//
//	{"a":"é","b":[1,true]}
//
// A record type has one method, Members, that names its members and where
// they live. The same walk writes the record (Append), reads it strictly
// (Decode) and gives its JSON Schema (Schema), so the three cannot differ.
// The package uses no reflection and none of the heavier standard packages:
// it also runs inside the worker.
package wire
