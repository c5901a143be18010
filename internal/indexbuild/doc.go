// Package indexbuild builds the static index: the files from which the worker
// answers searches, lists and lookups without a database. It reads the public
// records once, grouped by site, and puts one file after the other. The same
// records always give the same bytes, on any number of processors.
//
// What is searched goes through package indexer; lookup has the formats of keys
// and of similar texts, listing those of lists.
package indexbuild
