// Package publisherfile reads /.well-known/colophon-publisher.json, in which a
// publisher says who it is, which uses it allows, what it offers and for which
// hosts it speaks.
//
// Reading is strict: every mistake is reported with line, column and JSON
// pointer, and a file with any error counts as saying nothing. Unknown members
// are kept apart and reported, so that an earlier program can read a file
// written for a later version. Control of a host is not decided here: a file
// only claims hosts.
package publisherfile
