// Package postgres stores the origin in Postgres. The statements are those of
// originsql, which are written for SQLite and translated by a few fixed rules
// (translate.go); so are the migrations (migrate.go).
//
// SQLite runs one write after another; Postgres runs them concurrently, at READ
// COMMITTED. What depends on the former is ensured by locks here (lock.go):
// wherever a number is assigned, the counting row is locked first. Each
// statement is its own transaction, in one round trip; a statement that
// Postgres refused because of a concurrent one is run again.
package postgres
