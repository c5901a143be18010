// Package indexbuild builds the static index: the files from which the worker
// answers searches, lists and lookups without a database. It reads the public
// records once, grouped by site, and puts the files one by one. The same
// records always give the same bytes, on any number of processors.
//
// From the same sorted keys it puts the files for private look-ups, which are no
// part of the index; package release has their format.
//
// Package indexer builds what is searched; package lookup has the formats of
// keys and similar texts, and package listing those of lists.
package indexbuild
