// Package publisherfile reads /.well-known/colophon-publisher.json, in which a
// publisher says by itself who it is, which uses it allows, what it offers and
// for which hosts it speaks.
//
// The reading is strict: whatever is wrong is told with line, column and JSON
// pointer, and a file with any error says nothing. Members that are not known
// are kept apart and told, so that a later version can be read by an earlier
// program. Who controls a host is not decided here: a file only claims hosts.
package publisherfile
