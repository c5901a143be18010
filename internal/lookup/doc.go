// Package lookup finds entries by a key in published files: by their URL, their
// id, a fingerprint of their text, or a similarity code. It also defines the
// format of these files.
//
//	p/… f/…  Bucket: lookup by URL and entry, by fingerprint, lines of text
//	CSC2 y/… similarity codes; see CodesKey
//	CSB2 b/… the codes by their bands
//
// A file that is missing or malformed is an outage and never "no match".
package lookup
