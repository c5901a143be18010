// Package publisherfile reads /.well-known/colophon-publisher.json, in which a
// publisher says by itself who it is, which uses it allows, what it offers and
// for which hosts it speaks.
//
// The reading is strict: every mistake is reported with line, column and JSON
// pointer, and a file with any error says nothing. Members that are not known
// are kept apart and reported, so that an earlier program can read a later version
// program. Who controls a host is not decided here: a file only claims hosts.
package publisherfile
