// Package exports is the contract between the generator, which publishes, and
// the worker, which answers: the public record types with their JSON form, the
// closed vocabularies, the key of every published file, the cache policy of
// every family, and the one table of endpoints (Surface).
//
// A record type is a plain struct with one method, Members (see
// internal/wire). Public records have no field in which an e-mail address, a
// note, a secret or a body could travel. Times are RFC 3339 text in UTC with
// seconds; lists are written even when empty; an absent member is unknown and
// null is known to be none. Every record of this package that stands alone
// carries "grants_rights": false.
package exports
